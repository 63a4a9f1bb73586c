"""The rules themselves, as text."""

from __future__ import annotations

from gpdr.study.report.collectors import BestRules
from gpdr.study.report.results import Results
from gpdr.study.report.table import ReportTable


def best_rules_table(results: Results, best: BestRules) -> ReportTable:
    """The subject's cheapest rule of each clinic."""
    subject = results.subject
    table = ReportTable(
        "best_rules",
        f"The best rule of {subject} on each clinic: A_i = Tree1 × M + Tree2",
        ("clinic", "cost", "seed", "nodes", "Tree1", "Tree2"),
    )
    for problem in results.problems:
        rule = best.rules.get((problem, subject))
        if rule is None:
            continue
        table.rows.append(
            [problem, f"{rule.cost:.3f}", str(rule.seed), str(rule.size), *(f"`{tree}`" for tree in rule.trees)]
        )
        trees = {f"tree{n}": tree for n, tree in enumerate(rule.trees, 1)}
        figures = {"clinic": problem, "cost": rule.cost, "seed": rule.seed, "nodes": rule.size}
        table.records.append({**figures, **trees})
    return table
