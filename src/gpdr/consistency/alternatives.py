"""The cheapest repairs of one tree, several of them, and with a limit on how many nodes change.

The recursion of reference.py, that keeps the best few ways to each dimension instead of the count of the best.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from itertools import product
from typing import NamedTuple

from gpdr.consistency import reference
from gpdr.dimensions import Dimension
from gpdr.errors import InputError
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Rule
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.reference import inputs_of

_MOST_STATES = 20_000  # dimensions of a node, times numbers of changes


class Way(NamedTuple):
    """A repair of a subtree: what it costs, how many nodes it changes, and the choice at each node in prefix order."""

    cost: float
    changes: int
    choice: tuple[int, ...]


def cheapest_ways(
    tree: Tree,
    primitives: PrimitiveSet,
    weights: Sequence[float],
    target: Dimension,
    count: int = 1,
    most_changes: int | None = None,
) -> list[Way]:
    """Up to `count` repairs with the least costs, in order of cost; none of them the same assignment of classes."""
    if count < 1:
        raise InputError(f"count: expected at least 1 repair, got {count}")
    if most_changes is not None and most_changes < 0:
        raise InputError(f"most_changes: expected a number from 0, got {most_changes}")
    inputs, rules = inputs_of(tree, primitives), reference.rules(tree, primitives)
    found: list[dict[Dimension, list[Way]]] = [{} for _ in tree.codes]
    for k in reversed(range(len(tree))):
        entered: dict[Dimension, list[Way]] = {}
        below = [found[child] for child in inputs[k]]
        ways = (
            _of_terminal(int(tree.codes[k]), primitives, weights[k])
            if rules[k] is Rule.TERMINAL
            else _of_function(rules[k], primitives, weights[k], below)
        )
        for dimension, way in ways:
            if most_changes is None or way.changes <= most_changes:
                entered.setdefault(dimension, []).append(way)
        found[k] = {d: _best(ways, count, most_changes) for d, ways in entered.items()}
        if len(found[k]) > _MOST_STATES:
            raise InputError(f"a tree of {len(tree)} nodes has too many dimensions within reach; use a smaller one")
    return sorted(found[0].get(target, []))[:count]


def _best(ways: list[Way], count: int, most_changes: int | None) -> list[Way]:
    """The cheapest; with a limit on changes, the cheapest of each number of changes: fewer may be needed above."""
    if most_changes is None:
        return nsmallest(count, ways)
    numbers = sorted({way.changes for way in ways})
    return [way for n in numbers for way in nsmallest(count, (w for w in ways if w.changes == n))]


def _of_terminal(code: int, primitives: PrimitiveSet, weight: float) -> Iterator[tuple[Dimension, Way]]:
    own, *others = reference.terminal_choices(code, primitives, weight)
    yield own[0], Way(0.0, 0, (-1,))
    table = primitives.table
    groups = [g for g in range(len(table.class_starts) - 1) if g != table.dimension_class[code]]
    for (dimension, price), group in zip(others, groups, strict=False):
        yield dimension, Way(price, 1, (group,))


def _of_function(
    rule: Rule, primitives: PrimitiveSet, weight: float, below: Sequence[dict[Dimension, list[Way]]]
) -> Iterator[tuple[Dimension, Way]]:
    offered = {function.rule for function in primitives.functions}
    for new in reference.compatible(rule):
        price = 0.0 if new is rule else weight
        if price == math.inf or (new is not rule and new not in offered):
            continue
        for dimension, states in reference.ways(new, below):
            for inputs in product(*states):
                yield (
                    dimension,
                    Way(
                        sum((way.cost for way in inputs), price),
                        sum((way.changes for way in inputs), int(new is not rule)),
                        sum((way.choice for way in inputs), (int(new),)),
                    ),
                )
