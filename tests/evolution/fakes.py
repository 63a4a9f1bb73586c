"""A problem without chance or compiler, and shorthands for populations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from gpdr.dimensions import Dimension
from gpdr.evolution.population import Population
from gpdr.expressions import Forest, PrimitiveSet, parse
from gpdr.expressions.appointment import APPOINTMENT

NUMBER, MINUTES = APPOINTMENT.units.dimension("1"), APPOINTMENT.units.dimension("min")


def forest(*texts: str) -> Forest:
    """Individuals of one tree each."""
    return Forest.of([[parse(text, APPOINTMENT)] for text in texts], trees=1)


def population(
    texts: Sequence[str],
    costs: Sequence[float],
    behaviour: Sequence[float] | None = None,
    gaps: Sequence[float] | None = None,
) -> Population:
    """Individuals of one tree each; all behave differently unless told otherwise."""
    told = np.arange(len(texts), dtype=float) if behaviour is None else np.array(behaviour, float)
    zeros = np.zeros(len(texts))
    return Population(
        forest(*texts), zeros if gaps is None else np.array(gaps, float), told[:, None], np.array(costs, float)
    )


@dataclass
class FakeTrial:
    """Costs by behaviour; what was asked is written down."""

    offset: float
    asked: list[list[float]]
    reference_cost: float = 2.0

    def costs(self, forest: Forest, behaviour: NDArray[np.float64]) -> NDArray[np.float64]:
        self.asked.append(sorted(behaviour[:, 0].tolist()))
        assert len(forest) == len(behaviour)
        return behaviour[:, 0] + self.offset


@dataclass
class FakeProblem:
    """An individual of one tree behaves as its number of nodes, and costs that much."""

    primitives: PrimitiveSet = APPOINTMENT
    targets: tuple[Dimension, ...] = (NUMBER,)
    asked: list[list[float]] = field(default_factory=list)
    efforts: list[int] = field(default_factory=list)
    offset: float = 0.0

    def behaviour(self, forest: Forest) -> NDArray[np.float64]:
        return forest.sizes[:, None].astype(np.float64)

    def draw(self, seed: SeedSequence, effort: int = 1) -> FakeTrial:
        self.efforts.append(effort)
        return FakeTrial(self.offset, self.asked)
