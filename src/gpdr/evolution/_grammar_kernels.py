"""Kernels that grow trees by a grammar; the twins are in reference.py."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import kernel, uncounted
from gpdr._random import below, uniform
from gpdr.evolution.grammar import Grammar
from gpdr.expressions._kernels import State, draw_constant
from gpdr.expressions.forest import Codes, Starts, Values
from gpdr.expressions.primitives import PrimitiveTable

_MOST_INPUTS = 3


@kernel
def draw_production(grammar: Grammar, state: State, kind: int, budget: int, terminal: bool) -> int:
    """A production of type `kind` that can finish within depth `budget`, by weight; -1 where there is none."""
    first, last = grammar.starts[kind], grammar.terminals[kind]
    if terminal:
        first, last = last, grammar.starts[kind + 1]
    total = 0.0
    for p in range(first, last):
        if grammar.need[p] <= budget:
            total += grammar.weight[p]
    left = uniform(state) * total
    chosen = -1
    for p in range(first, last):
        if grammar.need[p] <= budget:
            chosen = p
            left -= grammar.weight[p]
            if left < 0.0:
                break
    return chosen


@kernel
def grow(
    grammar: Grammar, table: PrimitiveTable, state: State, codes: Codes, values: Values, position: int,
    kind: int, smallest: int, limit: int, full: bool,
) -> int:  # fmt: skip
    """Append a tree of type `kind`; the position after it, or -1 where arrays end.

    Its depth is at most `limit`, or that of the type's shallowest tree where this is more. Full: functions wherever
    one can still finish within the limit. Otherwise functions above depth `smallest`, then terminals with the type's
    share.
    """
    limit = max(limit, grammar.shallowest[kind])
    pending = np.empty((_MOST_INPUTS * limit + 1, 2), np.int64)  # type and depth of nodes still to be made
    pending[0, 0], pending[0, 1] = kind, 1
    waiting = 1
    while waiting > 0:
        waiting -= 1
        wanted, depth = pending[waiting, 0], pending[waiting, 1]
        if position >= len(codes):
            return -1
        terminal = not full and depth >= smallest and uniform(state) < grammar.share[wanted]
        production = draw_production(grammar, state, wanted, limit - depth + 1, terminal)
        if production < 0:
            production = draw_production(grammar, state, wanted, limit - depth + 1, not terminal)
        code = grammar.code[production]
        codes[position] = code
        values[position] = draw_constant(table, state, code)
        position += 1
        for k in range(table.arity[code] - 1, -1, -1):
            pending[waiting, 0], pending[waiting, 1] = grammar.inputs[production, k], depth + 1
            waiting += 1
    return position


@kernel
def grow_individuals(
    grammar: Grammar, table: PrimitiveTable, states: State, smallest: int, largest: int,
    codes: Codes, values: Values, starts: Starts,
) -> bool:  # fmt: skip
    """Ramped half-and-half by a grammar, individual n from its own stream states[n]. Returns whether all fitted."""
    grammar, table, states, codes, values = uncounted((grammar, table, states, codes, values))
    trees = len(grammar.roots)
    position = 0
    starts[0] = 0
    for individual in range(len(states)):
        state = states[individual]
        for tree in range(trees):
            kind = grammar.roots[tree]
            full = uniform(state) < 0.5
            limit = smallest + below(state, largest - smallest + 1)
            position = grow(grammar, table, state, codes, values, position, kind, smallest, limit, full)
            if position < 0:
                return False
            starts[individual * trees + tree + 1] = position
    return True


@kernel
def node_types(grammar: Grammar, table: PrimitiveTable, codes: Codes, out: NDArray[np.int64]) -> None:
    """The type of every node of a forest's trees, -1 for nodes that the grammar cannot make."""
    waiting = 0  # types of finished subtrees, the leftmost on top, in the upper part of `out`'s own order
    stack = np.empty(len(codes) + 1, np.int64)
    for k in range(len(codes) - 1, -1, -1):
        code = codes[k]
        inputs = table.arity[code]
        if inputs == 0:
            kind = grammar.result[code, 0, 0]
        else:
            last = stack[waiting - inputs]
            before = stack[waiting - inputs + 1] if inputs > 1 else last
            sound = last >= 0 and before >= 0 and stack[waiting - 1] >= 0
            kind = grammar.result[code, before, last] if sound else -1
        waiting -= inputs
        stack[waiting] = kind
        waiting += 1
        out[k] = kind
