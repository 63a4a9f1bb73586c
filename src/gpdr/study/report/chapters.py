"""What a report consists of: chapters with tables and pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gpdr.study.report import figures, summary, tables
from gpdr.study.report.collectors import BestRules, Convergence, Fronts, Origins, Sample
from gpdr.study.report.domes import DomeShares
from gpdr.study.report.parameters import Parameters
from gpdr.study.report.publication import distance_table
from gpdr.study.report.results import Collector, Results
from gpdr.study.report.rules import best_rules_table, simplification_table
from gpdr.study.report.semantics import Semantics
from gpdr.study.report.table import ReportTable
from gpdr.study.statistics import Ranking, ranking

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Picture:
    """A figure to be drawn."""

    name: str
    caption: str
    draw: Callable[[], Figure | None]


@dataclass(frozen=True)
class Chapter:
    """A part of the page."""

    title: str
    tables: tuple[ReportTable, ...]
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Gathered:
    """All collectors, to be filled by one pass over the documents."""

    best: BestRules = field(default_factory=BestRules)
    curves: Convergence = field(default_factory=Convergence)
    fronts: Fronts = field(default_factory=Fronts)
    domes: DomeShares = field(default_factory=DomeShares)
    semantics: Semantics = field(default_factory=Semantics)
    sample: Sample = field(default_factory=Sample)
    parameters: Parameters = field(default_factory=Parameters)
    origins: Origins = field(default_factory=Origins)

    @property
    def of_methods(self) -> list[Collector]:
        """All that have nothing to do with the references."""
        return [collector for collector in vars(self).values() if collector is not self.origins]


def chapters(results: Results, gathered: Gathered, correction: str) -> list[Chapter]:
    """The report, in the order of the page."""
    ranks = method_ranking(results)
    return [
        Chapter("Overview", (summary.overview_table(results, ranks, correction), distance_table(results))),
        Chapter(
            "Methods",
            (tables.cost_table(results, correction), tables.optimum_table(results)),
            (
                Picture(
                    "ranks",
                    "Average ranks by cost over the clinics; bars join methods that do not differ at the 5 % level.",
                    partial(figures.critical_difference, ranks),
                ),
                Picture(
                    "convergence",
                    "Cost of each generation's best above the optimum, mean over runs and clinics. A generation is"
                    " judged on sessions of its own, the same for all methods: hence the bumps that curves share. On"
                    " them the best of many looks cheaper than it is, so curves may run below the optimum, whose cost"
                    " is that on the test sessions. Dots: what the final rules cost there. Best is meant as each method"
                    " orders its population; MOGP minds the gap too.",
                    partial(figures.convergence, results, gathered.curves),
                ),
            ),
        ),
        Chapter("Classical rules", (tables.classical_table(results, correction),)),
        Chapter(
            "Consistency and size",
            (tables.gap_table(results), tables.size_table(results, correction)),
            (
                Picture(
                    "fronts",
                    "Cheapest rule of at most so many nodes among all runs of a clinic, mean over clinics: final rules,"
                    " and the best of each size that a run ends with. A curve begins where every clinic has a rule.",
                    partial(figures.fronts, results, gathered.fronts),
                ),
            ),
        ),
        Chapter(
            "Run time",
            (tables.seconds_table(results),),
            (
                Picture(
                    "run_times",
                    "Seconds per run by clinic (numbers are the published ones); below, the publication's.",
                    partial(figures.run_times, results),
                ),
            ),
        ),
        Chapter(
            "What the rules mean",
            (
                gathered.domes.table(results),
                gathered.semantics.terminal_table(results),
                gathered.semantics.subexpression_table(results, gathered.sample),
                simplification_table(results, gathered.sample),
                best_rules_table(results, gathered.best),
            ),
            (
                Picture(
                    "intervals",
                    f"Intervals between appointments by the best rule of {results.subject}, on those of the optimum.",
                    partial(figures.intervals, results, gathered.best),
                ),
            ),
        ),
        Chapter(
            "How the runs were made",
            (gathered.parameters.table(results), summary.origins_table(gathered.origins)),
        ),
    ]


def method_ranking(results: Results) -> Ranking | None:
    """Ranks of the methods by mean cost, over the clinics on which all of them have runs."""
    if len(results.methods) < 2:
        return None
    rows = [[results.mean(p, m, "cost") for m in results.methods] for p in results.problems]
    costs = np.array(rows, np.float64)
    costs = costs[np.isfinite(costs).all(axis=1)]
    return ranking(results.methods, costs) if len(costs) else None
