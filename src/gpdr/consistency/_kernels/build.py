"""From the leaves up: what each dimension of each node costs at least (the recursion of docs/explanation/repair.md).

The emit kernels write states of a node as candidates after those already there, and return how many there are now.
"""

from __future__ import annotations

import numpy as np

from gpdr._jit import kernel
from gpdr.consistency._kernels.arrays import Grid, Index, Node, Reals, Records
from gpdr.consistency._kernels.memory import Memory
from gpdr.consistency._kernels.modular import half, minus, plus
from gpdr.consistency._kernels.shape import Space, first_compatible, last_compatible, price
from gpdr.consistency._kernels.tables import (
    SLACK,
    close_table,
    find,
    least,
    merge,
    open_table,
    sort_table,
    ways_at_least_cost,
)
from gpdr.expressions._kernels import Ints
from gpdr.expressions.functions import Rule

_TERMINAL, _SAME, _PRODUCT, _QUOTIENT = int(Rule.TERMINAL), int(Rule.SAME), int(Rule.PRODUCT), int(Rule.QUOTIENT)
_SQUARE, _ROOT, _CHOICE = int(Rule.SQUARE), int(Rule.ROOT), int(Rule.CHOICE)


@kernel
def emit_terminal(node: Node, class_keys: Ints, candidates: Records) -> int:
    """A terminal has its own dimension for nothing, those of the other classes for its weight."""
    new = candidates[0]
    new.key, new.cost, new.count = node.key, 0.0, 1.0
    count = 1
    if node.weight < np.inf:
        for group in range(len(class_keys)):
            if group != node.group:
                new = candidates[count]
                new.key, new.cost, new.count = class_keys[group], node.weight, 1.0
                count += 1
    return count


@kernel
def emit_agreeing(
    states: Records, index: Index, a: Node, b: Node, extra: float, ways: float, candidates: Records
) -> int:
    """Inputs a and b have the same dimension, and so has the node."""
    one, other = (a, b) if a.last - a.first <= b.last - b.first else (b, a)
    count = 0
    for p in range(one.first, one.last):
        q = find(states, index, other, states[p].key)
        if q >= 0:
            new = candidates[count]
            new.key = states[p].key
            new.cost = states[p].cost + states[q].cost + extra
            new.count = states[p].count * states[q].count * ways
            count += 1
    return count


@kernel
def emit_single(
    states: Records, a: Node, rule: int, extra: float, modulus: int, candidates: Records, count: int
) -> int:
    """Functions of one input."""
    for p in range(a.first, a.last):
        one, new = states[p], candidates[count]
        new.key, new.cost, new.count = one.key, one.cost + extra, one.count
        if rule == _SQUARE:
            new.key = plus(one.key, one.key, modulus)
        elif rule == _ROOT:
            new.key = half(one.key, modulus)
        elif one.key != 0:
            continue  # a plain number in and out
        count += 1
    return count


@kernel
def emit_pairs(
    states: Records,
    begin: int,
    end: int,
    b: Node,
    product: float,
    quotient: float,
    modulus: int,
    node: Node,
    candidates: Records,
    count: int,
) -> int:
    """States begin … end-1, of the first input, with each of input b, multiplied and divided at these prices."""
    extra = min(product, quotient)
    for p in range(begin, end):
        one = states[p]
        for q in range(b.first, b.last):
            other = states[q]
            cost, ways = one.cost + other.cost, one.count * other.count
            if cost + extra > node.dearest:  # states are sorted by cost where there is a limit
                node.beyond = min(node.beyond, cost + extra + node.outside)
                break
            if product < np.inf:
                new = candidates[count]
                new.key, new.cost, new.count = plus(one.key, other.key, modulus), cost + product, ways
                count += 1
            if quotient < np.inf:
                new = candidates[count]
                new.key, new.cost, new.count = minus(one.key, other.key, modulus), cost + quotient, ways
                count += 1
    return count


@kernel
def build_function(space: Space, memory: Memory, row: Reals, ceiling: float, node: Node) -> int:
    """The candidates of a function node that are still to be merged: every class it may have. -1: memory is short."""
    nodes, states, candidates, index = memory
    a, b, rule, modulus = nodes[node.a], nodes[node.b], node.rule, space.modulus
    if rule == _CHOICE:
        ways = ways_at_least_cost(states, a)
        return emit_agreeing(states, index, b, nodes[node.c], a.cheapest, ways, candidates)
    count = 0
    if rule > _QUOTIENT:
        for new in range(first_compatible(rule), last_compatible(rule) + 1):
            extra = price(node, space.available, new)
            if extra < np.inf:
                count = emit_single(states, a, new, extra, modulus, candidates, count)
        return count
    same = price(node, space.available, _SAME)
    if same < np.inf:
        count = emit_agreeing(states, index, a, b, same, 1.0, candidates)
    product, quotient = price(node, space.available, _PRODUCT), price(node, space.available, _QUOTIENT)
    if min(product, quotient) == np.inf:
        return count
    begin = a.first
    while begin < a.last:  # in as many rows as there is room for
        rows = (len(candidates) - count) // max(1, 2 * (b.last - b.first))
        end = min(begin + max(rows, 1), a.last)
        count = emit_pairs(states, begin, end, b, product, quotient, modulus, node, candidates, count)
        begin = end
        if begin < a.last:
            if not merge(states, index, node, candidates, count, row, ceiling):
                return -1
            count = 0
    return count


@kernel
def build(space: Space, memory: Memory, outside: Grid, ceiling: float, count: int, budget: int) -> bool:
    """The tables of all nodes below the root. False where memory, or the budget of states, is short.

    `outside` has the bounds of each node, or no columns: then nothing is left out.
    """
    nodes, states, candidates, index = memory
    bounded = outside.shape[1] > 0
    row = outside[0]
    first, base = 0, 0
    for n in range(count - 1, 0, -1):
        node = nodes[n]
        open_table(index, node, first, base)
        node.dearest = np.inf
        if bounded:
            row = outside[n]
            node.outside = least(row)
            node.dearest = ceiling + SLACK - node.outside
        if node.rule == _TERMINAL:
            found = emit_terminal(node, space.class_keys, candidates)
        else:
            found = build_function(space, memory, row, ceiling, node)
        if found < 0 or not merge(states, index, node, candidates, found, row, ceiling) or node.last > budget:
            return False
        close_table(states, node)
        if bounded:
            sort_table(states, index, node)
        first, base = node.last, node.index_at + node.mask + 1
    return True
