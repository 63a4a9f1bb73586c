"""Dimensions and gaps: the kernel against its twin, and what the literature says."""

from __future__ import annotations

import numpy as np
import pytest

from gpdr.consistency import dimensions_of_nodes, gaps, reference, repair_forest
from gpdr.consistency._kernels.gap import tree_gap
from gpdr.dimensions import UnitSystem
from gpdr.errors import InputError
from gpdr.expressions import DIV, MAX, MUL, SQRT, Forest, PrimitiveSet, Terminal, Tree, parse, ramped_half_and_half
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.dimension import dimension_of
from tests.consistency.cases import SETS, TIME, forest_of, random_target, random_tree

NUMBER, MINUTES = (APPOINTMENT.units.dimension(unit) for unit in ("1", "min"))


@pytest.mark.kernel
@pytest.mark.parametrize("primitives", SETS, ids=lambda s: s.name)
def test_the_kernel_gives_the_twins_gap(primitives: PrimitiveSet) -> None:
    random = np.random.default_rng(4)
    trees = [[random_tree(primitives, int(random.integers(1, 40)), random) for _ in range(2)] for _ in range(60)]
    targets = [random_target(primitives, random) for _ in range(2)]
    found = gaps(Forest.of(trees), primitives, targets)
    for gap, pair in zip(found, trees, strict=True):
        exact = sum(reference.gap(tree, primitives, target) for tree, target in zip(pair, targets, strict=True))
        assert gap == pytest.approx(float(exact), rel=1e-12, abs=0)


def consistent_of(primitives: PrimitiveSet, seed: int, count: int) -> int:
    """How many of random small trees add up to their target; of all, the kernel agrees with both twins."""
    random = np.random.default_rng(seed)
    trees = [random_tree(primitives, int(random.integers(1, 13)), random) for _ in range(count)]
    target = random_target(primitives, random)
    found = gaps(forest_of(trees), primitives, (target,))
    for gap, tree in zip(found, trees, strict=True):
        assert gap == pytest.approx(float(reference.gap(tree, primitives, target)), rel=1e-12, abs=0)
        assert (gap == 0) == (dimension_of(tree, primitives) == target)
        dims, shares = np.empty((len(tree), len(primitives.units))), np.empty(len(tree))
        tree_gap(primitives.table, tree.codes, primitives.scaled(target), dims, shares)
        twins = reference.nodes(tree, primitives)
        assert np.array_equal(dims, [primitives.scaled(node.dimension) for node in twins])
        assert np.array_equal(shares, [float(node.gap * primitives.denominator) for node in twins])
    return int(np.sum(found == 0))


@pytest.mark.kernel
@pytest.mark.parametrize("primitives", SETS, ids=lambda s: s.name)
def test_no_gap_is_exactly_consistency(primitives: PrimitiveSet) -> None:
    consistent = sum(consistent_of(primitives, seed, 40) for seed in range(10))
    assert 20 <= consistent < 380


