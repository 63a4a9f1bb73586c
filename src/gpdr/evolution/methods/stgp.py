"""STGP: strongly typed. Types are dimensions with exponents -1, 0 and 1, and no step ever leaves them."""

from __future__ import annotations

from dataclasses import dataclass

from gpdr.evolution.breeding import Variation
from gpdr.evolution.fitness import CostAlone
from gpdr.evolution.generators import ByGrammar
from gpdr.evolution.grammar import exponents, typed
from gpdr.evolution.methods import gp
from gpdr.evolution.naming import BestOfPool
from gpdr.evolution.parameters import between
from gpdr.evolution.parts import Method
from gpdr.evolution.problem import Problem
from gpdr.evolution.survival import Elites


@dataclass(frozen=True)
class Parameters(gp.Parameters):
    """GP's parameters and how large exponents may be."""

    exponents: int = between(1, 0, 10, "largest exponent of a type, and with a minus the smallest")


def build(problem: Problem, parameters: Parameters, threads: int = 1) -> Method:
    primitives = problem.primitives
    types = exponents(primitives, -parameters.exponents, parameters.exponents)
    grammar = typed(primitives, problem.targets, types)
    return Method(
        name="stgp",
        generator=ByGrammar(primitives, grammar, parameters),
        fitness=CostAlone(),
        survival=Elites(parameters.population, parameters.elites, parameters.distinct_parents),
        breeder=Variation(primitives, grammar, parameters),
        naming=BestOfPool(parameters.finalists, parameters.tolerance),
        consistent=True,
        grammar=grammar,
    )
