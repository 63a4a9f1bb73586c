"""Every assignment of classes to a small tree, tried: what the recursion must agree with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from gpdr.consistency import reference
from gpdr.dimensions import Dimension
from gpdr.expressions import PrimitiveSet, Rule, Tree


def assignments(
    tree: Tree, primitives: PrimitiveSet, weights: Sequence[float]
) -> Iterator[tuple[float, tuple[tuple[Rule | Dimension, bool], ...]]]:
    """Cost and, for each node, its class or dimension and whether it changed."""
    offered = {function.rule for function in primitives.functions}
    choices: list[list[tuple[float, Rule | Dimension]]] = []
    for k, old in enumerate(reference.rules(tree, primitives)):
        if old is Rule.TERMINAL:
            listed = reference.terminal_choices(int(tree.codes[k]), primitives, weights[k])
            choices.append([(price, dimension) for dimension, price in listed])
        else:
            possible = [new for new in reference.compatible(old) if new is old or new in offered]
            choices.append([(0.0 if new is old else weights[k], new) for new in possible])
    for choice in product(*choices):
        yield sum(price for price, _ in choice), tuple((what, price > 0) for price, what in choice)


def dimension(assigned: Sequence[Rule | Dimension]) -> Dimension | None:
    """What the root of a tree with these classes has; None where inputs do not fit."""

    def read(k: int) -> tuple[Dimension | None, int]:
        what = assigned[k]
        if isinstance(what, Dimension):
            return what, k + 1
        position, inputs = k + 1, []
        for _ in range(what.arity):
            found, position = read(position)
            inputs.append(found)
        if any(found is None for found in inputs):
            return None, position
        a, b = inputs[0], inputs[-1]
        assert a is not None
        assert b is not None
        if what is Rule.SAME or what is Rule.CHOICE:
            pair = inputs if what is Rule.SAME else inputs[1:]
            return (b if pair[0] == pair[1] else None), position
        if what is Rule.PURE:
            return (None if a else a), position
        result = {
            Rule.PRODUCT: lambda: a * b,
            Rule.QUOTIENT: lambda: a / b,
            Rule.SQUARE: lambda: a * a,
            Rule.ROOT: lambda: next(d for d in [Dimension.of(e / 2 for e in a.exponents)]),
        }
        return result[what](), position

    return read(0)[0]


def optimum(
    tree: Tree, primitives: PrimitiveSet, weights: Sequence[float], target: Dimension
) -> tuple[float, list[tuple[Rule | Dimension, ...]]]:
    """The least cost, infinite if there is no repair, and all assignments that have it."""
    best, found = math.inf, list[tuple[Rule | Dimension, ...]]()
    for cost, choice in assignments(tree, primitives, weights):
        assigned = tuple(what for what, _ in choice)
        if cost > best + reference.TIE or dimension(assigned) != target:
            continue
        if cost < best - reference.TIE:
            best, found = cost, []
        found.append(assigned)
    return best, found
