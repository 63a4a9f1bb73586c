"""Terminals: what an expression reads (a column of data), and random constants with their samplers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

from gpdr.errors import InputError


class Sampler(IntEnum):
    """How a random constant is drawn when its node is made."""

    NONE = 0  # not a constant
    INTEGER = 1  # low, low + 1, … high, each as likely
    REAL = 2  # uniform in [low, high)


@dataclass(frozen=True)
class Terminal:
    """A quantity that the expression reads, by the name of its column, with its unit.

    `low` and `high` tell what its values lie between. Only simplification uses them: knowing more, it may do more.
    """

    name: str
    unit: str = "1"
    low: float = -math.inf
    high: float = math.inf

    def __post_init__(self) -> None:
        if not self.low <= self.high or math.inf in (self.low, -self.high):
            raise InputError(
                f"terminal {self.name!r}: expected a range from low to high, got {self.low} and {self.high}"
            )


@dataclass(frozen=True)
class Constant:
    """A random constant: drawn when the node is made, fixed afterwards."""

    name: str
    sampler: Sampler
    low: float
    high: float
    unit: str = "1"

    def __post_init__(self) -> None:
        whole = self.sampler is Sampler.INTEGER
        if self.sampler is Sampler.NONE or not (math.isfinite(self.low) and math.isfinite(self.high)):
            raise InputError(
                f"constant {self.name!r}: expected a sampler and finite bounds, got {self.low}, {self.high}"
            )
        if self.low > self.high or (not whole and self.low == self.high):
            raise InputError(f"constant {self.name!r}: low must be below high, got {self.low} and {self.high}")
        if whole and not (float(self.low).is_integer() and float(self.high).is_integer()):
            raise InputError(
                f"constant {self.name!r}: an integer sampler needs whole bounds, got {self.low}, {self.high}"
            )

    def could_be(self, value: float) -> bool:
        """Whether the sampler can draw this value."""
        if self.sampler is Sampler.INTEGER:
            return self.low <= value <= self.high and float(value).is_integer()
        return self.low <= value < self.high
