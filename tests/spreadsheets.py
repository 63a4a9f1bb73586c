"""A spreadsheet's arithmetic, for tests of formulas."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping

FUNCTIONS = {
    "MAX": max,
    "MIN": min,
    "ABS": abs,
    "SQRT": math.sqrt,
    "POWER": pow,
    "ISNUMBER": lambda value: isinstance(value, float),
    "ROUND": lambda value, _: math.floor(value + 0.5),
    "TEXT": lambda day, _: "{:02d}:{:02d}".format(*divmod(int(day * 1440 + 1e-6), 60)),  # cuts seconds off
    "FALSE": False,
}


class _Lazy(ast.NodeTransformer):
    """A spreadsheet's IF works out only the branch it takes, as Python's own conditional does."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "IF":
            return ast.IfExp(*node.args)
        return node


def shown(formula: str, cells: Mapping[str, object]) -> float | str:
    """What the cell of a formula shows."""
    tree = _Lazy().visit(ast.parse(formula.removeprefix("="), mode="eval"))
    code = compile(ast.fix_missing_locations(tree), "formula", "eval")
    value = eval(code, {"__builtins__": {}}, {**FUNCTIONS, **cells})
    return value if isinstance(value, str) else float(value)
