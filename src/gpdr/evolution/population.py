"""A population as a struct of arrays: forest, size, gap, behaviour and cost of many individuals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpdr.evolution.problem import Behaviour, Costs, Problem
from gpdr.expressions.forest import Forest, concatenate

Rows = NDArray[np.integer] | NDArray[np.bool_] | Sequence[int]


@dataclass(frozen=True, eq=False)
class Population:
    """Individuals, and what is known of each."""

    forest: Forest
    gaps: NDArray[np.float64]
    behaviour: Behaviour
    costs: Costs  # on the draws they were last judged on; nan before that

    def __len__(self) -> int:
        return len(self.forest)

    @property
    def sizes(self) -> NDArray[np.int64]:
        return self.forest.sizes

    def take(self, rows: Rows) -> Population:
        """These individuals, in this order."""
        chosen = np.flatnonzero(rows) if np.asarray(rows).dtype == bool else np.asarray(rows, np.int64)
        return Population(self.forest.take(chosen), self.gaps[chosen], self.behaviour[chosen], self.costs[chosen])

    def with_costs(self, costs: Costs) -> Population:
        return replace(self, costs=costs)


def described(forest: Forest, problem: Problem) -> Population:
    """New individuals with all that can be said before they are judged."""
    from gpdr.consistency import gaps

    return Population(
        forest=forest,
        gaps=gaps(forest, problem.primitives, problem.targets),
        behaviour=problem.behaviour(forest),
        costs=np.full(len(forest), np.nan),
    )


def joined(populations: Sequence[Population]) -> Population:
    """All individuals, in order."""
    if len(populations) == 1:
        return populations[0]
    return Population(
        forest=concatenate([p.forest for p in populations]),
        gaps=np.concatenate([p.gaps for p in populations]),
        behaviour=np.concatenate([p.behaviour for p in populations]),
        costs=np.concatenate([p.costs for p in populations]),
    )


@dataclass(frozen=True, eq=False)
class Groups:
    """Which individuals behave the same."""

    first: NDArray[np.int64]  # the first individual of each group
    group: NDArray[np.int64]  # the group of each individual


def alike(behaviour: Behaviour) -> Groups:
    """Group individuals of equal behaviour; every kind of not-a-number equals itself, and -0 equals 0."""
    rows = np.ascontiguousarray(behaviour) + 0.0
    if rows.shape[1] == 0:
        return Groups(np.zeros(min(1, len(rows)), np.int64), np.zeros(len(rows), np.int64))
    rows[np.isnan(rows)] = np.nan
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    return Groups(first.astype(np.int64), group.ravel().astype(np.int64))
