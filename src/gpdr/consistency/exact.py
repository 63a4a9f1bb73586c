"""The exact repair of whole forests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from gpdr._random import kernel_states
from gpdr.consistency.gap import check_targets
from gpdr.dimensions import Dimension
from gpdr.errors import InputError
from gpdr.expressions.forest import Forest
from gpdr.expressions.primitives import PrimitiveSet

if TYPE_CHECKING:
    from gpdr.consistency.weights import Weights

_BUDGET = 1 << 12  # dimensions of all nodes of a tree, up to which no bounds are worth their time
_ATTEMPTS = 8  # with other keys: the chance that even one is not enough is below 2^-20

Fixed = Literal["none", "functions", "terminals"]


@dataclass(frozen=True)
class Repaired:
    """What a repair made of a forest. Trees that cannot be repaired are as they were."""

    forest: Forest
    cost: NDArray[np.float64]  # (individuals,): weights of the changed nodes; infinite where a tree is infeasible
    changed: NDArray[np.bool_]  # (nodes,)
    feasible: NDArray[np.bool_]  # (individuals, trees)


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
    from gpdr.consistency.weights import weights_of_nodes

    check_targets(forest.trees, primitives, targets)
    prices = weights_of_nodes(forest, primitives, weights, fixed)
    trees = np.arange(len(forest.starts) - 1)
    streams = kernel_states(seed, len(trees))
    job = Job(forest, primitives, targets, prices, replacements(primitives, terminal_weights), streams, threads)
    for attempt in range(_ATTEMPTS):
        keys = keys_of(primitives, tuple(targets), attempt)
        job.attempt(trees, keys, Bounds(np.empty((1, 0)), np.inf, _BUDGET, 2 * _BUDGET))
        for k in job.which(trees, search.TOO_MANY_STATES).tolist():
            deepen(job, k, keys)
            if job.status[k] == search.TOO_MANY_STATES:
                raise InputError(
                    f"repair: gave up on a tree of {job.sizes[k]} nodes, whose nodes can have too many dimensions; "
                    f"repair smaller trees, or keep more nodes fixed"
                )
        trees = job.which(trees, search.COLLISION)
        if not len(trees):
            break
    feasible = (job.status == search.DONE).reshape(-1, forest.trees)
    return Repaired(
        Forest(job.codes, job.values, forest.starts, forest.trees),
        job.costs.reshape(feasible.shape).sum(axis=1),
        job.changed,
        feasible,
    )
