"""UNIVERSAL: the strongest hand-made rule known (Cayirli, Yang and Quek 2012), its one constant tuned to the clinic."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from gpdr.clinic.clinic import Clinic
from gpdr.clinic.rules.rule import Rule
from gpdr.clinic.scenarios import draw_scenarios
from gpdr.clinic.simulator import mean_costs
from gpdr.clinic.timetable import timetables

# Tuning draws of its own: a rule must not be judged on what it was fitted to.
_TUNING = SeedSequence(20_120_213)
_TUNING_REPLICATIONS = 16_384
_LARGEST_K = 4.0
_TRIED = 256


def universal(k: float | None = None) -> Rule:
    """The rule with this k, or with k tuned for each clinic it is asked about."""
    return Rule("UNIVERSAL", Universal(k))


@dataclass(frozen=True)
class Universal:
    """The formula of the rule; no k means that k is tuned."""

    k: float | None = None

    def __call__(self, clinic: Clinic) -> NDArray[np.float64]:
        k = tuned_k(clinic) if self.k is None else self.k
        times: NDArray[np.float64] = raw_times(clinic, np.array([k]))[0]
        return times


def raw_times(clinic: Clinic, k: NDArray[np.float64]) -> NDArray[np.float64]:
    """A row of times for each k: the work to be expected by then, less a safety that grows along the session."""
    if clinic.patients == 1:
        return np.zeros((k.size, 1))
    p_no, p_in, mean = clinic.no_show, clinic.walk_in, clinic.mean_service
    work = (1 - p_no + p_in) * mean  # of an appointment slot, no-shows and walk-ins counted
    variance = (1 - p_no - p_in) * (clinic.sd**2 + (p_no - p_in) ** 2 * mean**2)
    variance += p_no * (1 - p_no + p_in) ** 2 * mean**2
    variance += p_in * (2 * clinic.sd**2 + (1 + p_no - p_in) ** 2 * mean**2)
    i, patients = np.arange(clinic.patients), clinic.patients
    # With more walk-ins than patients the published formula's variance may turn negative.
    safety = math.sqrt(max(0.0, variance)) * np.sqrt(i + 1) * (patients + i + 1) / (patients - 1)
    times: NDArray[np.float64] = np.maximum(0.0, np.outer(k, i * work) - safety)
    return times


@lru_cache(maxsize=64)
def tuned_k(clinic: Clinic) -> float:
    """The k of least mean cost: a grid over all of 0 … 4 in one call, then a fine one around its best."""
    scenarios = draw_scenarios(clinic, _TUNING_REPLICATIONS, _TUNING)
    low, high = 0.0, _LARGEST_K
    for _ in range(2):
        k = np.linspace(low, high, _TRIED)
        costs = mean_costs(scenarios, timetables(raw_times(clinic, k), clinic.session))
        best, step = float(k[int(np.argmin(costs))]), float(k[1] - k[0])
        low, high = max(0.0, best - 2 * step), best + 2 * step
    return best
