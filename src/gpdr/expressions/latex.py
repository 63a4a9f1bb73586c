"""Trees as LaTeX, for papers and reports. Fractions and roots stand for the protected operations."""

from __future__ import annotations

from gpdr.expressions.fold import fold
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Function, Op
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.writer import ATOM, PRODUCT, SUM, number_text

_Part = tuple[str, int]
_ZERO = ("0", ATOM)


def to_latex(tree: Tree, primitives: PrimitiveSet, digits: int | None = None) -> str:
    """The tree as a formula; numbers in full, or rounded to so many significant digits."""

    def leaf(code: int, value: float) -> _Part:
        if not primitives.is_number(code):
            return _name(primitives.name_of(code)), ATOM
        return _number(value if digits is None else float(f"{value:.{digits}g}"))

    return fold(tree, primitives, leaf, _function)[0][0]


def _function(function: Function, inputs: list[_Part]) -> _Part:
    texts = [text for text, _ in inputs]
    match function.op:
        case Op.ADD:
            return f"{texts[0]} + {_within(inputs[1], PRODUCT)}", SUM
        case Op.SUB:
            right = _within(inputs[1], PRODUCT)
            return (f"-{right}" if inputs[0] == _ZERO else f"{texts[0]} - {right}"), SUM
        case Op.MUL:
            left, right = _within(inputs[0], PRODUCT), _within(inputs[1], ATOM)
            return f"{left} {_times(right)} {right}", PRODUCT
        case Op.DIV:
            return rf"\frac{{{texts[0]}}}{{{texts[1]}}}", PRODUCT
        case Op.SQ:
            return f"{_within(inputs[0], ATOM)}^{{2}}", PRODUCT
        case Op.SQRT:
            return rf"\sqrt{{{texts[0]}}}", ATOM
        case Op.IF:
            cases = rf"{texts[1]} & \text{{if }} {texts[0]} > 0 \\ {texts[2]} & \text{{otherwise}}"
            return rf"\left\{{\begin{{array}}{{ll}} {cases} \end{{array}}\right.", SUM
        case Op.MAX | Op.MIN:
            return rf"\{function.op.name.lower()}\left({', '.join(texts)}\right)", ATOM
        case _:
            return rf"\operatorname{{{_escaped(function.name)}}}\left({', '.join(texts)}\right)", ATOM


def _within(part: _Part, level: int) -> str:
    text, own = part
    return text if own >= level else rf"\left({text}\right)"


def _times(right: str) -> str:
    """Letters may stand side by side, digits may not."""
    return r"\cdot" if right[0].isdigit() else r"\,"


def _number(value: float) -> _Part:
    mantissa, _, exponent = number_text(value).partition("e")
    if exponent:
        return rf"{mantissa} \cdot 10^{{{int(exponent)}}}", SUM if value < 0 else PRODUCT
    return mantissa, SUM if value < 0 else ATOM


def _name(name: str) -> str:
    """CR as one word, x_1 with a subscript."""
    stem, _, subscript = name.partition("_")
    if not stem:
        return rf"\mathit{{{_escaped(name)}}}"
    word = stem if len(stem) == 1 else rf"\mathit{{{stem}}}"
    return f"{word}_{{{_escaped(subscript)}}}" if subscript else word


def _escaped(text: str) -> str:
    return text.replace("_", r"\_")
