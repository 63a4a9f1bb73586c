"""Generators: ramped half-and-half of anything, by a grammar, and with repair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import SeedSequence

from gpdr._random import kernel_states
from gpdr.evolution.breeding import Repair
from gpdr.evolution.grammar import Grammar
from gpdr.evolution.parameters import Parameters
from gpdr.evolution.parts import Generator
from gpdr.expressions.forest import Forest
from gpdr.expressions.generate import ramped_half_and_half
from gpdr.expressions.primitives import PrimitiveSet

_GUESSED_NODES = 60  # a tree; the arrays are doubled where that is too few


@dataclass(frozen=True)
class RampedHalfAndHalf:
    """Full and grown trees with depth limits drawn from a range, dimensions not minded."""

    primitives: PrimitiveSet
    trees: int
    parameters: Parameters

    def generate(self, individuals: int, seed: SeedSequence) -> Forest:
        smallest, largest = self.parameters.initial_smallest, self.parameters.initial_largest
        return ramped_half_and_half(self.primitives, individuals, self.trees, seed, smallest, largest)


@dataclass(frozen=True)
class ByGrammar:
    """Ramped half-and-half among the trees of a grammar: what could not finish within the depth is never begun."""

    primitives: PrimitiveSet
    grammar: Grammar
    parameters: Parameters

    def generate(self, individuals: int, seed: SeedSequence) -> Forest:
        from gpdr.evolution._grammar_kernels import grow_individuals

        states = kernel_states(seed, individuals)
        trees = len(self.grammar.roots)
        starts = np.zeros(individuals * trees + 1, np.int64)
        capacity = _GUESSED_NODES * individuals * trees
        smallest, largest = self.parameters.initial_smallest, self.parameters.initial_largest
        while True:
            codes, values = np.empty(capacity, np.int32), np.empty(capacity)
            if grow_individuals(
                self.grammar, self.primitives.table, states.copy(), smallest, largest, codes, values, starts
            ):
                nodes = starts[-1]
                return Forest(codes[:nodes].copy(), values[:nodes].copy(), starts, trees)
            capacity *= 2


@dataclass(frozen=True)
class RepairedAtBirth:
    """Individuals of another generator after repair, new terminals drawn uniformly."""

    generator: Generator
    repair: Repair

    def generate(self, individuals: int, seed: SeedSequence) -> Forest:
        for_making, for_repair = seed.spawn(2)
        return self.repair(self.generator.generate(individuals, for_making), for_repair, None)
