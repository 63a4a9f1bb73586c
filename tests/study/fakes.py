"""Runs that cost nothing: results follow from the key alone, duration and trouble from the parameters."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

from gpdr.study.driver import Driver, Tally
from gpdr.study.executors.processes import ProcessExecutor
from gpdr.study.job import Job
from gpdr.study.keys import Json, canonical
from gpdr.study.plan import Method, Problem, Study
from gpdr.study.store import Store


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


if __name__ == "__main__":  # a driver that a test can kill
    carry_out(fake_study(problems=3, methods=3, seeds=8, sleep=0.02), Path(sys.argv[1]))
