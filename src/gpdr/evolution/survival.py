"""Who lives on and who may mate: elites, an archive, or NSGA-II."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpdr.evolution.fitness import comparable
from gpdr.evolution.fronts import crowding, front_numbers, non_dominated
from gpdr.evolution.parts import Mating, Scores
from gpdr.evolution.population import Population, alike

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Elites:
    """The best few live on; everybody may mate."""

    population: int
    elites: int

    def select(self, judged: Population, kept: int, scores: Scores) -> Mating:
        best = np.argsort(scores, kind="stable")[: self.elites]
        return Mating(judged, scores, judged.take(best), self.population - self.elites)


@dataclass(frozen=True)
class Archive:
    """The archive lives on: who is not dominated on score and size. Its members mate with the population."""

    population: int

    def select(self, judged: Population, kept: int, scores: Scores) -> Mating:
        children, members = np.split(np.arange(len(judged)), [len(judged) - kept])
        admitted = archived(judged, scores, np.concatenate([members, children]))
        pool = np.concatenate([children, admitted])
        return Mating(judged.take(pool), scores[pool], judged.take(admitted), self.population)


def archived(judged: Population, scores: Scores, order: Rows) -> Rows:
    """The individuals that make up the archive: of those of equal behaviour the smallest (of these the first in
    `order`), and of what remains whoever nobody dominates on score and size. What could not be judged stays out."""
    sizes = judged.sizes
    group = alike(judged.behaviour).group
    candidates = order[np.isfinite(scores[order])]
    candidates = candidates[np.argsort(sizes[candidates], kind="stable")]
    _, first = np.unique(group[candidates], return_index=True)
    candidates = candidates[np.sort(first)]
    if not len(candidates):
        return candidates
    return candidates[non_dominated(scores[candidates], sizes[candidates].astype(np.float64))]


@dataclass(frozen=True)
class NonDominatedSorting:
    """NSGA-II on cost and gap: the best half of parents and children lives on, by front, then by crowding."""

    population: int

    def select(self, judged: Population, kept: int, scores: Scores) -> Mating:
        costs = comparable(judged.costs)
        fronts = front_numbers(costs, judged.gaps)
        spread = np.empty(len(judged))
        for front in range(fronts.max() + 1):
            members = np.flatnonzero(fronts == front)
            spread[members] = crowding(costs[members], judged.gaps[members])
        best = np.lexsort((-spread, fronts))[: self.population]
        # Places in this order are the scores: tournaments then compare fronts, and within a front crowding.
        place = _places(fronts[best], spread[best])
        survivors = judged.take(best)
        return Mating(survivors, place, survivors, self.population)


def _places(fronts: Rows, spread: Scores) -> Scores:
    """0, 1, … in the order given, equal for equals."""
    new = (np.diff(fronts) != 0) | (spread[1:] != spread[:-1])
    return np.concatenate([[0.0], np.cumsum(new)])
