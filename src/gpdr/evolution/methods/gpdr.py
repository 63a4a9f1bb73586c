"""GPDR: dimension repair. Every individual is made consistent at the least change, helped by an archive."""

from __future__ import annotations

from dataclasses import dataclass

from gpdr.evolution import parameters as shared
from gpdr.evolution.breeding import Repair, Repaired, Variation
from gpdr.evolution.clock import Clock
from gpdr.evolution.fitness import CostAlone
from gpdr.evolution.generators import RampedHalfAndHalf, RepairedAtBirth
from gpdr.evolution.grammar import untyped
from gpdr.evolution.naming import BestOfArchive
from gpdr.evolution.parameters import whether
from gpdr.evolution.parts import Method
from gpdr.evolution.problem import Problem
from gpdr.evolution.survival import Archive


@dataclass(frozen=True)
class Parameters(shared.Parameters):
    """Shared parameters, and how archive and repair work together."""

    # Otherwise lucky members would stay for ever.
    rejudge_archive: bool = whether(True, "judge the archive again on every generation's draws")
    terminals_by_frequency: bool = whether(True, "repair draws new terminals as often as they occur in the archive")


def build(problem: Problem, parameters: Parameters, threads: int = 1) -> Method:
    primitives, trees, clock = problem.primitives, len(problem.targets), Clock()
    variation = Variation(primitives, untyped(primitives, trees), parameters)
    repair = Repair(variation, problem.targets, threads, clock)
    return Method(
        name="gpdr",
        generator=RepairedAtBirth(RampedHalfAndHalf(primitives, trees, parameters), repair),
        fitness=CostAlone(),
        survival=Archive(parameters.population, parameters.distinct_parents),
        breeder=Repaired(variation, repair, parameters.terminals_by_frequency),
        naming=BestOfArchive(parameters.finalists, parameters.tolerance),
        clock=clock,
        consistent=True,
        rejudge_kept=parameters.rejudge_archive,
    )
