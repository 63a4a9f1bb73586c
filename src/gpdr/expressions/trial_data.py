"""Numbers on which lookalikes differ: what a simplification is tried on before it is taken."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gpdr.expressions.intervals import Interval

_ROWS = 512
_ENDS = 1 / 16  # of the rows have a terminal at an end of its range


@cache
def trial_data(ranges: tuple[Interval, ...]) -> NDArray[np.float64]:
    """Rows in which ordinary, whole, zero, tiny and huge numbers of either sign meet, each in its column's range."""
    rng = np.random.default_rng(20_240_229)
    return np.array([_column(rng, low, high) for low, high in ranges]).reshape(len(ranges), _ROWS).T


def _column(rng: np.random.Generator, low: float, high: float) -> NDArray[np.float64]:
    sign = rng.choice([-1.0, 1.0], _ROWS)
    kinds = np.stack(
        [
            rng.uniform(-3, 3, _ROWS),
            rng.uniform(0, 30, _ROWS),
            rng.integers(-2, 21, _ROWS).astype(float),
            np.zeros(_ROWS),
            sign * 10.0 ** rng.uniform(-12, -6, _ROWS),
            sign * 10.0 ** rng.uniform(3, 12, _ROWS),
            sign * 10.0 ** (rng.choice([-1, 1], _ROWS) * rng.uniform(100, 150, _ROWS)),  # fourth powers are no floats
        ]
    )
    bounded = np.isfinite(low) and np.isfinite(high)  # then the extremes are the ends
    chances = [0.3, 0.3, 0.2, 0.08, 0.06, 0.06, 0.0] if bounded else [0.28, 0.28, 0.2, 0.08, 0.06, 0.06, 0.04]
    drawn = kinds[rng.choice(len(kinds), _ROWS, p=chances), np.arange(_ROWS)]
    share = rng.random(_ROWS)
    if bounded:
        within = low * (1 - share) + high * share
    else:
        within = low + np.abs(drawn) if np.isfinite(low) else high - np.abs(drawn)
    found = np.where((low <= drawn) & (drawn <= high), drawn, within)
    ends = [end for end in (low, high) if np.isfinite(end)]
    at_end = rng.random(_ROWS) < _ENDS
    return np.where(at_end, rng.choice(ends, _ROWS), found) if ends else found
