"""Kernels on the shape of trees and for growing them; their twins are in reference.py and reference_growth.py."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import kernel, uncounted
from gpdr._random import below, uniform
from gpdr.expressions.forest import Codes, Starts, Values
from gpdr.expressions.primitives import PrimitiveTable
from gpdr.expressions.terminals import Sampler

Ints = NDArray[np.int64]
State = NDArray[np.uint64]

_INTEGER, _REAL = int(Sampler.INTEGER), int(Sampler.REAL)


@kernel
def subtree_end(arity: Ints, codes: Codes, k: int) -> int:
    """One past the last node of the subtree whose root is node k."""
    missing = 1
    while missing > 0:
        missing += arity[codes[k]] - 1
        k += 1
    return k


@kernel
def node_depths(arity: Ints, codes: Codes, begin: int, end: int, out: Ints) -> int:
    """Depth of each node of the tree begin … end-1 into out[0 …]; the root has depth 1. Returns the largest."""
    missing = np.empty(end - begin, np.int64)  # inputs still to come, of each function from the root down to here
    above = 0
    deepest = 0
    for k in range(begin, end):
        out[k - begin] = above + 1
        deepest = max(deepest, above + 1)
        inputs = arity[codes[k]]
        if inputs > 0:
            missing[above] = inputs
            above += 1
            continue
        while above > 0:
            missing[above - 1] -= 1
            if missing[above - 1] > 0:
                break
            above -= 1
    return deepest


@kernel
def tree_depth(arity: Ints, codes: Codes, begin: int, end: int) -> int:
    """Depth of the tree begin … end-1: its root alone has depth 1."""
    return node_depths(arity, codes, begin, end, np.empty(end - begin, np.int64))


@kernel
def draw_terminal(table: PrimitiveTable, state: State) -> int:
    """The code of a terminal or random constant, each as likely."""
    return table.functions + below(state, table.drawable - table.functions)


@kernel
def draw_constant(table: PrimitiveTable, state: State, code: int) -> float:
    """A fresh value for a node of this code; 0, and nothing drawn, where it is not a random constant."""
    low: float = table.low[code]
    high: float = table.high[code]
    if table.sampler[code] == _INTEGER:
        return low + below(state, high - low + 1.0)
    if table.sampler[code] == _REAL:
        value = low + uniform(state) * (high - low)
        return value if value < high else low  # rounding may reach the open end
    return 0.0


@kernel
def grow_tree(
    table: PrimitiveTable,
    state: State,
    codes: Codes,
    values: Values,
    position: int,
    smallest: int,
    largest: int,
    full: bool,
) -> int:
    """Append a tree at `position`; the position after it, or -1 where the arrays are too short.

    A depth limit is drawn from smallest … largest. Full: functions above the limit, terminals at it. Grow: functions
    above depth `smallest`, then any primitive with the same chance, terminals at the limit (Koza 1992, where the
    root of an initial tree is a function: smallest = 2).
    """
    limit = smallest + below(state, largest - smallest + 1)
    if table.functions == 0:
        limit = 1
    primitives = table.drawable
    missing = np.empty(limit + 1, np.int64)  # nodes still to come at each depth
    missing[1] = 1
    depth = 1
    while depth > 0:
        if missing[depth] == 0:
            depth -= 1
            continue
        missing[depth] -= 1
        if position >= len(codes):
            return -1
        if depth == limit:
            code = draw_terminal(table, state)
        elif full or depth < smallest:
            code = below(state, table.functions)
        else:
            code = below(state, primitives)
        codes[position] = code
        values[position] = draw_constant(table, state, code)
        position += 1
        if code < table.functions:
            depth += 1
            missing[depth] = table.arity[code]
    return position


@kernel
def grow_forest(
    table: PrimitiveTable,
    states: NDArray[np.uint64],
    trees: int,
    smallest: int,
    largest: int,
    chance_of_full: float,
    codes: Codes,
    values: Values,
    starts: Starts,
) -> bool:
    """Individual n from its own stream states[n]. Returns whether all fitted in the arrays."""
    table, states, codes, values = uncounted((table, states, codes, values))
    position = 0
    starts[0] = 0
    for individual in range(len(states)):
        for tree in range(trees):
            full = uniform(states[individual]) < chance_of_full
            position = grow_tree(table, states[individual], codes, values, position, smallest, largest, full)
            if position < 0:
                return False
            starts[individual * trees + tree + 1] = position
    return True
