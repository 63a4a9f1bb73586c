"""Spreadsheet formulas: they compute what the kernel computes."""

from __future__ import annotations

import ast
import math

import numpy as np

from gpdr.expressions import evaluate, ramped_half_and_half
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.source import to_formula

CELLS = {name: f"cell_{name}" for name in APPOINTMENT.columns}


class Lazy(ast.NodeTransformer):
    """A spreadsheet's IF works out only the branch it takes, as Python's own conditional does."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "IF":
            condition, then, otherwise = node.args
            return ast.IfExp(condition, then, otherwise)
        return node


def value(formula: str, cells: dict[str, float]) -> float:
    """What a spreadsheet would show: its other functions are Python's by other names."""
    functions = {"MAX": max, "MIN": min, "ABS": abs, "SQRT": math.sqrt, "POWER": pow}
    tree = ast.fix_missing_locations(Lazy().visit(ast.parse(formula.removeprefix("="), mode="eval")))
    return float(eval(compile(tree, "formula", "eval"), {"__builtins__": {}}, {**functions, **cells}))


def test_formulas_agree_with_the_kernel_on_random_trees() -> None:
    forest = ramped_half_and_half(APPOINTMENT, 300, 1, np.random.SeedSequence(1))
    data = np.random.default_rng(2).uniform(0.0, 20.0, (6, len(APPOINTMENT.columns)))
    data[0] = 0.0
    expected = evaluate(forest, APPOINTMENT, data).values[:, 0]
    for individual, (tree,) in enumerate(forest):
        formula = to_formula(tree, APPOINTMENT, CELLS)
        got = [value(formula, dict(zip(CELLS.values(), row, strict=True))) for row in data.tolist()]
        np.testing.assert_allclose(got, expected[individual], rtol=1e-9)
