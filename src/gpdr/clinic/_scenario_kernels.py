"""Scenarios in flat arrays: who shows up, walk-ins in order of arrival."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import kernel
from gpdr.clinic._normal_kernels import GAMMA, mixed

_S32, _TWO_TO_32 = np.uint64(32), 4294967296.0


@kernel
def who_shows(seed: np.uint64, no_show: float, present: NDArray[np.uint8]) -> None:
    """Draw for each patient of each session, one after another, whether he shows up."""
    absent = np.uint64(no_show * _TWO_TO_32) << _S32
    state = seed
    for k in range(present.size):
        state += GAMMA
        present[k] = np.uint8(mixed(state) >= absent)


@kernel
def list_shown(present: NDArray[np.uint8], patients: int, shown: NDArray[np.uint16], counts: NDArray[np.int64]) -> int:
    """List the places of those who show up, session after session, and count them; returns how many in all."""
    total = 0
    for r in range(counts.size):
        before = total
        for i in range(patients):
            # Always written, kept only if present: no branch to mispredict.
            shown[total] = np.uint16(i)
            total += int(present[r * patients + i])
        counts[r] = total - before
    return total


@kernel
def sort_within(values: NDArray[np.float32], ends: NDArray[np.int64]) -> None:
    """Sort each session's few arrivals in place, by insertion."""
    begin = 0
    for r in range(ends.size):
        for i in range(begin + 1, ends[r]):
            value = values[i]
            j = i - 1
            while j >= begin and values[j] > value:
                values[j + 1] = values[j]
                j -= 1
            values[j + 1] = value
        begin = ends[r]
