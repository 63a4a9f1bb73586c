"""Which individual is the result: the best of some candidates, or the one nearest to the ideal of a front."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpdr.evolution.fronts import nearest_to_ideal, non_dominated
from gpdr.evolution.parts import Mating, Scores
from gpdr.evolution.population import Population, alike


@dataclass(frozen=True)
class BestOfPool:
    """The best score among the best few of the last generation."""

    finalists: int

    def candidates(self, mating: Mating) -> Population:
        return _best(mating.pool, mating.scores, self.finalists)

    def name(self, candidates: Population, scores: Scores) -> int:
        return int(np.argmin(scores))


@dataclass(frozen=True)
class BestOfArchive:
    """The best score among the best few of the archive."""

    finalists: int

    def candidates(self, mating: Mating) -> Population:
        if not len(mating.kept):
            return _best(mating.pool, mating.scores, self.finalists)
        members = mating.scores[len(mating.pool) - len(mating.kept) :]  # the archive is the pool's last part
        return _best(mating.kept, members, self.finalists)

    def name(self, candidates: Population, scores: Scores) -> int:
        return int(np.argmin(scores))


@dataclass(frozen=True)
class NearestToIdeal:
    """The member of the front of cost and gap that is nearest to the best of both, axes scaled to the front."""

    def candidates(self, mating: Mating) -> Population:
        front = mating.pool.take(non_dominated(mating.pool.costs, mating.pool.gaps))
        return front.take(np.sort(alike(front.behaviour).first))

    def name(self, candidates: Population, scores: Scores) -> int:
        return nearest_to_ideal(scores, candidates.gaps)


def _best(population: Population, scores: Scores, count: int) -> Population:
    """The best few that differ in behaviour; of those that behave the same the best, then the smallest."""
    order = np.lexsort((population.sizes, scores))
    first = alike(population.behaviour[order]).first
    return population.take(order[np.sort(first)[:count]])
