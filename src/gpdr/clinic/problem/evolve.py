"""Evolve an appointment rule for a clinic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gpdr._checks import whole
from gpdr._threads import available_threads
from gpdr.clinic import Clinic
from gpdr.clinic.problem.appointment import AppointmentProblem
from gpdr.clinic.problem.result import Evolved
from gpdr.errors import InputError
from gpdr.evolution.events import Generation
from gpdr.evolution.methods import recipe
from gpdr.evolution.solve import solve


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
    seed, replications = whole("seed", seed, 0), whole("replications", replications, 2)
    cores = available_threads() if threads is None else whole("threads", threads, 1)
    given = {"population": population, "generations": generations}
    chosen = dict(parameters or {})
    for name, value in given.items():
        if value is None:
            continue
        if name in chosen:
            raise InputError(f"parameters: {name} is given twice; leave it out here or as an argument of its own")
        chosen[name] = value
    settings = recipe(method).parameters.from_dict(chosen)
    problem = AppointmentProblem(clinic, replications, cores)
    outcome = solve(problem, method, seed, cores, settings, on_event, check_invariants)
    return Evolved(clinic, method.lower(), seed, replications, settings, outcome, cores)
