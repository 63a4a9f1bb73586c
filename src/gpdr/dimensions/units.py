"""Units in and out: text such as "min" or "m/s^2" to an exact dimension over chosen base units, and back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from gpdr.dimensions.vector import Dimension
from gpdr.errors import InputError

if TYPE_CHECKING:
    import pint

_PLAIN = ("", "1", "dimensionless")
_LONGEST_TEXT = 200
_POWER = re.compile(r"\^|\*\*")
_LARGEST_EXPONENT = 1000
_FINEST_FRACTION = 1000


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

    def dimension(self, text: str) -> Dimension:
        """The dimension that a unit's text names."""
        text = text.strip()
        if text in _PLAIN:
            return Dimension.none(len(self))
        if text in self.base:
            return Dimension.of(int(name == text) for name in self.base)
        return self._solve(text, _dimensionality(text, self.base))

    def text(self, dimension: Dimension) -> str:
        """A dimension in the base units: "min", "m/s^2", "1" for a plain number."""
        above = [_power(n, e) for n, e in zip(self.base, dimension.exponents, strict=True) if e > 0]
        below = [_power(n, -e) for n, e in zip(self.base, dimension.exponents, strict=True) if e < 0]
        return "/".join(["*".join(above) or "1", *below])

    def _solve(self, text: str, wanted: dict[str, Fraction]) -> Dimension:
        """Exponents x with sum of x_k times the dimensionality of base unit k equal to the wanted one."""
        columns = [_dimensionality(name, self.base) for name in self.base]
        basics = sorted({key for column in [*columns, wanted] for key in column})
        rows = [[*(c.get(key, Fraction(0)) for c in columns), wanted.get(key, Fraction(0))] for key in basics]
        solution = _gauss(rows, len(columns))
        if solution is None:
            known = ", ".join(self.base) or "none"
            raise InputError(
                f"unit {text!r}: cannot be made of the base units ({known}); use a product of their powers"
            )
        return Dimension(tuple(solution))


def _power(name: str, exponent: Fraction) -> str:
    if exponent == 1:
        return name
    return f"{name}^{exponent}" if exponent.denominator == 1 else f"{name}^({exponent})"


@cache
def _registry(own: tuple[str, ...]) -> pint.UnitRegistry[Any]:
    import pint

    registry: pint.UnitRegistry[Any] = pint.UnitRegistry(non_int_type=Fraction, cache_folder=None)
    for name in own:
        if name not in registry:
            registry.define(f"{name} = [{name}]")
    return registry


@cache
def _dimensionality(text: str, base: tuple[str, ...]) -> dict[str, Fraction]:
    """Exponents of pint's basic dimensions, exactly."""
    expected = f"unit {text[:60]!r}: expected a unit such as min, m/s^2 or 1"
    if len(text) > _LONGEST_TEXT:
        raise InputError(f"{expected}, of at most {_LONGEST_TEXT} characters")
    if not re.fullmatch(r"[A-Za-z_0-9µΩ°%^*/(). +-]+", text) or text.count("^") + text.count("**") > 20:
        raise InputError(expected)
    try:
        found = dict(_registry(base).parse_units(_POWER.sub("**", text)).dimensionality)
        exact = {str(key): Fraction(power).limit_denominator(_FINEST_FRACTION) for key, power in found.items()}
    except Exception as error:  # pint raises a dozen kinds, from tokenize errors to AttributeError
        raise InputError(expected) from error
    if any(abs(power) > _LARGEST_EXPONENT for power in exact.values()):
        raise InputError(f"{expected}, with exponents of at most {_LARGEST_EXPONENT}")
    return exact


def _gauss(rows: list[list[Fraction]], unknowns: int) -> list[Fraction] | None:
    """Solve the linear system exactly; None where it has no solution. Free unknowns are zero."""
    pivots: list[int] = []
    for column in range(unknowns):
        top = len(pivots)
        pivot = next((r for r in range(top, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[top], rows[pivot] = rows[pivot], rows[top]
        rows[top] = [value / rows[top][column] for value in rows[top]]
        for r in range(len(rows)):
            if r != top and rows[r][column]:
                rows[r] = [a - rows[r][column] * b for a, b in zip(rows[r], rows[top], strict=True)]
        pivots.append(column)
    if any(row[-1] for row in rows[len(pivots) :]):
        return None
    solution = [Fraction(0)] * unknowns
    for row, column in enumerate(pivots):
        solution[column] = rows[row][-1]
    return solution
