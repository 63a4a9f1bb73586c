"""Tests of evolution: parts, loop, methods."""
