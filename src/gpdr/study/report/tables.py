"""The tables of a report. Figures in [brackets] are the publication's."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gpdr.study.keys import Json
from gpdr.study.report.published import Cells, PublishedCell
from gpdr.study.report.results import CLASSICAL, Results
from gpdr.study.report.table import NOTHING, ReportTable
from gpdr.study.statistics import Comparison, against_method, against_value, can_differ, corrected

TOO_FEW_RUNS = " There are too few runs for the test to tell methods apart, however different they are."

_HEADINGS = ("clinic", "P, M, CV, PN, PW")


@dataclass(frozen=True)
class CellFigures:
    """A method or rule on a clinic: our figures, the published one, and how the subject compares."""

    problem: str
    column: str
    mean: float
    sd: float = math.nan
    runs: int = 0
    published: PublishedCell | None = None
    comparison: Comparison | None = None

    def text(self, digits: int, with_sd: bool = True) -> str:
        if math.isnan(self.mean):
            return NOTHING
        ours = f"{self.mean:.{digits}f}"
        if with_sd and not math.isnan(self.sd):
            ours += f" ± {self.sd:.{digits}f}"
        if self.comparison is not None:
            ours += f" {_sign(self.comparison.mark)}"
        if self.published is None:
            return ours
        theirs = f"{self.published.mean:.{digits}f}"
        return f"{ours} [{theirs}{' ' + _sign(self.published.mark) if self.published.mark else ''}]"

    def record(self) -> Json:
        published, comparison = self.published, self.comparison
        return {
            "clinic": self.problem,
            "column": self.column,
            "mean": _plain(self.mean),
            "sd": _plain(self.sd),
            "runs": self.runs or None,
            "published_mean": published.mean if published else None,
            "published_sd": published.sd if published else None,
            "published_mark": published.mark if published else None,
            "difference": comparison.difference if comparison else None,
            "p": comparison.p if comparison else None,
            "effect": _plain(comparison.effect) if comparison else None,
            "mark": comparison.mark if comparison else None,
        }


def classical_table(results: Results, correction: str) -> ReportTable:
    """The subject against the classical rules and the optimum, by one-sample t tests."""
    subject = results.subject
    rules = (*CLASSICAL, "UNIVERSAL")
    cells: list[CellFigures] = []
    for problem in results.problems:
        ours = results.figures(problem, subject, "cost")
        for rule in rules:
            cost = results.reference_cost(problem, rule)
            comparison = against_value(ours, cost) if cost is not None and len(ours) else None
            published = _published(results, results.published.classical, problem, rule)
            cells.append(CellFigures(problem, rule, _number(cost), published=published, comparison=comparison))
        cells.append(_cell(results, problem, subject, "cost", results.published.cost))
        cells.append(CellFigures(problem, "OPTIMUM", _number(results.reference_cost(problem, "OPTIMUM"))))
    table = _table(
        results, "classical_rules", f"Total cost of the classical rules and of {subject}",
        (*rules, subject, "OPTIMUM"), _correct(cells, correction), digits=3,
    )  # fmt: skip
    table.notes = [
        f"+ {subject} is better than the rule, − worse, = neither (one-sample t test of {subject}'s runs, 5 % level"
        f"{correction_note(correction)}). [Brackets]: the publication. All rules of a clinic are judged on the same"
        " fresh sessions. UNIVERSAL, the strongest hand-made rule known, is not in the publication; its factor is"
        " tuned for each clinic.",
    ]
    return table


def cost_table(results: Results, correction: str) -> ReportTable:
    """Methods by cost."""
    table = _methods_table(
        results, "methods_cost", "Total cost of the methods", "cost", results.published.cost, correction, digits=3
    )
    table.notes = [_paired_note(results, correction, "cheaper", "cost")]
    return table


def gap_table(results: Results) -> ReportTable:
    """Methods by dimension gap."""
    cells = [
        _cell(results, problem, method, "gap", results.published.gap)
        for problem in results.problems
        for method in results.methods
    ]
    table = _table(results, "methods_gap", "Dimension gap of the methods", results.methods, cells, 2, with_sd=False)
    table.notes = ["Means over runs; 0 is consistent. [Brackets]: the publication."]
    return table


def size_table(results: Results, correction: str) -> ReportTable:
    """Methods by nodes of the rule."""
    table = _methods_table(
        results, "methods_size", "Nodes of the rules", "size", results.published.size, correction, digits=1
    )
    table.notes = [_paired_note(results, correction, "smaller", "size")]
    return table


def seconds_table(results: Results) -> ReportTable:
    """Methods by time."""
    cells = [
        _cell(results, problem, method, "processor_seconds", results.published.seconds)
        for problem in results.problems
        for method in results.methods
    ]
    title = "Processor seconds per run"
    table = _table(results, "run_times", title, results.methods, cells, 2, with_sd=False)
    table.notes = [
        "A run has one thread. [Brackets]: the publication, seconds with eight threads of an i7-10700.",
    ]
    return table


def optimum_table(results: Results) -> ReportTable:
    """How far above the optimum everything is."""
    columns = (*results.methods, "best classical", "UNIVERSAL")
    cells = []
    for problem in results.problems:
        optimum = _number(results.reference_cost(problem, "OPTIMUM"))
        for method in results.methods:
            costs = results.figures(problem, method, "cost").to_numpy(np.float64)
            above = 100.0 * (costs / optimum - 1.0)
            cells.append(_of_sample(problem, method, above))
        classical = [results.reference_cost(problem, rule) for rule in CLASSICAL]
        best = min((cost for cost in classical if cost is not None), default=math.nan)
        cells.append(CellFigures(problem, "best classical", 100.0 * (best / optimum - 1.0)))
        universal = _number(results.reference_cost(problem, "UNIVERSAL"))
        cells.append(CellFigures(problem, "UNIVERSAL", 100.0 * (universal / optimum - 1.0)))
    table = _table(results, "above_optimum", "Percent above the optimum", columns, cells, 2)
    table.notes = ["Mean ± standard deviation over runs. The optimum is the best timetable found for the clinic."]
    return table


def _methods_table(
    results: Results, name: str, title: str, figure: str, published: Cells, correction: str, digits: int
) -> ReportTable:
    """Every method on every clinic, each but the subject compared with it."""
    cells = []
    for problem in results.problems:
        for method in results.methods:
            cell = _cell(results, problem, method, figure, published)
            if method != results.subject:
                ours, theirs = results.paired(problem, method, figure)
                comparison = against_method(ours, theirs) if len(ours) else None
                cell = _compared(cell, comparison)
            cells.append(cell)
    return _table(results, name, title, results.methods, _correct(cells, correction), digits)


def _cell(results: Results, problem: str, method: str, figure: str, published: Cells) -> CellFigures:
    cell = _of_sample(problem, method, results.figures(problem, method, figure).to_numpy(np.float64))
    beside = _published(results, published, problem, method)
    return CellFigures(problem, method, cell.mean, cell.sd, cell.runs, beside)


def _of_sample(problem: str, column: str, sample: np.ndarray[tuple[int], np.dtype[np.float64]]) -> CellFigures:
    mean = float(sample.mean()) if sample.size else math.nan
    sd = float(sample.std(ddof=1)) if sample.size > 1 else math.nan
    return CellFigures(problem, column, mean, sd, sample.size)


def _compared(cell: CellFigures, comparison: Comparison | None) -> CellFigures:
    return CellFigures(cell.problem, cell.column, cell.mean, cell.sd, cell.runs, cell.published, comparison)


def _correct(cells: Sequence[CellFigures], correction: str) -> list[CellFigures]:
    """The table's comparisons as one family."""
    adjusted = iter(corrected([cell.comparison for cell in cells if cell.comparison is not None], correction))
    return [cell if cell.comparison is None else _compared(cell, next(adjusted)) for cell in cells]


