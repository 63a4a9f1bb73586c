"""The cheapest repairs of a tree, and those with few changes: against every assignment there is."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from gpdr.consistency import repair, repair_forest
from gpdr.consistency.alternatives import any_cheapest_way, cheapest_ways
from gpdr.consistency.weights import weights_of_nodes
from gpdr.errors import InputError
from gpdr.expressions import PrimitiveSet, parse
from gpdr.expressions.appointment import APPOINTMENT
from tests.consistency.brute_force import assignments, dimension
from tests.consistency.cases import MECHANICS, SETS, forest_of, random_target, random_tree

COUNT = 7


@pytest.mark.parametrize("most_changes", [None, 0, 1, 2])
@pytest.mark.parametrize("primitives", SETS, ids=lambda s: s.name)
def test_none_is_cheaper_than_those_listed(primitives: PrimitiveSet, most_changes: int | None) -> None:
    random = np.random.default_rng(21)
    for _ in range(8):
        tree = random_tree(primitives, int(random.integers(1, 6)), random)
        target = random_target(primitives, random)
        prices = weights_of_nodes(forest_of([tree]), primitives, "depth", "none")
        prices[random.random(len(tree)) < 0.2] = math.inf
        possible = [
            cost
            for cost, assigned in assignments(tree, primitives, prices.tolist())
            if math.isfinite(cost)
            and sum(changed for _, changed in assigned) <= (len(tree) if most_changes is None else most_changes)
            and dimension([what for what, _ in assigned]) == target
        ]
        found = cheapest_ways(tree, primitives, prices.tolist(), target, COUNT, most_changes)
        assert [way.cost for way in found] == pytest.approx(sorted(possible)[:COUNT], abs=1e-9)
        assert len({way.choice for way in found}) == len(found)


def test_ordinary_trees_in_several_units_are_no_trouble() -> None:
    random, target = np.random.default_rng(4), MECHANICS.units.dimension("m")
    for nodes in (20, 30, 40):
        tree = random_tree(MECHANICS, nodes, random)
        forest = forest_of([tree])
        prices = weights_of_nodes(forest, MECHANICS, "depth", "none").tolist()
        free = repair_forest(forest, MECHANICS, (target,), np.random.SeedSequence(1))
        found = cheapest_ways(tree, MECHANICS, prices, target, 3)
        assert len({way.choice for way in found}) == 3
        assert [way.cost for way in found] == sorted(way.cost for way in found)
        assert found[0].cost == pytest.approx(float(free.cost[0]), abs=1e-9)
        (limited,) = cheapest_ways(tree, MECHANICS, prices, target, 1, int(free.changed.sum()))
        assert limited.cost == pytest.approx(found[0].cost, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "unit", "most_changes"),
    [("(M + 1) * (V + 1)", "min", 9), ("(M + 1) * (V + 1)", "min", 2), ("if(M + P, M * V, 1) + sqrt(M)", "1", 3)],
)
def test_a_limit_leaves_equals_equally_likely(text: str, unit: str, most_changes: int) -> None:
    tree, target = parse(text, APPOINTMENT), APPOINTMENT.units.dimension(unit)
    prices = weights_of_nodes(forest_of([tree]), APPOINTMENT, "depth", "none").tolist()
    listed = cheapest_ways(tree, APPOINTMENT, prices, target, 60, most_changes)
    best = {way.choice for way in listed if way.cost < listed[0].cost + 1e-9}
    seeds = np.random.SeedSequence(5).spawn(60 * len(best))
    drawn = [any_cheapest_way(tree, APPOINTMENT, prices, target, most_changes, seed)[0].choice for seed in seeds]
    counted = Counter(drawn)
    assert 1 < len(best) < 60
    assert set(counted) == best
    assert chisquare(list(counted.values())).pvalue > 1e-3


def test_the_seed_decides_under_a_limit_too() -> None:
    found = [repair("(M + 1) * (V + 1)", "min", most_changes=9, seed=seed) for seed in range(12)]
    assert len({result.repaired for result in found}) > 1
    assert found[3] == repair("(M + 1) * (V + 1)", "min", most_changes=9, seed=3)


def test_a_tree_with_too_many_dimensions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpdr.consistency.alternatives._LEVELS", ((61, 4),))
    with pytest.raises(InputError) as caught:
        repair("(M + 1) * (V + 1)", "min", most_changes=3)
    assert str(caught.value) == (
        "a tree of 7 nodes has too many dimensions within reach for its best repairs, or a limit on their changes; "
        "use a smaller one, keep more nodes fixed, or ask for the best repair alone"
    )
