"""Dimensions: exact exponents of base units, and units in and out."""
