"""From the leaves up: what each dimension of each node costs at least (the recursion of docs/explanation/repair.md)."""

from __future__ import annotations

import numpy as np

from gpdr._jit import kernel
from gpdr.consistency._kernels.bounds import too_dear, useless
from gpdr.consistency._kernels.modular import half, minus, plus
from gpdr.consistency._kernels.shape import first_compatible, last_compatible, price
from gpdr.consistency._kernels.tables import TIE, close_table, find, open_table, relax, sort_table
from gpdr.expressions.functions import Rule

_TERMINAL, _SAME, _PRODUCT, _QUOTIENT = int(Rule.TERMINAL), int(Rule.SAME), int(Rule.PRODUCT), int(Rule.QUOTIENT)
_SQUARE, _ROOT, _CHOICE = int(Rule.SQUARE), int(Rule.ROOT), int(Rule.CHOICE)


@kernel
def offer(t, bounds, n, key, cost, count):  # type: ignore[no-untyped-def]
    """Enter a way to give node n this dimension, unless it cannot be of use. False where memory is short."""
    return useless(bounds, n, key, cost) or relax(t, n, key, cost, count)


@kernel
def cheapest_ways(t, n):  # type: ignore[no-untyped-def]
    """In how many ways node n's subtree costs its least, whatever dimension it gives."""
    ways = 0.0
    for p in range(t.first[n], t.first[n] + t.size[n]):
        if t.costs[p] <= t.cheapest[n] + TIE:
            ways += t.counts[p]
    return ways


@kernel
def build_terminal(shape, space, t, bounds, n):  # type: ignore[no-untyped-def]
    """Its own dimension for nothing, those of the other classes for its weight."""
    fits = offer(t, bounds, n, shape.key[n], 0.0, 1.0)
    if shape.weight[n] < np.inf:
        for k in range(len(space.class_keys)):
            if k != shape.group[n]:
                fits &= offer(t, bounds, n, space.class_keys[k], shape.weight[n], 1.0)
    return fits


@kernel
def build_agreeing(t, bounds, n, a, b, extra, ways):  # type: ignore[no-untyped-def]
    """Inputs a and b have the same dimension, and it is that of node n."""
    if t.size[b] < t.size[a]:
        a, b = b, a
    for p in range(t.first[a], t.first[a] + t.size[a]):
        q = find(t, b, t.keys[p])
        if q >= 0 and not offer(
            t, bounds, n, t.keys[p], t.costs[p] + t.costs[q] + extra, t.counts[p] * t.counts[q] * ways
        ):
            return False
    return True


@kernel
def build_pairs(t, bounds, n, a, b, product, quotient, modulus):  # type: ignore[no-untyped-def]
    """Any two dimensions of a and b, multiplied and divided; `product` and `quotient` are the prices."""
    extra = min(product, quotient)
    for p in range(t.first[a], t.first[a] + t.size[a]):
        x, cost, ways = t.keys[p], t.costs[p], t.counts[p]
        if too_dear(bounds, n, cost + t.cheapest[b] + extra):
            break  # bounded tables are sorted by cost
        for q in range(t.first[b], t.first[b] + t.size[b]):
            paid = cost + t.costs[q]
            if too_dear(bounds, n, paid + extra):
                break
            y, both = t.keys[q], ways * t.counts[q]
            if product < np.inf and not offer(t, bounds, n, plus(x, y, modulus), paid + product, both):
                return False
            if quotient < np.inf and not offer(t, bounds, n, minus(x, y, modulus), paid + quotient, both):
                return False
    return True


@kernel
def build_single(t, bounds, n, a, rule, extra, modulus):  # type: ignore[no-untyped-def]
    """Functions of one input."""
    for p in range(t.first[a], t.first[a] + t.size[a]):
        x = t.keys[p]
        if rule == _SQUARE:
            x = plus(x, x, modulus)
        elif rule == _ROOT:
            x = half(x, modulus)
        elif x != 0:
            continue  # a plain number in and out
        if not offer(t, bounds, n, x, t.costs[p] + extra, t.counts[p]):
            return False
    return True


@kernel
def build_function(shape, space, t, bounds, n):  # type: ignore[no-untyped-def]
    """Every class that node n may have."""
    rule = shape.rule[n]
    a, b, c = shape.inputs[n]
    if rule == _CHOICE:
        return build_agreeing(t, bounds, n, b, c, t.cheapest[a], cheapest_ways(t, a))
    if rule > _QUOTIENT:
        fits = True
        for new in range(first_compatible(rule), last_compatible(rule) + 1):
            extra = price(shape, space, n, new)
            if extra < np.inf:
                fits &= build_single(t, bounds, n, a, new, extra, space.modulus)
        return fits
    same = price(shape, space, n, _SAME)
    product, quotient = price(shape, space, n, _PRODUCT), price(shape, space, n, _QUOTIENT)
    if same < np.inf and not build_agreeing(t, bounds, n, a, b, same, 1.0):
        return False
    return min(product, quotient) == np.inf or build_pairs(t, bounds, n, a, b, product, quotient, space.modulus)


@kernel
def build(shape, space, t, bounds, nodes, budget):  # type: ignore[no-untyped-def]
    """The tables of all nodes below the root. False where memory, or the budget of states, is short."""
    t.used[:] = 0
    for n in range(nodes - 1, 0, -1):
        open_table(t, n)
        if shape.rule[n] == _TERMINAL:
            fits = build_terminal(shape, space, t, bounds, n)
        else:
            fits = build_function(shape, space, t, bounds, n)
        if not fits or t.used[0] > budget:
            return False
        close_table(t, n)
        if bounds.residues > 0:
            sort_table(t, n)
    return True
