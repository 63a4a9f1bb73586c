"""The text of an expression in parts that know their node, for a look that marks some of them."""

from __future__ import annotations

import re
from itertools import count

from gpdr.expressions.fold import fold
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Function
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.writer import ATOM, INFIX, call, infix, node_texts

Part = tuple[str, int]
_PLACE = re.compile(r"\x00(\d+)\x00")  # where an input goes: no text of an expression has such characters


def parts(tree: Tree, primitives: PrimitiveSet) -> list[Part]:
    """Pieces of text with the node, in prefix order, that each belongs to; joined they are the expression."""
    texts, position = node_texts(tree, primitives), count(len(tree) - 1, -1)

    def leaf(_code: int, _value: float) -> tuple[list[Part], int]:
        k = next(position)
        return [(texts[k], k)], ATOM

    def node(function: Function, inputs: list[tuple[list[Part], int]]) -> tuple[list[Part], int]:
        k = next(position)
        places = [(f"\x00{j}\x00", level) for j, (_, level) in enumerate(inputs)]
        sign = INFIX.get(function.op)
        named = sign is None or primitives.function_of(function.op) is not function
        template, level = call(function.name, places) if named or sign is None else infix(sign, *places)
        made: list[Part] = []
        for number, piece in enumerate(_PLACE.split(template)):  # own text and input numbers by turns
            made += inputs[int(piece)][0] if number % 2 else [(piece, k)] * bool(piece)
        return made, level

    return fold(tree, primitives, leaf, node)[0][0]
