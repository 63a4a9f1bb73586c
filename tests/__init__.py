"""Tests: they mirror src/gpdr; tests/documents.py says how README and docs are tested."""
