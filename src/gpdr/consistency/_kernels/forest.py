"""The repair of many trees, each from its own stream of random numbers."""

from __future__ import annotations

import numpy as np

from gpdr._jit import kernel
from gpdr.consistency._kernels.gap import tree_gap
from gpdr.consistency._kernels.replace import replace_nodes
from gpdr.consistency._kernels.search import COLLISION, DONE, NOT_EXACT, search
from gpdr.consistency._kernels.shape import make_shape, read_shape
from gpdr.consistency._kernels.tables import make_tables


@kernel
def node_weights(table, codes, starts, by_size, out):  # type: ignore[no-untyped-def]
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
def repair_trees(  # type: ignore[no-untyped-def]
    table, space, replacements, starts, weights, trees, targets, target_keys, states, memory,
    codes, values, changed, costs, status,
):  # fmt: skip
    """Repair the trees of these numbers in place; consistent ones are left alone, so are those that cannot be.

    targets and target_keys have a row for each tree of an individual. A repair is kept only if true dimensions
    confirm it: otherwise the status says COLLISION, or NOT_EXACT where float64 cannot tell.
    """
    longest = 1
    for k in trees:
        longest = max(longest, starts[k + 1] - starts[k])
    dims, gaps = np.empty((longest, targets.shape[1])), np.empty(longest)
    shape, tables = make_shape(longest), make_tables(longest, memory)
    chosen = np.empty(longest, np.int64)
    new_codes, new_values = np.empty(longest, np.int32), np.empty(longest)
    marks = np.empty(longest, np.bool_)
    for k in trees:
        begin, end, t = starts[k], starts[k + 1], k % len(targets)
        nodes = end - begin
        gap, exact = tree_gap(table, codes, begin, end, targets[t], dims, gaps)
        status[k], costs[k] = DONE, 0.0
        if gap == 0.0 and exact:
            continue
        state = states[k].copy()
        read_shape(table, space, codes, weights, begin, end, shape, chosen)
        status[k], costs[k] = search(shape, space, tables, nodes, target_keys[t], chosen, state)
        if status[k] != DONE:
            continue
        new_codes[:nodes], new_values[:nodes] = codes[begin:end], values[begin:end]
        marks[:nodes] = False
        replace_nodes(table, replacements, shape, nodes, chosen, 0, new_codes, new_values, marks, state)
        gap, exact = tree_gap(table, new_codes, 0, nodes, targets[t], dims, gaps)
        if exact and gap != 0.0:
            status[k] = COLLISION
            continue
        if not exact:
            status[k] = NOT_EXACT
        codes[begin:end], values[begin:end] = new_codes[:nodes], new_values[:nodes]
        changed[begin:end] = marks[:nodes]
