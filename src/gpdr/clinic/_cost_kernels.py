"""Mean total cost of many timetables side by side: what evolution and the optimiser spend their time in.

The outer loop runs over replications, the inner loops over *lanes*, one timetable each. What is random (who shows
up, when walk-ins come, how long services take) is the same for all lanes, so it is a scalar in the inner loop,
which the compiler turns into full-width vector instructions: no gathers, no branches. float32 inside a
replication, float64 for the sums. A lane's figure depends on nothing but its own timetable.
"""

from __future__ import annotations

import numpy as np

from gpdr._jit import inlined, kernel

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_NEVER = np.float32(np.inf)
# Costs of so many replications are added in float32 before they join the float64 sum.
_FLUSH = 32


@inlined
def _serve(end, wait, arrival, service):  # type: ignore[no-untyped-def]
    """One service: it starts when patient and doctor are there. Returns its end and the waiting so far."""
    start = end if end > arrival else arrival
    return start + service, wait + (start - arrival)


@kernel
def _serve_one(lanes, end, wait, times, shown, services, p, s):  # type: ignore[no-untyped-def]
    """Serve the p-th scheduled patient who shows up, as the s-th service, in every lane."""
    row, service = shown[p], services[s]
    for lane in range(lanes):
        end[lane], wait[lane] = _serve(end[lane], wait[lane], times[row, lane], service)


@kernel
def _serve_four(lanes, end, wait, times, shown, services, p, s):  # type: ignore[no-untyped-def]
    """Serve four scheduled patients in a row: the state stays in registers meanwhile, which halves the time."""
    row0, row1, row2, row3 = shown[p], shown[p + 1], shown[p + 2], shown[p + 3]
    service0, service1, service2, service3 = services[s], services[s + 1], services[s + 2], services[s + 3]
    for lane in range(lanes):
        e, w = _serve(end[lane], wait[lane], times[row0, lane], service0)
        e, w = _serve(e, w, times[row1, lane], service1)
        e, w = _serve(e, w, times[row2, lane], service2)
        e, w = _serve(e, w, times[row3, lane], service3)
        end[lane] = e
        wait[lane] = w


@kernel
def _serve_scheduled(lanes, end, wait, times, shown, services, p, s, count):  # type: ignore[no-untyped-def]
    """Serve `count` scheduled patients one after another, with no walk-in between them."""
    while count >= 4:
        _serve_four(lanes, end, wait, times, shown, services, p, s)
        p, s, count = p + 4, s + 4, count - 4
    while count > 0:
        _serve_one(lanes, end, wait, times, shown, services, p, s)
        p, s, count = p + 1, s + 1, count - 1


@kernel
def _serve_noting_start(lanes, end, wait, times, row, service, starts):  # type: ignore[no-untyped-def]
    """Like `_serve_one`, and note when the service starts: `fourth-in-line` looks back three starts."""
    for lane in range(lanes):
        arrival = times[row, lane]
        start = end[lane] if end[lane] > arrival else arrival
        wait[lane] += start - arrival
        starts[lane] = start
        end[lane] = start + service


@kernel
def _sure_before_walk_in(latest, shown, services, walk_in, fourth):  # type: ignore[no-untyped-def]
    """How many scheduled patients are served before the first walk-in in every lane.

    The recursion is monotone, rounding included: a lane with the latest times of all would start every service
    last, and so bounds the moment at which the walk-in can be due anywhere.
    """
    end, start1, start2, start3 = _ZERO, -_NEVER, -_NEVER, -_NEVER
    for p in range(shown.size):
        arrival = latest[shown[p]]
        if walk_in <= (start3 if fourth else arrival):
            return p
        start3, start2 = start2, start1
        start1 = end if end > arrival else arrival
        end = start1 + services[p]
    return shown.size


@kernel
def _who_is_next(lanes, patient, walk_in, served, times, row, arrival, count):  # type: ignore[no-untyped-def]
    """In lanes where at least `count` walk-ins were served: the next patients are these."""
    for lane in range(lanes):
        here = served[lane] >= count
        patient[lane] = times[row, lane] if here else patient[lane]
        walk_in[lane] = arrival if here else walk_in[lane]


@kernel
def _serve_any(lanes, end, wait, third_last, starts, served, patient, walk_in, service, fourth):  # type: ignore[no-untyped-def]
    """One service where lanes differ in who is next: a scheduled patient or a walk-in.

    `patient` and `walk_in` are when the next of each kind arrives in each lane. Returns the least and the largest
    number of walk-ins served. Under `when-free` who goes first does not matter to the cost: first come, first served.
    """
    least, most = np.int32(2147483647), np.int32(0)
    for lane in range(lanes):
        x, t = patient[lane], walk_in[lane]
        limit = third_last[lane] if fourth and x < _NEVER else x
        due = t <= limit
        arrival = t if due else x
        start = end[lane] if end[lane] > arrival else arrival
        wait[lane] += start - arrival
        starts[lane] = start
        end[lane] = start + service
        count = served[lane] + np.int32(due)
        served[lane] = count
        least = count if count < least else least
        most = count if count > most else most
    return least, most


