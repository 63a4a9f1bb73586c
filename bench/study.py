"""Studies: what a second process brings, and what store and scheduling cost."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Self

from bench.case import Case, measure
from gpdr.study.executors.processes import ProcessExecutor
from gpdr.study.plan import Study
from gpdr.study.runner import run_appointment
from gpdr.study.sitting import sit
from gpdr.study.study_file import load_study

ROOT = Path(__file__).parents[1]
# Two small and two large clinics, without walk-ins and with: the published study's mix.
CLINICS = ("paper:1", "paper:4", "paper:13", "paper:16")


class KeptOpen(ProcessExecutor):
    """Workers that start in the first sitting and stay: what is timed is a study's long middle, not its start."""

    def __enter__(self) -> Self:
        return self if self._workers else super().__enter__()

    def __exit__(self, *_: object) -> None:
        """Workers end with this process."""


def cases() -> list[Case]:
    study, runs = mix(), sum(1 for _ in mix().jobs())
    units = {"our_units": runs, "their_units": runs, "rounds": 3, "wall": True}
    one, two = (KeptOpen(run_appointment, workers, preload=["gpdr.study.warm"]) for workers in (1, 2))
    return [
        Case("study, two processes", through_store(study, two), "one process", through_store(study, one), **units),
        Case("study with driver and store", through_store(study, one), "the runs alone", alone(study), **units),
    ]


def mix() -> Study:
    """The published study, with fewer clinics, seeds and generations."""
    study = load_study(ROOT / "studies" / "paper.toml")
    problems = tuple(problem for problem in study.problems if problem.name in CLINICS)
    methods = tuple(replace(method, parameters={**method.parameters, "generations": 8}) for method in study.methods)
    return replace(study, problems=problems, methods=methods, seeds=1, references=False)


def through_store(study: Study, executor: ProcessExecutor) -> Callable[[], object]:
    """A sitting with a new store."""

    def work() -> None:
        with tempfile.TemporaryDirectory() as folder:
            found = sit(study, Path(folder) / "study.db", executor)
            assert found.done == found.total

    return work


def alone(study: Study) -> Callable[[], object]:
    """The same runs in a bare loop."""
    jobs = list(study.jobs())

    def work() -> None:
        for job in jobs:
            run_appointment(job)

    return work


def main() -> None:
    """The three figures that a study's size is planned by: `python -m bench.study`."""
    two, stored = (measure(case) for case in cases())
    print(f"{3600.0 / two.ours_s:,.0f} runs an hour by two processes (8 generations each)")
    print(f"{two.ratio / 2.0:.0%} efficiency of two processes over one")
    print(f"{1.0 / stored.ratio - 1.0:.1%} of a run's time for driver and store")


if __name__ == "__main__":
    main()
