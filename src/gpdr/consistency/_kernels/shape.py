"""A tree as the repair sees it: who is whose input, what each node is, what changing it costs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import kernel
from gpdr.expressions.functions import Rule

_TERMINAL, _QUOTIENT, _SQUARE, _ROOT = int(Rule.TERMINAL), int(Rule.QUOTIENT), int(Rule.SQUARE), int(Rule.ROOT)


class Space(NamedTuple):
    """What nodes may become, dimensions as keys."""

    modulus: int
    keys: NDArray[np.int64]  # by code: dimension of terminals
    class_keys: NDArray[np.int64]  # by dimension class of terminals
    available: NDArray[np.bool_]  # by Rule: whether the set has such a function


class Shape(NamedTuple):
    """The nodes of one tree, in prefix order."""

    rule: NDArray[np.int64]
    key: NDArray[np.int64]  # terminals: dimension
    group: NDArray[np.int64]  # terminals: dimension class, -1 for a number that belongs to none
    weight: NDArray[np.float64]  # cost of a change; infinite where the node must stay
    inputs: NDArray[np.int64]  # (nodes, 3)


@kernel
def make_shape(nodes):  # type: ignore[no-untyped-def]
    return Shape(
        np.empty(nodes, np.int64),
        np.empty(nodes, np.int64),
        np.empty(nodes, np.int64),
        np.empty(nodes),
        np.zeros((nodes, 3), np.int64),
    )


@kernel
def read_shape(table, space, codes, weights, begin, end, shape, waiting):  # type: ignore[no-untyped-def]
    """The tree begin … end-1 into `shape`; `waiting` is memory for as many numbers as the tree has nodes."""
    height = 0
    for n in range(end - begin - 1, -1, -1):
        code = codes[begin + n]
        shape.rule[n] = table.rule[code]
        shape.key[n] = space.keys[code]
        shape.group[n] = table.dimension_class[code]
        shape.weight[n] = weights[begin + n]
        for k in range(table.arity[code]):
            height -= 1
            shape.inputs[n, k] = waiting[height]
        waiting[height] = n
        height += 1


@kernel
def first_compatible(rule):  # type: ignore[no-untyped-def]
    """The classes that a class may change to lie side by side: 1 2 3, 4 5, 6, 7. This is the first."""
    if rule <= _QUOTIENT:
        return 1
    return _SQUARE if rule <= _ROOT else rule


@kernel
def last_compatible(rule):  # type: ignore[no-untyped-def]
    if rule <= _QUOTIENT:
        return _QUOTIENT
    return _ROOT if rule <= _ROOT else rule


@kernel
def price(shape, space, n, rule):  # type: ignore[no-untyped-def]
    """What it costs to give function node n this class; infinite where it cannot be had."""
    if rule == shape.rule[n]:
        return 0.0
    return shape.weight[n] if space.available[rule] else np.inf
