"""Tests of studies."""
