"""The usual way to write the simulator for speed: one timetable, one session after another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import kernel
from gpdr.clinic.scenarios import Draws

_NEVER = np.float32(np.inf)


@kernel
def mean_cost(
    times: NDArray[np.float32], draws: Draws, prices: NDArray[np.float32], length: np.float32, fourth: bool
) -> float:
    """The mean total cost, as `mean_costs` has it: under `when-free` who is first does not matter to it."""
    total = 0.0
    sessions = draws.shown_at.size - 1
    for r in range(sessions):
        p, p_end = draws.shown_at[r], draws.shown_at[r + 1]
        w, w_end = draws.arrivals_at[r], draws.arrivals_at[r + 1]
        end = wait = idle = np.float32(0.0)
        start1 = start2 = start3 = -_NEVER
        begin, after = p + w, p_end + w_end
        for s in range(begin, after):
            patient = times[draws.shown[p]] if p < p_end else _NEVER
            walk_in = draws.arrivals[w] if w < w_end else _NEVER
            goes = walk_in <= (start3 if fourth and p < p_end else patient)
            arrival = walk_in if goes else patient
            start = end if end > arrival else arrival
            if s > begin:
                idle += start - end
            wait += start - arrival
            end = start + draws.services[s]
            start3, start2, start1 = start2, start1, start
            w, p = (w + 1, p) if goes else (w, p + 1)
        early, late = max(length - end, np.float32(0.0)), max(end - length, np.float32(0.0))
        total += (wait + prices[0] * (idle + early) + prices[1] * late) / max(1, after - begin)
    return total / sessions
