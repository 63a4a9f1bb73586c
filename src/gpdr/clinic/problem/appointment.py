"""The appointment problem: rules of two trees, A_i = Tree1 x M + Tree2, judged by simulation of a clinic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from gpdr.clinic import Clinic, Scenarios, draw_scenarios, mean_costs, timetables
from gpdr.clinic.rules.expressions import patient_data
from gpdr.dimensions import Dimension
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.evaluate import evaluate
from gpdr.expressions.forest import Forest
from gpdr.expressions.primitives import PrimitiveSet


@dataclass(frozen=True)
class Sessions:
    """Drawn sessions on which rules are compared."""

    scenarios: Scenarios
    threads: int

    @cached_property
    def reference_cost(self) -> float:
        """What it costs to give every patient the mean service time (IBFI)."""
        clinic = self.scenarios.clinic
        times = timetables(np.arange(clinic.patients)[None] * clinic.mean_service, clinic.session)
        return float(mean_costs(self.scenarios, times, self.threads)[0])

    def costs(self, forest: Forest, behaviour: NDArray[np.float64]) -> NDArray[np.float64]:
        return mean_costs(self.scenarios, behaviour, self.threads)


@dataclass(frozen=True)
class AppointmentProblem:
    """Appointment rules for one clinic. What a rule does is its timetable."""

    clinic: Clinic
    replications: int = 15_000
    threads: int = 1

    @property
    def primitives(self) -> PrimitiveSet:
        return APPOINTMENT

    @cached_property
    def targets(self) -> tuple[Dimension, ...]:
        """Tree1 counts mean service times, Tree2 is in minutes."""
        return APPOINTMENT.units.dimension("1"), APPOINTMENT.units.dimension("min")

    def behaviour(self, forest: Forest) -> NDArray[np.float64]:
        values = evaluate(forest, APPOINTMENT, self._patients).values
        with np.errstate(all="ignore"):
            raw = values[:, 0] * self.clinic.mean_service + values[:, 1]
        return timetables(raw, self.clinic.session)

    def draw(self, seed: SeedSequence, effort: int = 1) -> Sessions:
        return Sessions(draw_scenarios(self.clinic, self.replications * effort, seed, self.threads), self.threads)

    @cached_property
    def _patients(self) -> NDArray[np.float64]:
        return patient_data(self.clinic)
