"""Dimensions: exact exponents of base units, and units in and out."""

from gpdr.dimensions.units import Unit, UnitSystem
from gpdr.dimensions.vector import Dimension

__all__ = ["Dimension", "Unit", "UnitSystem"]
