"""Random forests: reproducible, independent of how many are asked for, half of them full."""

from __future__ import annotations

import numpy as np
import pytest

from gpdr.dimensions import UnitSystem
from gpdr.errors import InputError
from gpdr.expressions import Forest, PrimitiveSet, Terminal, full, grow, ramped_half_and_half
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.reference import depths

SEED = 11


def seed() -> np.random.SeedSequence:
    return np.random.SeedSequence(SEED)


def test_same_seed_same_forest_however_many() -> None:
    many = ramped_half_and_half(APPOINTMENT, 500, 2, seed())
    assert many == ramped_half_and_half(APPOINTMENT, 500, 2, seed())
    assert many.take(range(40)) == ramped_half_and_half(APPOINTMENT, 40, 2, seed())
    assert many != ramped_half_and_half(APPOINTMENT, 500, 2, np.random.SeedSequence(SEED + 1))


def share_of_full(forest: Forest) -> float:
    """How many trees have all their terminals at one depth."""
    at_one_depth = []
    for (tree,) in forest:
        terminals = tree.codes >= len(APPOINTMENT.functions)
        at_one_depth.append(len(set(np.array(depths(tree, APPOINTMENT))[terminals].tolist())) == 1)
    return float(np.mean(at_one_depth))


def test_ramp_reaches_every_depth_and_half_the_trees_are_full() -> None:
    forest = ramped_half_and_half(APPOINTMENT, 1000, 1, seed())
    deepest = np.bincount([max(depths(tree, APPOINTMENT)) for (tree,) in forest])
    assert len(deepest) == 7
    assert np.all(deepest[2:] > 50)
    by_chance = share_of_full(grow(APPOINTMENT, 1000, 1, seed()))
    assert abs(share_of_full(forest) - (1 + by_chance) / 2) < 0.06


def test_full_and_grow() -> None:
    for tree in full(APPOINTMENT, 50, 1, seed(), 3, 3):
        assert max(depths(tree[0], APPOINTMENT)) == 3
    grown = grow(APPOINTMENT, 200, 1, seed(), 1, 4)
    assert min(grown.sizes) == 1
    assert max(max(depths(grown.tree(k), APPOINTMENT)) for k in range(200)) == 4


def test_a_set_without_functions_gives_terminals() -> None:
    only = PrimitiveSet("terminals", (), (Terminal("a"), Terminal("b")), UnitSystem(()))
    assert ramped_half_and_half(only, 5, 2, seed()).sizes.tolist() == [2] * 5


def test_no_individuals() -> None:
    assert len(ramped_half_and_half(APPOINTMENT, 0, 2, seed())) == 0


@pytest.mark.parametrize(("smallest", "largest"), [(0, 3), (4, 3), (2, 17)])
def test_depths_out_of_range(smallest: int, largest: int) -> None:
    text = f"depths: expected 1 <= smallest <= largest <= 16, got {smallest} and {largest}"
    with pytest.raises(InputError) as error:
        ramped_half_and_half(APPOINTMENT, 3, 1, seed(), smallest, largest)
    assert str(error.value) == text


def test_counts_out_of_range() -> None:
    with pytest.raises(InputError, match=r"^expected individuals >= 0 and trees >= 1, got -1 and 1$"):
        ramped_half_and_half(APPOINTMENT, -1, 1, seed())
