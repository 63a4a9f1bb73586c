"""The exact repair of whole forests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from gpdr._random import kernel_states
from gpdr.consistency.gap import check_targets
from gpdr.dimensions import Dimension
from gpdr.expressions.forest import Forest
from gpdr.expressions.membership import ensure_made_of
from gpdr.expressions.primitives import PrimitiveSet

if TYPE_CHECKING:
    from gpdr.consistency.weights import Weights

_BUDGET = 1 << 12  # dimensions of all nodes of a tree, up to which no bounds are worth their time
_ATTEMPTS = 8  # with other keys: the chance that even one is not enough is below 2^-20

Fixed = Literal["none", "functions", "terminals"]


class Status(IntEnum):
    """What became of a tree."""

    DONE = 0
    INFEASIBLE = 1
    GIVEN_UP = 2  # its nodes can have too many dimensions: whether it has a repair is not known


@dataclass(frozen=True)
class Repaired:
    """What a repair made of a forest. Trees that were not repaired are as they were."""

    forest: Forest
    cost: NDArray[np.float64]  # (individuals,): weights of the changed nodes; infinite where a tree was not repaired
    changed: NDArray[np.bool_]  # (nodes,)
    status: NDArray[np.int64]  # (individuals, trees): a Status

    @property
    def feasible(self) -> NDArray[np.bool_]:
        """(individuals, trees): which are consistent now."""
        done: NDArray[np.bool_] = self.status == Status.DONE
        return done


def repair_forest(
    forest: Forest,
    primitives: PrimitiveSet,
    targets: Sequence[Dimension],
    seed: np.random.SeedSequence,
    terminal_weights: NDArray[np.float64] | None = None,
    weights: Weights = "depth",
    fixed: Fixed | NDArray[np.bool_] = "none",
    threads: int = 1,
) -> Repaired:
    """Make every tree consistent with its target by changes of least total weight, any of the optima equally likely.

    `terminal_weights` says by code how often each terminal is wanted where one is replaced. Tree k of the forest has
    its own stream of random numbers, so neither threads nor the other trees' fate decide its repair.
    """
    from gpdr.consistency._kernels import search
    from gpdr.consistency.deepening import deepen
    from gpdr.consistency.job import Bounds, Job
    from gpdr.consistency.keys import keys_of
    from gpdr.consistency.replacements import replacements
    from gpdr.consistency.weights import scaled_weights

    check_targets(forest.trees, primitives, targets)
    ensure_made_of(forest, primitives)
    prices, scales = scaled_weights(forest, primitives, weights, fixed)
    trees = np.arange(len(forest.starts) - 1)
    streams = kernel_states(seed, len(trees))
    job = Job(forest, primitives, targets, prices, replacements(primitives, terminal_weights), streams, threads)
    for attempt in range(_ATTEMPTS):
        keys = keys_of(primitives, tuple(targets), attempt)
        job.attempt(trees, keys, Bounds(np.empty((1, 0)), np.inf, _BUDGET, 2 * _BUDGET))
        for k in job.which(trees, search.TOO_MANY_STATES).tolist():
            deepen(job, k, keys)
        trees = job.which(trees, search.COLLISION)
        if not len(trees):
            break
    status = np.full(len(job.status), int(Status.GIVEN_UP))  # but for these two
    status[job.status == search.DONE], status[job.status == search.INFEASIBLE] = Status.DONE, Status.INFEASIBLE
    costs = np.where(status == Status.DONE, job.costs * scales, np.inf)
    return Repaired(
        Forest(job.codes, job.values, forest.starts, forest.trees),
        costs.reshape(-1, forest.trees).sum(axis=1),
        job.changed,
        status.reshape(-1, forest.trees),
    )
