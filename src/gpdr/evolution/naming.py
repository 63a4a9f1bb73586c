"""Which individual is the result: the best of some candidates, or the one nearest to the ideal of a front.

With a tolerance, the best is the smallest of those that are nearly as good: all of them are candidates then.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpdr.evolution.fronts import nearest_to_ideal, non_dominated
from gpdr.evolution.parts import Mating, Scores
from gpdr.evolution.population import Population, alike


@dataclass(frozen=True)
class BestOfPool:
    """The best score among the best few of the last generation."""

    finalists: int
    tolerance: float = 0.0

    def candidates(self, mating: Mating) -> Population:
        return _best(mating.pool, mating.scores, self.finalists, self.tolerance)

    def name(self, candidates: Population, scores: Scores) -> int:
        return _smallest(candidates, scores, self.tolerance)


@dataclass(frozen=True)
class BestOfArchive:
    """The best score among the best few of the archive."""

    finalists: int
    tolerance: float = 0.0

    def candidates(self, mating: Mating) -> Population:
        if not len(mating.kept):
            return _best(mating.pool, mating.scores, self.finalists, self.tolerance)
        members = mating.scores[len(mating.pool) - len(mating.kept) :]  # the archive is the pool's last part
        return _best(mating.kept, members, self.finalists, self.tolerance)

    def name(self, candidates: Population, scores: Scores) -> int:
        return _smallest(candidates, scores, self.tolerance)


@dataclass(frozen=True)
class NearestToIdeal:
    """The member of the front of cost and gap that is nearest to the best of both, axes scaled to the front."""

    def candidates(self, mating: Mating) -> Population:
        judged = mating.pool.take(np.isfinite(mating.pool.costs))
        front = judged.take(non_dominated(judged.costs, judged.gaps))
        return front.take(np.sort(alike(front.behaviour).first))

    def name(self, candidates: Population, scores: Scores) -> int:
        judged = np.flatnonzero(np.isfinite(scores)) if np.isfinite(scores).any() else np.arange(len(scores))
        return int(judged[nearest_to_ideal(scores[judged], candidates.gaps[judged])])


def _best(population: Population, scores: Scores, count: int, tolerance: float) -> Population:
    """The best few that differ in behaviour; of those that behave the same the best, then the smallest."""
    order = np.lexsort((population.sizes, scores))
    first = order[np.sort(alike(population.behaviour[order]).first)]
    return population.take(first[: max(count, np.count_nonzero(_nearly_best(scores[first], tolerance)))])


def _smallest(candidates: Population, scores: Scores, tolerance: float) -> int:
    """Of the nearly best the smallest, of these the best."""
    order = np.lexsort((scores, candidates.sizes))
    return int(order[np.argmax(_nearly_best(scores[order], tolerance))])


def _nearly_best(scores: Scores, tolerance: float) -> NDArray[np.bool_]:
    best = np.min(scores)
    return scores <= (best + tolerance * abs(best) if tolerance else best)
