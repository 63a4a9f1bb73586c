"""The dimension of an expression that adds up; what is wrong with others is the business of consistency/."""

from __future__ import annotations

from fractions import Fraction

from gpdr.dimensions import Dimension
from gpdr.expressions.fold import fold
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Function, Rule
from gpdr.expressions.primitives import PrimitiveSet


def dimension_of(tree: Tree, primitives: PrimitiveSet) -> Dimension | None:
    """The dimension of a consistent tree; None where two inputs that should agree do not."""
    return node_dimensions(tree, primitives)[0]


def node_dimensions(tree: Tree, primitives: PrimitiveSet) -> list[Dimension | None]:
    """The same for the subtree at each node."""
    plain = Dimension.none(len(primitives.units))

    def node(function: Function, inputs: list[Dimension | None]) -> Dimension | None:
        known = [d for d in inputs if d is not None]
        if len(known) < len(inputs):
            return None
        first, last = known[0], known[-1]
        match function.rule:
            case Rule.SAME:
                return first if first == last else None
            case Rule.PRODUCT:
                return first * last
            case Rule.QUOTIENT:
                return first / last
            case Rule.SQUARE:
                return first**2
            case Rule.ROOT:
                return first ** Fraction(1, 2)
            case Rule.CHOICE:
                return last if known[1] == last else None
            case _:
                return plain if first == plain else None

    return fold(tree, primitives, lambda code, _value: primitives.dimensions[code], node)
