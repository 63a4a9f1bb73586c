"""The rules themselves: as text, and what is left of them when they are simplified."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from gpdr.study.report.collectors import BestRule, BestRules, Sample, SampledRule
from gpdr.study.report.results import Results
from gpdr.study.report.table import ReportTable

_LONG_NUMBER = re.compile(r"[0-9]+\.[0-9]{4,}(?:e[+-]?[0-9]+)?")


@lru_cache(maxsize=4096)
def simplified(tree: str) -> tuple[str, int]:
    """A tree's shortest equivalent that is known, and its nodes."""
    from gpdr.expressions.appointment import APPOINTMENT
    from gpdr.expressions.parser import parse
    from gpdr.expressions.simplify import simplify
    from gpdr.expressions.writer import to_text

    short = simplify(parse(tree, APPOINTMENT), APPOINTMENT)
    return to_text(short, APPOINTMENT), len(short)


def best_rules_table(results: Results, best: BestRules) -> ReportTable:
    """The subject's cheapest rule of each clinic, simplified."""
    subject = results.subject
    table = ReportTable(
        "best_rules",
        f"The best rule of {subject} on each clinic: A_i = Tree1 × M + Tree2",
        ("clinic", "cost", "seed", "nodes", "simplified", "Tree1, simplified", "Tree2, simplified"),
        words=("Tree1, simplified", "Tree2, simplified"),
    )
    for problem in results.problems:
        rule = best.rules.get((problem, subject))
        if rule is None:
            continue
        short = [simplified(tree) for tree in rule.trees]
        left = _nodes_left(rule)
        texts = [f"`{_LONG_NUMBER.sub(_rounded, text)}`" for text, _ in short]
        table.rows.append([problem, f"{rule.cost:.3f}", str(rule.seed), str(rule.size), str(left), *texts])
        record = {"clinic": problem, "cost": rule.cost, "seed": rule.seed, "nodes": rule.size, "simplified_nodes": left}
        for number, (tree, (text, _)) in enumerate(zip(rule.trees, short, strict=True), 1):
            record |= {f"tree{number}": tree, f"tree{number}_simplified": text}
        table.records.append(record)
    table.notes = ["Constants are rounded here; best_rules.csv has them in full, and the trees as they evolved."]
    return table


def simplification_table(results: Results, sample: Sample) -> ReportTable:
    """What survives simplification, by method."""
    table = ReportTable(
        "simplification",
        "What survives simplification",
        ("method", "rules", "nodes", "nodes left", "share left", "rules that lose nothing"),
    )
    for method in results.methods:
        rules = sample.rules(method)
        if not rules:
            continue
        before, after = np.array([rule.size for rule in rules]), np.array([_nodes_left(rule) for rule in rules])
        share, unchanged = float(after.sum() / before.sum()), int(np.sum(after == before))
        table.rows.append(
            [method, str(len(rules)), f"{before.mean():.1f}", f"{after.mean():.1f}", f"{share:.0%}", str(unchanged)]
        )
        table.records.append(
            {"method": method, "rules": len(rules), "nodes": float(before.mean()), "nodes_left": float(after.mean()),
             "share_left": share, "unchanged": unchanged}
        )  # fmt: skip
    table.notes = [
        f"Of {sample.words}. Left: the nodes of the shortest trees that a simplifier finds whose value and dimension"
        " are the same in every clinic. What never matters in the clinic at hand, such as one input of a max, is left"
        " too."
    ]
    return table


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.3g}"


def _nodes_left(rule: BestRule | SampledRule) -> int:
    return sum(simplified(tree)[1] for tree in rule.trees)
