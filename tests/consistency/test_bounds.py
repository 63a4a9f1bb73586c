"""Bounds from residues: what is inside and outside of a node never costs less than they say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gpdr.consistency._kernels.bounds import inside_costs, outside_costs
from gpdr.consistency._kernels.memory import NODE
from gpdr.consistency._kernels.shape import read_shape
from gpdr.consistency.keys import COARSE, keys_of
from gpdr.consistency.weights import weights_of_nodes
from gpdr.dimensions import Dimension
from gpdr.expressions import PrimitiveSet
from tests.consistency.brute_force import assignments, dimension
from tests.consistency.cases import ROOTS, SETS, forest_of, random_target, random_tree


@pytest.mark.kernel
@pytest.mark.parametrize("primitives", [*SETS, ROOTS], ids=lambda s: s.name)
def test_bounds_are_never_above_the_least_cost_through_a_node(primitives: PrimitiveSet) -> None:
    random = np.random.default_rng(31)
    for _ in range(12):
        tree, target = random_tree(primitives, int(random.integers(1, 6)), random), random_target(primitives, random)
        prices = weights_of_nodes(forest_of([tree]), primitives, "depth", "none")
        through: dict[tuple[int, Dimension], float] = {}
        for cost, choice in assignments(tree, primitives, prices.tolist()):
            assigned = [what for what, _ in choice]
            if dimension(assigned) == target:
                for n in range(len(tree)):
                    own = dimension(assigned[n:])
                    assert own is not None
                    through[n, own] = min(cost, through.get((n, own), math.inf))
        keys = keys_of(primitives, (target, *(own for _, own in through)))
        nodes = np.recarray(len(tree), NODE)
        read_shape(primitives.table, keys.space, tree.codes, prices, 0, len(tree), nodes)
        inside, outside = np.empty((len(tree), COARSE)), np.empty((len(tree), COARSE))
        wanted, *dimensions = keys.targets.tolist()
        inside_costs(keys.space, nodes, len(tree), COARSE, inside)
        outside_costs(keys.space, nodes, len(tree), COARSE, wanted, inside, outside)
        for ((n, _), cost), key in zip(through.items(), dimensions, strict=True):
            assert inside[n, key % COARSE] + outside[n, key % COARSE] <= cost + 1e-9
        least = min((cost for (n, _), cost in through.items() if n == 0), default=math.inf)
        assert inside[0, wanted % COARSE] <= least + 1e-9
