"""Who lives on and who may mate: elites, an archive, or NSGA-II.

With distinct parents, of individuals that behave alike only the smallest may mate.
"""

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
    distinct_parents: bool = False

    def select(self, judged: Population, kept: int, scores: Scores) -> Mating:
        best = judged.take(np.argsort(scores, kind="stable")[: self.elites])
        everyone = np.arange(len(judged))
        pool = smallest_of_each(judged, everyone) if self.distinct_parents else everyone
        return Mating(judged.take(pool), scores[pool], best, self.population - self.elites)


@dataclass(frozen=True)
class Archive:
    """The archive lives on: who is not dominated on score and size. Its members mate with the population."""

    population: int
    distinct_parents: bool = False

    def select(self, judged: Population, kept: int, scores: Scores) -> Mating:
        children, members = np.split(np.arange(len(judged)), [len(judged) - kept])
        admitted = archived(judged, scores, np.concatenate([members, children]))
        pool = np.concatenate([children, admitted])
        if self.distinct_parents:
            others = np.setdiff1d(smallest_of_each(judged, np.concatenate([admitted, children])), admitted)
            pool = np.concatenate([others, admitted])
        return Mating(judged.take(pool), scores[pool], judged.take(admitted), self.population)


def archived(judged: Population, scores: Scores, order: Rows) -> Rows:
    """The individuals that make up the archive: of those of equal behaviour the smallest (of these the first in
    `order`), and of what remains whoever nobody dominates on score and size. What could not be judged stays out."""
    candidates = smallest_of_each(judged, order[np.isfinite(scores[order])])
    if not len(candidates):
        return candidates
    return candidates[non_dominated(scores[candidates], judged.sizes[candidates].astype(np.float64))]


def smallest_of_each(judged: Population, candidates: Rows) -> Rows:
    """Of candidates that behave alike the smallest, of these the first."""
    by_size = candidates[np.argsort(judged.sizes[candidates], kind="stable")]
    first = alike(judged.behaviour[by_size]).first
    return by_size[np.sort(first)]


@dataclass(frozen=True)
class NonDominatedSorting:
    """NSGA-II on cost and gap: the best half of parents and children lives on, by front, then by crowding."""

    population: int
    distinct_parents: bool = False

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
        pool = np.sort(smallest_of_each(survivors, np.arange(len(best)))) if self.distinct_parents else slice(None)
        return Mating(survivors.take(np.arange(len(best))[pool]), place[pool], survivors, self.population)


def _places(fronts: Rows, spread: Scores) -> Scores:
    """0, 1, … in the order given, equal for equals."""
    new = (np.diff(fronts) != 0) | (spread[1:] != spread[:-1])
    return np.concatenate([[0.0], np.cumsum(new)])
