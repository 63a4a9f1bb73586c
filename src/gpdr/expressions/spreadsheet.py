"""Trees to spreadsheet formulas that compute what the kernels compute, protected functions included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gpdr.errors import InputError
from gpdr.expressions.fold import fold
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import DIVISION_BY_ZERO, SMALLEST_DENOMINATOR, Function, Op
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.writer import number_text

# What Excel and LibreOffice take in one cell.
LONGEST_FORMULA = 8192

_SIGNS = {Op.ADD: "+", Op.SUB: "-", Op.MUL: "*"}
_FUNCTIONS = {
    Op.MAX: "MAX({},{})",
    Op.MIN: "MIN({},{})",
    Op.SQ: "POWER({},2)",
    Op.SQRT: "SQRT(ABS({}))",
    Op.IF: "IF({}>0,{},{})",
}


def to_spreadsheet(tree: Tree, primitives: PrimitiveSet, cells: Mapping[str, str]) -> str:
    """The tree as a formula without its `=`; `cells` says where each terminal's value stands, as in {"M": "$B$2"}.

    Functions are named in English, arguments separated by commas, decimals by points, as in a file in CSV.
    """

    def leaf(code: int, value: float) -> str:
        if primitives.is_number(code):
            return number_text(value) if value >= 0 else f"({number_text(value)})"
        return cells[primitives.name_of(code)]

    def node(function: Function, inputs: Sequence[str]) -> str:
        if function.op in _SIGNS:
            return f"({_SIGNS[function.op].join(inputs)})"
        if function.op is Op.DIV:
            return _quotient(*inputs)
        if function.op in _FUNCTIONS:
            return _FUNCTIONS[function.op].format(*inputs)
        raise InputError(f"function {function.name!r}: a spreadsheet knows only the built-in functions")

    formula = fold(tree, primitives, leaf, node)[0]
    if len(formula) > LONGEST_FORMULA:
        raise InputError(
            f"the formula has {len(formula):,} characters, a spreadsheet takes {LONGEST_FORMULA:,} in a cell: "
            "simplify the expression, or export it to Python"
        )
    return formula


def _quotient(numerator: str, denominator: str) -> str:
    """Protected division; the guard is left out where the denominator is a number that does not need it."""
    if _is_number(denominator) and abs(float(denominator.strip("()"))) >= SMALLEST_DENOMINATOR:
        return f"({numerator}/{denominator})"
    return f"IF(ABS({denominator})<{SMALLEST_DENOMINATOR:G},{DIVISION_BY_ZERO:G},{numerator}/{denominator})"


def _is_number(text: str) -> bool:
    try:
        float(text.strip("()"))
    except ValueError:
        return False
    return True
