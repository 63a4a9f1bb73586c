"""CUGP: culling. Of several candidates for every child the one with the smallest dimension gap is born."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gpdr.evolution.breeding import Culling, Variation
from gpdr.evolution.grammar import untyped
from gpdr.evolution.methods import gp
from gpdr.evolution.parameters import between
from gpdr.evolution.parts import Method
from gpdr.evolution.problem import Problem


@dataclass(frozen=True)
class Parameters(gp.Parameters):
    """GP's parameters and how many candidates there are for a child."""

    candidates: int = between(2, 1, 100, "made for every child, of which the one with the smallest gap is born")


def build(problem: Problem, parameters: Parameters, threads: int = 1) -> Method:
    variation = Variation(problem.primitives, untyped(problem.primitives, len(problem.targets)), parameters)
    return replace(
        gp.build(problem, parameters, threads),
        name="cugp",
        breeder=Culling(variation, problem.targets, parameters.candidates),
    )
