"""From what a rule says to a timetable, for a whole population at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import kernel


@kernel
def clean(raw: NDArray[np.float64], session: float, times: NDArray[np.float64]) -> None:
    """Row by row: never negative, never decreasing, never past the session; not-a-number repeats the one before."""
    for row in range(raw.shape[0]):
        before = 0.0
        for i in range(raw.shape[1]):
            time = raw[row, i]
            if time > session or not time > before:  # the second is also true for not-a-number
                time = before
            times[row, i] = time
            before = time
