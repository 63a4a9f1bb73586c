"""Sums and products collected by SymPy: the part of algebra that no protected operation disturbs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from gpdr.errors import InputError
from gpdr.expressions.functions import SMALLEST_DENOMINATOR, Op
from gpdr.expressions.nodes import Node
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.symbolic import node_of

_MOST_TERMS = 64  # after expansion; SymPy's time grows quickly


def is_polynomial(node: Node, primitives: PrimitiveSet) -> bool:
    """Whether the node adds, subtracts, multiplies, or divides by a number other than zero."""
    if not node.inputs:
        return False
    op = primitives.functions[node.code].op
    if op is Op.DIV:
        divisor = node.inputs[1]
        return primitives.is_number(divisor.code) and abs(divisor.value) >= SMALLEST_DENOMINATOR
    return op in (Op.ADD, Op.SUB, Op.MUL, Op.SQ)


def collected(node: Node, primitives: PrimitiveSet) -> Iterator[Node]:
    """Other forms of a polynomial in terminals and in whatever else stands in it, shortest first."""
    region = _Region(primitives)
    if region.terms(node) > _MOST_TERMS:
        return
    expanded = sympy.expand(region.expression(node))
    forms = [expanded, sympy.factor_terms(expanded), sympy.factor(expanded)]
    forms += [sympy.collect(expanded, symbol) for symbol in sorted(expanded.free_symbols, key=str)]
    found = []
    for form in forms:
        try:
            found.append(node_of(form, primitives, region.nodes))
        except InputError:  # the set lacks a function that this form needs
            continue
    yield from sorted(set(found), key=lambda other: other.size)


class _Region:
    """A polynomial whose variables are the subtrees that are none; equal subtrees are one variable."""

    def __init__(self, primitives: PrimitiveSet) -> None:
        self.primitives = primitives
        self.symbols: dict[Node, Any] = {}

    @property
    def nodes(self) -> dict[Any, Node]:
        return {symbol: node for node, symbol in self.symbols.items()}

    def terms(self, node: Node) -> int:
        """How many terms the expanded polynomial has at most."""
        if not is_polynomial(node, self.primitives):
            return 1
        counts = [self.terms(below) for below in node.inputs]
        match self.primitives.functions[node.code].op:
            case Op.ADD | Op.SUB:
                return counts[0] + counts[1]
            case Op.DIV:
                return counts[0]
            case _:
                return counts[0] * counts[-1]

    def expression(self, node: Node) -> Any:
        if self.primitives.is_number(node.code):
            return sympy.Rational(node.value)
        if not is_polynomial(node, self.primitives):
            return self.symbols.setdefault(node, sympy.Symbol(f"x{len(self.symbols)}", real=True))
        a, b = self.expression(node.inputs[0]), self.expression(node.inputs[-1])
        match self.primitives.functions[node.code].op:
            case Op.ADD:
                return a + b
            case Op.SUB:
                return a - b
            case Op.DIV:
                return a / b
            case _:
                return a * b
