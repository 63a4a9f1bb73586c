"""The exact repair of whole forests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from gpdr._random import kernel_states
from gpdr._threads import map_parts
from gpdr.consistency import reference
from gpdr.consistency.gap import check_targets
from gpdr.dimensions import Dimension
from gpdr.errors import InputError
from gpdr.expressions.forest import Forest
from gpdr.expressions.primitives import PrimitiveSet

if TYPE_CHECKING:
    from gpdr.consistency.weights import Weights

_BLOCK = 64  # trees a thread takes at a time
_STATES = 1 << 13  # memory at first, and at most: dimensions of all nodes of a tree
_MOST_STATES = 1 << 23
_ATTEMPTS = 8

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
    from gpdr.consistency._kernels.forest import repair_trees
    from gpdr.consistency._kernels.memory import memory_for
    from gpdr.consistency.keys import keys_of
    from gpdr.consistency.replacements import replacements
    from gpdr.consistency.weights import weights_of_nodes

    check_targets(forest.trees, primitives, targets)
    table, scaled = primitives.table, primitives.scaled_targets(targets)
    prices = weights_of_nodes(forest, primitives, weights, fixed)
    become = replacements(primitives, terminal_weights)
    longest = np.diff(forest.starts)
    count = len(longest)
    states = kernel_states(seed, count)
    codes, values = forest.codes.copy(), forest.values.copy()
    changed = np.zeros(len(codes), np.bool_)
    costs, status = np.empty(count), np.empty(count, np.int64)

    def attempt(trees: NDArray[np.int64], memory: int, number: int) -> None:
        space, target_keys = keys_of(primitives, targets, number)

        def work(first: int) -> None:
            block = trees[first : first + _BLOCK]
            room = memory_for(int(longest[block].max()), memory)
            repair_trees(
                table, space, become, room, forest.starts, prices, block, scaled, target_keys, states,
                codes, values, changed, costs, status,
            )  # fmt: skip

        map_parts(work, range(0, len(trees), _BLOCK), threads)
        for k in trees[status[trees] == search.NOT_EXACT].tolist():
            nodes = slice(forest.starts[k], forest.starts[k + 1])
            tree = Forest(codes, values, forest.starts).tree(k)
            if reference.gap(tree, primitives, targets[k % forest.trees]) == 0:
                status[k] = search.DONE
            else:
                codes[nodes], values[nodes], changed[nodes] = forest.codes[nodes], forest.values[nodes], False
                status[k] = search.COLLISION

    memory, number = _STATES, 0
    todo = np.arange(count)
    while len(todo):
        attempt(todo, memory, number)
        short = bool(np.any(status[todo] == search.SHORT_OF_MEMORY))
        todo = todo[(status[todo] == search.SHORT_OF_MEMORY) | (status[todo] == search.COLLISION)]
        if short:
            memory *= 8
        elif len(todo):
            number += 1
        if memory > _MOST_STATES or number > _ATTEMPTS:
            raise InputError(
                f"repair: gave up on a tree of {longest[todo].max()} nodes, whose nodes can have too many dimensions; "
                f"repair smaller trees, or keep more nodes fixed"
            )
    feasible = (status == search.DONE).reshape(-1, forest.trees)
    return Repaired(
        Forest(codes, values, forest.starts, forest.trees), costs.reshape(feasible.shape).sum(axis=1), changed, feasible
    )
