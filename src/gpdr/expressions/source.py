"""Trees as programs for elsewhere: a Python function, a formula for a spreadsheet; both with the protections."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from functools import partial

from gpdr.errors import InputError
from gpdr.expressions.fold import fold
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import DIVISION_BY_ZERO, SMALLEST_DENOMINATOR, Function, Op
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.writer import ATOM, INFIX, SUM, call, infix, number_text

LONGEST_FORMULA = 8192  # what spreadsheets take

_Part = tuple[str, int]

# What Python lacks or decides otherwise where a value is not a number.
_HELPERS = {
    Op.DIV: f"""def _div(a, b):
    return {DIVISION_BY_ZERO!r} if abs(b) < {SMALLEST_DENOMINATOR!r} else a / b
""",
    Op.MAX: """def _max(a, b):
    return a if a > b else b
""",
    Op.MIN: """def _min(a, b):
    return a if a < b else b
""",
    Op.SQ: """def _sq(a):
    return a * a
""",
    Op.SQRT: """def _sqrt(a):
    return math.sqrt(abs(a))
""",
    Op.IF: """def _if(a, b, c):
    return b if a > 0 else c
""",
}


def to_python(tree: Tree, primitives: PrimitiveSet, name: str = "expression") -> str:
    """Python source that defines function `name` of the terminals the tree reads, and what it needs.

    A function of the user's own is called by its name and must be in scope.
    """
    if not name.isidentifier() or keyword.iskeyword(name):
        raise InputError(f"name {name!r}: expected a name that Python allows for a function")
    result = fold(tree, primitives, partial(_python_leaf, primitives), _python_function)[0][0]
    used = {primitives.functions[code].op for code in set(tree.codes.tolist()) if primitives.is_function(code)}
    present = set(tree.codes.tolist())
    read = [_identifier(column) for column in primitives.columns if primitives.codes[column] in present]
    helpers = [text for op, text in _HELPERS.items() if op in used]
    imports = ["import math\n"] if Op.SQRT in used else []
    return "\n\n".join([*imports, *helpers, f"def {name}({', '.join(read)}):\n    return {result}\n"])


def to_formula(tree: Tree, primitives: PrimitiveSet, cells: Mapping[str, str]) -> str:
    """A spreadsheet formula; `cells` says where each terminal is, such as {"M": "$B$1", "i": "A5"}."""

    def leaf(code: int, value: float) -> _Part:
        if primitives.is_number(code):
            text = number_text(value).replace("e", "E")
            return text, SUM if text.startswith("-") else ATOM
        terminal = primitives.name_of(code)
        if terminal not in cells:
            raise InputError(f"terminal {terminal!r}: expected its cell in cells, such as {terminal}='B1'")
        return cells[terminal], ATOM

    formula = "=" + fold(tree, primitives, leaf, _formula_function)[0][0]
    if len(formula) > LONGEST_FORMULA:
        raise InputError(f"formula of {len(formula)} characters: spreadsheets take at most {LONGEST_FORMULA}")
    return formula


def _python_leaf(primitives: PrimitiveSet, code: int, value: float) -> _Part:
    if not primitives.is_number(code):
        return _identifier(primitives.name_of(code)), ATOM
    number_text(value)  # refuses what is not finite
    return repr(value), SUM if value < 0 else ATOM


def _python_function(function: Function, inputs: list[_Part]) -> _Part:
    if function.op in (Op.ADD, Op.SUB, Op.MUL):
        return infix(INFIX[function.op], *inputs)
    return call(function.name if function.op is Op.USER else f"_{function.op.name.lower()}", inputs)


def _identifier(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def _formula_function(function: Function, inputs: list[_Part]) -> _Part:
    texts = [text for text, _ in inputs]
    if sum(map(len, texts)) > LONGEST_FORMULA:  # a denominator is written twice: stop before texts grow without bound
        raise InputError(f"formula of more than {LONGEST_FORMULA} characters: more than spreadsheets take")
    match function.op:
        case Op.ADD | Op.SUB | Op.MUL:
            return infix(INFIX[function.op], *inputs)
        case Op.DIV:
            quotient = infix("/", *inputs)
            if _never_tiny(texts[1]):
                return quotient
            tiny = number_text(SMALLEST_DENOMINATOR).replace("e", "E")
            return f"IF(ABS({texts[1]})<{tiny},{number_text(DIVISION_BY_ZERO)},{quotient[0]})", ATOM
        case Op.MAX | Op.MIN:
            return f"{function.op.name}({texts[0]},{texts[1]})", ATOM
        case Op.SQ:
            return f"POWER({texts[0]},2)", ATOM
        case Op.SQRT:
            return f"SQRT(ABS({texts[0]}))", ATOM
        case Op.IF:
            return f"IF({texts[0]}>0,{texts[1]},{texts[2]})", ATOM
        case _:
            raise InputError(f"function {function.name!r}: a spreadsheet does not know it")


def _never_tiny(denominator: str) -> bool:
    """Whether a denominator is a number that needs no protection."""
    try:
        return abs(float(denominator)) >= SMALLEST_DENOMINATOR
    except ValueError:
        return False
