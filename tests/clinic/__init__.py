"""Tests of the clinic."""
