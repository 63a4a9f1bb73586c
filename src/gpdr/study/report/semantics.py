"""What evolved rules mean: the shape of their timetables, and what they are made of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from gpdr.study.keys import Json
from gpdr.study.report.results import Results
from gpdr.study.report.table import NOTHING, ReportTable

# A third counts as longer or shorter than another from this share of the mean interval on.
_CLEARLY = 0.01
_SUBEXPRESSIONS_SHOWN = 25
# How a constant is written, whatever its value.
_CONSTANT = "#"


def is_dome(times: ArrayLike) -> bool:
    """Whether intervals are short at the start, longer in the middle, shorter at the end, by the means of thirds."""
    intervals = np.diff(np.asarray(times, np.float64))
    if intervals.size < 3 or not intervals.any():
        return False
    first, middle, last = (float(third.mean()) for third in np.array_split(intervals, 3))
    clearly = _CLEARLY * float(intervals.mean())
    return middle > first + clearly and middle > last + clearly


class Semantics:
    """Counts over all runs."""

    def __init__(self) -> None:
        self.runs: Counter[str] = Counter()
        self._runs_on: Counter[tuple[str, str]] = Counter()  # by method and problem
        self._domes_on: Counter[tuple[str, str]] = Counter()
        self.terminals: dict[str, Counter[str]] = defaultdict(Counter)
        self.subexpressions: dict[str, Counter[str]] = defaultdict(Counter)

    def see(self, problem: str, method: str, document: Json) -> None:
        result = document["result"]
        self.runs[method] += 1
        self._runs_on[method, problem] += 1
        self._domes_on[method, problem] += is_dome(result["test"]["times"])
        leaves: set[str] = set()
        inner: set[str] = set()
        for tree in result["rule"]["trees"]:
            tree_leaves, tree_inner = _parts(tree)
            leaves |= tree_leaves
            inner |= tree_inner
        self.terminals[method].update(leaves)
        self.subexpressions[method].update(inner)

    def shape_table(self, results: Results) -> ReportTable:
        """How often the dome occurs, also apart for clinics whose optimum is one and for those whose optimum is not."""
        optima = {problem: rules["OPTIMUM"]["times"] for problem, rules in results.references.items()}
        shaped = {problem: is_dome(times) for problem, times in optima.items()}
        columns = ("method", "rules", "domes", "share", "share where the optimum is a dome", "share where it is not")
        table = ReportTable("dome_share", "Rules whose intervals form a dome", columns)
        for method in results.methods:
            done = {problem: (self._domes_on[method, problem], self._runs_on[method, problem]) for problem in shaped}
            shares = [
                _share([done[problem] for problem in shaped if shaped[problem] is kind]) for kind in (True, False)
            ]
            domes, runs = (sum(counts) for counts in zip(*done.values(), strict=True)) if done else (0, 0)
            figures = {"rules": runs, "domes": domes, "share": _share(list(done.values()))}
            _add(table, method, {**figures, "share_if_optimum_dome": shares[0], "share_if_not": shares[1]})
        domes, runs = sum(shaped.values()), len(shaped)
        _add(table, "OPTIMUM", {"rules": runs, "domes": domes, "share": _share([(domes, runs)])})
        table.rows[-1] += [NOTHING, NOTHING]
        table.notes = [
            "A dome: intervals are short at the start, longer in the middle and shorter at the end. Here: the mean"
            " interval of the middle third exceeds those of the first and of the last third by more than"
            f" {_CLEARLY:.0%} of the mean interval. OPTIMUM: the optimal timetable of each clinic."
        ]
        return table

    def terminal_table(self, results: Results) -> ReportTable:
        """The share of rules in which a terminal occurs."""
        methods = [method for method in results.methods if self.runs[method]]
        names = sorted({name for method in methods for name in self.terminals[method]})
        table = ReportTable("terminals", "Rules in which a terminal occurs", ("terminal", *methods))
        for name in names:
            _add(table, name, {method: self.terminals[method][name] / self.runs[method] for method in methods})
        table.notes = ["Share of the final rules of all runs, as they evolved. # stands for any constant."]
        return table

    def subexpression_table(self, results: Results) -> ReportTable:
        """The sub-expressions that most rules of the subject share."""
        subject = results.subject
        methods = [subject, *(method for method in results.others if self.runs[method])]
        table = ReportTable(
            "subexpressions", f"Sub-expressions that most rules of {subject} share", ("sub-expression", *methods)
        )
        counted = self.subexpressions[subject]
        for text in sorted(counted, key=lambda text: (-counted[text], text))[:_SUBEXPRESSIONS_SHOWN]:
            shares = {method: self.subexpressions[method][text] / max(1, self.runs[method]) for method in methods}
            _add(table, f"`{text}`", shares)
        table.notes = [
            "Share of the final rules of all runs that contain it, whatever the order of the inputs of +, *, max and"
            " min. # stands for any constant; what has only constants is left out."
        ]
        return table


def _add(table: ReportTable, name: str, figures: Json) -> None:
    """A row of counts and shares."""
    texts = [NOTHING if x is None else f"{x:.1%}" if isinstance(x, float) else f"{x:,}" for x in figures.values()]
    table.rows.append([name, *texts])
    table.records.append({table.columns[0]: name.strip("`"), **figures})


def _share(counts: Sequence[tuple[int, int]]) -> float | None:
    """Of pairs (some, all)."""
    runs = sum(of_all for _, of_all in counts)
    return sum(some for some, _ in counts) / runs if runs else None


@lru_cache(maxsize=4096)
def _parts(tree: str) -> tuple[frozenset[str], frozenset[str]]:
    """The terminals of a tree, and its sub-expressions that say something of a clinic or patient."""
    from gpdr.expressions.appointment import APPOINTMENT
    from gpdr.expressions.fold import fold
    from gpdr.expressions.functions import Function, Op
    from gpdr.expressions.parser import parse
    from gpdr.expressions.writer import ATOM, INFIX, call, infix

    either_way = (Op.ADD, Op.MUL, Op.MAX, Op.MIN)

    # A text, its level for parentheses, and whether anything but constants is in it.
    def leaf(code: int, value: float) -> tuple[str, int, bool]:
        constant = APPOINTMENT.is_number(code)
        return _CONSTANT if constant else APPOINTMENT.name_of(code), ATOM, not constant

    def node(function: Function, inputs: list[tuple[str, int, bool]]) -> tuple[str, int, bool]:
        ordered = sorted(inputs) if function.op in either_way else inputs
        parts = [(text, level) for text, level, _ in ordered]
        sign = INFIX.get(function.op)
        written = call(function.name, parts) if sign is None else infix(sign, *parts)
        return *written, any(says for *_, says in inputs)

    found = fold(parse(tree, APPOINTMENT), APPOINTMENT, leaf, node)
    leaves = frozenset(text for text, *_ in found if text.isidentifier() or text == _CONSTANT)
    return leaves, frozenset(text for text, _, says in found if says) - leaves
