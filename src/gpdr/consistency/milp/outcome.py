"""How a solver ended, whatever the solver calls it."""

from __future__ import annotations

from enum import Enum, auto

from gpdr.errors import InputError


class Outcome(Enum):
    OPTIMAL = auto()
    INFEASIBLE = auto()
    INTERRUPTED = auto()
    STOPPED = auto()  # by a limit, or by trouble


def has_optimum(outcome: Outcome, solver: str, status: str) -> bool:
    """Whether there is an optimum, or no repair at all; who does not know has not solved it."""
    if outcome is Outcome.INTERRUPTED:
        raise KeyboardInterrupt
    if outcome is Outcome.STOPPED:
        raise InputError(f"solver {solver!r}: expected an optimum, it stopped with status {status}; use exact")
    return outcome is Outcome.OPTIMAL
