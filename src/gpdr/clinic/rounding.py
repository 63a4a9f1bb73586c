"""Appointment times on a grid of minutes, better than each rounded for itself."""

from __future__ import annotations

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from gpdr.clinic import _checks
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
    grid = _checks.real("round", grid, 0.0, 1_440.0, above=True)
    steps = np.floor(times / grid + 0.5)
    # A time past the session was meant to be there.
    last = max(np.floor(session / grid), np.ceil(times[-1] / grid) if times[-1] > session else 0.0)
    on_grid: Times = np.minimum(steps, last) * grid
    return on_grid


def well_rounded(clinic: Clinic, times: Times, grid: float, seed: int = 1, threads: int = 1) -> Times:
    """Times on the grid of locally least cost: no patient, and no tail of patients, is better a step elsewhere."""
    scenarios = draw_scenarios(clinic, _SESSIONS, SeedSequence(seed, spawn_key=(_SEARCH,)), threads)
    here = rounded(times, grid, clinic.session)
    last = max(float(here[-1]), np.floor(clinic.session / grid) * grid)
    cost = float(mean_costs(scenarios, here[None], threads)[0])
    for _ in range(_MAX_ROUNDS):
        around = _neighbours(here, grid, last)
        costs = mean_costs(scenarios, around, threads)
        best = int(np.argmin(costs)) if len(costs) else -1
        if best < 0 or costs[best] >= cost:
            break
        here, cost = around[best], float(costs[best])
    return here


def _neighbours(times: Times, grid: float, last: float) -> Times:
    """One patient, or all from one on, a step earlier or later; where that keeps the order and the session."""
    count = times.size
    moves = np.vstack([np.eye(count), np.triu(np.ones((count, count)))[: count - 1]])
    around = np.vstack([times + grid * moves, times - grid * moves])
    fits = (around[:, 0] >= 0) & (around[:, -1] <= last) & (np.diff(around, axis=1) >= 0).all(axis=1)
    neighbours: Times = around[fits]
    return neighbours
