"""Kernels on the shape of trees against their plain-Python twins."""

from __future__ import annotations

import numpy as np
import pytest

from gpdr._random import kernel_state
from gpdr.expressions import Forest, PrimitiveSet, parse
from gpdr.expressions._kernels import (
    draw_constant,
    draw_terminal,
    grow_tree,
    node_depths,
    subtree_end,
    tree_depth,
)
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.reference import depths, heights, inputs_of, sizes

from .sets import ALL_SETS, random_forest

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("primitives", ALL_SETS, ids=lambda p: p.name)
def test_shape_agrees_with_the_twin(primitives: PrimitiveSet) -> None:
    forest = random_forest(primitives, 30, seed=5)
    arity = primitives.table.arity
    for k, (begin, end) in enumerate(zip(forest.starts[:-1], forest.starts[1:], strict=True)):
        tree = forest.tree(k)
        out = np.empty(len(tree), np.int64)
        assert node_depths(arity, forest.codes, begin, end, out) == max(depths(tree, primitives))
        assert out.tolist() == depths(tree, primitives)
        assert tree_depth(arity, forest.codes, begin, end) == heights(tree, primitives)[0]
        ends = [subtree_end(arity, forest.codes, begin + j) - begin for j in range(len(tree))]
        assert ends == [j + size for j, size in enumerate(sizes(tree, primitives))]


def test_shape_of_a_known_tree() -> None:
    tree = parse("if(i - 1, M, sqrt(V * V))", APPOINTMENT)
    assert depths(tree, APPOINTMENT) == [1, 2, 3, 3, 2, 2, 3, 4, 4]
    assert sizes(tree, APPOINTMENT) == [9, 3, 1, 1, 1, 4, 3, 1, 1]
    assert inputs_of(tree, APPOINTMENT)[0] == [1, 4, 5]
    arity = APPOINTMENT.table.arity
    assert [subtree_end(arity, tree.codes, k) for k in range(9)] == [9, 4, 3, 4, 5, 9, 9, 8, 9]
    assert tree_depth(arity, tree.codes, 1, 4) == 2


@pytest.mark.parametrize(("smallest", "largest"), [(1, 1), (1, 5), (2, 6), (4, 4)])
@pytest.mark.parametrize("full", [False, True])
def test_grown_trees_keep_their_limits(smallest: int, largest: int, full: bool) -> None:
    codes, values = np.empty(5000, np.int32), np.empty(5000)
    state = kernel_state(np.random.SeedSequence(largest))
    for _ in range(20):
        end = grow_tree(APPOINTMENT.table, state, codes, values, 3, smallest, largest, full)
        tree = Forest(codes[3:end], values[3:end], np.array([0, end - 3])).tree(0)
        level = np.array(depths(tree, APPOINTMENT))
        terminal = tree.codes >= len(APPOINTMENT.functions)
        assert smallest <= level.max() <= largest
        assert np.all(level[terminal] >= smallest)
        if full:
            assert np.all(level[terminal] == level.max())
        assert subtree_end(APPOINTMENT.table.arity, codes, 3) == end


def test_a_tree_too_long_for_its_arrays_is_reported() -> None:
    state = kernel_state(np.random.SeedSequence(1))
    assert grow_tree(APPOINTMENT.table, state, np.empty(10, np.int32), np.empty(10), 0, 6, 6, True) == -1
    assert grow_tree(APPOINTMENT.table, state, np.empty(10, np.int32), np.empty(10), 10, 1, 1, True) == -1


def test_terminals_are_drawn_with_equal_chance_and_constants_in_their_range() -> None:
    state = kernel_state(np.random.SeedSequence(2))
    table = APPOINTMENT.table
    drawn = np.array([draw_terminal(table, state) for _ in range(9000)])
    counts = np.bincount(drawn, minlength=APPOINTMENT.literal + 1)
    assert counts[: table.functions].sum() == counts[APPOINTMENT.literal] == 0
    expected = 9000 / len(APPOINTMENT.terminals)
    assert (((counts[table.functions : -1] - expected) ** 2) / expected).sum() < 26.1  # chi-square, 8 degrees, 0.1 %
    whole = [draw_constant(table, state, APPOINTMENT.code("alpha")) for _ in range(300)]
    assert set(whole) == {0.0, 1.0, 2.0}
    real = [draw_constant(table, state, APPOINTMENT.code("beta")) for _ in range(300)]
    assert 0 <= min(real) < 0.05
    assert 0.95 < max(real) < 1
    before = state.copy()
    assert draw_constant(table, state, APPOINTMENT.code("M")) == 0.0
    assert state == before
