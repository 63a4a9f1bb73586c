"""Tests of the dimension check and of the repair."""
