"""From the root down: one of the optimal repairs, all of them equally likely."""

from __future__ import annotations

import numpy as np

from gpdr._jit import kernel
from gpdr._random import uniform
from gpdr.consistency._kernels.build import cheapest_ways
from gpdr.consistency._kernels.modular import half, minus, plus
from gpdr.consistency._kernels.shape import first_compatible, last_compatible, price
from gpdr.consistency._kernels.tables import TIE, find
from gpdr.expressions.functions import Rule

_TERMINAL, _SAME, _PRODUCT, _QUOTIENT = int(Rule.TERMINAL), int(Rule.SAME), int(Rule.PRODUCT), int(Rule.QUOTIENT)
_SQUARE, _ROOT, _CHOICE = int(Rule.SQUARE), int(Rule.ROOT), int(Rule.CHOICE)


@kernel
def wins(state, best, cost, count):  # type: ignore[no-untyped-def]
    """Whether this way becomes the chosen one, so that each of the cheapest is kept in proportion to its count.

    best[0] is the least cost so far, best[1] how many ways have it (sampling from a stream of unknown length).
    """
    if cost < best[0] - TIE:
        best[0], best[1] = cost, count
        return True
    if cost <= best[0] + TIE and cost < np.inf:
        best[1] += count
        return uniform(state) * best[1] < count
    return False


@kernel
def choose_class(shape, space, n, key, best, state):  # type: ignore[no-untyped-def]
    """How terminal n gets this dimension: the number of its new dimension class, -1 to stay as it is."""
    best[0], best[1] = np.inf, 0.0
    chosen = -1
    if shape.key[n] == key:
        wins(state, best, 0.0, 1.0)
    for k in range(len(space.class_keys)):
        if k != shape.group[n] and space.class_keys[k] == key and wins(state, best, shape.weight[n], 1.0):
            chosen = k
    return chosen


@kernel
def choose_pair(t, a, b, key, quotient, extra, modulus, best, pair, state):  # type: ignore[no-untyped-def]
    """A pair of dimensions whose product, or quotient, is the wanted one, into `pair`. Whether one won."""
    won = False
    swap = t.size[b] < t.size[a]
    outer, other = (b, a) if swap else (a, b)
    for p in range(t.first[outer], t.first[outer] + t.size[outer]):
        x = t.keys[p]
        if not quotient:
            y = minus(key, x, modulus)
        elif swap:
            y = plus(key, x, modulus)
        else:
            y = minus(x, key, modulus)
        q = find(t, other, y)
        if q >= 0 and wins(state, best, t.costs[p] + t.costs[q] + extra, t.counts[p] * t.counts[q]):
            won = True
            pair[0], pair[1] = (y, x) if swap else (x, y)
    return won


@kernel
def choose_free(t, n, best, state):  # type: ignore[no-untyped-def]
    """One of the dimensions at which node n's subtree costs its least."""
    best[0], best[1] = np.inf, 0.0
    chosen = t.keys[t.first[n]]
    for p in range(t.first[n], t.first[n] + t.size[n]):
        if wins(state, best, t.costs[p], t.counts[p]):
            chosen = t.keys[p]
    return chosen


@kernel
def choose_rule(shape, space, t, n, key, best, wanted, state):  # type: ignore[no-untyped-def]
    """How function node n gets this dimension: its new class, and its inputs' dimensions into wanted[0 … 2].

    Afterwards best holds the cost and in how many ways it is reached; the cost is infinite if there is none.
    """
    rule, chosen = shape.rule[n], 0
    a, b, c = shape.inputs[n]
    pair = wanted[3:]
    best[0], best[1] = np.inf, 0.0
    for new in range(first_compatible(rule), last_compatible(rule) + 1):
        extra = price(shape, space, n, new)
        if extra == np.inf:
            continue
        if new == _PRODUCT or new == _QUOTIENT:  # noqa: PLR1714, SIM109
            if choose_pair(t, a, b, key, new == _QUOTIENT, extra, space.modulus, best, pair, state):
                chosen, wanted[0], wanted[1] = new, pair[0], pair[1]
            continue
        if new == _CHOICE:
            p, q = find(t, b, key), find(t, c, key)
            if p >= 0 and q >= 0 and t.size[a] > 0:
                ways = t.counts[p] * t.counts[q] * cheapest_ways(t, a)
                if wins(state, best, t.cheapest[a] + t.costs[p] + t.costs[q] + extra, ways):
                    chosen, wanted[1], wanted[2] = new, key, key
            continue
        x = key
        if new == _SQUARE:
            x = half(key, space.modulus)
        elif new == _ROOT:
            x = plus(key, key, space.modulus)
        elif new != _SAME and key != 0:
            continue
        p = find(t, a, x)
        q = find(t, b, x) if new == _SAME else p
        if p < 0 or q < 0:
            continue
        cost, ways = t.costs[p], t.counts[p]
        if new == _SAME:
            cost, ways = cost + t.costs[q], ways * t.counts[q]
        if wins(state, best, cost + extra, ways):
            chosen, wanted[0], wanted[1] = new, x, x
    return chosen


@kernel
def choose(shape, space, t, nodes, target, chosen, state):  # type: ignore[no-untyped-def]
    """A repair for this target: for each node its class (functions) or dimension class (terminals, -1: stays).

    Returns its cost, infinite where there is none.
    """
    best, wanted = np.empty(2), np.empty(5, np.int64)
    keys = np.empty(nodes, np.int64)
    keys[0] = target
    total = 0.0
    for n in range(nodes):
        rule = shape.rule[n]
        if rule == _TERMINAL:
            chosen[n] = choose_class(shape, space, n, keys[n], best, state)
            if n == 0:
                total = best[0]
            continue
        chosen[n] = choose_rule(shape, space, t, n, keys[n], best, wanted, state)
        if n == 0:
            total = best[0]
            if total == np.inf:
                return total
        keys[shape.inputs[n, 0]] = wanted[0]
        if rule <= _QUOTIENT:
            keys[shape.inputs[n, 1]] = wanted[1]
        elif rule == _CHOICE:
            keys[shape.inputs[n, 1]], keys[shape.inputs[n, 2]] = wanted[1], wanted[2]
            keys[shape.inputs[n, 0]] = choose_free(t, shape.inputs[n, 0], best, state)
    return total
