"""Breeders: crossover and mutation within a grammar, and what may follow them: culling, repair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from gpdr._random import kernel_state
from gpdr.dimensions import Dimension
from gpdr.errors import InputError
from gpdr.evolution.clock import Clock
from gpdr.evolution.grammar import Grammar
from gpdr.evolution.parameters import Parameters
from gpdr.evolution.parts import Breeder, Mating
from gpdr.expressions.forest import Forest
from gpdr.expressions.primitives import PrimitiveSet

if TYPE_CHECKING:
    from gpdr.evolution._kernels import Arena, Settings, Stock

_ALL_NODES_ALIKE = -1.0
# Mutations after which a tree without a repair is given up: what the appointment primitives need is two or three.
_MOST_MUTATIONS = 1_000


@dataclass(frozen=True)
class Variation:
    """Crossover (CS) and subtree mutation, exchanging and growing subtrees of the same type of a grammar."""

    primitives: PrimitiveSet
    grammar: Grammar
    parameters: Parameters
    nodes_alike: bool = False  # choose among all nodes with the same chance, not first between functions and terminals

    def __post_init__(self) -> None:
        needed, allowed = int(self.grammar.shallowest[self.grammar.roots].max()), self.parameters.deepest
        if needed > allowed:
            raise InputError(
                f"parameter deepest: expected at least {needed}, the depth of the shallowest trees that have the "
                f"targets' dimensions in this grammar, got {allowed}"
            )

    def breed(self, mating: Mating, seed: SeedSequence) -> Forest:
        return self.candidates(mating, seed, 1)[0]

    def candidates(self, mating: Mating, seed: SeedSequence, each: int) -> tuple[Forest, NDArray[np.int64]]:
        """`each` candidates for every child, by the same parents, and the child that each is a candidate for."""
        from gpdr.evolution._kernels import breed

        rows = mating.children * each
        stock = self._stock(mating.pool.forest, mating.scores)
        settings = self._settings._replace(candidates=each)

        def attempt(arena: Arena) -> bool:
            return bool(
                breed(self.grammar, self.primitives.table, stock, settings, mating.children, kernel_state(seed), arena)
            )

        return self._written(attempt, mating.pool.forest, rows)

    def mutated(self, forest: Forest, marked: NDArray[np.bool_], seed: SeedSequence) -> Forest:
        """The forest with each tree marked (individuals, trees) after one subtree mutation."""
        from gpdr.evolution._kernels import mutate_marked

        stock = self._stock(forest, np.zeros(len(forest)))

        def attempt(arena: Arena) -> bool:
            state = kernel_state(seed)
            return bool(
                mutate_marked(self.grammar, self.primitives.table, stock, self._settings, marked.ravel(), state, arena)
            )

        return self._written(attempt, forest, len(forest))[0]

    @cached_property
    def _settings(self) -> Settings:
        from gpdr.evolution._kernels import Settings

        p = self.parameters
        return Settings(
            tournament=p.tournament,
            crossover=p.crossover,
            function_nodes=_ALL_NODES_ALIKE if self.nodes_alike else p.function_nodes,
            deepest=p.deepest,
            mutation_depth=p.mutation_depth,
            attempts=p.attempts,
            candidates=1,
        )

    def _stock(self, forest: Forest, scores: NDArray[np.float64]) -> Stock:
        from gpdr.evolution._grammar_kernels import node_types
        from gpdr.evolution._kernels import Stock

        types = np.empty(len(forest.codes), np.int64)
        node_types(self.grammar, self.primitives.table, forest.codes, types)
        if (types < 0).any():
            name = self.primitives.name_of(int(forest.codes[types < 0][0]))
            raise InputError(f"parents: expected trees of this method's grammar, got one with a {name} it cannot make")
        return Stock(forest.codes, forest.values, forest.starts, types, scores)

    def _written(
        self, attempt: Callable[[Arena], bool], parents: Forest, rows: int
    ) -> tuple[Forest, NDArray[np.int64]]:
        """What an attempt writes into an arena, made larger until it fits: the same draws every time."""
        from gpdr.evolution._kernels import Arena

        capacity = 64 + 2 * rows * (1 + len(parents.codes) // max(1, len(parents)))
        starts = np.zeros(rows * parents.trees + 1, np.int64)
        child = np.zeros(rows, np.int64)
        while True:
            arena = Arena(np.empty(capacity, np.int32), np.empty(capacity), starts, child)
            if attempt(arena):
                nodes = starts[-1]
                return Forest(arena.codes[:nodes].copy(), arena.values[:nodes].copy(), starts, parents.trees), child
            capacity *= 2


@dataclass(frozen=True)
class Culling:
    """Of `each` candidates for every child, the one with the smallest dimension gap; of equals the first."""

    variation: Variation
    targets: Sequence[Dimension]
    each: int

    def breed(self, mating: Mating, seed: SeedSequence) -> Forest:
        from gpdr.consistency import gaps

        candidates, child = self.variation.candidates(mating, seed, self.each)
        order = np.lexsort((np.arange(len(child)), gaps(candidates, self.variation.primitives, self.targets), child))
        firsts = np.searchsorted(child[order], np.arange(mating.children))
        return candidates.take(order[firsts])


@dataclass(frozen=True)
class Repair:
    """Makes every tree consistent, with its target dimension: by dimension repair, after mutation where it needs it."""

    variation: Variation
    targets: Sequence[Dimension]
    threads: int = 1
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        from gpdr.consistency import ensure_reachable

        ensure_reachable(self.variation.primitives, self.targets)

    def __call__(self, forest: Forest, seed: SeedSequence, terminal_weights: NDArray[np.float64] | None) -> Forest:
        from gpdr.consistency import repair_forest

        primitives = self.variation.primitives
        for _ in range(_MOST_MUTATIONS):
            for_repair, for_mutation, seed = seed.spawn(3)
            with self.clock("repair"):
                repaired = repair_forest(
                    forest,
                    primitives,
                    self.targets,
                    for_repair,
                    terminal_weights=terminal_weights,
                    threads=self.threads,
                )
            bad = np.flatnonzero(~repaired.feasible.all(axis=1))
            if not len(bad):
                return repaired.forest
            mutants = self.variation.mutated(repaired.forest.take(bad), ~repaired.feasible[bad], for_mutation)
            # The good ones are consistent now, and repair leaves them alone.
            forest = repaired.forest.with_trees_replaced(bad, mutants)
        raise InputError(
            f"repair: a tree had no repair after {_MOST_MUTATIONS:,} mutations, though its target can be reached: "
            f"consistent trees are too rare within depth {self.variation.parameters.deepest}; "
            f"raise the parameters deepest and mutation_depth, or add a terminal of the target's dimension"
        )


@dataclass(frozen=True)
class Repaired:
    """Children of another breeder after repair, new terminals drawn as often as they occur among those that live on."""

    breeder: Breeder
    repair: Repair
    by_frequency: bool = True

    def breed(self, mating: Mating, seed: SeedSequence) -> Forest:
        for_breeding, for_repair = seed.spawn(2)
        children = self.breeder.breed(mating, for_breeding)
        weights = terminal_counts(mating.kept.forest, self.repair.variation.primitives) if self.by_frequency else None
        return self.repair(children, for_repair, weights)


def terminal_counts(forest: Forest, primitives: PrimitiveSet) -> NDArray[np.float64]:
    """How often each primitive occurs, by code; functions count 0."""
    counts = np.bincount(forest.codes, minlength=primitives.literal + 1).astype(np.float64)
    counts[: len(primitives.functions)] = 0.0
    return counts
