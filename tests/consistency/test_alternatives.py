"""The cheapest repairs of a tree, and those with few changes: against every assignment there is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gpdr.consistency.alternatives import cheapest_ways
from gpdr.consistency.weights import weights_of_nodes
from gpdr.expressions import PrimitiveSet
from tests.consistency.brute_force import assignments, dimension
from tests.consistency.cases import SETS, forest_of, random_target, random_tree

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
