"""The figures that matter in one table, and where the runs come from."""

from __future__ import annotations

import math

import numpy as np

from gpdr.study.report.collectors import Origins
from gpdr.study.report.published import Cells
from gpdr.study.report.results import Results
from gpdr.study.report.table import NOTHING, ReportTable
from gpdr.study.report.tables import TOO_FEW_RUNS, correction_note
from gpdr.study.statistics import LEVEL, Comparison, Ranking, against_method, can_differ, corrected


def overview_table(results: Results, ranks: Ranking | None, correction: str) -> ReportTable:
    """One row for each method, averages over the clinics."""
    columns = ("method", "cost", "above optimum, %", "gap", "nodes", "processor seconds", "rank", "+ / = / −", "effect")
    table = ReportTable("overview", "Averages over the clinics", columns)
    comparisons = _all_comparisons(results, correction)
    places = dict(zip(ranks.methods, ranks.ranks, strict=True)) if ranks else {}
    told = can_differ([comparison.samples for found in comparisons.values() for comparison in found], correction)
    for method in results.methods:
        columns_of = {"cost": "cost", "gap": "gap", "size": "size", "seconds": "processor_seconds"}
        means = {figure: _mean(results, method, column) for figure, column in columns_of.items()}
        above = _mean_above(results, method)
        theirs = {figure: _published_mean(results, getattr(results.published, figure), method) for figure in means}
        digits = {"cost": 3, "gap": 2, "size": 1, "seconds": 2}
        texts = {figure: _beside(means[figure], theirs[figure], digits[figure]) for figure in means}
        against = comparisons.get(method, [])
        marks = [comparison.mark for comparison in against]
        counts = " / ".join(str(marks.count(mark)) for mark in ("+", "=", "-")) if marks and told else NOTHING
        effect = float(np.mean([comparison.effect for comparison in against])) if against else math.nan
        table.rows.append(
            [method, texts["cost"], _text(above, 2), texts["gap"], texts["size"], texts["seconds"],
             _text(places.get(method, math.nan), 2), counts, _text(effect, 2)]
        )  # fmt: skip
        table.records.append(
            {"method": method, **means, **{f"published_{name}": value for name, value in theirs.items()},
             "above_optimum_percent": above, "rank": places.get(method),
             "better": marks.count("+"), "equal": marks.count("="), "worse": marks.count("-"),
             "effect": effect if math.isfinite(effect) else None}
        )  # fmt: skip
    table.notes = [
        "[Brackets]: the publication; its seconds are those of eight threads. Rank: by cost, averaged over the clinics."
        f" + / = / −: clinics on which {results.subject} is cheaper, neither, dearer than"
        f" the method (Wilcoxon signed-rank, 5 % level{correction_note(correction)}); effect: mean rank-biserial"
        f" correlation, −1 if {results.subject} is always cheaper.{'' if told else TOO_FEW_RUNS}{_about_ranks(ranks)}"
    ]
    return table


def _about_ranks(ranks: Ranking | None) -> str:
    """Whether ranks differ at all, and from where on two do."""
    if ranks is None:
        return ""
    p = ranks.friedman_p
    verdict = "Ranks differ" if p < LEVEL else "No difference of ranks is shown"
    friedman = f" {verdict} (Friedman's test, p = {p:.2g})." if math.isfinite(p) else ""
    return f"{friedman} Two methods differ in rank by Nemenyi's test if they are {ranks.critical:.2f} apart."


def origins_table(origins: Origins) -> ReportTable:
    """Versions, commits and machines."""
    columns = (*Origins.names, "runs", "processor hours")
    table = ReportTable("origins", "Versions and machines of the runs", columns, words=Origins.names)
    for origin, runs, seconds in origins:
        table.rows.append([*origin, f"{runs:,}", f"{seconds / 3600:.2f}"])
        named = dict(zip(Origins.names, origin, strict=True))
        table.records.append({**named, "runs": runs, "processor_seconds": seconds})
    return table


def _all_comparisons(results: Results, correction: str) -> dict[str, list[Comparison]]:
    """By method, the subject against it on each clinic; corrected as in the table of costs."""
    owners: list[str] = []
    comparisons: list[Comparison] = []
    for problem in results.problems:
        for method in results.others:
            ours, theirs = results.paired(problem, method, "cost")
            if len(ours):
                owners.append(method)
                comparisons.append(against_method(ours, theirs))
    by_method: dict[str, list[Comparison]] = {}
    for owner, comparison in zip(owners, corrected(comparisons, correction), strict=True):
        by_method.setdefault(owner, []).append(comparison)
    return by_method


def _mean(results: Results, method: str, figure: str) -> float:
    """Over the clinics that have runs, each clinic's mean counting once."""
    means = [results.mean(problem, method, figure) for problem in results.problems]
    known = [mean for mean in means if math.isfinite(mean)]
    return float(np.mean(known)) if known else math.nan


def _mean_above(results: Results, method: str) -> float:
    above = [
        100.0 * (results.mean(problem, method, "cost") / optimum - 1.0)
        for problem in results.problems
        if (optimum := results.reference_cost(problem, "OPTIMUM"))
    ]
    known = [percent for percent in above if math.isfinite(percent)]
    return float(np.mean(known)) if known else math.nan


def _published_mean(results: Results, cells: Cells, method: str) -> float:
    """Of the publication, over the clinics on which the method has runs, if it has all of them."""
    done = [problem for problem in results.problems if len(results.figures(problem, method, "cost"))]
    keys = [results.published_key(problem) for problem in done]
    found = [cells[key, method].mean for key in keys if key is not None and (key, method) in cells]
    return float(np.mean(found)) if found and len(found) == len(keys) else math.nan


def _beside(ours: float, theirs: float, digits: int) -> str:
    return _text(ours, digits) + ("" if math.isnan(theirs) else f" [{theirs:.{digits}f}]")


def _text(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else NOTHING
