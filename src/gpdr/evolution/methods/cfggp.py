"""CFGGP: derivation trees of a context-free grammar with one non-terminal for each dimension.

A derivation tree has one non-terminal for each node of its expression, so it is kept as that expression. What
tells this method from a strongly typed one: every combination of inputs' dimensions is a production of its own,
terminal and function productions are balanced, and crossover and mutation choose among all non-terminals alike.
"""

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
    """GP's parameters, how large exponents may be, and the chance of a production without functions."""

    exponents: int = between(2, 0, 10, "largest exponent of a non-terminal, and with a minus the smallest")
    terminal_share: float = between(0.5, 0.0, 1.0, "chance of a terminal where a function is possible too")


def build(problem: Problem, parameters: Parameters, threads: int = 1) -> Method:
    primitives = problem.primitives
    types = exponents(primitives, -parameters.exponents, parameters.exponents)
    grammar = typed(primitives, problem.targets, types, by_production=True, terminal_share=parameters.terminal_share)
    return Method(
        name="cfggp",
        generator=ByGrammar(primitives, grammar, parameters),
        fitness=CostAlone(),
        survival=Elites(parameters.population, parameters.elites, parameters.distinct_parents),
        breeder=Variation(primitives, grammar, parameters, nodes_alike=True),
        naming=BestOfPool(parameters.finalists, parameters.tolerance),
        consistent=True,
        grammar=grammar,
    )
