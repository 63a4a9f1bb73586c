"""Who lives on and who may mate, without chance."""

from __future__ import annotations

import numpy as np
import pytest

from gpdr.evolution.invariants import verify_archive
from gpdr.evolution.parts import Survival
from gpdr.evolution.survival import Archive, Elites, NonDominatedSorting, archived

from .fakes import population

SMALL, MIDDLE, LARGE = "i", "i + P", "i + P * CR"  # 1, 3 and 5 nodes


def archive_of(costs: list[float], texts: list[str], behaviour: list[float] | None = None) -> list[int]:
    judged = population(texts, costs, behaviour)
    return archived(judged, judged.costs, np.arange(len(texts))).tolist()


def test_the_archive_keeps_whom_nobody_dominates_on_cost_and_size() -> None:
    assert sorted(archive_of([3.0, 2.0, 1.0], [SMALL, MIDDLE, LARGE])) == [0, 1, 2]
    assert archive_of([1.0, 2.0, 3.0], [SMALL, MIDDLE, LARGE]) == [0]
    assert sorted(archive_of([2.0, 2.5, 1.0], [SMALL, MIDDLE, LARGE])) == [0, 2]


def test_of_duplicates_the_larger_one_goes() -> None:
    assert archive_of([1.0, 1.0], [LARGE, MIDDLE], behaviour=[7, 7]) == [1]
    # Also when its cost, judged on luckier draws, is lower.
    assert archive_of([0.5, 1.0], [LARGE, MIDDLE], behaviour=[7, 7]) == [1]


def test_of_equal_duplicates_the_first_in_order_stays() -> None:
    judged = population(["i + P", "P + i"], [1.0, 1.0], behaviour=[7, 7])
    assert archived(judged, judged.costs, np.array([1, 0])).tolist() == [1]
    assert archived(judged, judged.costs, np.array([0, 1])).tolist() == [0]


def test_equal_cost_and_size_but_other_behaviour_stay_both() -> None:
    assert sorted(archive_of([1.0, 1.0], ["i + P", "i - P"])) == [0, 1]


def test_what_could_not_be_judged_stays_out_of_the_archive() -> None:
    assert archive_of([np.inf, 2.0], [SMALL, LARGE]) == [1]
    assert archive_of([np.inf], [SMALL]) == []


def test_members_mate_beside_the_population_and_the_dominated_leave() -> None:
    # The last two of five were the archive: the first of them is now beaten by a child that is smaller and cheaper.
    judged = population([SMALL, MIDDLE, LARGE, MIDDLE, LARGE], [5.0, 1.0, 9.0, 2.0, 0.5])
    mating = Archive(population=3).select(judged, kept=2, scores=judged.costs)
    assert mating.kept.costs.tolist() == sorted(mating.kept.costs.tolist(), reverse=True) == [5.0, 1.0, 0.5]
    assert mating.pool.costs.tolist() == [5.0, 1.0, 9.0, 5.0, 1.0, 0.5]
    assert mating.scores.tolist() == mating.pool.costs.tolist()
    assert mating.children == 3
    verify_archive(mating.kept, mating.kept.costs)


def test_elites_are_the_best_by_score_and_leave_fewer_children() -> None:
    judged = population([SMALL, MIDDLE, LARGE, MIDDLE], [4.0, 3.0, 2.0, 1.0])
    mating = Elites(population=4, elites=2).select(judged, kept=0, scores=np.array([0.0, 9.0, 8.0, 9.0]))
    assert mating.kept.costs.tolist() == [4.0, 2.0]
    assert len(mating.pool) == 4
    assert mating.children == 2


def test_sorting_keeps_fronts_in_order_and_the_lonely_of_the_last() -> None:
    costs, gaps = [1.0, 2.0, 2.1, 3.0, 5.0, 6.0], [9.0, 5.0, 4.9, 1.0, 9.5, 8.0]
    judged = population([MIDDLE] * 6, costs, gaps=gaps)
    mating = NonDominatedSorting(population=3).select(judged, kept=3, scores=judged.costs)
    # The first front has four members: both ends, and of the middle the one with more room around it.
    assert sorted(mating.pool.costs.tolist()) == [1.0, 2.0, 3.0]
    assert sorted(mating.kept.costs.tolist()) == sorted(mating.pool.costs.tolist())
    ends = mating.scores[[mating.pool.costs.tolist().index(cost) for cost in (1.0, 3.0)]]
    assert ends[0] == ends[1] < mating.scores.max()


def test_sorting_puts_a_worse_front_behind_a_crowded_better_one() -> None:
    judged = population([MIDDLE] * 3, [1.0, 1.0, 1.5], gaps=[1.0, 1.0, 0.0])
    mating = NonDominatedSorting(population=3).select(judged, kept=0, scores=judged.costs)
    assert len(mating.pool) == 3


@pytest.mark.parametrize("survival", [Archive(4), Elites(4, 2), NonDominatedSorting(4)])
def test_contract_of_every_survival(survival: Survival) -> None:
    rng = np.random.default_rng(0)
    for _ in range(30):
        texts = rng.choice([SMALL, MIDDLE, LARGE], 8).tolist()
        costs = rng.choice([1.0, 2.0, 3.0, np.inf], 8)
        judged = population(texts, costs, behaviour=costs.tolist(), gaps=rng.integers(0, 3, 8).tolist())
        kept = int(rng.integers(0, 4))
        mating = survival.select(judged, kept, costs)
        assert len(mating.scores) == len(mating.pool) > 0
        assert not np.isnan(mating.scores).any()
        assert 0 < mating.children <= 4
        # Whoever lives on may mate, and the best of all is among the parents.
        assert set(mating.kept.costs.tolist()) <= set(mating.pool.costs.tolist())
        assert mating.pool.costs[np.argmin(mating.scores)] <= np.sort(costs)[-1]
        assert np.min(costs) in mating.pool.costs
