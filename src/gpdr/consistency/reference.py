"""Dimensions, gap and exact repair in plain Python with fractions: slow, and written for reading.

The kernels are compared with this on random trees, and it takes over where float64 is not exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from gpdr.dimensions import Dimension
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Rule
from gpdr.expressions.primitives import PrimitiveSet

Repairs = dict[Dimension, tuple[float, int]]  # least cost of each dimension a node can have, and in how many ways
TIE = 1e-9  # costs are sums of 1/k: closer than this they are equal


@dataclass(frozen=True, slots=True)
class Node:
    """What the dimension rules make of a node."""

    dimension: Dimension
    gap: Fraction


def children(tree: Tree, primitives: PrimitiveSet) -> list[tuple[int, ...]]:
    """The inputs of each node, by position in prefix order."""
    found: list[tuple[int, ...]] = [()] * len(tree)
    waiting: list[int] = []
    for k in reversed(range(len(tree))):
        arity = int(primitives.table.arity[tree.codes[k]])
        found[k] = tuple(waiting.pop() for _ in range(arity))
        waiting.append(k)
    return found


def rules(tree: Tree, primitives: PrimitiveSet) -> list[Rule]:
    """The class of each node."""
    return [Rule(int(primitives.table.rule[code])) for code in tree.codes]


def nodes(tree: Tree, primitives: PrimitiveSet) -> list[Node]:
    """Dimension and gap of each node, in prefix order."""
    inputs, classes = children(tree, primitives), rules(tree, primitives)
    plain = Dimension.none(len(primitives.units))
    found: list[Node] = [Node(plain, Fraction(0))] * len(tree)
    for k in reversed(range(len(tree))):
        d = [found[child].dimension for child in inputs[k]]
        match classes[k]:
            case Rule.TERMINAL:
                found[k] = Node(primitives.dimensions[tree.codes[k]] or plain, Fraction(0))
            case Rule.SAME:
                found[k] = Node(d[0].midway(d[1]), d[0].distance(d[1]))
            case Rule.PRODUCT:
                found[k] = Node(d[0] * d[1], Fraction(0))
            case Rule.QUOTIENT:
                found[k] = Node(d[0] / d[1], Fraction(0))
            case Rule.SQUARE:
                found[k] = Node(d[0] ** 2, Fraction(0))
            case Rule.ROOT:
                found[k] = Node(d[0] ** Fraction(1, 2), Fraction(0))
            case Rule.CHOICE:
                found[k] = Node(d[1].midway(d[2]), d[1].distance(d[2]))
            case Rule.PURE:
                found[k] = Node(plain, plain.distance(d[0]))
    return found


def gap(tree: Tree, primitives: PrimitiveSet, target: Dimension) -> Fraction:
    """The gap of a tree: what its nodes lack, and its root for the target."""
    found = nodes(tree, primitives)
    return sum((node.gap for node in found), found[0].dimension.distance(target))
