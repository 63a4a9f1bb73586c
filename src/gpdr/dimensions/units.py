"""Units in and out: text such as "min" or "m/s^2" to an exact dimension over chosen base units, and back."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache

from gpdr.dimensions.linear import solve
from gpdr.dimensions.unit_text import unit_powers
from gpdr.dimensions.vector import Dimension
from gpdr.errors import InputError

_PLAIN = ("", "1", "dimensionless")
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Unit:
    """A unit read: its dimension, and how many of the base units' product it is: 60 for h where the base is min."""

    dimension: Dimension
    size: float


@dataclass(frozen=True)
class UnitSystem:
    """The base units of a problem, by name; other units are read as products of their powers.

    A name that pint does not know ("patients", "EUR") is a base unit of its own.
    """

    base: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in self.base:
            if not re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", name):
                raise InputError(f"base unit {name!r}: expected a name of letters, digits and _, such as min or kg")
        if len(set(self.base)) < len(self.base):
            raise InputError(f"base units {', '.join(self.base)}: each may be named once only")

    def __len__(self) -> int:
        return len(self.base)

    def unit(self, text: str) -> Unit:
        """The dimension that a unit's text names, and its size."""
        size = self.size(text)
        if not 0 < size < math.inf:
            raise InputError(f"unit {text!r}: its size is beyond all floats; expected exponents nearer to 0")
        return Unit(self.dimension(text), size)

    def size(self, text: str) -> float:
        """How many of the base units' product a unit is: 0 or infinite where that is beyond all floats."""
        try:
            size = math.prod(unit.size ** float(exponent) for unit, exponent in self._parts(text))
        except OverflowError:
            return math.inf
        return 1.0 if abs(size - 1.0) < _ROUNDING else size

    def dimension(self, text: str) -> Dimension:
        """The dimension that a unit's text names, of whatever size."""
        found = Dimension.none(len(self))
        for unit, exponent in self._parts(text):
            found *= unit.dimension**exponent
        return found

    def _parts(self, text: str) -> list[tuple[Unit, Fraction]]:
        """The units of a text's names, with their exponents."""
        text = text.strip()
        powers = {} if text in _PLAIN else unit_powers(text)
        return [(_named(text, name, self), exponent) for name, exponent in powers.items()]

    def text(self, dimension: Dimension) -> str:
        """A dimension in the base units: "min", "m/s^2", "1" for a plain number."""
        above = [_power(n, e) for n, e in zip(self.base, dimension.exponents, strict=True) if e > 0]
        below = [_power(n, -e) for n, e in zip(self.base, dimension.exponents, strict=True) if e < 0]
        return "/".join(["*".join(above) or "1", *below])


def _power(name: str, exponent: Fraction) -> str:
    if exponent == 1:
        return name
    return f"{name}^{exponent}" if exponent.denominator == 1 else f"{name}^({exponent})"


@lru_cache(1024)
def _named(text: str, name: str, system: UnitSystem) -> Unit:
    """The unit of one name within a text."""
    from gpdr.dimensions.known_units import known_unit

    if name in system.base:
        return Unit(Dimension.of(int(name == base) for base in system.base), 1.0)
    wanted = known_unit("percent" if name == "%" else name)
    if wanted is None:
        raise _refused(text, f"{name!r} is not known", name, system)
    if wanted.size is None:
        raise _refused(text, f"{name!r} has a zero of its own or is logarithmic", name, system)
    known = {base: unit for base in system.base if (unit := known_unit(base)) and unit.size}
    exponents = solve([unit.dimensionality for unit in known.values()], wanted.dimensionality)
    if exponents is None:
        raise _refused(text, f"{name!r} is not made of the base units", name, system)
    size = float(wanted.size)
    for unit, exponent in zip(known.values(), exponents, strict=True):
        size /= float(unit.size or 1) ** float(exponent)
    by_base = dict(zip(known, exponents, strict=True))
    return Unit(Dimension.of(by_base.get(base, 0) for base in system.base), size)


def _refused(text: str, why: str, name: str, system: UnitSystem) -> InputError:
    near = get_close_matches(name, system.base, n=1) or [b for b in system.base if b.lower() == name.lower()]
    hint = f"; did you mean {near[0]}?" if near else ""
    known = ", ".join(system.base) or "none"
    return InputError(f"unit {text!r}: {why} (base units: {known}){hint}")
