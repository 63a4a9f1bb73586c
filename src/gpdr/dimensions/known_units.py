"""What pint knows about a unit's name: its dimensionality, exactly, and its size in pint's root units."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pint


@dataclass(frozen=True)
class KnownUnit:
    """Exponents of pint's basic dimensions ("[length]", …) and the size in its root units.

    A unit whose scale has a zero of its own or is logarithmic (degC, dB) has no size.
    """

    dimensionality: dict[str, Fraction]
    size: Fraction | None


@lru_cache(1024)
def known_unit(name: str) -> KnownUnit | None:
    """None for a name that pint does not know."""
    registry = _registry()
    if not name.isidentifier() or not registry.parse_unit_name(name):
        return None
    exponents = {str(key): Fraction(str(power)) for key, power in registry.Unit(name).dimensionality.items()}
    try:
        zero = registry.Quantity(Fraction(0), name).to_root_units().magnitude
        one = Fraction(registry.Quantity(Fraction(1), name).to_root_units().magnitude)
    except TypeError:  # the logarithm of a fraction
        return KnownUnit(exponents, None)
    return KnownUnit(exponents, None if zero else one)


@cache
def _registry() -> pint.UnitRegistry[Any]:
    import pint

    return pint.UnitRegistry(non_int_type=Fraction, cache_folder=None)
