"""Carries a job of an appointment study out: evolves a rule and judges it on the study's test draws."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any

from gpdr.study.job import REFERENCES, Job
from gpdr.study.keys import Json, canonical, digest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gpdr.clinic import Clinic, Performance, Scenarios

# Members of the archive are judged on so many of the test sessions: enough to compare them by size, at little cost.
_ARCHIVE_TEST = 20_000


def run_appointment(job: Job) -> Json:
    """A run's result, which every repetition gives again, and its time and provenance, which are its own."""
    start, start_of_thread = perf_counter(), thread_time()
    done = _references(job) if job.cell.method == REFERENCES else _evolved(job)
    # Processor time too: a run has one thread, and what else a machine does is not the method's doing.
    times = {"total": perf_counter() - start, "processor": thread_time() - start_of_thread}
    return {**done, "seconds": {**done["seconds"], **times}}


def _evolved(job: Job) -> Json:
    import numpy as np

    from gpdr.clinic import mean_costs, simulate_many
    from gpdr.clinic.problem import evolve

    parameters = dict(job.cell.parameters)
    replications = parameters.pop("replications")
    evolved = evolve(
        _clinic(job), job.cell.method, job.seed, threads=1, replications=replications, parameters=parameters
    )
    if evolved.interrupted:
        raise RuntimeError("the run was interrupted")
    start = perf_counter()
    found, archive = evolved.found, evolved.archive
    problem, test_replications = canonical(job.cell.problem), job.cell.problem["test"]["replications"]
    (performance,) = simulate_many(_test_draws(problem, test_replications), [found.times])
    draws = _test_draws(problem, min(_ARCHIVE_TEST, test_replications))
    archive_costs = mean_costs(draws, np.array([member.times for member in archive]))
    plain = evolved.as_dict(test=False)
    members = zip(plain["archive"], archive_costs, strict=True)
    result = {
        "cost": performance.total_cost.mean,
        "size": found.size,
        "gap": found.dimension_gap,
        "rule": plain["rule"],
        "test": _judged(evolved.method.upper(), found.times, performance),
        "archive": [{**member, "test_cost": float(cost)} for member, cost in members],
        "history": _columns(plain["history"]),
    }
    seconds = {**evolved.seconds, "test": perf_counter() - start}
    return {"result": result, "seconds": seconds, "provenance": plain["provenance"]}


def _references(job: Job) -> Json:
    """The classical rules, the strongest hand-made one and the optimum, on the draws that judge the problem's runs."""
    from gpdr.clinic import classical_rules, optimum, simulate_many, universal
    from gpdr.provenance import provenance

    clinic = _clinic(job)
    times = {rule.name: rule.times(clinic) for rule in classical_rules()}
    times["UNIVERSAL"] = universal().times(clinic)
    best = optimum(clinic, threads=1)
    times["OPTIMUM"] = best.times
    draws = _test_draws(canonical(job.cell.problem), job.cell.problem["test"]["replications"])
    judged = simulate_many(draws, list(times.values()))
    rules = [_judged(name, row, found) for (name, row), found in zip(times.items(), judged, strict=True)]
    result = {"cost": judged[-1].total_cost.mean, "rules": rules, "optimum_spread": best.spread}
    return {"result": result, "seconds": {}, "provenance": provenance()}


def _judged(name: str, times: NDArray[np.float64], performance: Performance) -> Json:
    """A rule on a clinic, as all of gpdr's JSON writes it."""
    figures = ("total_cost", "wait", "idle", "overtime")
    return {
        "name": name,
        "times": [float(time) for time in times],
        **{figure: getattr(performance, figure).as_dict() for figure in figures},
    }


def _clinic(job: Job) -> Clinic:
    from gpdr.clinic import Clinic

    return Clinic.from_dict(job.cell.problem["clinic"])


# Jobs come problem by problem, so a worker needs the draws of one at a time: up to 40 MB, 0.1 s to draw.
@lru_cache(maxsize=2)
def _test_draws(problem: str, replications: int) -> Scenarios:
    """The sessions on which all rules of a problem are judged; they have nothing to do with a run's seed."""
    from numpy.random import SeedSequence

    from gpdr.clinic import Clinic, draw_scenarios

    definition = json.loads(problem)
    own = int(digest(canonical(definition["clinic"]))[:16], 16)
    seed = SeedSequence([definition["test"]["seed"], own])
    return draw_scenarios(Clinic.from_dict(definition["clinic"]), replications, seed)


def _columns(history: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """A history of one object a generation as one list for each figure: shorter, and all that is plotted anyway."""
    names = dict.fromkeys(name for generation in history for name in generation)
    return {name: [_finite(generation.get(name)) for generation in history] for name in names}


def _finite(value: Any) -> Any:
    """JSON has no word for infinity."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
