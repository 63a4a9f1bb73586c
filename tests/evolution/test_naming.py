"""Which individual is named."""

from __future__ import annotations

import numpy as np
import pytest

from gpdr.evolution.naming import BestOfArchive, BestOfPool, NearestToIdeal
from gpdr.evolution.parts import Mating, Naming

from .fakes import population


def mating(costs: list[float], behaviour: list[float], gaps: list[float] | None = None, kept: int = 0) -> Mating:
    pool = population(["i + P"] * len(costs), costs, behaviour, gaps)
    return Mating(pool, pool.costs, pool.take(range(len(costs) - kept, len(costs))), 1)


def test_finalists_are_the_best_that_differ() -> None:
    finalists = BestOfPool(2).candidates(mating([3.0, 1.0, 1.0, 2.0], [1, 2, 2, 3]))
    assert finalists.costs.tolist() == [1.0, 2.0]


def test_within_a_tolerance_the_smallest_is_named() -> None:
    pool = population(["i * P + P", "i + P", "i", "i + i"], [10.0, 10.04, 10.3, 10.02], [1, 2, 3, 4])
    told = Mating(pool, pool.costs, pool.take([]), 1)
    # One finalist or all that are nearly as good; of two as small the better one.
    for naming, expected in ((BestOfPool(1), 10.0), (BestOfPool(1, 0.005), 10.02), (BestOfPool(1, 0.05), 10.3)):
        finalists = naming.candidates(told)
        assert finalists.costs[naming.name(finalists, finalists.costs)] == expected
    losses = BestOfPool(9, 0.1)  # the share is of the size of the best score, whatever its sign
    assert losses.name(pool, np.array([-10.0, -9.5, -8.0, -10.0])) == 3


def test_of_the_archive_only_members_are_named() -> None:
    finalists = BestOfArchive(5).candidates(mating([1.0, 2.0, 3.0, 4.0], [1, 2, 3, 4], kept=2))
    assert finalists.costs.tolist() == [3.0, 4.0]
    empty = BestOfArchive(5).candidates(mating([1.0, 2.0], [1, 2], kept=0))
    assert empty.costs.tolist() == [1.0, 2.0]


def test_nearest_to_ideal_leaves_out_what_could_not_be_judged() -> None:
    naming = NearestToIdeal()
    # The second has no gap and would be an end of the front; of the rest 3.0 is beaten by 2.0.
    front = naming.candidates(mating([1.0, np.inf, np.nan, 2.0, 3.0], [1, 2, 3, 4, 5], gaps=[5.0, 0.0, 0.0, 1.0, 1.0]))
    assert sorted(front.costs.tolist()) == [1.0, 2.0]
    assert front.costs[naming.name(front, np.where(front.costs == 1.0, 1.0, np.inf))] == 1.0
    assert front.costs[naming.name(front, np.where(front.costs == 2.0, 2.0, np.inf))] == 2.0


def test_nearest_to_ideal_looks_at_the_front_alone() -> None:
    naming = NearestToIdeal()
    front = naming.candidates(mating([1.0, 2.0, 3.0, 3.0], [1, 2, 3, 4], gaps=[5.0, 1.0, 4.0, 0.0]))
    assert sorted(front.costs.tolist()) == [1.0, 2.0, 3.0]
    # After the last comparison costs differ a little; scaled to the front the middle one is nearest.
    assert front.costs[naming.name(front, front.costs)] == 2.0


@pytest.mark.parametrize("naming", [BestOfPool(3), BestOfArchive(3), BestOfArchive(3, 0.2), NearestToIdeal()])
def test_contract_of_every_naming(naming: Naming) -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        told = mating(rng.random(6).tolist(), rng.integers(0, 3, 6).tolist(), rng.random(6).tolist(), kept=3)
        candidates = naming.candidates(told)
        assert 0 < len(candidates) <= 6
        assert len({float(row[0]) for row in candidates.behaviour}) == len(candidates), "all differ"
        assert 0 <= naming.name(candidates, rng.random(len(candidates))) < len(candidates)


@pytest.mark.parametrize("naming", [BestOfPool(3), BestOfArchive(3), BestOfArchive(3, 0.2), NearestToIdeal()])
def test_nobody_is_named_who_could_not_be_judged(naming: Naming) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        costs = np.where(rng.random(6) < 0.5, np.inf, rng.random(6))
        costs[rng.integers(0, 6)] = rng.random()
        candidates = naming.candidates(mating(costs.tolist(), list(range(6)), rng.random(6).tolist()))
        assert np.isfinite(candidates.costs[naming.name(candidates, candidates.costs)])
