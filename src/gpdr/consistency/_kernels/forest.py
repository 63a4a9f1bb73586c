"""The repair of many trees, each from its own stream of random numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import kernel, uncounted
from gpdr.consistency._kernels.arrays import Flags, Grid, Reals
from gpdr.consistency._kernels.gap import tree_gap
from gpdr.consistency._kernels.memory import Memory
from gpdr.consistency._kernels.replace import Replacements, replace_nodes
from gpdr.consistency._kernels.search import COLLISION, DONE, NOT_EXACT, search
from gpdr.consistency._kernels.shape import Space, read_shape
from gpdr.expressions._kernels import Ints
from gpdr.expressions.forest import Codes, Starts, Values
from gpdr.expressions.primitives import PrimitiveTable


@kernel
def node_weights(table: PrimitiveTable, codes: Codes, starts: Starts, by_size: bool, out: Reals) -> None:
    """What changing each node costs: one over its depth, or the size of its subtree over that of the tree."""
    longest = 1
    for k in range(len(starts) - 1):
        longest = max(longest, starts[k + 1] - starts[k])
    number, waiting = np.empty(longest), np.empty(longest, np.int64)
    for k in range(len(starts) - 1):
        begin, nodes = starts[k], starts[k + 1] - starts[k]
        height = 0
        if by_size:
            for n in range(nodes - 1, -1, -1):
                number[n] = 1.0
                for _ in range(table.arity[codes[begin + n]]):
                    height -= 1
                    number[n] += number[waiting[height]]
                waiting[height] = n
                height += 1
            for n in range(nodes):
                out[begin + n] = number[n] / nodes
            continue
        depth = 1
        for n in range(nodes):
            out[begin + n] = 1.0 / depth
            inputs = table.arity[codes[begin + n]]
            if inputs > 0:
                depth += 1
                waiting[height] = inputs
                height += 1
                continue
            while height > 0:
                waiting[height - 1] -= 1
                if waiting[height - 1] > 0:
                    break
                height -= 1
                depth -= 1


@kernel
def repair_trees(
    table: PrimitiveTable,
    space: Space,
    replacements: Replacements,
    memory: Memory,
    starts: Starts,
    weights: Reals,
    trees: Ints,
    targets: Grid,
    target_keys: Ints,
    outside: Grid,
    ceiling: float,
    budget: int,
    states: NDArray[np.uint64],
    codes: Codes,
    values: Values,
    changed: Flags,
    costs: Reals,
    status: Ints,
) -> None:
    """Repair the trees of these numbers in place; consistent ones are left alone, so are those that cannot be.

    targets and target_keys have a row for each tree of an individual. `outside` and `ceiling` bound the search (see
    build), `budget` is how many states a tree may have. A repair is kept only if true dimensions confirm it: else the
    status is COLLISION, or NOT_EXACT where float64 cannot tell.
    """
    longest = len(memory.nodes)
    table, space, replacements, memory = uncounted((table, space, replacements, memory))
    weights, outside, states = uncounted((weights, outside, states))
    codes, values = uncounted((codes, values))
    state = np.empty(1, np.uint64)
    dims, gaps = np.empty((longest, targets.shape[1])), np.empty(longest)
    new_codes, new_values, marks = np.empty(longest, np.int32), np.empty(longest), np.empty(longest, np.bool_)
    for k in trees:
        begin, end, t = starts[k], starts[k + 1], k % len(targets)
        count = end - begin
        gap, exact = tree_gap(table, codes[begin:end], targets[t], uncounted(dims), uncounted(gaps))
        status[k], costs[k] = DONE, 0.0
        if gap == 0.0 and exact:
            continue
        state[:] = states[k]
        read_shape(table, space, codes, weights, begin, end, memory.nodes)
        status[k], costs[k] = search(space, memory, outside, ceiling, budget, count, target_keys[t], uncounted(state))
        if status[k] != DONE:
            continue
        new_codes[:count], new_values[:count] = codes[begin:end], values[begin:end]
        replace_nodes(table, replacements, memory.nodes, count, new_codes, new_values, marks, state)
        gap, exact = tree_gap(table, new_codes[:count], targets[t], dims, gaps)
        if exact and gap != 0.0:
            status[k] = COLLISION
            continue
        if not exact:
            status[k] = NOT_EXACT
        codes[begin:end], values[begin:end], changed[begin:end] = new_codes[:count], new_values[:count], marks[:count]
