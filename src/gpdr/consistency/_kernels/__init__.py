"""Compiled code of this room; the twins written for reading are in gpdr.consistency.reference."""
