"""Are the numbers a user gave usable? One line if not: what was expected, what came, what to do."""

from __future__ import annotations

import math
from numbers import Real

from gpdr.errors import InputError


def real(name: str, value: object, low: float, high: float, *, above: bool = False, hint: str = "") -> float:
    """`value` as a float in [low, high], or (low, high] when it must lie `above` the lower end."""
    wanted = f"a number {'above' if above else 'from'} {low:g} {'up ' if above else ''}to {high:g}"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputError(f"{name}: expected {wanted}, got {value!r}{hint}")
    number = float(value)
    if not math.isfinite(number) or not low <= number <= high or (above and number == low):
        raise InputError(f"{name}: expected {wanted}, got {number:g}{hint}")
    return number


def whole(name: str, value: object, low: int, high: int, *, hint: str = "") -> int:
    """`value` as an int in low … high."""
    wanted = f"a whole number from {low} to {high}"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputError(f"{name}: expected {wanted}, got {value!r}{hint}")
    number = float(value)
    if not low <= number <= high or number != int(number):
        raise InputError(f"{name}: expected {wanted}, got {value}{hint}")
    return int(number)
