"""Not random ones but all trees of up to seven nodes, each with every dimension that any of them has.

Trees of one shape are each other's repairs: so one list of them has the cost of each repair of each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
import pytest

from gpdr.consistency import reference, repair_forest
from gpdr.dimensions import Dimension
from gpdr.expressions import Tree
from gpdr.expressions.reference import depths
from tests.consistency.brute_force import dimension
from tests.consistency.cases import TIME, forest_of

SEED = np.random.SeedSequence(13)
# Of each arity those that may become each other: one function of each class, a time and a number.
KINDS = {0: [("t", "n")], 1: [("sq", "sqrt")], 2: [("add", "mul", "div")], 3: [("if",)]}
NOWHERE = TIME.units.dimension("s^(1/7)")


@cache
def shapes(nodes: int) -> tuple[tuple[int, ...], ...]:
    """The arities, in prefix order, of all trees of this size."""
    return tuple((arity, *below) for arity in KINDS for below in rows(arity, nodes - 1))


@cache
def rows(trees: int, nodes: int) -> tuple[tuple[int, ...], ...]:
    """So many trees side by side, of so many nodes in all."""
    if trees == 0:
        return ((),) if nodes == 0 else ()
    return tuple(
        first + rest
        for size in range(1, nodes - trees + 2)
        for first in shapes(size)
        for rest in rows(trees - 1, nodes - size)
    )


def of_shape(shape: tuple[int, ...]) -> Iterator[Tree]:
    for names in product(*(name for arity in shape for name in KINDS[arity])):
        yield Tree(np.array([TIME.code(name) for name in names], np.int32), np.zeros(len(names)))


def found_dimension(tree: Tree) -> Dimension | None:
    terminals = (TIME.dimensions[code] for code in tree.codes)
    rules = reference.rules(tree, TIME)
    return dimension([rule if own is None else own for rule, own in zip(rules, terminals, strict=True)])


def compare(shape: tuple[int, ...]) -> int:
    """Every tree of a shape, to every target; returns how many trees that were."""
    trees = list(of_shape(shape))
    forest, found = forest_of(trees), [found_dimension(tree) for tree in trees]
    codes = np.array([tree.codes for tree in trees])
    weights = np.array([1 / depth for depth in depths(trees[0], TIME)])
    costs = (codes[:, None, :] != codes[None, :, :]) @ weights
    for target in {own for own in found if own is not None} | {NOWHERE}:
        expected = costs[:, [own == target for own in found]].min(axis=1, initial=math.inf)
        result = repair_forest(forest, TIME, (target,), SEED)
        assert result.cost == pytest.approx(expected, abs=1e-9)
        assert np.array_equal(result.feasible[:, 0], np.isfinite(expected))
    return len(trees)


@pytest.mark.parametrize(
    ("nodes", "trees"),
    [(1, 2), (2, 4), (3, 20), (4, 96), (5, 528), (6, 3024), pytest.param(7, 18064, marks=pytest.mark.slow)],
)
def test_every_tree(nodes: int, trees: int) -> None:
    assert sum(compare(shape) for shape in shapes(nodes)) == trees
