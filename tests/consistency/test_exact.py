"""The exact repair: against brute force and the twin, what it leaves behind, and that ties are drawn evenly."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chisquare

from gpdr.consistency import best_repairs, gaps, reference, repair, repair_forest
from gpdr.consistency.alternatives import cheapest_ways
from gpdr.consistency.deepening import deepen
from gpdr.consistency.exact import Status
from gpdr.consistency.keys import Keys, keys_of
from gpdr.consistency.weights import Weights, weights_of_nodes
from gpdr.dimensions import Dimension
from gpdr.errors import InputError
from gpdr.evolution.breeding import Repair, Variation
from gpdr.evolution.grammar import untyped
from gpdr.evolution.parameters import Parameters
from gpdr.expressions import Forest, PrimitiveSet, Tree, parse, ramped_half_and_half
from gpdr.expressions.appointment import APPOINTMENT
from tests.consistency.brute_force import optimum
from tests.consistency.cases import (
    MECHANICS,
    MOTION,
    PRODUCTS,
    ROOTS,
    SETS,
    TIME,
    forest_of,
    random_target,
    random_tree,
)
from tests.consistency.dictionaries import least_cost

SEED = np.random.SeedSequence(7)
MINUTES = APPOINTMENT.units.dimension("min")


def repaired(
    tree: Tree, primitives: PrimitiveSet, target: Dimension, weights: Weights = "depth"
) -> tuple[float, Forest, np.ndarray]:
    """Repair one tree, and check all that must hold of any repair."""
    forest = forest_of([tree])
    prices = weights_of_nodes(forest, primitives, weights, "none")
    result = repair_forest(forest, primitives, (target,), SEED, weights=weights)
    cost = float(result.cost[0])
    assert result.feasible[0, 0] == math.isfinite(cost)
    if math.isinf(cost):
        assert result.forest == forest
        assert not result.changed.any()
        return cost, result.forest, result.changed
    table = primitives.table
    assert gaps(result.forest, primitives, (target,)).tolist() == [0.0]
    assert np.array_equal(table.arity[result.forest.codes], table.arity[forest.codes])
    before, after = ((table.rule[f.codes], table.dimension_class[f.codes]) for f in (forest, result.forest))
    differs = (before[0] != after[0]) | (before[1] != after[1])
    assert np.array_equal(result.changed, differs)
    assert prices[result.changed].sum() == pytest.approx(cost, abs=1e-9)
    stay = ~result.changed
    assert np.array_equal(result.forest.codes[stay], forest.codes[stay])
    assert np.array_equal(result.forest.values[stay], forest.values[stay])
    return cost, result.forest, result.changed


@pytest.mark.kernel
@pytest.mark.parametrize("primitives", [*SETS, ROOTS], ids=lambda s: s.name)
def test_brute_force_agrees_on_cost_and_number_of_optima(primitives: PrimitiveSet) -> None:
    random = np.random.default_rng(1)
    for _ in range(25):
        tree = random_tree(primitives, int(random.integers(1, 6)), random)
        target = random_target(primitives, random)
        prices = weights_of_nodes(forest_of([tree]), primitives, "depth", "none").tolist()
        best, optima = optimum(tree, primitives, prices, target)
        assert repaired(tree, primitives, target)[0] == pytest.approx(best, abs=1e-9)
        assert reference.repairs(tree, primitives, prices).get(target, (math.inf, 0))[1] == len(optima)


@pytest.mark.slow
@pytest.mark.parametrize("primitives", [*SETS, ROOTS], ids=lambda s: s.name)
def test_brute_force_agrees_up_to_7_nodes_in_any_set(primitives: PrimitiveSet) -> None:
    random = np.random.default_rng(2)
    for _ in range(200):
        tree = random_tree(primitives, int(random.integers(1, 8)), random)
        target = random_target(primitives, random)
        prices = weights_of_nodes(forest_of([tree]), primitives, "depth", "none").tolist()
        assert repaired(tree, primitives, target)[0] == pytest.approx(
            optimum(tree, primitives, prices, target)[0], abs=1e-9
        )


@pytest.mark.parametrize("weights", ["depth", "uniform", "size"])
@pytest.mark.parametrize(("primitives", "largest"), [(APPOINTMENT, 25), (TIME, 15), (MOTION, 10), (PRODUCTS, 25)])
def test_the_twin_agrees(primitives: PrimitiveSet, largest: int, weights: Weights) -> None:
    random = np.random.default_rng(3)
    for _ in range(20):
        tree = random_tree(primitives, int(random.integers(2, largest)), random)
        target = random_target(primitives, random)
        prices = weights_of_nodes(forest_of([tree]), primitives, weights, "none").tolist()
        best = reference.repairs(tree, primitives, prices).get(target, (math.inf, 0))[0]
        assert repaired(tree, primitives, target, weights)[0] == pytest.approx(best, abs=1e-9)


def test_weights_of_each_node() -> None:
    forest = forest_of([parse("M * (P + sqrt(V)) - 1", APPOINTMENT)])
    depth = weights_of_nodes(forest, APPOINTMENT, "depth", "none")
    assert depth.tolist() == [1, 1 / 2, 1 / 3, 1 / 3, 1 / 4, 1 / 4, 1 / 5, 1 / 2]
    size = weights_of_nodes(forest, APPOINTMENT, "size", "none")
    assert (8 * size).tolist() == [8, 6, 1, 4, 1, 2, 1, 1]


@pytest.mark.parametrize(("cheap", "expected"), [(0, "mul"), (2, "min")])
def test_given_weights_decide(cheap: int, expected: str) -> None:
    """M + P wants to be minutes: the sum may become a product, or P a time."""
    weights = np.full(3, 9.0)
    weights[cheap] = 0.25
    result = repair_forest(forest_of([parse("M + P", APPOINTMENT)]), APPOINTMENT, (MINUTES,), SEED, weights=weights)
    assert np.flatnonzero(result.changed).tolist() == [cheap]
    assert result.cost.tolist() == [0.25]
    code = int(result.forest.codes[cheap])
    dimension = APPOINTMENT.dimensions[code]
    assert (APPOINTMENT.units.text(dimension) if dimension is not None else APPOINTMENT.name_of(code)) == expected


def test_the_scale_of_given_weights_does_not_matter() -> None:
    """Ties are absolute: without scaling, prices below them were all the same."""
    tree = parse("(M + i) * P", APPOINTMENT)
    weights = np.array([10.0, 5.0, 2.0, 1.0, 1.0])
    forest = forest_of([tree, tree, tree])
    result = repair_forest(
        forest, APPOINTMENT, (MINUTES,), SEED, weights=np.concatenate([weights, 1e-13 * weights, 1e9 * weights])
    )
    assert result.cost == pytest.approx([1.0, 1e-13, 1e9], rel=1e-9, abs=0)
    for solver in ("exact", "highs"):
        found = repair("(M + i) * P", "min", weights=1e-13 * weights, solver=solver)  # type: ignore[arg-type]
        assert found.cost == pytest.approx(1e-13, rel=1e-6, abs=0)
    costs = [found.cost for found in best_repairs("(M + i) * P", "min", 3, weights=1e-13 * weights)]
    plain = [found.cost for found in best_repairs("(M + i) * P", "min", 3, weights=weights)]
    assert costs == pytest.approx([1e-13 * cost for cost in plain], rel=1e-9, abs=0)


def test_depth_written_out_is_depth() -> None:
    forest = ramped_half_and_half(APPOINTMENT, 50, 1, SEED)
    named = repair_forest(forest, APPOINTMENT, (MINUTES,), SEED)
    given = weights_of_nodes(forest, APPOINTMENT, "depth", "none")
    assert repair_forest(forest, APPOINTMENT, (MINUTES,), SEED, weights=given).forest == named.forest


@pytest.mark.parametrize("kept", ["functions", "terminals"])
def test_what_is_fixed_stays(kept: str) -> None:
    forest = ramped_half_and_half(APPOINTMENT, 150, 1, SEED)
    functions = forest.codes < len(APPOINTMENT.functions)
    stay = functions if kept == "functions" else ~functions
    result = repair_forest(forest, APPOINTMENT, (MINUTES,), SEED, fixed=kept)  # type: ignore[arg-type]
    assert result.changed.any()
    assert not result.changed[stay].any()
    marked = repair_forest(forest, APPOINTMENT, (MINUTES,), SEED, fixed=stay)
    assert marked.forest == result.forest
    free = repair_forest(forest, APPOINTMENT, (MINUTES,), SEED)
    assert np.all(free.cost <= result.cost + 1e-9)


def choices(before: Forest, after: Forest, primitives: PrimitiveSet) -> tuple[tuple[int, int], ...]:
    table = primitives.table
    return tuple(zip(table.rule[after.codes].tolist(), table.dimension_class[after.codes].tolist(), strict=True))


@pytest.mark.parametrize(
    ("text", "primitives", "unit"),
    [
        ("(M + 1) * (V + 1)", APPOINTMENT, "min"),
        ("if(M + P, M * V, 1) + sqrt(M)", APPOINTMENT, "1"),
        ("if(M + P, i / V, sqrt(M) * V)", APPOINTMENT, "min"),
        ("(x + t) * (v + t) + x * t", MOTION, "m"),
    ],
)
def test_every_optimal_repair_is_equally_likely(text: str, primitives: PrimitiveSet, unit: str) -> None:
    """Many copies of a tree in one forest, each with its own stream: chi-square over all optimal assignments."""
    tree, target = parse(text, primitives), primitives.units.dimension(unit)
    one = forest_of([tree])
    prices = weights_of_nodes(one, primitives, "depth", "none").tolist()
    optima = reference.repairs(tree, primitives, prices)[target][1]
    copies = 400 * optima
    result = repair_forest(one.take(np.zeros(copies, np.int64)), primitives, (target,), np.random.SeedSequence(11))
    counted = Counter(choices(one, Forest.of([individual]), primitives) for individual in result.forest)
    assert optima > 1
    assert len(counted) == optima
    assert chisquare(list(counted.values())).pvalue > 1e-3


def test_terminals_are_drawn_evenly_or_by_their_weights() -> None:
    forest = forest_of([parse("[0.25] * P", APPOINTMENT)]).take(np.zeros(3000, np.int64))
    evenly = repair_forest(forest, APPOINTMENT, (MINUTES,), SEED, fixed="functions")
    drawn = evenly.forest.codes[evenly.changed]
    counted = Counter(APPOINTMENT.name_of(code) for code in drawn.tolist())
    assert set(counted) == {"M", "V"}
    assert chisquare(list(counted.values())).pvalue > 1e-3
    wanted = np.zeros(len(APPOINTMENT.table.arity))
    wanted[APPOINTMENT.code("M")], wanted[APPOINTMENT.code("V")], wanted[APPOINTMENT.code("P")] = 3, 1, 9
    weighted = repair_forest(forest, APPOINTMENT, (MINUTES,), SEED, wanted, fixed="functions")
    counted = Counter(APPOINTMENT.name_of(code) for code in weighted.forest.codes[weighted.changed].tolist())
    assert chisquare([counted["M"], counted["V"]], [2250, 750]).pvalue > 1e-3


def test_new_constants_get_fresh_values() -> None:
    forest = forest_of([parse("sqrt(M) * sqrt(M)", APPOINTMENT)]).take(np.zeros(400, np.int64))
    number = APPOINTMENT.units.dimension("1")
    wanted = np.zeros(len(APPOINTMENT.table.arity))
    wanted[APPOINTMENT.code("beta")] = 1
    result = repair_forest(forest, APPOINTMENT, (number,), SEED, wanted, fixed="functions")
    values = result.forest.values[result.changed]
    assert len(np.unique(values)) == len(values) == 800
    assert values.min() >= 0
    assert values.max() < 1


@pytest.mark.parametrize(
    ("text", "fixed", "expected"),
    [("P + M", "terminals", "mul"), ("M * V", "terminals", "add"), ("M / V", "terminals", "sub")],
)
def test_functions_of_a_new_class(text: str, fixed: str, expected: str) -> None:
    result = repair_forest(
        forest_of([parse(text, APPOINTMENT)]),
        APPOINTMENT,
        (MINUTES,),
        SEED,
        fixed=fixed,  # type: ignore[arg-type]
    )
    changed = [APPOINTMENT.name_of(code) for code in result.forest.codes[result.changed].tolist()]
    assert changed == [expected]


def test_where_the_set_lacks_the_function_any_of_its_class_will_do() -> None:
    tree = parse("x / x", MOTION)
    result = repair_forest(
        forest_of([tree]).take(np.zeros(200, np.int64)),
        MOTION,
        (MOTION.units.dimension("m"),),
        SEED,
        fixed=np.tile([False, True, True], 200),
    )
    counted = Counter(MOTION.name_of(int(code)) for code in result.forest.codes[::3])
    assert set(counted) == {"add", "max"}
    assert chisquare(list(counted.values())).pvalue > 1e-3


def test_threads_and_neighbours_do_not_change_a_repair() -> None:
    forest = ramped_half_and_half(APPOINTMENT, 300, 2, SEED)
    targets = (APPOINTMENT.units.dimension("1"), MINUTES)
    one, *others = (repair_forest(forest, APPOINTMENT, targets, SEED, threads=n) for n in (1, 2, 3, 7))
    for other in others:
        assert other.forest == one.forest
        assert np.array_equal(other.cost, one.cost)
    fewer = repair_forest(forest.take(range(100)), APPOINTMENT, targets, SEED)
    assert fewer.forest == one.forest.take(range(100))


def test_consistent_trees_are_left_alone() -> None:
    targets = (APPOINTMENT.units.dimension("1"), MINUTES)
    once = repair_forest(ramped_half_and_half(APPOINTMENT, 200, 2, SEED), APPOINTMENT, targets, SEED)
    good = once.forest.take(np.flatnonzero(once.feasible.all(axis=1)))
    again = repair_forest(good, APPOINTMENT, targets, np.random.SeedSequence(99), weights=np.zeros(len(good.codes)))
    assert again.forest == good
    assert not again.changed.any()
    assert not again.cost.any()


def test_infeasible_trees_come_back_as_they_were() -> None:
    forest = forest_of([parse("P", APPOINTMENT), parse("M", APPOINTMENT), parse("sqrt(P)", APPOINTMENT)])
    result = repair_forest(forest, APPOINTMENT, (APPOINTMENT.units.dimension("min^(1/2)"),), SEED)
    assert result.feasible.ravel().tolist() == [False, False, True]
    assert result.cost.tolist() == [np.inf, np.inf, 0.5]
    assert result.forest.take([0, 1]) == forest.take([0, 1])


@pytest.mark.parametrize(("primitives", "largest"), [(APPOINTMENT, 60), (MOTION, 26), (MECHANICS, 18)])
def test_dictionaries_agree(primitives: PrimitiveSet, largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real trees, some with more dimensions than are listed without bounds."""
    monkeypatch.setattr("gpdr.consistency.exact._BUDGET", 1 << 6)
    deepened = []
    monkeypatch.setattr("gpdr.consistency.deepening.deepen", lambda *given: deepened.append(deepen(*given)))
    random = np.random.default_rng(15)
    for nodes in (largest - 8, largest - 4, largest - 2, largest):
        tree, target = random_tree(primitives, nodes, random), random_target(primitives, random)
        expected = least_cost(tree, primitives, target)
        assert repaired(tree, primitives, target)[0] == pytest.approx(expected, abs=1e-9)
    assert deepened


