"""MOGP: NSGA-II with two objectives, cost and dimension gap."""

from __future__ import annotations

from dataclasses import dataclass

from gpdr.evolution import parameters as shared
from gpdr.evolution.breeding import Variation
from gpdr.evolution.fitness import CostAlone
from gpdr.evolution.generators import RampedHalfAndHalf
from gpdr.evolution.grammar import untyped
from gpdr.evolution.naming import NearestToIdeal
from gpdr.evolution.parts import Method
from gpdr.evolution.problem import Problem
from gpdr.evolution.survival import NonDominatedSorting


@dataclass(frozen=True)
class Parameters(shared.Parameters):
    """The shared ones."""


def build(problem: Problem, parameters: Parameters, threads: int = 1) -> Method:
    primitives, trees = problem.primitives, len(problem.targets)
    return Method(
        name="mogp",
        generator=RampedHalfAndHalf(primitives, trees, parameters),
        fitness=CostAlone(),
        survival=NonDominatedSorting(parameters.population, parameters.distinct_parents),
        breeder=Variation(primitives, untyped(primitives, trees), parameters),
        naming=NearestToIdeal(),
    )
