"""How far the exponents of each node can lie, whatever its subtree is changed to: big M is derived from this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpdr.consistency import reference
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Rule
from gpdr.expressions.primitives import PrimitiveSet


class Interval(NamedTuple):
    """Least and greatest exponents, one for each base unit, times the set's common denominator."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def hull(self, other: Interval) -> Interval:
        return Interval(np.minimum(self.low, other.low), np.maximum(self.high, other.high))


def classes(node: int, rule: Rule, primitives: PrimitiveSet, weights: Sequence[float]) -> list[Rule]:
    """The classes a function node may have: its own, and the compatible ones of the set unless it is fixed."""
    offered = {function.rule for function in primitives.functions}
    free = weights[node] < np.inf
    return [new for new in reference.compatible(rule) if new is rule or (free and new in offered)]


def intervals(
    tree: Tree, primitives: PrimitiveSet, weights: Sequence[float], inputs: Sequence[Sequence[int]]
) -> list[Interval]:
    """The interval of each node, in prefix order."""
    rules = reference.rules(tree, primitives)
    nowhere = Interval(np.zeros(len(primitives.units)), np.zeros(len(primitives.units)))
    found = [nowhere] * len(tree)
    for k in reversed(range(len(tree))):
        if rules[k] is Rule.TERMINAL:
            choices = reference.terminal_choices(int(tree.codes[k]), primitives, weights[k])
            exponents = np.array([primitives.scaled(dimension) for dimension, _ in choices])
            found[k] = Interval(exponents.min(axis=0), exponents.max(axis=0))
            continue
        below = [found[child] for child in inputs[k]]
        possible = [_of_class(new, below, nowhere) for new in classes(k, rules[k], primitives, weights)]
        found[k] = possible[0]
        for other in possible[1:]:
            found[k] = found[k].hull(other)
    return found


def _of_class(rule: Rule, below: Sequence[Interval], nowhere: Interval) -> Interval:
    a = below[0]
    match rule:
        case Rule.SAME:
            return a.hull(below[1])
        case Rule.PRODUCT:
            return Interval(a.low + below[1].low, a.high + below[1].high)
        case Rule.QUOTIENT:
            return Interval(a.low - below[1].high, a.high - below[1].low)
        case Rule.SQUARE:
            return Interval(2 * a.low, 2 * a.high)
        case Rule.ROOT:
            return Interval(a.low / 2, a.high / 2)
        case Rule.CHOICE:
            return below[1].hull(below[2])
        case _:
            return nowhere
