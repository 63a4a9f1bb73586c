"""From what a rule says to a timetable that a clinic can hang up."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpdr.errors import InputError


def timetables(raw: ArrayLike, session: float) -> NDArray[np.float64]:
    """Rows of appointment times made into timetables: never negative, never decreasing, never past the session."""
    from gpdr.clinic._timetable_kernels import clean

    rows = np.ascontiguousarray(raw, np.float64)
    if rows.ndim != 2:
        raise InputError(f"raw: expected rows of appointment times, got an array of shape {rows.shape}")
    times = np.empty_like(rows)
    clean(rows, float(session), times)
    return times


def timetable(raw: ArrayLike, session: float) -> NDArray[np.float64]:
    """One row of appointment times made into a timetable."""
    times: NDArray[np.float64] = timetables(np.atleast_2d(np.asarray(raw, np.float64)), session)[0]
    return times


def timetable_by_the_book(raw: list[float], session: float) -> list[float]:
    """The same step written for reading; what the kernel is tested against."""
    times: list[float] = []
    for said in raw:
        before = times[-1] if times else 0.0
        time = said
        if math.isnan(time):
            time = before
        if time < 0.0:
            time = 0.0
        if time < before:
            time = before
        if time > session:
            time = before
        times.append(time)
    return times
