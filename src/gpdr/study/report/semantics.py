"""What evolved rules are made of: terminals, and the sub-expressions that many of them share."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache

from gpdr.study.keys import Json
from gpdr.study.report.collectors import Sample
from gpdr.study.report.results import Results
from gpdr.study.report.rules import simplified
from gpdr.study.report.table import ReportTable

_SUBEXPRESSIONS_SHOWN = 25
# How a constant is written, whatever its value.
_CONSTANT = "#"


class Semantics:
    """Counts over all runs."""

    def __init__(self) -> None:
        self.runs: Counter[str] = Counter()
        self.terminals: dict[str, Counter[str]] = defaultdict(Counter)
        self.subexpressions: dict[str, Counter[str]] = defaultdict(Counter)

    def see(self, problem: str, method: str, document: Json) -> None:
        leaves, inner = _parts(document["result"]["rule"]["trees"])
        self.runs[method] += 1
        self.terminals[method].update(leaves)
        self.subexpressions[method].update(inner)

    def terminal_table(self, results: Results) -> ReportTable:
        """The share of rules in which a terminal occurs."""
        methods = [method for method in results.methods if self.runs[method]]
        names = sorted({name for method in methods for name in self.terminals[method]})
        table = ReportTable("terminals", "Rules in which a terminal occurs", ("terminal", *methods))
        for name in names:
            table.add_shares(name, {method: self.terminals[method][name] / self.runs[method] for method in methods})
        table.notes = ["Share of the final rules of all runs, as they evolved. # stands for any constant."]
        return table

    def subexpression_table(self, results: Results, sample: Sample) -> ReportTable:
        """The sub-expressions that most simplified rules of the subject share, beside its rules as they evolved."""
        subject = results.subject
        rules = {method: sample.rules(method) for method in (subject, *results.others)}
        counted = {method: Counter[str]() for method, found in rules.items() if found}
        for method, counts in counted.items():
            for rule in rules[method]:
                counts.update(_parts(simplified(tree)[0] for tree in rule.trees)[1])
        table = ReportTable(
            "subexpressions",
            f"Sub-expressions that most rules of {subject} share when simplified",
            ("sub-expression", *counted, f"{subject} as evolved"),
        )
        most = counted.get(subject, Counter())
        for text in sorted(most, key=lambda text: (-most[text], text))[:_SUBEXPRESSIONS_SHOWN]:
            shares = {method: counts[text] / len(rules[method]) for method, counts in counted.items()}
            evolved = self.subexpressions[subject][text] / self.runs[subject]
            table.add_shares(f"`{text}`", {**shares, "as_evolved": evolved})
        table.notes = [
            f"Share of rules that contain it, whatever the order of the inputs of +, *, max and min: of {sample.words},"
            f" simplified; in the last column of all rules of {subject}, as they evolved. # stands for any constant;"
            " what has only constants is left out."
        ]
        return table


def _parts(trees: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Of all trees of a rule."""
    found = [_parts_of_tree(tree) for tree in trees]
    return frozenset().union(*(leaves for leaves, _ in found)), frozenset().union(*(inner for _, inner in found))


@lru_cache(maxsize=4096)
def _parts_of_tree(tree: str) -> tuple[frozenset[str], frozenset[str]]:
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
