"""The cheapest repairs of one tree, several of them, and with a limit on how many nodes change.

The recursion of the exact repair under a rising ceiling (see deepening.py), its tables read from the root down: the
best few in order of cost, or one of the best by chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from heapq import merge
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np

from gpdr.consistency import reference
from gpdr.consistency.chart import Chart, Limits, Reals, TooManyStatesError
from gpdr.consistency.keys import COARSE, FINE, Keys, keys_of
from gpdr.consistency.ranking import Ranking
from gpdr.consistency.replacements import replaced
from gpdr.dimensions import Dimension
from gpdr.errors import InputError
from gpdr.expressions.forest import Tree
from gpdr.expressions.primitives import PrimitiveSet

T = TypeVar("T")
_LEVELS = ((COARSE, 1 << 13), (FINE, 1 << 18))  # residues of the bounds, states of the tree
_STEP, _GROWTH = 0.05, 2.0  # how the ceiling rises
_ATTEMPTS = 8  # with other keys
_ROUNDING = 1e-8


class Way(NamedTuple):
    """A repair: what it costs, and the choice at each node in prefix order (see replacements.replaced)."""

    cost: float
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

    def read(chart: Chart) -> list[Way]:
        ranking = Ranking(chart)
        in_order = merge(*(ranking.in_order(0, state) for state in chart.roots()))
        return [Way(cost, ranking.choice(0, state, rank)) for cost, state, rank in islice(in_order, count)]

    return _searched(tree, primitives, weights, target, most_changes, count, read)


def any_cheapest_way(
    tree: Tree,
    primitives: PrimitiveSet,
    weights: Sequence[float],
    target: Dimension,
    most_changes: int,
    seed: np.random.SeedSequence,
) -> list[Way]:
    """One of the cheapest repairs with so many changes, all equally likely; none if there is none."""
    random = np.random.default_rng(seed)
    return _searched(tree, primitives, weights, target, most_changes, 1, lambda chart: list(_drawn(chart, random)))


def _drawn(chart: Chart, random: np.random.Generator) -> Iterator[Way]:
    states = chart.states[0].of(chart.roots())
    if not len(states.cost):
        return
    wanted = {0: chart.roots()[_draw(states.cost, states.ways, random)]}
    choice = []
    for n, inputs in enumerate(chart.inputs):
        edges = chart.edges(n, wanted[n])
        taken = _draw(edges.cost, edges.ways, random)
        choice.append(int(edges.choice[taken]))
        wanted.update(zip(inputs, edges.inputs[taken].tolist(), strict=True))
    yield Way(float(states.cost.min()), tuple(choice))


def _draw(cost: Reals, ways: Reals, random: np.random.Generator) -> int:
    """One of the cheapest, each as likely as it has ways."""
    chances = np.where(cost <= cost.min() + reference.TIE, ways, 0.0)
    return int(random.choice(len(chances), p=chances / chances.sum()))


def _searched(
    tree: Tree,
    primitives: PrimitiveSet,
    weights: Sequence[float],
    target: Dimension,
    most_changes: int | None,
    count: int,
    read: Callable[[Chart], list[Way]],
) -> list[Way]:
    """What is read of a chart that has the `count` cheapest repairs, or all; confirmed with true dimensions."""
    most = math.inf if most_changes is None or most_changes >= len(tree) else most_changes
    for attempt in range(_ATTEMPTS):
        keys = keys_of(primitives, (target,), attempt)
        ways = _deepened(tree, primitives, weights, keys, most, count, read)
        seed = np.random.SeedSequence(0)  # which member of a class is of no matter for its dimension
        trees = (replaced(tree, primitives, way.choice, seed)[0] for way in ways)
        if all(reference.gap(after, primitives, target) == 0 for after in trees):
            return ways
    raise _given_up(tree)


def _deepened(
    tree: Tree,
    primitives: PrimitiveSet,
    weights: Sequence[float],
    keys: Keys,
    most_changes: float,
    count: int,
    read: Callable[[Chart], list[Way]],
) -> list[Way]:
    ceiling = 0.0
    ones = np.where(np.isinf(weights), np.inf, 1.0)
    for residues, states in _LEVELS:
        least, outside_cost = _bounds(tree, primitives, np.array(weights, np.float64), keys, residues)
        fewest, outside_changes = _bounds(tree, primitives, ones, keys, residues)
        if least == math.inf or fewest > most_changes:
            return []
        ceiling = max(ceiling, least)
        step = _STEP * ceiling
        while True:
            limits = Limits(outside_cost, outside_changes, ceiling, most_changes, states)
            try:
                chart = Chart(tree, primitives, weights, keys, limits)
            except TooManyStatesError:
                break
            ways = read(chart)
            found = ways[-1].cost if len(ways) == count else math.inf
            if found <= ceiling + _ROUNDING or chart.left_out == math.inf:
                return ways
            step = max(step, _STEP * chart.left_out)
            ceiling = min(found, max(chart.left_out, ceiling + step))
            step *= _GROWTH
    raise _given_up(tree)


def _bounds(tree: Tree, primitives: PrimitiveSet, weights: Reals, keys: Keys, residues: int) -> tuple[float, Reals]:
    """What a repair costs at least, and all but a node's subtree, by node and residue of its key."""
    from gpdr.consistency._kernels.bounds import bound_tree
    from gpdr.consistency._kernels.memory import NODE

    outside = np.empty((len(tree), residues))
    least = bound_tree(
        primitives.table, keys.space, tree.codes, weights, 0, len(tree), np.recarray(len(tree), NODE), residues,
        int(keys.targets[0]), outside,
    )  # fmt: skip
    return float(least), outside


def _given_up(tree: Tree) -> InputError:
    return InputError(
        f"a tree of {len(tree)} nodes has too many dimensions within reach for its best repairs, or a limit on their "
        f"changes; use a smaller one, keep more nodes fixed, or ask for the best repair alone"
    )
