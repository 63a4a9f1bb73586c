"""Solve a problem by one of the seven methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gpdr._checks import whole
from gpdr.errors import InputError
from gpdr.evolution.events import Generation, Outcome
from gpdr.evolution.loop import run
from gpdr.evolution.methods import recipe
from gpdr.evolution.parameters import Parameters
from gpdr.evolution.problem import Problem


def solve(
    problem: Problem,
    method: str = "gpdr",
    seed: int = 1,
    threads: int = 1,
    parameters: Mapping[str, Any] | Parameters | None = None,
    on_event: Callable[[Generation], None] | None = None,
    check_invariants: bool = False,
) -> Outcome:
    """Evolve individuals for any problem. The same seed gives the same outcome for any number of threads.

    `parameters` are those of the method, by name; `on_event` hears of every generation; `check_invariants` looks after
    every generation whether all is as it must be. Ctrl-C ends the run with the best so far.
    """
    seed, threads = whole("seed", seed, 0), whole("threads", threads, 1)
    made_of = recipe(method)
    chosen = parameters if isinstance(parameters, Parameters) else made_of.parameters.from_dict(parameters or {})
    if not isinstance(chosen, made_of.parameters):
        wanted, got = (f"{kind.__module__}.{kind.__name__}" for kind in (made_of.parameters, type(chosen)))
        raise InputError(f"parameters: expected names and values, or {wanted}, got {got}")
    return run(problem, made_of.build(problem, chosen, threads), chosen, seed, on_event, check_invariants)
