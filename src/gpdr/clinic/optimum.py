"""The best timetable for a clinic: what no rule can beat there.

On drawn sessions the mean cost is a deterministic function of the P intervals between appointments. Differences
along every interval come from one call of the simulator, which takes them side by side, and give the gradient to
sequential quadratic programming. The steps are wide: they smooth the kinks and jumps of a finite number of sessions;
a gradient along each session's path would not see the jumps that walk-ins cause at all. CMA-ES does without gradients
and checks it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from gpdr._threads import available_threads
from gpdr.clinic.clinic import Clinic
from gpdr.clinic.performance import Performance
from gpdr.clinic.scenarios import Scenarios, check_sessions, draw_scenarios
from gpdr.clinic.simulator import judged, mean_costs
from gpdr.errors import unknown_name
from gpdr.provenance import provenance

Intervals = NDArray[np.float64]
Method = Literal["gradient", "cma"]

METHODS = ("gradient", "cma")
# The sessions searched on are never those that the result is judged on.
_SEARCH = 0x0971
# Half the width of a difference, in mean service times.
_STEP = 0.1
# Sessions to search on: few to come near, many to come close; fewer still when there are very many patients.
_ROUGH, _FINE = 4_096, 16_384
_PATIENT_SESSIONS = 400_000
# Searches whose results differ by no more than this share have found the same.
_AGREED = 1e-3


@dataclass(frozen=True)
class Best:
    """The best timetable found."""

    times: NDArray[np.float64]
    # Relative difference in cost between the results of the starts: how far the search can be trusted.
    spread: float
    evaluations: int


@dataclass(frozen=True)
class Optimum:
    """The best timetable found, judged on fresh sessions.

    Attributes:
        clinic: Whose timetable it is.
        replications: On how many sessions it was judged.
        seed: What the sessions were drawn from.
        times: Appointment times, minutes from the start.
        performance: What they cost.
        spread: Relative difference in cost between the results of the starts: how far the search can be trusted.
    """

    clinic: Clinic
    replications: int
    seed: int
    times: NDArray[np.float64]
    performance: Performance
    spread: float

    def as_dict(self) -> dict[str, Any]:
        rule = {"name": "OPTIMUM", "times": self.times.tolist(), **self.performance.as_dict()}
        return {
            "clinic": self.clinic.as_dict(),
            "replications": self.replications,
            "seed": self.seed,
            "optimum": rule,
            "spread": self.spread,
            "provenance": provenance({"replications": self.replications, "seed": self.seed}),
        }


def optimum(
    clinic: Clinic,
    replications: int = 15_000,
    seed: int = 1,
    threads: int | None = None,
    method: Method = "gradient",
) -> Optimum:
    """The best timetable found for the clinic, and its figures on sessions that the search has not seen."""
    check_sessions(clinic, replications, seed)
    used = available_threads() if threads is None else threads
    best = best_times(clinic, seed=seed, threads=used, method=method)
    performance = judged(draw_scenarios(clinic, replications, seed, used), [best.times], used).performances[0]
    return Optimum(clinic, replications, seed, best.times, performance, best.spread)


def best_times(
    clinic: Clinic, seed: int = 1, threads: int = 1, method: Method = "gradient", sessions: int = _FINE
) -> Best:
    """Search from several starts on few sessions, refine each on `sessions` of them, and take the best."""
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    search = _by_gradient if method == "gradient" else _by_cma
    affordable = max(1_024, _PATIENT_SESSIONS // clinic.patients)
    rough, fine, judge = (
        _Objective(clinic, min(count, affordable), SeedSequence(seed, spawn_key=(_SEARCH, stage)), threads)
        for stage, count in enumerate((_ROUGH, sessions, sessions))
    )
    starts = _starts(clinic)
    found = [search(fine, search(rough, start)) for start in starts]
    spread = _spread(judge, found)
    if spread > _AGREED and method == "gradient":
        # Kinks that wide steps do not smooth, as services of one length make them: do without gradients.
        found += (again := [_by_cma(fine, best) for best in found])
        spread = _spread(judge, again)
    close = timetables_of(np.array([*found, *starts]), clinic.session)
    best = close[int(np.argmin(judge.costs(close)))]
    return Best(best, spread, rough.evaluations + fine.evaluations + judge.evaluations)


def _spread(judge: _Objective, found: list[Intervals]) -> float:
    """Relative difference between the costs of these intervals; costs near nothing count as a little."""
    costs = judge.of_intervals(np.array(found))
    return float(np.ptp(costs) / max(np.min(costs), 1e-3 * judge.clinic.mean_service))


def timetables_of(intervals: Intervals, session: float) -> NDArray[np.float64]:
    """Appointment times from the intervals before them, none past the session."""
    times: NDArray[np.float64] = np.minimum(np.cumsum(np.maximum(intervals, 0.0), axis=-1), session)
    return times


def _starts(clinic: Clinic) -> list[Intervals]:
    """Every patient at once the mean service apart, and a session filled to three quarters with two at its start."""
    even = np.full(clinic.patients, min(clinic.mean_service, clinic.session / clinic.patients))
    even[0] = 0.0
    tight = 0.75 * even
    tight[:2] = 0.0
    return [even, tight]


class _Objective:
    """Mean cost on drawn sessions as a function of the intervals."""

    def __init__(self, clinic: Clinic, sessions: int, seed: SeedSequence, threads: int) -> None:
        self.clinic, self._threads = clinic, threads
        self._scenarios: Scenarios = draw_scenarios(clinic, sessions, seed, threads)
        self.search_seed = SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, 1))
        self.evaluations = 0

    def costs(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        self.evaluations += len(times)
        return mean_costs(self._scenarios, times, self._threads)

    def of_intervals(self, intervals: Intervals) -> NDArray[np.float64]:
        return self.costs(timetables_of(intervals, self.clinic.session))

    def with_gradient(self, x: Intervals) -> tuple[float, Intervals]:
        """The cost and its central differences; at an interval of 0 the difference is one-sided.

        Times past the session are not cut off here, or the last intervals would have no influence there.
        """
        steps = np.eye(x.size) * (_STEP * self.clinic.mean_service)
        x = np.maximum(x, 0.0)
        below = np.maximum(x - steps, 0.0)
        costs = self.costs(np.cumsum(np.vstack([x, x + steps, below]), axis=1))
        widths = np.diag(x + steps) - np.diag(below)
        return float(costs[0]), (costs[1 : x.size + 1] - costs[x.size + 1 :]) / widths


def _by_gradient(objective: _Objective, start: Intervals) -> Intervals:
    """Sequential quadratic programming: intervals from 0, together no longer than the session."""
    from scipy.optimize import LinearConstraint, minimize

    mean = objective.clinic.mean_service
    session = objective.clinic.session / mean

    def in_mean_services(x: Intervals) -> tuple[float, Intervals]:
        """The clinic's own unit of time, so that the search takes the same steps at any scale."""
        cost, gradient = objective.with_gradient(x * mean)
        return cost / mean, gradient

    found = minimize(
        in_mean_services,
        start / mean,
        jac=True,
        method="SLSQP",
        bounds=[(0.0, session)] * start.size,
        constraints=LinearConstraint(np.ones((1, start.size)), ub=session),
        options={"maxiter": 200, "ftol": 1e-7},
    )
    best: Intervals = found.x * mean
    return best


def _by_cma(objective: _Objective, start: Intervals) -> Intervals:
    import cma

    mean, generator = objective.clinic.mean_service, np.random.default_rng(objective.search_seed)
    options = {
        "bounds": [0.0, objective.clinic.session / mean],
        "popsize": 64,
        "seed": np.nan,  # keep hands off NumPy's global generator
        "randn": lambda *shape: generator.standard_normal(shape),
        "verbose": -9,
        "tolfun": 1e-5,
        "tolx": 1e-3,
        "maxiter": 400,
    }
    strategy = cma.CMAEvolutionStrategy(start / mean, 0.2, options)
    ask: Callable[[], list[Intervals]] = strategy.ask
    while not strategy.stop():
        candidates = ask()
        strategy.tell(candidates, objective.of_intervals(np.array(candidates) * mean).tolist())
    best: Intervals = np.asarray(strategy.result.xfavorite) * mean
    return best
