"""Fitness: the penalty's formula by hand, and the contract of every fitness."""

from __future__ import annotations

import numpy as np
import pytest

from gpdr.evolution.fitness import AdaptivePenalty, CostAlone
from gpdr.evolution.parts import Fitness

from .fakes import FakeTrial, population

TRIAL = FakeTrial(0.0, [], reference_cost=2.0)


def judged(costs: list[float], gaps: list[float]):
    return population(["i"] * len(costs), costs, gaps=gaps)


def test_penalty_starts_by_the_formula_and_moves_by_eta() -> None:
    fitness = AdaptivePenalty(eta=0.1, share=0.5)
    # Relative costs of the best half are 1, 1.5 and their gaps 3, 1: cov = -0.25, var = 1, alpha = 0.25.
    fitness.adapt(judged([2.0, 3.0, 8.0, 9.0], [3.0, 1.0, 50.0, 0.0]), TRIAL)
    assert fitness.alpha == pytest.approx(0.25)
    scores = fitness.scores(judged([2.0, 4.0], [4.0, 0.0]), TRIAL)
    assert scores.tolist() == pytest.approx([1.0 + 0.25 * 4.0, 2.0])
    # Next, cov / var = -0.5: alpha moves a tenth of the way from 0.25 to 0.5.
    fitness.adapt(judged([2.0, 4.0, 8.0, 9.0], [3.0, 1.0, 50.0, 0.0]), TRIAL)
    assert fitness.alpha == pytest.approx(0.25 - 0.1 * (-0.5 + 0.25))


def test_penalty_stays_where_all_gaps_are_equal() -> None:
    fitness = AdaptivePenalty(eta=0.1, share=1.0)
    fitness.adapt(judged([2.0, 3.0], [1.0, 1.0]), TRIAL)
    assert fitness.alpha is None
    assert fitness.state() == {"alpha": 0.0}


def test_a_bonus_on_gaps_only_where_wanted() -> None:
    for reward, alpha, score in ((False, 0.0, 1.0), (True, -0.25, 1.0 - 0.25 * 4.0)):
        fitness = AdaptivePenalty(eta=0.1, share=1.0, reward_gaps=reward)
        fitness.adapt(judged([2.0, 3.0], [1.0, 3.0]), TRIAL)
        assert fitness.alpha == pytest.approx(alpha)
        assert fitness.scores(judged([2.0], [4.0]), TRIAL).tolist() == pytest.approx([score])


def test_a_penalty_follows_the_correlation_once_gaps_pay() -> None:
    fitness = AdaptivePenalty(eta=0.1, share=1.0)
    fitness.adapt(judged([2.0, 3.0], [1.0, 3.0]), TRIAL)  # dear gaps: no penalty is needed
    fitness.adapt(judged([3.0, 2.0], [1.0, 3.0]), TRIAL)  # now gaps save cost: alpha moves a tenth of the way to 0.25
    assert fitness.alpha == pytest.approx(0.025)


@pytest.mark.parametrize("fitness", [CostAlone(), AdaptivePenalty(0.01, 0.1), AdaptivePenalty(0.01, 0.1, True)])
def test_contract_of_every_fitness(fitness: Fitness) -> None:
    everyone = judged([np.nan, np.inf, 3.0, 2.0, 2.5], [0.0, 1.0, 0.0, 2.0, 7.0])
    fitness.adapt(everyone, TRIAL)
    scores = fitness.scores(everyone, TRIAL)
    assert not np.isnan(scores).any(), "scores can be ordered"
    assert np.isinf(scores[:2]).all(), "what could not be judged is worse than everything"
    assert np.isfinite(scores[2:]).all()
    assert all(np.isfinite(value) for value in fitness.state().values())
