"""Tests of the appointment problem."""
