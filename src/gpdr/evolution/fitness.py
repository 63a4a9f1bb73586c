"""Fitness: the cost alone, or with a penalty on the dimension gap that adapts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpdr.evolution.parts import Scores
from gpdr.evolution.population import Population
from gpdr.evolution.problem import Trial


@dataclass(frozen=True)
class CostAlone:
    """The score of an individual is its cost."""

    def adapt(self, judged: Population, trial: Trial) -> None:
        """Nothing to adapt."""

    def scores(self, judged: Population, trial: Trial) -> Scores:
        return comparable(judged.costs)

    def state(self) -> dict[str, float]:
        return {}


@dataclass
class AdaptivePenalty:
    """The score is cost / reference cost + alpha x gap; alpha follows how cost and gap go together among the best.

    alpha starts at -cov(gap, cost) / var(gap) over the best `share` by cost and moves by `eta` of the way towards
    its present value each generation; where all gaps are equal it stays. Where large gaps go with high costs, as
    they always do at first, that is negative: a bonus on gaps, under which trees and gaps grow to the limit. Unless
    `reward_gaps`, alpha goes no lower than 0 and follows the correlation from there.
    """

    eta: float
    share: float
    reward_gaps: bool = False
    alpha: float | None = None

    def adapt(self, judged: Population, trial: Trial) -> None:
        costs = comparable(judged.costs / trial.reference_cost)
        best = np.argsort(costs, kind="stable")[: max(2, round(self.share * len(costs)))]
        best = best[np.isfinite(costs[best])]
        gap, cost = judged.gaps[best], costs[best]
        if len(best) < 2 or (variance := float(np.var(gap))) == 0.0:
            return
        slope = float(np.mean((gap - gap.mean()) * (cost - cost.mean()))) / variance
        moved = -slope if self.alpha is None else self.alpha - self.eta * (slope + self.alpha)
        self.alpha = moved if self.reward_gaps else max(0.0, moved)

    def scores(self, judged: Population, trial: Trial) -> Scores:
        return comparable(judged.costs / trial.reference_cost + (self.alpha or 0.0) * judged.gaps)

    def state(self) -> dict[str, float]:
        return {"alpha": self.alpha or 0.0}


def comparable(costs: Scores) -> Scores:
    """Costs that can be ordered: what could not be judged is worse than everything."""
    return np.where(np.isfinite(costs), costs, np.inf)
