"""Trees to text, with no more parentheses than it takes to read the same tree again."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gpdr.errors import InputError
from gpdr.expressions.fold import fold
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Function, Op
from gpdr.expressions.numbers import labelled_number
from gpdr.expressions.primitives import PrimitiveSet

INFIX = {Op.ADD: "+", Op.SUB: "-", Op.MUL: "*", Op.DIV: "/"}
SUM, PRODUCT, ATOM = 1, 2, 3
PRECEDENCE = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT}


def to_text(tree: Tree, primitives: PrimitiveSet) -> str:
    """The tree as an infix expression; `parse` reads it back as the same tree."""
    return node_texts(tree, primitives)[0]


def node_texts(tree: Tree, primitives: PrimitiveSet) -> list[str]:
    """The text of the subtree at each node."""

    def leaf(code: int, value: float) -> tuple[str, int]:
        return (_number(code, value, primitives) if primitives.is_number(code) else primitives.name_of(code)), ATOM

    def node(function: Function, inputs: list[tuple[str, int]]) -> tuple[str, int]:
        sign = INFIX.get(function.op)
        if sign is None or primitives.function_of(function.op) is not function:
            return call(function.name, inputs)
        return infix(sign, *inputs)

    return [text for text, _ in fold(tree, primitives, leaf, node)]


def infix(sign: str, left: tuple[str, int], right: tuple[str, int]) -> tuple[str, int]:
    """An operator between two operands, given with their levels, and the level of the whole."""
    own = PRECEDENCE[sign]
    before = left[0] if left[1] >= own else f"({left[0]})"
    after = right[0] if right[1] > own else f"({right[0]})"  # operators of one level are read from the left
    return f"{before} {sign} {after}", own


def call(name: str, inputs: Sequence[tuple[str, int]]) -> tuple[str, int]:
    """A function by its name."""
    return f"{name}({', '.join(text for text, _ in inputs)})", ATOM


def number_text(value: float) -> str:
    """The shortest decimal that reads back as this value."""
    if not math.isfinite(value):
        raise InputError(f"number {value}: only finite numbers can be written")
    if value.is_integer() and abs(value) < 1e15 and not (value == 0 and math.copysign(1, value) < 0):
        return str(int(value))
    return repr(float(value))


def _number(code: int, value: float, primitives: PrimitiveSet) -> str:
    """A number in the plainest form that reads back as the same primitive."""
    text = number_text(value)
    dimension = primitives.dimensions[code]
    assert dimension is not None  # numbers have one
    if not text.startswith("-") and labelled_number(primitives, value) == (code, value):
        return text
    for label in ("", primitives.units.text(dimension), primitives.name_of(code)):
        if labelled_number(primitives, value, label) == (code, value):
            return f"[{text} {label}]" if label else f"[{text}]"
    raise AssertionError("a number can always be written with its constant's name")
