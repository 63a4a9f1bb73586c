"""Bounds on costs from a small image of the dimensions: all residues modulo a small odd number, dense.

What a repair costs at least inside and outside of a node's subtree, if the node's dimension has this residue. Every
repair of the tree is one of the image at the same cost, so the image's least cost is never above the true one.
"""

from __future__ import annotations

import numpy as np

from gpdr._jit import kernel
from gpdr.consistency._kernels.arrays import Grid, Reals, Records
from gpdr.consistency._kernels.modular import half, minus, plus
from gpdr.consistency._kernels.shape import Space, first_compatible, last_compatible, price, read_shape
from gpdr.consistency._kernels.tables import least
from gpdr.expressions.forest import Codes
from gpdr.expressions.functions import Rule
from gpdr.expressions.primitives import PrimitiveTable

_TERMINAL, _SAME, _PRODUCT, _QUOTIENT = int(Rule.TERMINAL), int(Rule.SAME), int(Rule.PRODUCT), int(Rule.QUOTIENT)
_SQUARE, _ROOT, _CHOICE = int(Rule.SQUARE), int(Rule.ROOT), int(Rule.CHOICE)


@kernel
def combine(source: Reals, others: Reals, towards: int, extra: float, out: Reals) -> None:
    """out[r] = the least of out[r] and source[r - towards y] + others[y] + extra, over all y; towards is 1 or -1."""
    residues = len(out)
    for y in range(residues):
        paid = others[y] + extra
        if paid == np.inf:
            continue
        shift = y if towards > 0 or y == 0 else residues - y
        for r in range(shift):
            out[r] = min(out[r], source[r + residues - shift] + paid)
        for r in range(shift, residues):
            out[r] = min(out[r], source[r - shift] + paid)


@kernel
def inside_costs(space: Space, nodes: Records, count: int, residues: int, inside: Grid) -> None:
    """inside[n, r]: what node n's subtree costs at least, its dimension having residue r."""
    inside[:count] = np.inf
    for n in range(count - 1, -1, -1):
        node, own = nodes[n], inside[n]
        if node.rule == _TERMINAL:
            for k in range(len(space.class_keys)):
                r = space.class_keys[k] % residues
                own[r] = min(own[r], node.weight)
            own[node.key % residues] = 0.0
            continue
        a, b, c = inside[node.a], inside[node.b], inside[node.c]
        for new in range(first_compatible(node.rule), last_compatible(node.rule) + 1):
            extra = price(node, space.available, new)
            if extra == np.inf:
                continue
            if new == _PRODUCT or new == _QUOTIENT:  # noqa: SIM109
                combine(a, b, 1 if new == _PRODUCT else -1, extra, own)
                continue
            cheapest = least(a)
            for x in range(residues):
                if new == _SAME:
                    own[x] = min(own[x], a[x] + b[x] + extra)
                elif new == _SQUARE:
                    r = plus(x, x, residues)
                    own[r] = min(own[r], a[x] + extra)
                elif new == _ROOT:
                    r = half(x, residues)
                    own[r] = min(own[r], a[x] + extra)
                elif new == _CHOICE:
                    own[x] = min(own[x], cheapest + b[x] + c[x] + extra)
                elif x == 0:  # a plain number in and out
                    own[0] = min(own[0], a[0] + extra)


@kernel
def outside_costs(
    space: Space, nodes: Records, count: int, residues: int, target: int, inside: Grid, outside: Grid
) -> None:
    """outside[n, r]: what all but node n's subtree costs at least, node n's dimension having residue r."""
    outside[:count] = np.inf
    outside[0, target % residues] = 0.0
    opposite = np.empty(residues)
    for n in range(count):
        node, own = nodes[n], outside[n]
        if node.rule == _TERMINAL:
            continue
        i, j, k = node.a, node.b, node.c
        for new in range(first_compatible(node.rule), last_compatible(node.rule) + 1):
            extra = price(node, space.available, new)
            if extra == np.inf:
                continue
            if new == _PRODUCT:  # own[x + y] of inputs x and y
                combine(own, inside[j], -1, extra, outside[i])
                combine(own, inside[i], -1, extra, outside[j])
                continue
            if new == _QUOTIENT:  # own[x - y]
                for r in range(residues):
                    opposite[r] = own[minus(0, r, residues)]
                combine(own, inside[j], 1, extra, outside[i])
                combine(opposite, inside[i], 1, extra, outside[j])
                continue
            condition, cheapest = np.inf, least(inside[i])
            for x in range(residues):
                if new == _SAME:
                    outside[i, x] = min(outside[i, x], own[x] + inside[j, x] + extra)
                    outside[j, x] = min(outside[j, x], own[x] + inside[i, x] + extra)
                elif new == _SQUARE:
                    outside[i, x] = min(outside[i, x], own[plus(x, x, residues)] + extra)
                elif new == _ROOT:
                    outside[i, x] = min(outside[i, x], own[half(x, residues)] + extra)
                elif new == _CHOICE:
                    outside[j, x] = min(outside[j, x], own[x] + cheapest + inside[k, x] + extra)
                    outside[k, x] = min(outside[k, x], own[x] + cheapest + inside[j, x] + extra)
                    condition = min(condition, own[x] + inside[j, x] + inside[k, x] + extra)
                elif x == 0:
                    outside[i, 0] = min(outside[i, 0], own[0] + extra)
            if new == _CHOICE:
                outside[i, :] = condition


@kernel
def bound_tree(
    table: PrimitiveTable,
    space: Space,
    codes: Codes,
    weights: Reals,
    begin: int,
    end: int,
    nodes: Records,
    residues: int,
    target: int,
    outside: Grid,
) -> float:
    """The bounds of the tree begin … end-1 into `outside`; returns what a repair of the tree costs at least."""
    count = end - begin
    read_shape(table, space, codes, weights, begin, end, nodes)
    inside = np.empty((count, residues))
    inside_costs(space, nodes, count, residues, inside)
    outside_costs(space, nodes, count, residues, target, inside, outside)
    return float(inside[0, target % residues])
