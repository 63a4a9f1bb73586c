"""What a method is made of: the parts' protocols, and the method that holds one of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from gpdr.evolution.clock import Clock
from gpdr.evolution.grammar import Grammar
from gpdr.evolution.population import Population
from gpdr.evolution.problem import Trial
from gpdr.expressions.forest import Forest

Scores = NDArray[np.float64]  # (individuals,), lower is better


@dataclass(frozen=True, eq=False)
class Mating:
    """What one generation leaves to the next."""

    pool: Population  # parents are drawn from these
    scores: Scores  # of the pool: tournaments are won by the lowest
    kept: Population  # these live on and are judged again beside the children
    children: int  # how many children to make


class Generator(Protocol):
    """Makes the first individuals."""

    def generate(self, individuals: int, seed: SeedSequence) -> Forest: ...


class Fitness(Protocol):
    """Turns costs and gaps into the one number by which individuals are compared."""

    def adapt(self, judged: Population, trial: Trial) -> None:
        """Learn from a generation before it is scored."""

    def scores(self, judged: Population, trial: Trial) -> Scores: ...

    def state(self) -> dict[str, float]:
        """What adapts during a run, by name, for its history."""


class Survival(Protocol):
    """Decides after each generation who lives on and who may mate."""

    def select(self, judged: Population, kept: int, scores: Scores) -> Mating:
        """The last `kept` of `judged` are those that lived on from earlier generations."""


class Breeder(Protocol):
    """Makes children."""

    def breed(self, mating: Mating, seed: SeedSequence) -> Forest: ...


class Naming(Protocol):
    """Chooses at the end the one individual that is the result."""

    def candidates(self, mating: Mating) -> Population:
        """Those worth a closer look."""

    def name(self, candidates: Population, scores: Scores) -> int:
        """The one of the candidates, judged once more, that is the result."""


@dataclass(frozen=True)
class Method:
    """One of each part; a run needs a method of its own, because parts may adapt."""

    name: str
    generator: Generator
    fitness: Fitness
    survival: Survival
    breeder: Breeder
    naming: Naming
    clock: Clock = field(default_factory=Clock)
    consistent: bool = False  # every individual is promised to have gap 0
    grammar: Grammar | None = None  # every node is promised to have a type of this grammar, every root its own
    rejudge_kept: bool = True  # those that live on are judged on every generation's draws
