"""Kernels on the shape of trees against their plain-Python twins."""

from __future__ import annotations

import numpy as np
import pytest

from gpdr._random import kernel_state, kernel_states
from gpdr.expressions import Forest, PrimitiveSet, Tree, parse, reference, reference_growth
from gpdr.expressions._evaluation_kernels import stack_height
from gpdr.expressions._kernels import (
    draw_constant,
    draw_terminal,
    grow_forest,
    grow_tree,
    node_depths,
    subtree_end,
    tree_depth,
)
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.reference import depths, heights, inputs_of, sizes

from .sets import ALL_SETS, ONE_UNIT, random_forest

LEAVES = PrimitiveSet("leaves", (), ONE_UNIT.terminals, ONE_UNIT.units)

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


@pytest.mark.parametrize("primitives", [*ALL_SETS, LEAVES], ids=lambda p: p.name)
@pytest.mark.parametrize(("smallest", "largest", "full"), [(1, 1, 0.5), (1, 6, 0.0), (2, 5, 0.5), (3, 4, 1.0)])
def test_forests_grow_as_the_twins_do(primitives: PrimitiveSet, smallest: int, largest: int, full: float) -> None:
    """Node by node from the same streams, which are left in the same state."""
    ours = kernel_states(np.random.SeedSequence(largest), 15)
    theirs = ours.copy()
    codes, values, starts = np.empty(50_000, np.int32), np.empty(50_000), np.zeros(31, np.int64)
    assert grow_forest(primitives.table, ours, 2, smallest, largest, full, codes, values, starts)
    grown = Forest(codes[: starts[-1]], values[: starts[-1]], starts, 2)
    expected = reference_growth.grow_forest(primitives, list(theirs), 2, smallest, largest, full)
    assert grown == Forest.of(expected)
    assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("primitives", ALL_SETS, ids=lambda p: p.name)
def test_draws_agree_with_the_twins(primitives: PrimitiveSet) -> None:
    ours, theirs = (kernel_state(np.random.SeedSequence(3)) for _ in range(2))
    for _ in range(200):
        code = draw_terminal(primitives.table, ours)
        assert code == reference_growth.draw_terminal(primitives, theirs)
        value = draw_constant(primitives.table, ours, code)
        assert value == reference_growth.draw_constant(primitives, theirs, code)
        assert ours == theirs


@pytest.mark.parametrize("primitives", ALL_SETS, ids=lambda p: p.name)
def test_stacks_are_as_high_as_the_twins(primitives: PrimitiveSet) -> None:
    """Of trees, and of trees with nodes left out or exchanged, most of which are none."""
    rng = np.random.default_rng(6)
    trees = [forest[0] for forest in random_forest(primitives, 40, seed=6, largest=5)]
    none = 0
    for whole in trees:
        cut = whole.codes[: rng.integers(0, len(whole) + 1)]
        mixed = rng.permutation(whole.codes)
        other = rng.integers(-2, primitives.literal + 3, len(whole))
        for codes in (whole.codes, cut, mixed, other):
            pair = [whole, Tree(np.array(codes, np.int32), np.zeros(len(codes)))]
            forest = Forest.of([pair])
            found = stack_height(primitives.table, forest.codes, forest.starts)
            assert found == reference.stack_height(pair, primitives)
            none += found < 0
    assert 40 < none < 120


def test_starts_outside_the_nodes_make_no_tree() -> None:
    codes = parse("i + M", APPOINTMENT).codes
    for starts in ([0, 9, 3], [0, -1, 3]):
        assert stack_height(APPOINTMENT.table, codes, np.array(starts)) < 0