@pytest.mark.slow
@pytest.mark.parametrize("primitives", SETS, ids=lambda s: s.name)
def test_no_gap_is_exactly_consistency_in_ten_thousand_forests(primitives: PrimitiveSet) -> None:
    consistent = sum(consistent_of(primitives, seed, 20) for seed in range(10_000 // len(SETS)))
    assert 0.02 < consistent / (20 * 10_000 / len(SETS)) < 0.95


@pytest.mark.kernel
@pytest.mark.parametrize("codes", [[99], [-1], [0], [0, 0, 8], [8, 8], []])
def test_trees_of_another_set_are_refused(codes: list[int]) -> None:
    """Their codes would be looked up outside the set's tables."""
    tree = Tree(np.array(codes, np.int32), np.zeros(len(codes)))
    said = "forest: tree 0 is not made of primitive set 'appointment'; give the set it was parsed or generated with"
    with pytest.raises(InputError) as error:
        gaps(Forest.of([[tree]]), APPOINTMENT, (MINUTES,))
    assert str(error.value) == said
    with pytest.raises(InputError) as error:
        repair_forest(Forest.of([[tree]]), APPOINTMENT, (MINUTES,), np.random.SeedSequence(1))
    assert str(error.value) == said
    with pytest.raises(InputError) as error:
        dimensions_of_nodes(tree, APPOINTMENT)
    assert str(error.value) == said


def test_threads_do_not_change_the_gaps() -> None:
    forest = ramped_half_and_half(APPOINTMENT, 600, 2, np.random.SeedSequence(3))
    one, two = (gaps(forest, APPOINTMENT, (NUMBER, MINUTES), threads=n) for n in (1, 2))
    assert np.array_equal(one, two)


def test_a_weight_compared_with_a_time_has_gap_2() -> None:
    """The check from the literature: job shops, max(W, PT), W a weight and PT a time."""
    shop = PrimitiveSet(
        "shop", (MAX, MUL, DIV), (Terminal("W", "weight"), Terminal("PT", "s")), UnitSystem(("weight", "s"))
    )
    tree = parse("max(W, PT)", shop)
    assert sum(node.gap for node in reference.nodes(tree, shop)) == 2
    middle = reference.nodes(tree, shop)[0].dimension
    assert gaps(Forest.of([(tree,)]), shop, (middle,)).tolist() == [2.0]


@pytest.mark.parametrize(
    ("text", "gap"),
    [
        ("M", 0.0),
        ("M + V", 0.0),
        ("M + 1", 1.0 + 0.5),
        ("if(M, M, V)", 0.0),
        ("if(P, M, 1)", 1.0 + 0.5),
        ("M * V", 1.0),
        ("sqrt(M * V)", 0.0),
        ("sqrt(M)", 0.5),
        ("(M + 1) - M", 1.0 + 0.5 + 0.25),
    ],
)
def test_gaps_by_hand(text: str, gap: float) -> None:
    forest = Forest.of([(parse(text, APPOINTMENT),)])
    assert gaps(forest, APPOINTMENT, (MINUTES,)).tolist() == [gap]


def test_the_dimension_of_every_node() -> None:
    found = dimensions_of_nodes(parse("sqrt(M) * (M + 1)", APPOINTMENT), APPOINTMENT)
    assert [APPOINTMENT.units.text(d) for d in found] == ["min", "min^(1/2)", "min", "min^(1/2)", "min", "1"]


@pytest.mark.kernel
def test_halving_beyond_what_a_float_holds_is_left_to_fractions() -> None:
    """M times a root nested 60 deep: 1 + 2^-60 is 1 in float64, and not the target."""
    times, root, m = (APPOINTMENT.code(name) for name in ("mul", "sqrt", "M"))
    codes = np.array([times, m, *[root] * 60, m], np.int32)
    tree = Tree(codes, np.zeros(len(codes)))
    assert gaps(Forest.of([(tree,)]), APPOINTMENT, (MINUTES,))[0] == 2.0**-60


def test_exponents_beyond_all_floats_are_not_taken_for_equal() -> None:
    """The difference of a square nested 1100 deep and one nested 1101 deep."""
    sub, square, t = (TIME.code(name) for name in ("sub", "sq", "t"))
    codes = np.array([sub, *[square] * 1100, t, *[square] * 1101, t], np.int32)
    forest = Forest.of([(Tree(codes, np.zeros(len(codes))),)])
    assert gaps(forest, TIME, (TIME.units.dimension("1"),)).tolist() == [np.inf]


def test_targets_must_fit_the_trees() -> None:
    forest = ramped_half_and_half(APPOINTMENT, 3, 2, np.random.SeedSequence(1))
    with pytest.raises(InputError, match=r"^targets: expected 2, one for each tree of an individual, got 1$"):
        gaps(forest, APPOINTMENT, (MINUTES,))
    two = UnitSystem(("min", "m")).dimension("m")
    with pytest.raises(InputError, match=r"^targets: expected dimensions over 1 base units, got one over 2$"):
        gaps(forest, APPOINTMENT, (two, two))


def test_an_empty_forest_has_no_gaps() -> None:
    assert len(gaps(Forest.of([], trees=2), APPOINTMENT, (NUMBER, MINUTES))) == 0


def test_roots_alone() -> None:
    only = PrimitiveSet("roots", (SQRT,), (Terminal("t", "s"),), UnitSystem(("s",)))
    found = dimensions_of_nodes(parse("sqrt(sqrt(t))", only), only)
    assert [only.units.text(d) for d in found] == ["s^(1/4)", "s^(1/2)", "s"]
