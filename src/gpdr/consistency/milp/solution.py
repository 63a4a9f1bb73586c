"""The published repair of one tree: build, solve, read the choice back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gpdr.consistency import reference
from gpdr.consistency.milp.gurobi import Gurobi
from gpdr.consistency.milp.highs import Highs
from gpdr.consistency.milp.interruptible import interruptible
from gpdr.consistency.milp.model import build_model
from gpdr.consistency.replacements import replaced
from gpdr.dimensions import Dimension
from gpdr.errors import InputError, unknown_name
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Rule
from gpdr.expressions.primitives import PrimitiveSet

MilpSolver = Literal["highs", "gurobi"]
_ANY_SEED = np.random.SeedSequence(0)  # which terminal of a dimension is drawn does not matter to the gap
_SOLVERS: dict[str, type[Highs] | type[Gurobi]] = {"highs": Highs, "gurobi": Gurobi}


@dataclass(frozen=True)
class Solution:
    """A choice for each node (see replacements.replaced), what it costs, and the processor time that took."""

    choice: tuple[int, ...] | None  # None where the tree cannot be repaired
    cost: float
    build_seconds: float  # writing the model down and handing it to the solver
    solve_seconds: float


def solve(
    tree: Tree,
    primitives: PrimitiveSet,
    weights: Sequence[float] | NDArray[np.float64],
    target: Dimension,
    solver: MilpSolver = "highs",
    most_changes: int | None = None,
) -> Solution:
    """A repair of least cost, by mixed-integer programming.

    Integrality tolerance times big M lets solvers take trees for consistent that are not: each answer is confirmed,
    and asked for once more with tighter tolerances where it is no repair.
    """
    if solver not in _SOLVERS:
        raise unknown_name("solver", solver, _SOLVERS)
    prices = [float(weight) for weight in weights]
    start = process_time()
    model = build_model(tree, primitives, prices, target, most_changes)
    programme = _SOLVERS[solver](model)
    built = process_time() - start
    solved = 0.0
    for once_more in (False, True):
        if once_more:
            programme.tighten()
        values, seconds = interruptible(lambda: _timed(programme), programme.cancel)
        solved += seconds
        if values is None:
            return Solution(None, math.inf, built, solved)
        choice = model.choice(values)
        if _is_repair(tree, primitives, target, choice):
            return Solution(choice, _cost(tree, primitives, prices, choice), built, solved)
    raise InputError(f"solver {solver!r}: its answer is no repair, as it keeps to tolerances; use exact")


def _is_repair(tree: Tree, primitives: PrimitiveSet, target: Dimension, choice: Sequence[int]) -> bool:
    after, _ = replaced(tree, primitives, choice, _ANY_SEED)
    return reference.gap(after, primitives, target) == 0


def _timed(programme: Highs | Gurobi) -> tuple[NDArray[np.float64] | None, float]:
    start = process_time()
    return programme.solve(), process_time() - start


def _cost(tree: Tree, primitives: PrimitiveSet, weights: Sequence[float], choice: Sequence[int]) -> float:
    """The weights of the nodes that the choice changes, summed without the solver's rounding."""
    stay = [-1 if rule is Rule.TERMINAL else int(rule) for rule in reference.rules(tree, primitives)]
    return math.fsum(w for w, old, new in zip(weights, stay, choice, strict=True) if old != new)
