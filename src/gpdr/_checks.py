"""Are the numbers a user gave usable? One line if not: what was expected, what came, what to do."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real

from gpdr.errors import InputError, unknown_name


def real(name: str, value: object, low: float, high: float, *, above: bool = False, hint: str = "") -> float:
    """`value` as a float in [low, high], or (low, high] when it must lie `above` the lower end."""
    wanted = f"a number {'above' if above else 'from'} {low:g} {'up ' if above else ''}to {high:g}"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputError(f"{name}: expected {wanted}, got {short(value)}{hint}")
    number = _as_float(value)
    if not math.isfinite(number) or not low <= number <= high or (above and number == low):
        raise InputError(f"{name}: expected {wanted}, got {number:g}{hint}")
    return number


def whole(name: str, value: object, low: int, high: int | None = None, *, hint: str = "") -> int:
    """`value` as an int in low … high."""
    wanted = f"a whole number from {low}" + ("" if high is None else f" to {high}")
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputError(f"{name}: expected {wanted}, got {short(value)}{hint}")
    number = int(value) if isinstance(value, Integral) else _as_float(value)
    fits = low <= number and (high is None or number <= high)
    if not fits or (isinstance(number, float) and not number.is_integer()):
        raise InputError(f"{name}: expected {wanted}, got {short(value)}{hint}")
    return int(number)


def names(kind: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Refuse a name that is not known."""
    choices = list(known)
    for name in given:
        if name not in choices:
            raise unknown_name(kind, str(name), choices)


def short(value: object) -> str:
    """What came, as an error repeats it."""
    text = str(value) if isinstance(value, Real) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _as_float(value: Real) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
