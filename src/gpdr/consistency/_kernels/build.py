"""From the leaves up: what each dimension of each node costs at least (the recursion of docs/explanation/repair.md).

The emit kernels write a node's states as candidates after those already there, and return how many there are now.
"""

from __future__ import annotations

import numpy as np

from gpdr._jit import kernel
from gpdr.consistency._kernels.modular import half, minus, plus
from gpdr.consistency._kernels.shape import price
from gpdr.consistency._kernels.tables import (
    SLACK,
    close_table,
    find,
    merge,
    open_table,
    sort_table,
    ways_at_least_cost,
)
from gpdr.expressions.functions import Rule

_TERMINAL, _SAME, _PRODUCT, _QUOTIENT = int(Rule.TERMINAL), int(Rule.SAME), int(Rule.PRODUCT), int(Rule.QUOTIENT)
_SQUARE, _ROOT, _CHOICE, _PURE = int(Rule.SQUARE), int(Rule.ROOT), int(Rule.CHOICE), int(Rule.PURE)


@kernel
def emit_terminal(node, class_keys, candidates):  # type: ignore[no-untyped-def]
    """A terminal has its own dimension for nothing, those of the other classes for its weight."""
    count = 0
    for group in range(-1, len(class_keys)):
        if group >= 0 and (group == node.group or node.weight == np.inf):
            continue
        new = candidates[count]
        new.key = node.key if group < 0 else class_keys[group]
        new.cost = 0.0 if group < 0 else node.weight
        new.count = 1.0
        count += 1
    return count


@kernel
def emit_agreeing(states, index, a, b, extra, ways, candidates, count):  # type: ignore[no-untyped-def]
    """Inputs a and b have the same dimension, and so has the node."""
    for p in range(a.first, a.last):
        one = states[p]
        q = find(states, index, b, one.key)
        if q >= 0:
            other, new = states[q], candidates[count]
            new.key = one.key
            new.cost = one.cost + other.cost + extra
            new.count = one.count * other.count * ways
            count += 1
    return count


@kernel
def emit_pairs(states, begin, end, b, product, quotient, modulus, dearest, candidates, count):  # type: ignore[no-untyped-def]
    """States begin … end-1, of the first input, with each of input b, multiplied and divided at these prices.

    Only up to a cost. Returns as well the least cost left out, infinite if none was.
    """
    left_out, extra = np.inf, min(product, quotient)
    for p in range(begin, end):
        one = states[p]
        for q in range(b.first, b.last):
            other = states[q]
            cost, ways = one.cost + other.cost, one.count * other.count
            if cost + extra > dearest:
                left_out = min(left_out, cost + extra)
                break  # where there is such a limit, states are sorted by cost
            if product < np.inf:
                new = candidates[count]
                new.key, new.cost, new.count = plus(one.key, other.key, modulus), cost + product, ways
                count += 1
            if quotient < np.inf:
                new = candidates[count]
                new.key, new.cost, new.count = minus(one.key, other.key, modulus), cost + quotient, ways
                count += 1
    return count, left_out


@kernel
def emit_single(states, a, rule, extra, modulus, candidates, count):  # type: ignore[no-untyped-def]
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
def build_pairs(memory, bounds, n, product, quotient, modulus, count):  # type: ignore[no-untyped-def]
    """Both inputs with any dimensions, after `count` candidates; merged as often as there is no room for more."""
    nodes, states, candidates, index = memory
    node = nodes[n]
    a, b = nodes[node.a], nodes[node.b]
    dearest = bounds.ceiling + SLACK - bounds.least_outside[n]
    rows = max(1, (len(candidates) - count) // max(1, 2 * (b.last - b.first)))
    begin = a.first
    while begin < a.last:
        end = min(begin + rows, a.last)
        count, left_out = emit_pairs(states, begin, end, b, product, quotient, modulus, dearest, candidates, count)
        bounds.beyond[0] = min(bounds.beyond[0], left_out + bounds.least_outside[n])
        begin = end
        if begin < a.last:
            if not merge(states, index, node, candidates, count, bounds, n):
                return -1
            count = 0
    return count


@kernel
def build_function(space, memory, bounds, n):  # type: ignore[no-untyped-def]
    """The candidates of function node n that are still to be merged: every class it may have. -1: memory is short."""
    nodes, states, candidates, index = memory
    node = nodes[n]
    rule, a, b = node.rule, nodes[node.a], nodes[node.b]
    if rule == _CHOICE:
        ways = ways_at_least_cost(states, a)
        return emit_agreeing(states, index, b, nodes[node.c], a.cheapest, ways, candidates, 0)
    if rule == _PURE:
        return emit_single(states, a, rule, 0.0, space.modulus, candidates, 0)
    count = 0
    if rule > _QUOTIENT:
        for new in (_SQUARE, _ROOT):
            extra = price(node, space.available, new)
            if extra < np.inf:
                count = emit_single(states, a, new, extra, space.modulus, candidates, count)
        return count
    same = price(node, space.available, _SAME)
    if same < np.inf:
        if b.last - b.first < a.last - a.first:
            count = emit_agreeing(states, index, b, a, same, 1.0, candidates, 0)
        else:
            count = emit_agreeing(states, index, a, b, same, 1.0, candidates, 0)
    product, quotient = price(node, space.available, _PRODUCT), price(node, space.available, _QUOTIENT)
    if min(product, quotient) < np.inf:
        count = build_pairs(memory, bounds, n, product, quotient, space.modulus, count)
    return count


@kernel
def build(space, memory, bounds, count, budget):  # type: ignore[no-untyped-def]
    """The tables of all nodes below the root. False where memory, or the budget of states, is short."""
    nodes, states, candidates, index = memory
    first, base = 0, 0
    for n in range(count - 1, 0, -1):
        node = nodes[n]
        open_table(index, node, first, base)
        if node.rule == _TERMINAL:
            found = emit_terminal(node, space.class_keys, candidates)
        else:
            found = build_function(space, memory, bounds, n)
        if found < 0 or not merge(states, index, node, candidates, found, bounds, n) or node.last > budget:
            return False
        close_table(states, node)
        if bounds.residues > 0:
            sort_table(states, index, node)
        first, base = node.last, node.base + node.mask + 1
    return True
