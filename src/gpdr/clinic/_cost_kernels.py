"""Mean total cost of many timetables side by side: what evolution and the optimiser spend their time in.

The outer loop runs over sessions, the inner loops over *lanes*, one timetable each. What is random (who shows up,
when walk-ins come, how long services take) is the same for all lanes, so it is a scalar in the inner loop, which
the compiler turns into full-width vector instructions: no gathers, no branches. float32 inside a session, float64
for the sums. A lane's figure depends on nothing but its own timetable.

Which kernels are inlined as source was found by measurement: where they are, the compiler knows that arrays do not
overlap; where too much comes together, it gives up on vectors.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import inlined, kernel, uncounted
from gpdr.clinic.scenarios import Draws

Minutes = NDArray[np.float32]

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_NEVER = np.float32(np.inf)
# Costs of so many sessions are added in float32 before they join the float64 sum.
_FLUSH = 32
_PAGE, _PITCH = 4096, 1024 + 64  # bytes


class Lanes(NamedTuple):
    """What is known of each lane in the middle of a session."""

    number: int
    end: Minutes  # of the last service
    wait: Minutes  # of all patients so far
    first: Minutes  # start of the first service
    starts: Minutes  # of the last four services, in turn
    served: NDArray[np.int32]  # walk-ins so far
    patient: Minutes  # when the next scheduled patient comes
    walk_in: Minutes  # when the next walk-in comes


class Session(NamedTuple):
    """Where one session lies in the arrays of draws."""

    p: int
    scheduled: int
    a: int
    walk_ins: int


@kernel
def _placed(rows: int, lanes: int, place: int) -> Minutes:
    """Rows of 1 KB, or less, each array at a place of its own within a page of memory.

    Processors take a load to depend on a store under way where the last twelve bits of their addresses agree; and a
    vector across two lines of the cache takes a fifth more time.
    """
    memory = np.empty(rows * lanes + _PAGE // 4, np.float32)
    begin = ((place * _PITCH - memory.ctypes.data) % _PAGE) // 4
    return memory[begin : begin + rows * lanes].reshape(rows, lanes)


@kernel
def _line(lanes: int, place: int) -> Minutes:
    line: Minutes = _placed(1, lanes, place)[0]
    return line


@inlined
def _serve(
    end: np.float32, wait: np.float32, arrival: np.float32, service: np.float32
) -> tuple[np.float32, np.float32]:
    """One service: it starts when patient and doctor are there. Returns its end and the waiting so far."""
    start = end if end > arrival else arrival
    return start + service, wait + (start - arrival)


@inlined
def _serve_scheduled(
    lanes: Lanes, times: Minutes, draws: Draws, p: int, s: int, count: int, load: np.float32
) -> np.float32:
    """Serve `count` scheduled patients from the p-th who shows up, as services s and on, with no walk-in between.

    Returns the load, which is the work of the session so far, as all that serve do: beside vectors it costs nothing.
    Four at a time: the state stays in registers meanwhile, which halves the time.
    """
    end, wait = lanes.end, lanes.wait
    shown, services = draws.shown, draws.services
    fours = count & ~3
    for j in range(0, fours, 4):
        row0, row1, row2, row3 = shown[p + j], shown[p + j + 1], shown[p + j + 2], shown[p + j + 3]
        service0, service1 = services[s + j], services[s + j + 1]
        service2, service3 = services[s + j + 2], services[s + j + 3]
        load = load + service0 + service1 + service2 + service3
        for lane in range(lanes.number):
            e, w = _serve(end[lane], wait[lane], times[row0, lane], service0)
            e, w = _serve(e, w, times[row1, lane], service1)
            e, w = _serve(e, w, times[row2, lane], service2)
            e, w = _serve(e, w, times[row3, lane], service3)
            end[lane] = e
            wait[lane] = w
    for j in range(fours, count):
        row, service = shown[p + j], services[s + j]
        load += service
        for lane in range(lanes.number):
            end[lane], wait[lane] = _serve(end[lane], wait[lane], times[row, lane], service)
    return load


@inlined
def _serve_noting_starts(
    lanes: Lanes, times: Minutes, draws: Draws, session: Session, lo: int, hi: int, load: np.float32
) -> np.float32:
    """Serve scheduled patients lo … hi-1 and note when: `fourth-in-line` looks back three starts."""
    end, wait, starts = lanes.end, lanes.wait, lanes.starts
    for j in range(lo, hi):
        row, service, now = draws.shown[session.p + j], draws.services[session.p + session.a + j], j & 3
        load += service
        for lane in range(lanes.number):
            arrival = times[row, lane]
            start = end[lane] if end[lane] > arrival else arrival
            wait[lane] += start - arrival
            starts[now, lane] = start
            end[lane] = start + service
    return load


@kernel
def _sure_before_walk_in(latest: Minutes, draws: Draws, session: Session, fourth: bool) -> int:
    """How many scheduled patients are served before the first walk-in in every lane.

    The recursion is monotone, rounding included: a lane with the latest times of all would start every service
    last, and so bounds the moment at which the walk-in can be due anywhere.
    """
    walk_in = draws.arrivals[session.a]
    end, start1, start2, start3 = _ZERO, -_NEVER, -_NEVER, -_NEVER
    for j in range(session.scheduled):
        arrival = latest[draws.shown[session.p + j]]
        if walk_in <= (start3 if fourth else arrival):
            return j
        start3, start2 = start2, start1
        start1 = end if end > arrival else arrival
        end = start1 + draws.services[session.p + session.a + j]
    return session.scheduled


@kernel
def _serve_either(
    count_lanes: int,
    end: Minutes,
    wait: Minutes,
    third_last: Minutes,
    starts: Minutes,
    served: NDArray[np.int32],
    patient: Minutes,
    walk_in: Minutes,
    service: np.float32,
    fourth: bool,
) -> tuple[np.int32, np.int32]:
    """One service where lanes differ in who is next: a scheduled patient or a walk-in.

    Returns the least and the largest number of walk-ins served by now in a lane. Under `when-free` who goes first
    does not matter to the cost: it is first come, first served here.
    """
    least, most = np.int32(2147483647), np.int32(0)
    for lane in range(count_lanes):
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


@inlined
def _find_next(
    lanes: Lanes, times: Minutes, draws: Draws, session: Session, s: int, least: np.int32, most: np.int32
) -> None:
    """Who comes next in each lane, of either kind, before service s; `least` to `most` walk-ins were served."""
    never = np.uint16(times.shape[0] - 1)
    served, patient, walk_in = lanes.served, lanes.patient, lanes.walk_in
    row = draws.shown[session.p + s - least] if s - least < session.scheduled else never
    arrival = draws.arrivals[session.a + least]
    for lane in range(lanes.number):
        patient[lane] = times[row, lane]
        walk_in[lane] = arrival
    for k in range(least + 1, most + 1):
        row = draws.shown[session.p + s - k] if s - k < session.scheduled else never
        arrival = draws.arrivals[session.a + k] if k < session.walk_ins else _NEVER
        for lane in range(lanes.number):
            here = served[lane] >= np.int32(k)
            patient[lane] = times[row, lane] if here else patient[lane]
            walk_in[lane] = arrival if here else walk_in[lane]


@inlined
def _mixed_session(
    lanes: Lanes, times: Minutes, latest: Minutes, draws: Draws, session: Session, fourth: bool
) -> np.float32:
    """A session with walk-ins: they come between scheduled patients, in each lane elsewhere."""
    p, s0, total = session.p, session.p + session.a, session.scheduled + session.walk_ins
    s = _sure_before_walk_in(latest, draws, session, fourth)
    quick = max(0, s - 3) if fourth else s
    load = _serve_scheduled(lanes, times, draws, p, s0, quick, _ZERO)
    load = _serve_noting_starts(lanes, times, draws, session, quick, s, load)
    row = draws.shown[p] if session.scheduled > 0 else np.uint16(times.shape[0] - 1)
    arrival = draws.arrivals[session.a] if s == 0 else _NEVER
    for lane in range(lanes.number):
        lanes.first[lane] = times[row, lane] if times[row, lane] < arrival else arrival
        lanes.served[lane] = 0
    least, most = np.int32(0), np.int32(0)
    while least < session.walk_ins and s < total:
        _find_next(lanes, times, draws, session, s, least, most)
        least, most = _serve_either(
            lanes.number,
            uncounted(lanes.end),
            uncounted(lanes.wait),
            uncounted(lanes.starts[(s - 3) & 3]),
            uncounted(lanes.starts[s & 3]),
            uncounted(lanes.served),
            uncounted(lanes.patient),
            uncounted(lanes.walk_in),
            draws.services[s0 + s],
            fourth,
        )
        load += draws.services[s0 + s]
        s += 1
    return _serve_scheduled(lanes, times, draws, p + s - session.walk_ins, s0 + s, total - s, load)


@inlined
def _add_cost(
    lanes: Lanes,
    cost: Minutes,
    first: Minutes,
    load: np.float32,
    share: np.float32,
    prices: Minutes,
    length: np.float32,
) -> None:
    """Add the cost of the session. The gaps are what the services leave of the time from first start to last end."""
    end, wait, idle_price, over_price = lanes.end, lanes.wait, prices[0], prices[1]
    for lane in range(lanes.number):
        left = length - end[lane]
        early = left if left > _ZERO else _ZERO
        over = -left if left < _ZERO else _ZERO
        idle = (end[lane] - first[lane] - load) + early
        cost[lane] += share * (wait[lane] + idle_price * idle + over_price * over)


@kernel
def lane_costs(
    timetables: Minutes,
    latest: Minutes,
    draws: Draws,
    prices: Minutes,
    length: np.float32,
    fourth: bool,
    block: int,
    first_block: int,
    last_block: int,
    totals: NDArray[np.float64],
) -> None:
    """The summed cost of each block of sessions from `first_block` to `last_block` - 1, for each column of times.

    The last row of `timetables` is infinity: no scheduled patient is left. `latest` is the largest time in a row.
    """
    latest, draws, prices, totals = uncounted((latest, draws, prices, totals))
    count = timetables.shape[1]
    starts, times = _placed(4, count, 0), _placed(timetables.shape[0], count, 13)
    times[:] = timetables
    end, wait, first, cost = _line(count, 4), _line(count, 5), _line(count, 6), _line(count, 7)
    patient, walk_in, served = _line(count, 8), _line(count, 9), _line(count, 10).view(np.int32)
    lanes = Lanes(count, end, wait, first, starts, served, patient, walk_in)
    for b in range(first_block, last_block):
        last = min((b + 1) * block, draws.shown_at.size - 1)
        for begin in range(b * block, last, _FLUSH):
            cost[:] = _ZERO
            for r in range(begin, min(begin + _FLUSH, last)):
                p, a = draws.shown_at[r], draws.arrivals_at[r]
                session = Session(p, draws.shown_at[r + 1] - p, a, draws.arrivals_at[r + 1] - a)
                end[:] = _ZERO
                wait[:] = _ZERO
                start, load = uncounted(first), _ZERO
                if session.walk_ins > 0:
                    load = _mixed_session(lanes, times, latest, draws, session, fourth)
                elif session.scheduled > 0:
                    load = _serve_scheduled(lanes, times, draws, p, p + a, session.scheduled, _ZERO)
                    start = uncounted(times[draws.shown[p]])
                else:
                    first[:] = _ZERO
                share = _ONE / np.float32(max(1, session.scheduled + session.walk_ins))
                _add_cost(lanes, cost, start, load, share, prices, length)
            for lane in range(totals.shape[1]):
                totals[b, lane] += cost[lane]
