"""A tree as the repair sees it: who is whose input, what each node is and may become."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import kernel
from gpdr.consistency._kernels.arrays import Node, Reals, Records
from gpdr.expressions.forest import Codes
from gpdr.expressions.functions import Rule
from gpdr.expressions.primitives import PrimitiveTable

_QUOTIENT, _SQUARE, _ROOT = int(Rule.QUOTIENT), int(Rule.SQUARE), int(Rule.ROOT)


class Space(NamedTuple):
    """What nodes may become, dimensions as keys."""

    modulus: int
    available: int  # bit r: whether the set has a function of Rule r
    keys: NDArray[np.int64]  # by code: dimension of terminals
    class_keys: NDArray[np.int64]  # by dimension class of terminals


@kernel
def read_shape(
    table: PrimitiveTable, space: Space, codes: Codes, weights: Reals, begin: int, end: int, nodes: Records
) -> None:
    """The tree begin … end-1 into the first of `nodes`."""
    top, next_below = -1, np.empty(end - begin, np.int64)  # nodes whose parent is still to come, the nearest on top
    for n in range(end - begin - 1, -1, -1):
        code = codes[begin + n]
        node = nodes[n]
        node.rule = table.rule[code]
        node.key = space.keys[code]
        node.group = table.dimension_class[code]
        node.weight = weights[begin + n]
        node.a, node.b, node.c = 0, 0, 0
        if table.arity[code] > 0:
            node.a, top = top, next_below[top]
        if table.arity[code] > 1:
            node.b, top = top, next_below[top]
        if table.arity[code] > 2:
            node.c, top = top, next_below[top]
        next_below[n], top = top, n


@kernel
def first_compatible(rule: int) -> int:
    """The classes that a class may change to lie side by side: 1 2 3, 4 5, 6, 7. This is the first."""
    if rule <= _QUOTIENT:
        return 1
    return _SQUARE if rule <= _ROOT else rule


@kernel
def last_compatible(rule: int) -> int:
    if rule <= _QUOTIENT:
        return _QUOTIENT
    return _ROOT if rule <= _ROOT else rule


@kernel
def price(node: Node, available: int, rule: int) -> float:
    """What it costs to give this function node that class; infinite where it cannot be had."""
    if rule == node.rule:
        return 0.0
    return node.weight if available >> rule & 1 else np.inf
