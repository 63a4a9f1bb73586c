"""The interface of executors: hand a job in, wait for outcomes in any order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self

from gpdr.study.job import Job
from gpdr.study.keys import Json

# Carries a job out: {"result": what every repetition gives, "seconds": {"total": ...}, "provenance": {...}}.
Runner = Callable[[Job], Json]


@dataclass(frozen=True)
class Returned:
    """The runner came back with a value."""

    job: Job
    value: Json


@dataclass(frozen=True)
class Raised:
    """The runner raised; `reason` is the end of the traceback."""

    job: Job
    reason: str


@dataclass(frozen=True)
class Lost:
    """The worker died under the job."""

    job: Job


Outcome = Returned | Raised | Lost


class Executor(Protocol):
    """Workers somewhere. Used as a context: leaving it stops them, in the middle of a run if need be."""

    @property
    def workers(self) -> int:
        """How many runs go on side by side."""
        ...

    @property
    def capacity(self) -> int:
        """How many jobs it wants to hold so that no worker is ever idle."""
        ...

    def submit(self, job: Job) -> None:
        """Takes a job in; call it only while fewer than `capacity` are held."""
        ...

    def wait(self) -> list[Outcome]:
        """Waits for at least one of the jobs held, and gives all outcomes that have come."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
