"""Dimensions and gaps in float64: exact, or reported as not exact."""

from __future__ import annotations

import numpy as np

from gpdr._jit import kernel, uncounted
from gpdr.consistency._kernels.arrays import Flags, Grid, Reals
from gpdr.expressions.forest import Codes, Starts
from gpdr.expressions.functions import Rule
from gpdr.expressions.primitives import PrimitiveTable

_TERMINAL, _SAME, _PRODUCT, _QUOTIENT = int(Rule.TERMINAL), int(Rule.SAME), int(Rule.PRODUCT), int(Rule.QUOTIENT)
_SQUARE, _ROOT, _CHOICE = int(Rule.SQUARE), int(Rule.ROOT), int(Rule.CHOICE)


@kernel
def rounding(a: float, b: float, total: float) -> float:
    """What float64 lost in total = a + b (Knuth's TwoSum): 0 where the sum is exact."""
    part = total - a
    return (a - (total - part)) + (b - part)


@kernel
def tree_gap(table: PrimitiveTable, codes: Codes, target: Reals, dims: Grid, gaps: Reals) -> tuple[float, bool]:
    """The gap of a tree, in the table's units; the dimension and gap of node k into row k of dims and gaps.

    Returns the gap with its share at the root, and whether all dimensions
    are exact: halving for ever, or squaring, leaves the 53 bits of a float64.
    """
    units = dims.shape[1]
    inputs = np.empty(len(codes) + 3, np.int64)  # rows whose parent is still to come; the nearest on top
    height = 0
    total, lost = 0.0, 0.0
    for row in range(len(codes) - 1, -1, -1):
        code = codes[row]
        rule = table.rule[code]
        gap = 0.0
        a, b = inputs[height - 1], inputs[height - 2]
        if rule == _CHOICE:
            a, b = b, inputs[height - 3]
        for u in range(units):
            if rule == _TERMINAL:
                dims[row, u] = table.dims[code, u]
            elif rule in (_SAME, _CHOICE):
                x, y = dims[a, u], dims[b, u]
                if x == y:
                    dims[row, u] = x
                else:
                    gap += abs(x - y)
                    dims[row, u] = 0.5 * (x + y)
                    lost += abs(rounding(x, -y, x - y)) + abs(rounding(x, y, x + y))
            elif rule == _PRODUCT:
                dims[row, u] = dims[a, u] + dims[b, u]
                lost += abs(rounding(dims[a, u], dims[b, u], dims[row, u]))
            elif rule == _QUOTIENT:
                dims[row, u] = dims[a, u] - dims[b, u]
                lost += abs(rounding(dims[a, u], -dims[b, u], dims[row, u]))
            elif rule == _SQUARE:
                dims[row, u] = 2.0 * dims[a, u]
                lost += abs(0.5 * dims[row, u] - dims[a, u])  # more than a float64 holds
            elif rule == _ROOT:
                dims[row, u] = 0.5 * dims[a, u]
                lost += abs(2.0 * dims[row, u] - dims[a, u])
            else:  # a plain number in and out
                gap += abs(dims[a, u])
                dims[row, u] = 0.0
        gaps[row] = gap
        total += gap
        height -= table.arity[code]
        inputs[height] = row
        height += 1
    for u in range(units):
        total += abs(dims[0, u] - target[u])
    return total, lost == 0.0  # an overflow makes nan of it: not exact either


@kernel
def forest_gaps(
    table: PrimitiveTable, codes: Codes, starts: Starts, first: int, last: int, targets: Grid, out: Reals, exact: Flags
) -> None:
    """Gaps of the individuals first … last-1, targets a row for each tree of an individual."""
    table, codes, targets = uncounted((table, codes, targets))
    trees = len(targets)
    largest = 1
    for k in range(first * trees, last * trees):
        largest = max(largest, starts[k + 1] - starts[k])
    dims = np.empty((largest, targets.shape[1]))
    gaps = np.empty(largest)
    for individual in range(first, last):
        out[individual] = 0.0
        exact[individual] = True
        for t in range(trees):
            k = individual * trees + t
            gap, safe = tree_gap(table, codes[starts[k] : starts[k + 1]], targets[t], uncounted(dims), uncounted(gaps))
            out[individual] += gap
            exact[individual] &= safe
