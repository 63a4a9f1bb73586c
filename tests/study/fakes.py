"""Runs that cost nothing: results follow from the key alone, duration and trouble from the parameters."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from gpdr.study.driver import Driver, Tally
from gpdr.study.executors.processes import ProcessExecutor
from gpdr.study.job import REFERENCES, Job
from gpdr.study.keys import Json, canonical
from gpdr.study.plan import Method, Problem, Study
from gpdr.study.store import Store, Success


def fake_study(problems: int = 2, methods: int = 2, seeds: int = 5, attempts: int = 3, **parameters: object) -> Study:
    """A study of runs that `fake_run` carries out."""
    return Study(
        name="fake",
        problems=tuple(Problem(f"problem {n}", {"number": n}) for n in range(1, problems + 1)),
        methods=tuple(Method(f"M{n}", f"m{n}", dict(parameters)) for n in range(1, methods + 1)),
        seeds=seeds,
        attempts=attempts,
        references=False,
    )


def fake_run(job: Job) -> Json:
    """Deterministic in the key. Parameters: `sleep` seconds, `fail_seeds`, `die_once_in` (a folder that remembers)."""
    parameters = job.cell.parameters
    if job.seed in parameters.get("fail_seeds", []):
        raise ValueError(f"seed {job.seed} is not to my taste")
    time.sleep(parameters.get("sleep", 0.0))
    if "die_once_in" in parameters:
        mark = Path(parameters["die_once_in"]) / f"{job.cell.hash}-{job.seed}"
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    draw = random.Random(canonical(job.key))
    result = {"cost": draw.uniform(10, 20), "size": draw.randint(5, 60), "gap": 0.0, "text": "x" * draw.randint(1, 400)}
    return {"result": result, "seconds": {"total": time.perf_counter()}, "provenance": {"process": os.getpid()}}


def carry_out(study: Study, path: Path, workers: int = 2, retry_failed: bool = False) -> Tally:
    """A sitting with fake runs in processes."""
    with Store.driving(path) as store, ProcessExecutor(fake_run, workers) as executor:
        return Driver(study, store, executor).work(retry_failed)


_TREES = (
    ("i - CR", "(min(0.2 * CR * i * i, 0.8) - 0.2) * M"),
    ("i - 0.31", "0.18 * min(PW * (i - PW - 1) / (V / M), 1) * i * V"),
    ("i", "0.43 * min((0.43 * i - 2) * sqrt(i), i) * V"),
    ("max(i - 1, 0)", "if(i - 2, V, M - M) / (1 + CR)"),
)
_METHODS = ("gp", "cugp", "cdagp", "mogp", "stgp", "cfggp", "gpdr")


def imitation_study(seeds: int = 4, clinics: int = 24) -> Study:
    """A study that has the shape of the published one; `imitate` makes up its runs."""
    from gpdr.clinic import paper_clinic

    test = {"replications": 1000, "seed": 1}
    numbers = range(1, clinics + 1)
    problems = tuple(Problem(f"paper:{n}", {"clinic": paper_clinic(n).as_dict(), "test": test}) for n in numbers)
    methods = tuple(Method(name.upper(), name, {"population": 8}) for name in _METHODS)
    return Study("imitation", problems, methods, seeds=seeds, description="Made up.")


def imitate(job: Job) -> Json:
    """A run made up from its key, in the form that real runs have."""
    draw = random.Random(canonical(job.key))
    clinic = job.cell.problem["clinic"]
    base = 10.0 + 20.0 * clinic["cv"] + 50.0 * clinic["walk_in"]
    parameters = {"population": 8, "distinct_parents": True}
    provenance = {
        "parameters": parameters,
        "gpdr": "0",
        "commit": "abc",
        "python": "3",
        "numpy": "2",
        "numba": "0",
        "platform": "here",
    }
    seconds = {"total": (took := draw.uniform(1.0, 2.0)), "processor": 0.9 * took}
    if job.cell.method == REFERENCES:
        rules = [_made_up(name, clinic, base * rise) for name, rise in _REFERENCE_RISES.items()]
        return {"result": {"cost": base, "rules": rules}, "seconds": seconds, "provenance": provenance}
    cost = base * (1.02 + 0.005 * _METHODS.index(job.cell.method) + draw.uniform(0.0, 0.02))
    size = draw.randint(5, 60)
    gap = draw.choice([0.0, 0.0, 2.0]) if job.cell.method in _METHODS[:4] else 0.0
    # A constant of its own: no two runs end with the same rule, so nothing is read only once.
    trees = [f"({tree}) * {draw.random():.9f}" for tree in draw.choice(_TREES)]
    result = {
        "cost": cost,
        "size": size,
        "gap": gap,
        "rule": {"trees": trees, "size": size, "dimension_gap": gap},
        "test": _made_up(job.cell.method_name, clinic, cost),
        "archive": [
            {"trees": trees, "size": k, "fitness": cost, "dimension_gap": 0.0, "test_cost": cost + 1.0 / k}
            for k in range(3, 30, 3)
        ],
        "history": {"generation": list(range(51)), "best": [cost * (1.0 + 0.5 / (g + 1)) for g in range(51)]},
    }
    return {"result": result, "seconds": seconds, "provenance": provenance}


_REFERENCE_RISES = {
    "IBFI": 1.1, "2BEG": 1.3, "MBFI": 1.35, "OFFSET": 1.05, "DOME": 1.08, "RULE7": 1.12,
    "UNIVERSAL": 1.02, "OPTIMUM": 1.0,
}  # fmt: skip


def _made_up(name: str, clinic: Json, cost: float) -> Json:
    count = clinic["patients"]
    times = [clinic["mean_service"] * k * (1.0 + 0.01 * (count - k)) for k in range(count)]
    return {"name": name, "times": times, "total_cost": {"mean": cost, "ci95": [cost - 0.1, cost + 0.1]}}


def imitation_store(path: Path, study: Study) -> None:
    """A store with all runs of an imitation study."""
    with Store.driving(path) as store:
        store.record(study)
        values = ((job, imitate(job)) for job in study.jobs())
        store.save(Success(job, v["result"], v["seconds"], v["provenance"]) for job, v in values)


if __name__ == "__main__":  # a driver that a test can kill: a store, and the study's arguments as JSON
    carry_out(fake_study(**json.loads(sys.argv[2])), Path(sys.argv[1]))
