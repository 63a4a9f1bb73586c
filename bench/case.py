"""One comparison: our way and a peer's way to do the same job, timed in turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any


@dataclass(frozen=True)
class Case:
    """A job done in two ways. Where one call does several units of the job, say how many: times are per unit."""

    name: str
    ours: Callable[[], object]
    peer: str
    theirs: Callable[[], object]
    our_units: int = 1
    their_units: int = 1
    rounds: int = 5
    wall: bool = False  # for jobs of several threads or processes: time on the wall, not of the processor
    unit: str = ""  # what there is a rate of, such as node evaluations


@dataclass(frozen=True)
class Timing:
    """Seconds per unit of the job, the best of several rounds; the ratio says how many times quicker ours is."""

    name: str
    ours_s: float
    peer: str
    peer_s: float
    unit: str = ""

    @property
    def ratio(self) -> float:
        return self.peer_s / self.ours_s

    @property
    def rates(self) -> str:
        """How many units a second, in words."""
        return f"{self.name}: {1 / self.ours_s:.2e} {self.unit} a second, {1 / self.peer_s:.2e} by {self.peer}"

    def as_dict(self) -> dict[str, Any]:
        return {**vars(self), "ratio": self.ratio}


def measure(case: Case) -> Timing:
    """Time both in turns, after one call of each to warm up, so that a noisy moment hits both alike.

    Processor time, unless the case says otherwise: what a machine is busy with besides does not count.
    """
    clock = perf_counter if case.wall else process_time
    case.ours()
    case.theirs()
    ours, theirs = [], []
    for _ in range(case.rounds):
        ours.append(_seconds(case.ours, clock))
        theirs.append(_seconds(case.theirs, clock))
    return Timing(case.name, min(ours) / case.our_units, case.peer, min(theirs) / case.their_units, case.unit)


def _seconds(job: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    job()
    return clock() - start
