"""Is the difference real, and how large is it: tests, effect sizes, ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

LEVEL = 0.05
CORRECTIONS = ("none", "holm")
Mark = Literal["+", "=", "-"]


@dataclass(frozen=True)
class Comparison:
    """Ours against theirs, lower being better: difference and effect are below 0 where ours is lower."""

    difference: float
    p: float
    effect: float
    samples: int

    @property
    def mark(self) -> Mark:
        """+ ours is better, - ours is worse, = no difference at the 5 % level."""
        if not self.p < LEVEL:
            return "="
        return "+" if self.effect < 0.0 else "-"


def against_value(ours: ArrayLike, value: float) -> Comparison:
    """One-sample t test of our figures against a figure that is known; the effect is Cohen's d."""
    sample = np.asarray(ours, np.float64)
    difference = float(sample.mean()) - value
    spread = float(sample.std(ddof=1)) if sample.size > 1 else 0.0
    if sample.size < 2 or difference == 0.0:
        return Comparison(difference, 1.0, 0.0, sample.size)
    if spread == 0.0:  # all alike, so any difference is certain
        return Comparison(difference, 0.0, math.copysign(math.inf, difference), sample.size)
    return Comparison(difference, float(stats.ttest_1samp(sample, value).pvalue), difference / spread, sample.size)


def against_method(ours: ArrayLike, theirs: ArrayLike) -> Comparison:
    """Wilcoxon signed-rank test of figures paired by seed; the effect is the rank-biserial correlation."""
    differences = np.asarray(ours, np.float64) - np.asarray(theirs, np.float64)
    unequal = differences[differences != 0.0]
    if unequal.size == 0:
        return Comparison(0.0, 1.0, 0.0, differences.size)
    ranks = stats.rankdata(np.abs(unequal))
    effect = float(np.sum(np.sign(unequal) * ranks) / ranks.sum())
    return Comparison(float(differences.mean()), float(stats.wilcoxon(unequal).pvalue), effect, differences.size)


def can_differ(pairs: Sequence[int], correction: str) -> bool:
    """Whether any signed-rank test of a table, by numbers of pairs, can reach the level: p is 2 / 2^pairs at least."""
    family = 1 if correction == "none" else len(pairs)
    return any(family * 2.0 ** (1 - count) < LEVEL for count in pairs)


def corrected(comparisons: Sequence[Comparison], correction: str) -> list[Comparison]:
    """The comparisons of one table, their p values made larger so that the level holds for all of them together."""
    if correction == "none":
        return list(comparisons)
    p_values = holm([comparison.p for comparison in comparisons])
    return [replace(comparison, p=p) for comparison, p in zip(comparisons, p_values, strict=True)]


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction (1979)."""
    count = len(p_values)
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(count)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate((count - np.arange(count)) * np.asarray(p_values)[order]))
    return [float(p) for p in adjusted]


@dataclass(frozen=True)
class Ranking:
    """Average ranks of methods over problems, 1 being best; two methods differ if their ranks do by `critical`."""

    methods: tuple[str, ...]
    ranks: tuple[float, ...]
    critical: float
    problems: int
    friedman_p: float

    def alike(self) -> list[tuple[str, ...]]:
        """The largest groups of methods, best first, within which no two differ."""
        order = np.argsort(self.ranks, kind="stable")
        ordered = [(self.ranks[k], self.methods[k]) for k in order]
        groups: list[tuple[str, ...]] = []
        for start, (rank, _) in enumerate(ordered):
            group = tuple(name for other, name in ordered[start:] if other - rank < self.critical)
            if len(group) > 1 and not any(set(group) <= set(larger) for larger in groups):
                groups.append(group)
        return groups


def ranking(methods: Sequence[str], costs: NDArray[np.float64]) -> Ranking:
    """Ranks of methods (columns) on problems (rows) by Friedman, the critical difference by Nemenyi (Demšar 2006)."""
    problems, count = costs.shape
    ranks = stats.rankdata(costs, axis=1).mean(axis=0)
    quantile = float(stats.studentized_range.ppf(1.0 - LEVEL, count, np.inf)) / math.sqrt(2.0)
    critical = quantile * math.sqrt(count * (count + 1) / (6.0 * problems))
    friedman = float(stats.friedmanchisquare(*costs.T).pvalue) if count > 2 and problems > 1 else math.nan
    return Ranking(tuple(methods), tuple(float(rank) for rank in ranks), critical, problems, friedman)
