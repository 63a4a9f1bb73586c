"""A timetable for the door of a clinic: clock times on a grid, and what rounding costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpdr._checks import whole
from gpdr._threads import available_threads
from gpdr.clinic.clinic import Clinic
from gpdr.clinic.clock import clock, minutes_of
from gpdr.clinic.compare import OPTIMUM, RuleOnClinic, is_optimum, known_rule
from gpdr.clinic.optimum import best_times
from gpdr.clinic.performance import Figure
from gpdr.clinic.rounding import rounded, well_rounded
from gpdr.clinic.rules import Rule
from gpdr.clinic.scenarios import check_sessions, draw_scenarios
from gpdr.clinic.simulator import judged
from gpdr.provenance import provenance


@dataclass(frozen=True)
class Slot:
    """Patients told to come at the same time, counted from 1."""

    clock: str
    minutes: float
    patients: tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    """A timetable before rounding, each time rounded for itself, and rounded well; the last is the one to use."""

    clinic: Clinic
    start: str
    round: int
    replications: int
    seed: int
    exact: RuleOnClinic
    nearest: RuleOnClinic
    chosen: RuleOnClinic
    # By how much the chosen one costs more than the exact one, and than the nearest.
    above_exact: Figure
    above_nearest: Figure

    @property
    def clocks(self) -> list[str]:
        """When each patient is told to come."""
        return [clock(minutes_of(self.start), minutes) for minutes in self.chosen.times]

    @property
    def slots(self) -> list[Slot]:
        """Patients by the time they come."""
        members: dict[str, list[int]] = {}
        for patient, at in enumerate(self.clocks, start=1):
            members.setdefault(at, []).append(patient)
        return [Slot(at, float(self.chosen.times[who[0] - 1]), tuple(who)) for at, who in members.items()]

    def as_dict(self) -> dict[str, Any]:
        return {
            "clinic": self.clinic.as_dict(),
            "replications": self.replications,
            "seed": self.seed,
            "start": self.start,
            "round": self.round,
            "slots": [
                {"clock": slot.clock, "minutes": slot.minutes, "patients": list(slot.patients)} for slot in self.slots
            ],
            "exact": self.exact.as_dict(),
            "nearest": self.nearest.as_dict(),
            "schedule": self.chosen.as_dict(),
            "above_exact": self.above_exact.as_dict(),
            "above_nearest": self.above_nearest.as_dict(),
            "provenance": provenance({"replications": self.replications, "seed": self.seed}),
        }


def schedule(
    clinic: Clinic,
    rule: Rule | str,
    start: str = "09:00",
    round: int = 5,
    replications: int = 15_000,
    seed: int = 1,
    threads: int | None = None,
) -> Schedule:
    """The timetable of a rule, given as such or by name (`OPTIMUM` is the best there is), on a grid of `round` minutes.

    With `round` 0 or 1 that is the minute, which is what clocks show.
    """
    check_sessions(clinic, replications, seed)
    used = available_threads() if threads is None else threads
    grid = max(1, whole("round", round, 0, 1_440))
    began = minutes_of(start)
    name, times = _named_times(clinic, rule, seed, used)
    clock(began, times[-1])  # past midnight is told before the work, not after
    near = rounded(times, grid, clinic.session)
    well = near if grid == 1 else well_rounded(clinic, times, grid, seed, used)
    outcome = judged(draw_scenarios(clinic, replications, seed, used), [times, near, well], used)
    exact, nearest, chosen = (
        RuleOnClinic(name, timetable, performance)
        for timetable, performance in zip((times, near, well), outcome.performances, strict=True)
    )
    return Schedule(
        clinic=clinic,
        start=start,
        round=grid,
        replications=replications,
        seed=seed,
        exact=exact,
        nearest=nearest,
        chosen=chosen,
        above_exact=outcome.difference(2, 0),
        above_nearest=outcome.difference(2, 1),
    )


def _named_times(clinic: Clinic, rule: Rule | str, seed: int, threads: int) -> tuple[str, NDArray[np.float64]]:
    if is_optimum(rule):
        return OPTIMUM, best_times(clinic, seed=seed, threads=threads).times
    known = known_rule(rule)
    return known.name, known.times(clinic)
