"""A report's beginning and end: what was done, the figures that matter, how far from the publication, where from."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from gpdr.study.keys import RESULTS_VERSION
from gpdr.study.report.collectors import Origins
from gpdr.study.report.published import Cells
from gpdr.study.report.results import CLASSICAL, Results
from gpdr.study.report.table import NOTHING, ReportTable
from gpdr.study.statistics import Comparison, Ranking, against_method, corrected
from gpdr.study.status import Status


def introduction(results: Results, where: Status) -> str:
    """What was done, and what is still missing."""
    study = results.study
    seeds = f"seeds {study.first_seed} to {study.first_seed + study.seeds - 1}"
    plan = f"{len(study.problems)} clinics × {len(study.methods)} methods × {study.seeds} runs ({seeds})"
    tests = {problem.definition["test"]["replications"] for problem in study.problems}
    lines = [f"# Study {study.name}", ""]
    if study.description:
        lines += [study.description, ""]
    lines += [
        f"{plan}. Rules are judged on {', '.join(f'{count:,}' for count in sorted(tests))} fresh sessions of their"
        f" clinic, the same for all methods and runs. Results version {where.results_version}.",
        "",
    ]
    runs = len(results.runs)
    expected = len(study.problems) * len(study.methods) * study.seeds
    if runs < expected:
        lines += [f"**Incomplete: {runs:,} of {expected:,} runs are done**, {where.failed:,} failed.", ""]
    if results.processor_seconds:
        lines += [f"All this took {results.processor_seconds / 3600:.1f} hours of one processor core.", ""]
    if where.results_version != RESULTS_VERSION:
        lines += [f"**Outdated: this version of gpdr gives results version {RESULTS_VERSION}.**", ""]
    return "\n".join(lines)


def overview_table(results: Results, ranks: Ranking | None, correction: str) -> ReportTable:
    """One row for each method, averages over the clinics."""
    columns = ("method", "cost", "above optimum, %", "gap", "nodes", "processor seconds", "rank", "+ / = / −", "effect")
    table = ReportTable("overview", "Averages over the clinics", columns)
    comparisons = _all_comparisons(results, correction)
    places = dict(zip(ranks.methods, ranks.ranks, strict=True)) if ranks else {}
    for method in results.methods:
        columns_of = {"cost": "cost", "gap": "gap", "size": "size", "seconds": "processor_seconds"}
        means = {figure: _mean(results, method, column) for figure, column in columns_of.items()}
        above = _mean_above(results, method)
        theirs = {figure: _published_mean(results, getattr(results.published, figure), method) for figure in means}
        digits = {"cost": 3, "gap": 2, "size": 1, "seconds": 2}
        texts = {figure: _beside(means[figure], theirs[figure], digits[figure]) for figure in means}
        against = comparisons.get(method, [])
        marks = [comparison.mark for comparison in against]
        counts = " / ".join(str(marks.count(mark)) for mark in ("+", "=", "-")) if marks else NOTHING
        effect = float(np.mean([comparison.effect for comparison in against])) if against else math.nan
        table.rows.append(
            [method, texts["cost"], _text(above, 2), texts["gap"], texts["size"], texts["seconds"],
             _text(places.get(method, math.nan), 2), counts, _text(effect, 2)]
        )  # fmt: skip
        table.records.append(
            {"method": method, **means, **{f"published_{name}": value for name, value in theirs.items()},
             "above_optimum_percent": above, "rank": places.get(method),
             "better": marks.count("+"), "equal": marks.count("="), "worse": marks.count("-")}
        )  # fmt: skip
    friedman = f" Ranks differ by Friedman's test with p = {ranks.friedman_p:.2g};" if ranks else ""
    critical = f" two differ by Nemenyi's if {ranks.critical:.2f} apart." if ranks else ""
    table.notes = [
        f"[Brackets]: the publication. + / = / −: clinics on which {results.subject} is cheaper, neither, dearer than"
        " the method (Wilcoxon signed-rank, 5 % level); effect: mean rank-biserial correlation, -1 if"
        f" {results.subject} is always cheaper.{friedman}{critical}"
    ]
    return table


def distance_table(results: Results) -> ReportTable:
    """How far our costs are from the published ones."""
    columns = ("", "clinics", "mean difference, %", "root mean square, %", "largest, %", "at")
    table = ReportTable("publication_distance", "Costs here and in the publication", columns)
    for column in (*CLASSICAL, *results.methods):
        pairs = dict(_cost_pairs(results, column))
        if not pairs:
            continue
        percent = {problem: 100.0 * (ours / theirs - 1.0) for problem, (ours, theirs) in pairs.items()}
        values = np.array(list(percent.values()))
        widest = max(percent, key=lambda problem: abs(percent[problem]))
        rms = float(np.sqrt(np.mean(values**2)))
        table.rows.append(
            [column, str(values.size), f"{values.mean():+.2f}", f"{rms:.2f}", f"{percent[widest]:+.2f}", widest]
        )
        table.records.append(
            {"column": column, "clinics": values.size, "mean_percent": float(values.mean()),
             "root_mean_square_percent": rms, "largest_percent": percent[widest], "largest_at": widest}
        )  # fmt: skip
    table.notes = ["Above 0: dearer here than published."]
    return table


def origins_table(origins: Origins) -> ReportTable:
    """Versions, commits and machines."""
    columns = (*Origins.names, "runs", "processor hours")
    table = ReportTable("origins", "Versions and machines of the runs", columns)
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


def _cost_pairs(results: Results, column: str) -> Iterator[tuple[str, tuple[float, float]]]:
    """By clinic, our cost and the published one."""
    classical = column in CLASSICAL
    cells = results.published.classical if classical else results.published.cost
    for problem in results.problems:
        key = results.published_key(problem)
        if key is None or (key, column) not in cells:
            continue
        ours = results.reference_cost(problem, column) if classical else results.figures(problem, column, "cost").mean()
        if ours is not None and math.isfinite(ours):
            yield problem, (ours, cells[key, column].mean)


def _mean(results: Results, method: str, figure: str) -> float:
    """Over the clinics that have runs, each clinic's mean counting once."""
    means = [results.figures(problem, method, figure).mean() for problem in results.problems]
    known = [mean for mean in means if math.isfinite(mean)]
    return float(np.mean(known)) if known else math.nan


def _mean_above(results: Results, method: str) -> float:
    above = [
        100.0 * (results.figures(problem, method, "cost").mean() / optimum - 1.0)
        for problem in results.problems
        if (optimum := results.reference_cost(problem, "OPTIMUM"))
    ]
    known = [percent for percent in above if math.isfinite(percent)]
    return float(np.mean(known)) if known else math.nan


def _published_mean(results: Results, cells: Cells, method: str) -> float:
    """Of the publication, if it has all of the study's clinics."""
    keys = [results.published_key(problem) for problem in results.problems]
    found = [cells[key, method].mean for key in keys if key is not None and (key, method) in cells]
    return float(np.mean(found)) if len(found) == len(keys) else math.nan


def _beside(ours: float, theirs: float, digits: int) -> str:
    return _text(ours, digits) + ("" if math.isnan(theirs) else f" [{theirs:.{digits}f}]")


def _text(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else NOTHING
