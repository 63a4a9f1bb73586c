"""Sums and products collected by SymPy: the part of algebra that no protected operation disturbs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import sympy

from gpdr.errors import InputError
from gpdr.expressions.functions import Op
from gpdr.expressions.intervals import never_tiny
from gpdr.expressions.nodes import Node
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.symbolic import node_of

# SymPy's time grows quickly with both.
_MOST_TERMS = 64  # after expansion
_MOST_SYMBOLS = 12  # to be factored, or collected one after the other


def is_rational(node: Node, primitives: PrimitiveSet) -> bool:
    """Whether the node adds, subtracts, multiplies, or divides by what no protection concerns."""
    if not node.inputs:
        return False
    op = primitives.functions[node.code].op
    if op is Op.DIV:
        return never_tiny(node.inputs[1], primitives)
    return op in (Op.ADD, Op.SUB, Op.MUL, Op.SQ)


def collected(node: Node, primitives: PrimitiveSet) -> Iterator[Node]:
    """Other forms of a rational function of terminals and of whatever else stands in it, shortest first."""
    region = _Region(primitives)
    if region.terms(node) > _MOST_TERMS:
        return
    found = []
    for form in _forms(region.expression(node)):
        try:
            made = node_of(form, primitives, region.nodes)
        except InputError:  # the set lacks a function that this form needs, or a float cannot hold a number of it
            continue
        if region.holds(made):
            found.append(made)
    yield from sorted(set(found), key=lambda other: other.size)


def _forms(expression: Any) -> Iterator[Any]:
    expanded = sympy.expand(expression)
    yield expanded
    yield sympy.factor_terms(expanded)
    if len(expanded.free_symbols) <= _MOST_SYMBOLS:
        yield sympy.factor(expanded)
    terms = Counter(symbol for term in sympy.Add.make_args(expanded) for symbol in term.free_symbols)
    shared = sorted((symbol for symbol in terms if terms[symbol] > 1), key=lambda s: (-terms[s], str(s)))
    for symbol in shared[:_MOST_SYMBOLS]:
        yield sympy.collect(expanded, symbol)


class _Region:
    """A rational function whose variables are the subtrees that are none; equal subtrees are one variable."""

    def __init__(self, primitives: PrimitiveSet) -> None:
        self.primitives = primitives
        self.symbols: dict[Node, Any] = {}

    @property
    def nodes(self) -> dict[Any, Node]:
        return {symbol: node for node, symbol in self.symbols.items()}

    def terms(self, node: Node) -> int:
        """How many terms it has at most when expanded."""
        if not is_rational(node, self.primitives):
            return 1
        counts = [self.terms(below) for below in node.inputs]
        match self.primitives.functions[node.code].op:
            case Op.ADD | Op.SUB:
                return counts[0] + counts[1]
            case _:
                return counts[0] * counts[-1]

    def holds(self, node: Node) -> bool:
        """Whether a form of it divides by nothing that a protection concerns."""
        if not node.inputs or node in self.symbols:
            return True
        return is_rational(node, self.primitives) and all(map(self.holds, node.inputs))

    def expression(self, node: Node) -> Any:
        if self.primitives.is_number(node.code):
            return sympy.Rational(node.value)
        if not is_rational(node, self.primitives):
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
