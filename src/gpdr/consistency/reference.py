"""Dimensions, gap and exact repair in plain Python with fractions: slow, and written for reading.

The kernels are compared with this on random trees, and it takes over where float64 is not exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeVar

from gpdr.dimensions import Dimension
from gpdr.expressions.fold import fold
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Function, Rule
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.reference import inputs_of

T = TypeVar("T")
Repairs = dict[Dimension, tuple[float, int]]  # least cost of each dimension a node can have, and in how many ways
TIE = 1e-9  # costs are sums of 1/k: closer than this they are equal


@dataclass(frozen=True, slots=True)
class Node:
    """What the dimension rules make of a node."""

    dimension: Dimension
    gap: Fraction


def rules(tree: Tree, primitives: PrimitiveSet) -> list[Rule]:
    """The class of each node."""
    return [Rule(int(primitives.table.rule[code])) for code in tree.codes]


def nodes(tree: Tree, primitives: PrimitiveSet) -> list[Node]:
    """Dimension and gap of each node, in prefix order."""
    plain = Dimension.none(len(primitives.units))

    def leaf(code: int, _value: float) -> Node:
        return Node(primitives.dimensions[code] or plain, Fraction(0))

    def node(function: Function, inputs: list[Node]) -> Node:
        d = [child.dimension for child in inputs]
        match function.rule:
            case Rule.SAME:
                return Node(d[0].midway(d[1]), d[0].distance(d[1]))
            case Rule.PRODUCT:
                return Node(d[0] * d[1], Fraction(0))
            case Rule.QUOTIENT:
                return Node(d[0] / d[1], Fraction(0))
            case Rule.SQUARE:
                return Node(d[0] ** 2, Fraction(0))
            case Rule.ROOT:
                return Node(d[0] ** Fraction(1, 2), Fraction(0))
            case Rule.CHOICE:
                return Node(d[1].midway(d[2]), d[1].distance(d[2]))
            case _:
                return Node(plain, plain.distance(d[0]))

    return fold(tree, primitives, leaf, node)


def gap(tree: Tree, primitives: PrimitiveSet, target: Dimension) -> Fraction:
    """The gap of a tree: what its nodes lack, and its root for the target."""
    found = nodes(tree, primitives)
    return sum((node.gap for node in found), found[0].dimension.distance(target))


def repairs(tree: Tree, primitives: PrimitiveSet, weights: Sequence[float]) -> Repairs:
    """What each dimension of the root costs at least, and how many repairs have that cost.

    A repair gives a class to each function and a dimension class to each terminal. Weights as of changing each node;
    infinite for nodes that stay.
    """
    offered = {function.rule for function in primitives.functions}
    inputs, old = inputs_of(tree, primitives), rules(tree, primitives)
    found: list[Repairs] = [{}] * len(tree)
    for k in reversed(range(len(tree))):
        below = [found[child] for child in inputs[k]]
        table: Repairs = {}
        found[k] = table
        if old[k] is Rule.TERMINAL:
            for dimension, price in terminal_choices(int(tree.codes[k]), primitives, weights[k]):
                _enter(table, dimension, price, 1)
            continue
        for new in compatible(old[k]):
            price = 0.0 if new is old[k] else weights[k]
            if price < math.inf and (new is old[k] or new in offered):
                for dimension, states in ways(new, below):
                    cost = sum((state[0] for state in states), price)
                    _enter(table, dimension, cost, math.prod(state[1] for state in states))
    return found[0]


def compatible(rule: Rule) -> tuple[Rule, ...]:
    """The classes that a function of this class may change to."""
    for group in ((Rule.SAME, Rule.PRODUCT, Rule.QUOTIENT), (Rule.SQUARE, Rule.ROOT)):
        if rule in group:
            return group
    return (rule,)


def terminal_choices(code: int, primitives: PrimitiveSet, weight: float) -> Iterator[tuple[Dimension, float]]:
    """The dimensions a terminal may have and their prices: its own, then those of the other dimension classes."""
    table = primitives.table
    own = primitives.dimensions[code]
    assert own is not None
    yield own, 0.0
    if weight < math.inf:
        for group, first in enumerate(table.class_starts[:-1]):
            dimension = primitives.dimensions[table.class_codes[first]]
            if group != table.dimension_class[code] and dimension is not None:
                yield dimension, weight


def ways(rule: Rule, below: Sequence[Mapping[Dimension, T]]) -> Iterator[tuple[Dimension, tuple[T, ...]]]:
    """Each dimension that a function of this class can give, with the states of its inputs that give it."""
    for choice in product(*(table.items() for table in below)):
        d = [dimension for dimension, _ in choice]
        states = tuple(state for _, state in choice)
        match rule:
            case Rule.SAME if d[0] == d[1]:
                yield d[0], states
            case Rule.PRODUCT:
                yield d[0] * d[1], states
            case Rule.QUOTIENT:
                yield d[0] / d[1], states
            case Rule.SQUARE:
                yield d[0] ** 2, states
            case Rule.ROOT:
                yield d[0] ** Fraction(1, 2), states
            case Rule.CHOICE if d[1] == d[2]:
                yield d[1], states
            case Rule.PURE if not d[0]:
                yield d[0], states
            case _:
                pass


def _enter(table: Repairs, dimension: Dimension, cost: float, count: int) -> None:
    known, counted = table.get(dimension, (math.inf, 0))
    if cost < known - TIE:
        table[dimension] = (cost, count)
    elif cost <= known + TIE:
        table[dimension] = (known, counted + count)
