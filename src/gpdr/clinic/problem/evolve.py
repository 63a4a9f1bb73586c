"""Evolve an appointment rule for a clinic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gpdr._threads import available_threads
from gpdr.clinic import Clinic
from gpdr.clinic.problem.appointment import AppointmentProblem
from gpdr.clinic.problem.result import Evolved
from gpdr.errors import InputError
from gpdr.evolution.events import Generation
from gpdr.evolution.loop import run
from gpdr.evolution.methods import recipe


def evolve(
    clinic: Clinic,
    method: str = "gpdr",
    seed: int = 1,
    threads: int | None = None,
    population: int | None = None,
    generations: int | None = None,
    replications: int = 15_000,
    parameters: Mapping[str, Any] | None = None,
    on_event: Callable[[Generation], None] | None = None,
    check_invariants: bool = False,
) -> Evolved:
    """Evolve a rule for the clinic by one of the seven methods.

    The same seed gives the same result for any number of threads (None: all cores). `parameters` are those of the
    method, by name; `on_event` hears of every generation. Ctrl-C ends the run with the best rule so far.
    """
    if not isinstance(clinic, Clinic):
        raise InputError(
            f"clinic: expected a Clinic, such as Clinic(patients=10, mean_service=21.0, cv=0.4), got {clinic!r}"
        )
    for name, value, least in (("seed", seed, 0), ("replications", replications, 2), ("threads", threads or 1, 1)):
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise InputError(f"{name}: expected a whole number from {least}, got {value!r}")
    made_of = recipe(method)
    given = {"population": population, "generations": generations}
    chosen = {**(parameters or {}), **{name: value for name, value in given.items() if value is not None}}
    settings = made_of.parameters.from_dict(chosen)
    cores = threads or available_threads()
    problem = AppointmentProblem(clinic, replications, cores)
    parts = made_of.build(problem, settings, cores)
    outcome = run(problem, parts, settings, seed, on_event, check_invariants)
    return Evolved(clinic, parts.name, seed, replications, settings, outcome, cores)
