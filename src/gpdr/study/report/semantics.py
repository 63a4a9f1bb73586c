"""What evolved rules mean: the shape of their timetables, and what they are made of."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from gpdr.study.keys import Json
from gpdr.study.report.results import Results
from gpdr.study.report.table import ReportTable

# A third counts as longer or shorter than another from this share of the mean interval on.
_CLEARLY = 0.01
_SUBEXPRESSIONS_SHOWN = 25
_NUMBER = re.compile(r"(?<![A-Za-z_0-9.])[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?(?:\[[^\]]*\])?")


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
        self.domes: Counter[str] = Counter()
        self.terminals: dict[str, Counter[str]] = defaultdict(Counter)
        self.subexpressions: dict[str, Counter[str]] = defaultdict(Counter)

    def see(self, problem: str, method: str, document: Json) -> None:
        result = document["result"]
        self.runs[method] += 1
        self.domes[method] += is_dome(result["test"]["times"])
        leaves: set[str] = set()
        inner: set[str] = set()
        for tree in result["rule"]["trees"]:
            tree_leaves, tree_inner = _parts(tree)
            leaves |= tree_leaves
            inner |= tree_inner
        self.terminals[method].update(leaves)
        self.subexpressions[method].update(inner)

    def shape_table(self, results: Results) -> ReportTable:
        """How often the dome occurs, beside the optima's own shape."""
        table = ReportTable("dome_share", "Rules whose intervals form a dome", ("method", "runs", "domes", "share"))
        for method in results.methods:
            runs, domes = self.runs[method], self.domes[method]
            _add(table, method, {"runs": runs, "domes": domes, "share": domes / runs if runs else None})
        optima = [rules["OPTIMUM"]["times"] for rules in results.references.values() if "OPTIMUM" in rules]
        domes = sum(map(is_dome, optima))
        _add(table, "OPTIMUM", {"runs": len(optima), "domes": domes, "share": domes / len(optima) if optima else None})
        table.notes = [
            "A dome: the mean interval of the middle third exceeds that of the first and of the last third by more"
            f" than {_CLEARLY:.0%} of the mean interval."
        ]
        return table

    def terminal_table(self, results: Results) -> ReportTable:
        """The share of rules in which a terminal occurs."""
        methods = [method for method in results.methods if self.runs[method]]
        names = sorted({name for method in methods for name in self.terminals[method]})
        table = ReportTable("terminals", "Rules in which a terminal occurs", ("terminal", *methods))
        for name in names:
            _add(table, name, {method: self.terminals[method][name] / self.runs[method] for method in methods})
        table.notes = ["# stands for any constant."]
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
        table.notes = ["Of at least three nodes, each rule counted once. # stands for any constant."]
        return table


def _add(table: ReportTable, name: str, figures: Json) -> None:
    """A row of counts and shares."""
    texts = ["–" if x is None else f"{x:.1%}" if isinstance(x, float) else f"{x:,}" for x in figures.values()]
    table.rows.append([name, *texts])
    table.records.append({table.columns[0]: name.strip("`"), **figures})


@lru_cache(maxsize=4096)
def _parts(tree: str) -> tuple[frozenset[str], frozenset[str]]:
    """The terminals of a tree and its sub-expressions, constants written as #."""
    from gpdr.expressions.appointment import APPOINTMENT
    from gpdr.expressions.parser import parse
    from gpdr.expressions.writer import node_texts

    texts = [_NUMBER.sub("#", text) for text in node_texts(parse(tree, APPOINTMENT), APPOINTMENT)]
    leaves = frozenset(text for text in texts if text.isidentifier() or text == "#")
    return leaves, frozenset(texts) - leaves
