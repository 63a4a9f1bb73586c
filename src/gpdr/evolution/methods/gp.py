"""GP: standard genetic programming. Dimensions are measured, and mean nothing to it."""

from __future__ import annotations

from dataclasses import dataclass

from gpdr.errors import InputError
from gpdr.evolution import parameters as shared
from gpdr.evolution.breeding import Variation
from gpdr.evolution.fitness import CostAlone
from gpdr.evolution.generators import RampedHalfAndHalf
from gpdr.evolution.grammar import untyped
from gpdr.evolution.naming import BestOfPool
from gpdr.evolution.parameters import between
from gpdr.evolution.parts import Method
from gpdr.evolution.problem import Problem
from gpdr.evolution.survival import Elites


@dataclass(frozen=True)
class Parameters(shared.Parameters):
    """Shared parameters and how many of the best live on."""

    elites: int = between(2, 0, 1_000, "best individuals that live on unchanged")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.elites >= self.population:
            raise InputError(
                f"parameter elites: expected fewer than the population of {self.population}, got {self.elites}; "
                f"lower elites or raise population"
            )


def build(problem: Problem, parameters: Parameters, threads: int = 1) -> Method:
    primitives, trees = problem.primitives, len(problem.targets)
    return Method(
        name="gp",
        generator=RampedHalfAndHalf(primitives, trees, parameters),
        fitness=CostAlone(),
        survival=Elites(parameters.population, parameters.elites, parameters.distinct_parents),
        breeder=Variation(primitives, untyped(primitives, trees), parameters),
        naming=BestOfPool(parameters.finalists, parameters.tolerance),
    )
