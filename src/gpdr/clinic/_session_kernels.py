"""One timetable, session by session, with every figure: slower than the lanes, and in float64."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import inlined, kernel
from gpdr.clinic.scenarios import Draws

Floats = NDArray[np.float64]

# Columns of what is noted of a session.
WAIT, IDLE, OVER, COST, SCHEDULED_WAIT, SCHEDULED, WALK_IN_WAIT, WALK_INS, LATE = range(9)
COLUMNS = 9


@inlined
def _walk_in_goes(fourth: bool, patient: float, walk_in: float, end: float, third_last: float) -> bool:
    """Is the next service the walk-in's? Infinite arrivals: there is none of that kind."""
    if walk_in == np.inf or patient == np.inf:
        return patient == np.inf
    if fourth:
        return walk_in <= third_last
    if patient <= end and walk_in <= end:
        return walk_in <= third_last
    return walk_in < patient if walk_in > end else patient > end


@kernel
def sessions(
    times: Floats,
    draws: Draws,
    prices: Floats,
    session: float,
    fourth: bool,
    lo: int,
    hi: int,
    noted: Floats,
    waits: Floats,
    squares: Floats,
    counts: Floats,
) -> None:
    """Note the figures of sessions lo … hi-1 in rows of `noted`, and add up waits by place in the timetable."""
    for r in range(lo, hi):
        p, w = draws.shown_at[r], draws.arrivals_at[r]
        p_end, w_end = draws.shown_at[r + 1], draws.arrivals_at[r + 1]
        end = idle = wait_scheduled = wait_walk_in = 0.0
        # Starts of the last three services; under `when-free` of the last three scheduled patients.
        start1 = start2 = start3 = -np.inf
        for s in range(p + w, p_end + w_end):
            patient = times[draws.shown[p]] if p < p_end else np.inf
            walk_in = np.float64(draws.arrivals[w]) if w < w_end else np.inf
            goes = _walk_in_goes(fourth, patient, walk_in, end, start3)
            arrival = walk_in if goes else patient
            start = max(end, arrival)
            if s > draws.shown_at[r] + draws.arrivals_at[r]:
                idle += start - end
            end = start + np.float64(draws.services[s])
            wait = start - arrival
            if goes:
                wait_walk_in += wait
                w += 1
            else:
                wait_scheduled += wait
                place = draws.shown[p]
                waits[place] += wait
                squares[place] += wait * wait
                counts[place] += 1
                p += 1
            if fourth or not goes:
                start3, start2, start1 = start2, start1, start
        scheduled, walk_ins = p_end - draws.shown_at[r], w_end - draws.arrivals_at[r]
        served = max(1, scheduled + walk_ins)
        row = noted[r - lo]
        row[WAIT] = (wait_scheduled + wait_walk_in) / served
        row[IDLE] = (idle + max(0.0, session - end)) / served
        row[LATE] = max(0.0, end - session)
        row[OVER] = row[LATE] / served
        row[COST] = row[WAIT] + prices[0] * row[IDLE] + prices[1] * row[OVER]
        row[SCHEDULED_WAIT], row[SCHEDULED] = wait_scheduled, scheduled
        row[WALK_IN_WAIT], row[WALK_INS] = wait_walk_in, walk_ins
