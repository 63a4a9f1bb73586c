"""Dimensions as exact vectors: one fraction for each base unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Dimension:
    """Exponents of the base units, in their order; exact, fractions allowed."""

    exponents: tuple[Fraction, ...]

    @classmethod
    def of(cls, exponents: Iterable[Fraction | int | str]) -> Dimension:
        return cls(tuple(Fraction(exponent) for exponent in exponents))

    @classmethod
    def none(cls, units: int) -> Dimension:
        """The dimension of a plain number."""
        return cls((Fraction(0),) * units)

    def __len__(self) -> int:
        return len(self.exponents)

    def __bool__(self) -> bool:
        """False for a plain number."""
        return any(self.exponents)

    def __mul__(self, other: Dimension) -> Dimension:
        return Dimension(tuple(a + b for a, b in zip(self.exponents, other.exponents, strict=True)))

    def __truediv__(self, other: Dimension) -> Dimension:
        return Dimension(tuple(a - b for a, b in zip(self.exponents, other.exponents, strict=True)))

    def __pow__(self, power: Fraction | int) -> Dimension:
        return Dimension(tuple(a * power for a in self.exponents))

    def distance(self, other: Dimension) -> Fraction:
        """How far apart, summed over the base units (Manhattan)."""
        return sum((abs(a - b) for a, b in zip(self.exponents, other.exponents, strict=True)), Fraction(0))

    def midway(self, other: Dimension) -> Dimension:
        """The average, which a node gets whose inputs should agree and do not."""
        return (self * other) ** Fraction(1, 2)
