"""What a driver tells while it works; front ends show it."""

from __future__ import annotations

from dataclasses import dataclass

from gpdr.study.job import Job


@dataclass(frozen=True)
class Checked:
    """Every document of the store was tested; the damaged ones are gone, their runs to be done again."""

    damaged: int


@dataclass(frozen=True)
class Started:
    """The driver knows what there is to do."""

    study: str
    total: int
    done: int
    failed: int
    workers: int


@dataclass(frozen=True)
class RunDone:
    """A run is in the store."""

    job: Job
    seconds: float


@dataclass(frozen=True)
class RunFailed:
    """A run failed; if not `final`, it is tried again."""

    job: Job
    reason: str
    attempts: int
    final: bool


@dataclass(frozen=True)
class WorkerLost:
    """A worker died; the run it was busy with is done again."""

    job: Job


Event = Checked | Started | RunDone | RunFailed | WorkerLost
