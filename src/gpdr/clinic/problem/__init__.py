"""The appointment problem for evolution, and `evolve`, which solves it."""

from gpdr.clinic.problem.appointment import AppointmentProblem
from gpdr.clinic.problem.evolve import evolve
from gpdr.clinic.problem.result import Evolved, FoundRule

__all__ = ["AppointmentProblem", "Evolved", "FoundRule", "evolve"]
