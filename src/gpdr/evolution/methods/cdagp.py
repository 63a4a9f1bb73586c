"""CDAGP: constrained. Fitness adds a penalty on the dimension gap whose weight adapts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gpdr.evolution.fitness import AdaptivePenalty
from gpdr.evolution.methods import gp
from gpdr.evolution.parameters import between, whether
from gpdr.evolution.parts import Method
from gpdr.evolution.problem import Problem


@dataclass(frozen=True)
class Parameters(gp.Parameters):
    """GP's parameters and how the penalty adapts."""

    eta: float = between(0.01, 0.0, 1.0, "how quickly the penalty adapts in a generation")
    best_share: float = between(0.1, 0.0, 1.0, "share of the population, the best by cost, that the penalty follows")
    reward_gaps: bool = whether(False, "follow the published formula where it makes the penalty a bonus")


def build(problem: Problem, parameters: Parameters, threads: int = 1) -> Method:
    return replace(
        gp.build(problem, parameters, threads),
        name="cdagp",
        fitness=AdaptivePenalty(parameters.eta, parameters.best_share, parameters.reward_gaps),
    )