def _published(results: Results, cells: Cells, problem: str, column: str) -> PublishedCell | None:
    key = results.published_key(problem)
    return cells.get((key, column)) if key else None


def _table(
    results: Results, name: str, title: str, columns: Sequence[str], cells: Sequence[CellFigures], digits: int,
    with_sd: bool = True,
) -> ReportTable:  # fmt: skip
    """Rows of clinics, a last row of averages, and how often the subject is better, equal and worse."""
    table = ReportTable(name, title, (*_HEADINGS, *columns), records=[cell.record() for cell in cells])
    by_place = {(cell.problem, cell.column): cell for cell in cells}
    for problem in results.problems:
        texts = [by_place[problem, column].text(digits, with_sd) for column in columns]
        table.rows.append([problem, _description(results.clinics[problem]), *texts])
    in_column: dict[str, list[CellFigures]] = {column: [c for c in cells if c.column == column] for column in columns}
    table.rows.append(["average", "", *(_average(in_column[column], digits) for column in columns)])
    if any(cell.comparison for cell in cells):
        counts = [_marks(in_column[column], lambda c: c.comparison.mark if c.comparison else "") for column in columns]
        table.rows.append(["+ / = / −", "", *counts])
        theirs = [_marks(in_column[column], lambda c: c.published.mark if c.published else "") for column in columns]
        if any(count != NOTHING for count in theirs):
            table.rows.append(["[+ / = / −]", "", *theirs])
    return table


def _average(cells: Sequence[CellFigures], digits: int) -> str:
    """Over the clinics that have a figure; the publication's only where it has all of them."""
    known = [cell for cell in cells if not math.isnan(cell.mean)]
    if not known:
        return NOTHING
    text = f"{np.mean([cell.mean for cell in known]):.{digits}f}"
    published = [cell.published.mean for cell in known if cell.published is not None]
    return f"{text} [{np.mean(published):.{digits}f}]" if len(published) == len(known) else text


def _marks(cells: Sequence[CellFigures], mark_of: Callable[[CellFigures], str]) -> str:
    marks = [mark_of(cell) for cell in cells]
    return " / ".join(str(marks.count(mark)) for mark in "+=-") if any(marks) else NOTHING


def _description(clinic: Json) -> str:
    return ", ".join(f"{clinic[name]:g}" for name in ("patients", "mean_service", "cv", "no_show", "walk_in"))


def _paired_note(results: Results, correction: str, better: str, figure: str) -> str:
    pairs = [len(results.paired(p, method, figure)[0]) for p in results.problems for method in results.others]
    too_few = "" if can_differ([count for count in pairs if count], correction) else TOO_FEW_RUNS
    return (
        f"Mean ± standard deviation over runs. + {results.subject} is {better} than the method, − the contrary, ="
        f" neither (Wilcoxon signed-rank test, paired by seed, 5 % level{correction_note(correction)}).{too_few}"
        " [Brackets]: the publication."
    )


def correction_note(correction: str) -> str:
    return "" if correction == "none" else ", p values of the table corrected by Holm's method"


def _sign(mark: str) -> str:
    return mark.replace("-", "−")


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _plain(value: float) -> float | None:
    """CSV has no word for what is not a number."""
    return value if math.isfinite(value) else None