@pytest.mark.parametrize(("primitives", "sizes"), [(MOTION, (80, 150, 300)), (MECHANICS, (50, 80))])
def test_large_trees_in_several_units(primitives: PrimitiveSet, sizes: tuple[int, ...]) -> None:
    """With too many dimensions to list: the kernels' search under a rising ceiling, and that over whole arrays."""
    random, target = np.random.default_rng(5), primitives.units.dimension("m")
    for nodes in sizes:
        tree = random_tree(primitives, nodes, random)
        prices = weights_of_nodes(forest_of([tree]), primitives, "depth", "none").tolist()
        (way,) = cheapest_ways(tree, primitives, prices, target)
        assert repaired(tree, primitives, target)[0] == pytest.approx(way.cost, abs=1e-9)


@pytest.mark.parametrize(
    "levels",
    [
        pytest.param(((61, 1 << 17),), id="coarse", marks=pytest.mark.kernel),
        pytest.param(((61, 8), (1021, 1 << 17)), id="fine"),
    ],
)
def test_the_rising_ceiling_ends_at_the_same_optimum(
    levels: tuple[tuple[int, int], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every tree sent through the bounded search, whose result no bound may change."""
    random = np.random.default_rng(9)
    for primitives in (APPOINTMENT, TIME, MOTION, PRODUCTS):
        trees = [random_tree(primitives, int(random.integers(1, 8)), random) for _ in range(6)]
        target = random_target(primitives, random)
        free = repair_forest(forest_of(trees), primitives, (target,), SEED)
        with monkeypatch.context() as patched:
            patched.setattr("gpdr.consistency.exact._BUDGET", 1)
            patched.setattr("gpdr.consistency.deepening._LEVELS", levels)
            bounded = repair_forest(forest_of(trees), primitives, (target,), SEED)
        assert bounded.cost == pytest.approx(free.cost, abs=1e-9)
        assert np.array_equal(bounded.feasible, free.feasible)


def test_ties_are_even_under_a_ceiling_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpdr.consistency.exact._BUDGET", 1)
    one, target = forest_of([parse("(M + 1) * (V + 1)", APPOINTMENT)]), MINUTES
    result = repair_forest(one.take(np.zeros(1200, np.int64)), APPOINTMENT, (target,), np.random.SeedSequence(12))
    counted = Counter(choices(one, Forest.of([individual]), APPOINTMENT) for individual in result.forest)
    assert len(counted) == 2
    assert chisquare(list(counted.values())).pvalue > 1e-3


def test_a_tree_given_up_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpdr.consistency.exact._BUDGET", 8)
    monkeypatch.setattr("gpdr.consistency.deepening._LEVELS", ((61, 4),))
    forest = forest_of([parse(text, APPOINTMENT) for text in ("M + 1", "(M + 1) * (V + 1)", "P", "M")])
    result = repair_forest(forest, APPOINTMENT, (APPOINTMENT.units.dimension("min"),), SEED)
    assert [Status(code) for code in result.status.ravel()] == [
        Status.DONE,
        Status.GIVEN_UP,
        Status.DONE,
        Status.DONE,
    ]
    assert result.cost.tolist() == [0.5, math.inf, 1.0, 0.0]
    assert result.forest.tree(1) == forest.tree(1)
    with pytest.raises(InputError) as caught:
        repair("(M + 1) * (V + 1)", "min")
    assert str(caught.value) == (
        "repair: gave up on a tree of 7 nodes, whose nodes can have too many dimensions; "
        "repair smaller trees, or keep more nodes fixed"
    )


def test_evolution_mutates_what_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpdr.consistency.exact._BUDGET", 40)
    monkeypatch.setattr("gpdr.consistency.deepening._LEVELS", ((61, 40),))
    forest = ramped_half_and_half(APPOINTMENT, 20, 1, SEED)
    assert np.any(repair_forest(forest, APPOINTMENT, (MINUTES,), SEED).status == Status.GIVEN_UP)
    variation = Variation(APPOINTMENT, untyped(APPOINTMENT, 1), Parameters())
    after = Repair(variation, (MINUTES,))(forest, SEED, None)
    assert not gaps(after, APPOINTMENT, (MINUTES,)).any()


def test_keys_that_collide_are_found_out_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """All dimensions given the same key: the true dimensions deny the repair, and the next keys are honest."""
    honest = keys_of(APPOINTMENT, (MINUTES,), 1)
    blind = Keys(
        honest.space._replace(keys=np.zeros_like(honest.space.keys), class_keys=np.zeros_like(honest.space.class_keys)),
        np.zeros(1, np.int64),
    )
    monkeypatch.setattr(
        "gpdr.consistency.keys.keys_of", lambda _primitives, _targets, attempt: honest if attempt else blind
    )
    result = repair_forest(forest_of([parse("M + 1", APPOINTMENT)]), APPOINTMENT, (MINUTES,), SEED)
    assert result.cost.tolist() == [0.5]
    assert gaps(result.forest, APPOINTMENT, (MINUTES,)).tolist() == [0.0]


def test_keys_that_always_collide_give_the_tree_up(monkeypatch: pytest.MonkeyPatch) -> None:
    space = keys_of(APPOINTMENT, (MINUTES,)).space
    blind = Keys(
        space._replace(keys=np.zeros_like(space.keys), class_keys=np.zeros_like(space.class_keys)),
        np.zeros(1, np.int64),
    )
    monkeypatch.setattr("gpdr.consistency.keys.keys_of", lambda *_: blind)
    forest = forest_of([parse("M + 1", APPOINTMENT)])
    result = repair_forest(forest, APPOINTMENT, (MINUTES,), SEED)
    assert result.status.tolist() == [[Status.GIVEN_UP]]
    assert result.cost.tolist() == [math.inf]
    assert result.forest == forest


def test_what_float64_cannot_confirm_fractions_do() -> None:
    """M times a root nested 60 deep: its exponent 1 + 2^-60 is no float64, but a target of its own."""
    times, root, m, p = (APPOINTMENT.code(name) for name in ("mul", "sqrt", "M", "P"))
    target = Dimension.of([1 + Fraction(1, 2**60)])
    tree = Tree(np.array([times, p, *[root] * 60, m], np.int32), np.zeros(63))
    result = repair_forest(forest_of([tree]), APPOINTMENT, (target,), SEED)
    assert result.cost.tolist() == [0.5]
    assert reference.gap(result.forest.tree(0), APPOINTMENT, target) == 0


def test_wrong_arguments() -> None:
    forest = forest_of([parse("M + 1", APPOINTMENT)])
    target = (MINUTES,)
    with pytest.raises(InputError, match=r"^unknown weights 'deep': choose one of depth, uniform, size"):
        repair_forest(forest, APPOINTMENT, target, SEED, weights="deep")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^unknown fixed 'function': choose one of none, functions, terminals"):
        repair_forest(forest, APPOINTMENT, target, SEED, fixed="function")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^weights: expected one value for each of the 3 nodes, got shape \(2,\)$"):
        repair_forest(forest, APPOINTMENT, target, SEED, weights=np.ones(2))
    with pytest.raises(InputError, match=r"^weights: expected no number below 0 \(infinite keeps a node as it is\)$"):
        repair_forest(forest, APPOINTMENT, target, SEED, weights=np.array([1.0, -1.0, 0.0]))
    with pytest.raises(InputError, match=r"^terminal_weights: expected 18 finite numbers, one for each code and none"):
        repair_forest(forest, APPOINTMENT, target, SEED, terminal_weights=np.ones(3))