@kernel
def _mixed_session(lanes, end, wait, times, latest, draws, r, fourth, starts, served, scratch):  # type: ignore[no-untyped-def]
    """A session with walk-ins; leaves the first start of each lane in the first row of `scratch`."""
    first, patient, walk_in = scratch[0], scratch[1], scratch[2]
    shown = draws.shown[draws.shown_at[r] : draws.shown_at[r + 1]]
    arrivals = draws.arrivals[draws.arrivals_at[r] : draws.arrivals_at[r + 1]]
    services = draws.services[
        draws.shown_at[r] + draws.arrivals_at[r] : draws.shown_at[r + 1] + draws.arrivals_at[r + 1]
    ]
    never = np.uint32(times.shape[0] - 1)
    s = _sure_before_walk_in(latest, shown, services, arrivals[0], fourth)
    quick = max(0, s - 3) if fourth else s
    _serve_scheduled(lanes, end, wait, times, shown, services, 0, 0, quick)
    for j in range(quick, s):
        _serve_noting_start(lanes, end, wait, times, shown[j], services[j], starts[j & 3])
    row = shown[0] if shown.size > 0 else never
    for lane in range(lanes):
        first[lane] = times[row, lane] if s > 0 or times[row, lane] < arrivals[0] else arrivals[0]
    served[:] = 0
    least, most = 0, 0
    while least < arrivals.size and s < services.size:
        for k in range(least, most + 1):
            row = shown[s - k] if s - k < shown.size else never
            arrival = arrivals[k] if k < arrivals.size else _NEVER
            _who_is_next(lanes, patient, walk_in, served, times, row, arrival, np.int32(k))
        least, most = _serve_any(
            lanes, end, wait, starts[(s - 3) & 3], starts[s & 3], served, patient, walk_in, services[s], fourth
        )
        s += 1
    _serve_scheduled(lanes, end, wait, times, shown, services, s - arrivals.size, s, services.size - s)


@kernel
def _finish(lanes, end, wait, cost, first, load, share, session, idle_cost, over_cost):  # type: ignore[no-untyped-def]
    """Add the cost of the session. The gaps are what the services leave of the time from first start to last end."""
    for lane in range(lanes):
        last = end[lane]
        left = session - last
        early = left if left > _ZERO else _ZERO
        over = -left if left < _ZERO else _ZERO
        idle = (last - first[lane] - load) + early
        cost[lane] += share * (wait[lane] + idle_cost * idle + over_cost * over)


@kernel
def lane_costs(times, latest, draws, prices, session, fourth, block, first_block, last_block, totals):  # type: ignore[no-untyped-def]
    """The summed cost of each block of replications from `first_block` to `last_block` - 1, for each column of `times`.

    The last row of `times` is infinity: no scheduled patient is left. `latest` is the largest time in each row.
    """
    lanes = times.shape[1]
    end, wait, cost = np.empty(lanes, np.float32), np.empty(lanes, np.float32), np.empty(lanes, np.float32)
    starts, served = np.empty((4, lanes), np.float32), np.empty(lanes, np.int32)
    scratch = np.zeros((3, lanes), np.float32)
    shown_at, arrivals_at = draws.shown_at, draws.arrivals_at
    for b in range(first_block, last_block):
        last = min((b + 1) * block, draws.loads.size)
        for begin in range(b * block, last, _FLUSH):
            cost[:] = _ZERO
            for r in range(begin, min(begin + _FLUSH, last)):
                p, s = shown_at[r], shown_at[r] + arrivals_at[r]
                scheduled, walk_ins = shown_at[r + 1] - p, arrivals_at[r + 1] - arrivals_at[r]
                end[:] = _ZERO
                wait[:] = _ZERO
                first = scratch[0]
                if walk_ins > 0:
                    _mixed_session(lanes, end, wait, times, latest, draws, r, fourth, starts, served, scratch)
                elif scheduled > 0:
                    _serve_scheduled(lanes, end, wait, times, draws.shown, draws.services, p, s, scheduled)
                    first = times[draws.shown[p]]
                else:
                    scratch[0, :] = _ZERO
                share = _ONE / np.float32(max(1, scheduled + walk_ins))
                _finish(lanes, end, wait, cost, first, draws.loads[r], share, session, prices[0], prices[1])
            for lane in range(totals.shape[1]):
                totals[b, lane] += cost[lane]
