"""Trees as LaTeX, for papers and reports. Fractions and roots stand for the protected operations.

Meant to be read, not to be parsed: a + (b + c) is written a + b + c.
"""

from __future__ import annotations

from gpdr.expressions.fold import fold
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Function, Op
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.writer import number_text

_Part = tuple[str, int]
_CASES, _NEGATIVE, _SUM, _PRODUCT, _FACTOR, _BASE = range(6)  # a factor, such as a fraction, is not yet base of a power
_ZERO = ("0", _BASE)


def to_latex(tree: Tree, primitives: PrimitiveSet, digits: int | None = None) -> str:
    """The tree as a formula; numbers in full, or rounded to so many significant digits."""

    def leaf(code: int, value: float) -> _Part:
        if not primitives.is_number(code):
            return _name(primitives.name_of(code)), _BASE
        return _number(value if digits is None else float(f"{value:.{digits}g}"))

    return fold(tree, primitives, leaf, _function)[0][0]


def _function(function: Function, inputs: list[_Part]) -> _Part:
    texts = [text for text, _ in inputs]
    match function.op:
        case Op.ADD:
            return f"{_within(inputs[0], _NEGATIVE)} + {_within(inputs[1], _SUM)}", _level(inputs[0])
        case Op.SUB if inputs[0] == _ZERO:
            return f"-{_within(inputs[1], _PRODUCT)}", _NEGATIVE
        case Op.SUB:
            return f"{_within(inputs[0], _NEGATIVE)} - {_within(inputs[1], _PRODUCT)}", _level(inputs[0])
        case Op.MUL:
            left, right = (_within(part, _PRODUCT) for part in inputs)
            return f"{left} {_times(right)} {right}", _PRODUCT
        case Op.DIV:
            return rf"\frac{{{texts[0]}}}{{{texts[1]}}}", _FACTOR
        case Op.SQ:
            return f"{_within(inputs[0], _BASE)}^{{2}}", _FACTOR
        case Op.SQRT:
            return rf"\sqrt{{{texts[0]}}}", _FACTOR
        case Op.IF:
            cases = rf"{texts[1]} & \text{{if }} {texts[0]} > 0 \\[2pt] {texts[2]} & \text{{otherwise}}"
            return rf"\left\{{\begin{{array}}{{ll}} {cases} \end{{array}}\right.", _CASES
        case Op.MAX | Op.MIN:
            return rf"\{function.op.name.lower()}\left({', '.join(texts)}\right)", _BASE
        case _:
            return rf"\operatorname{{{_escaped(function.name)}}}\left({', '.join(texts)}\right)", _BASE


def _within(part: _Part, level: int) -> str:
    text, own = part
    return text if own >= level else rf"\left({text}\right)"


def _level(first: _Part) -> int:
    """Of a sum: one that begins with a minus sign cannot follow another sign."""
    return _NEGATIVE if first[1] == _NEGATIVE else _SUM


def _times(right: str) -> str:
    """Letters may stand side by side, digits may not."""
    return r"\cdot" if right[0].isdigit() else r"\,"


def _number(value: float) -> _Part:
    mantissa, _, exponent = number_text(value).partition("e")
    power = rf"10^{{{int(exponent)}}}" if exponent else ""
    sign = "-" if mantissa.startswith("-") else ""
    if power and mantissa.removeprefix("-") in ("1", "1.0"):
        mantissa = sign + power
    elif power:
        mantissa += rf" \cdot {power}"
    return mantissa, _NEGATIVE if sign else _PRODUCT if power else _BASE


def _name(name: str) -> str:
    """CR as one word, x_1 with a subscript."""
    stem, _, subscript = name.partition("_")
    if not stem:
        return rf"\mathit{{{_escaped(name)}}}"
    word = stem if len(stem) == 1 else rf"\mathit{{{stem}}}"
    return f"{word}_{{{_escaped(subscript)}}}" if subscript else word


def _escaped(text: str) -> str:
    return text.replace("_", r"\_")
