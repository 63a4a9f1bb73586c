"""Appointment times on a grid of minutes, better than each rounded for itself."""

from __future__ import annotations

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from gpdr._checks import real
from gpdr.clinic.clinic import Clinic
from gpdr.clinic.scenarios import draw_scenarios
from gpdr.clinic.simulator import mean_costs

Times = NDArray[np.float64]

# Sessions of its own: the rounded timetable is judged on others.
_SEARCH = 0x0960
_SESSIONS = 16_384
_MAX_ROUNDS = 1_000


def rounded(times: Times, grid: float, session: float) -> Times:
    """Every time rounded to the nearest multiple of `grid` within the session, halves up."""
    grid = real("round", grid, 0.0, 1_440.0, above=True)
    steps = np.floor(times / grid + 0.5)
    # A time past the session was meant to be there.
    last = max(np.floor(session / grid), np.ceil(times[-1] / grid) if times[-1] > session else 0.0)
    on_grid: Times = np.minimum(steps, last) * grid
    return on_grid


def well_rounded(clinic: Clinic, times: Times, grid: float, seed: int = 1, threads: int = 1) -> Times:
    """Every time at one of the two multiples of `grid` beside it, so chosen that no change lowers the cost.

    Changed are the time of one patient, or of all from one on. A time on the grid stays: this is still the timetable
    that was to be rounded, not a better one.
    """
    scenarios = draw_scenarios(clinic, _SESSIONS, SeedSequence(seed, spawn_key=(_SEARCH,)), threads)
    here = rounded(times, grid, clinic.session)
    last = max(float(here[-1]), np.floor(clinic.session / grid) * grid)
    steps = np.round(times / grid, 9)  # 0.1 + 0.2 is 0.3
    earliest, latest = (np.minimum(steps_to * grid, last) for steps_to in (np.floor(steps), np.ceil(steps)))
    cost = float(mean_costs(scenarios, here[None], threads)[0])
    for _ in range(_MAX_ROUNDS):
        around = _neighbours(here, earliest, latest)
        costs = mean_costs(scenarios, around, threads)
        best = int(np.argmin(costs)) if len(costs) else -1
        if best < 0 or costs[best] >= cost:
            break
        here, cost = around[best], float(costs[best])
    return here


def _neighbours(times: Times, earliest: Times, latest: Times) -> Times:
    """One patient, or all from one on, at their latest or earliest, where that keeps the order."""
    count = times.size
    moved = np.vstack([np.eye(count), np.triu(np.ones((count, count)))[: count - 1]]) > 0
    around = np.vstack([np.where(moved, latest, times), np.where(moved, earliest, times)])
    neighbours: Times = around[(np.diff(around, axis=1) >= 0).all(axis=1)]
    return neighbours
