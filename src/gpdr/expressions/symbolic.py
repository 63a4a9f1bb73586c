"""Trees to SymPy and back. Protected operations become what they compute, so nothing is lost on the way."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import reduce
from typing import Any

import sympy

from gpdr.errors import InputError
from gpdr.expressions.fold import fold
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import DIVISION_BY_ZERO, SMALLEST_DENOMINATOR, Function, Op
from gpdr.expressions.nodes import Node, function_node, to_tree
from gpdr.expressions.primitives import PrimitiveSet

_LARGEST_POWER = 16
_LARGEST_PROTECTED = 2000


def symbol(name: str) -> Any:
    """The symbol of a terminal: a real number."""
    return sympy.Symbol(name, real=True)


def to_sympy(tree: Tree, primitives: PrimitiveSet, protected: bool = True) -> Any:
    """The tree as a SymPy expression over real symbols named like the terminals.

    Protected, a division becomes a Piecewise unless the denominator is a number, and sqrt(x) is that of |x|; else
    they are the textbook's, which is right wherever denominators are not zero and roots are of positive numbers.
    """

    if protected and _protected_size(tree, primitives) > _LARGEST_PROTECTED:
        raise InputError("expression: too many divisions within one another for SymPy; use protected=False")

    def leaf(code: int, value: float) -> Any:
        return sympify(value) if primitives.is_number(code) else symbol(primitives.name_of(code))

    def node(function: Function, inputs: list[Any]) -> Any:
        return _applied(function, inputs, protected)

    return fold(tree, primitives, leaf, node)[0]


def _protected_size(tree: Tree, primitives: PrimitiveSet) -> int:
    """Nodes of the SymPy expression, in which a protected denominator stands twice."""

    def node(function: Function, inputs: list[int]) -> int:
        return 1 + sum(inputs) + (inputs[1] if function.op is Op.DIV else 0)

    return fold(tree, primitives, lambda _code, _value: 1, node)[0]


def sympify(value: float) -> Any:
    """Whole numbers exactly, others with the 53 bits they have."""
    return sympy.Integer(int(value)) if value.is_integer() else sympy.Float(value)


def _applied(function: Function, inputs: list[Any], protected: bool) -> Any:
    a, b = inputs[0], inputs[-1]
    match function.op:
        case Op.ADD:
            return a + b
        case Op.SUB:
            return a - b
        case Op.MUL:
            return a * b
        case Op.DIV:
            return _quotient(a, b, protected)
        case Op.MAX:
            return sympy.Max(a, b, evaluate=False)
        case Op.MIN:
            return sympy.Min(a, b, evaluate=False)
        case Op.SQ:
            return a**2
        case Op.SQRT:
            return sympy.sqrt(sympy.Abs(a) if protected else a)
        case Op.IF:
            return sympy.Piecewise((inputs[1], sympy.Gt(a, 0)), (b, True), evaluate=False)
        case _:
            return sympy.Function(function.name, real=True)(*inputs)


def _quotient(a: Any, b: Any, protected: bool) -> Any:
    if b.is_number and abs(float(b)) < SMALLEST_DENOMINATOR:
        return sympy.Integer(int(DIVISION_BY_ZERO))
    if b.is_number or not protected:
        return a / b
    tiny = sympy.Lt(sympy.Abs(b), sympy.Float(SMALLEST_DENOMINATOR))
    return sympy.Piecewise((sympy.Integer(int(DIVISION_BY_ZERO)), tiny), (a / b, True), evaluate=False)


def from_sympy(expression: Any, primitives: PrimitiveSet) -> Tree:
    """A tree for a SymPy expression of sums, products, powers, Max, Min, Abs and Piecewise; others are refused."""
    return to_tree(node_of(sympy.sympify(expression), primitives))


def node_of(expression: Any, primitives: PrimitiveSet, nodes: Mapping[Any, Node] | None = None) -> Node:
    """The root of a tree for a SymPy expression; `nodes` are what its symbols stand for, if not for terminals."""
    return _Builder(primitives, nodes or {}).node(expression)


class _Builder:
    """Builds nodes from the operations that a primitive set has."""

    def __init__(self, primitives: PrimitiveSet, nodes: Mapping[Any, Node]) -> None:
        self.primitives = primitives
        self.nodes = nodes

    def node(self, e: Any) -> Node:
        if e in self.nodes:
            return self.nodes[e]
        if e.is_Symbol:
            return Node(self.primitives.code(e.name), 0.0)
        if e.is_number:
            return self.number(_as_float(e))
        if e.is_Add:
            return self.sum(e)
        if e.is_Mul:
            return self.product(e)
        if e.is_Pow:
            return self.power(e)
        if isinstance(e, sympy.Max | sympy.Min):
            op = Op.MAX if isinstance(e, sympy.Max) else Op.MIN
            return reduce(lambda a, b: self.apply(op, a, b), map(self.node, e.args))
        if isinstance(e, sympy.Abs):
            inner = self.node(e.args[0])
            return self.apply(Op.MAX, inner, self.apply(Op.SUB, self.number(0.0), inner))
        if isinstance(e, sympy.Piecewise):
            return self.choice(e)
        function = getattr(e, "func", None)
        if e.args and function is not None and function.__name__ in self.primitives.codes:
            return function_node(self.primitives.codes[function.__name__], tuple(map(self.node, e.args)))
        raise InputError(f"SymPy expression {str(e)[:60]!r}: no primitive of {self.primitives.name!r} computes it")

    def sum(self, e: Any) -> Node:
        """Terms added from the left, those with a minus sign subtracted."""
        plus = [term for term in e.as_ordered_terms() if not term.could_extract_minus_sign()]
        minus = [-term for term in e.as_ordered_terms() if term.could_extract_minus_sign()]
        first = self.node(plus[0]) if plus else self.number(0.0)
        added = reduce(lambda left, term: self.apply(Op.ADD, left, self.node(term)), plus[1:], first)
        return reduce(lambda left, term: self.apply(Op.SUB, left, self.node(term)), minus, added)

    def product(self, e: Any) -> Node:
        """Factors with a negative power go below the line."""
        if e.could_extract_minus_sign() and not e.args[0].is_Float:
            return self.apply(Op.SUB, self.number(0.0), self.node(-e))
        below = [f for f in e.args if f.is_Pow and f.exp.is_number and f.exp.is_negative]
        above = [f for f in e.args if f not in below]
        denominators = [self.node(1 / f) for f in below]
        numerators = [self.node(f) for f in above] or [self.number(1.0)]
        product = reduce(lambda a, b: self.apply(Op.MUL, a, b), numerators)
        if not denominators:
            return product
        return self.apply(Op.DIV, product, reduce(lambda a, b: self.apply(Op.MUL, a, b), denominators))

    def power(self, e: Any) -> Node:
        base, exponent = e.as_base_exp()
        if exponent.is_number and exponent.is_negative:
            return self.apply(Op.DIV, self.number(1.0), self.node(base ** (-exponent)))
        if exponent.is_Rational and exponent.q in (2, 4, 8) and exponent.p <= _LARGEST_POWER:
            inner = base.args[0] if isinstance(base, sympy.Abs) else base  # sqrt takes the absolute value itself
            return self.apply(Op.SQRT, self.node(inner ** (2 * exponent)))
        if not (exponent.is_Integer and exponent <= _LARGEST_POWER):
            raise InputError(
                f"SymPy expression {str(e)[:60]!r}: expected whole powers up to {_LARGEST_POWER}, halves or quarters"
            )
        if exponent == 2 and self.primitives.function_of(Op.SQ):
            return self.apply(Op.SQ, self.node(base))
        return reduce(lambda a, b: self.apply(Op.MUL, a, b), [self.node(base)] * int(exponent))

    def choice(self, e: Any) -> Node:
        """The first value whose condition holds; a protected division where it is one."""
        (value, condition), *rest = e.args
        if not rest or condition == sympy.true:
            return self.node(value)
        other = rest[0][0] if rest[0][1] == sympy.true else e.func(*rest)
        denominator = _protected(value, condition)
        if denominator is not None:
            above = sympy.expand_mul(other * denominator) if denominator.is_Add else other * denominator
            return self.apply(Op.DIV, self.node(above), self.node(denominator))
        return self.apply(Op.IF, self.condition(condition), self.node(value), self.node(other))

    def condition(self, c: Any) -> Node:
        """A number above 0 where the condition holds, and only there."""
        if isinstance(c, sympy.StrictGreaterThan):
            return self.node(c.lhs) if c.rhs == 0 else self.apply(Op.SUB, self.node(c.lhs), self.node(c.rhs))
        if isinstance(c, sympy.StrictLessThan):
            return self.apply(Op.SUB, self.node(c.rhs), self.node(c.lhs))
        if isinstance(c, sympy.GreaterThan | sympy.LessThan | sympy.Not):
            return self.apply(Op.IF, self.condition(sympy.Not(c)), self.number(0.0), self.number(1.0))
        if isinstance(c, sympy.ITE):
            return self.apply(Op.IF, *map(self.condition, c.args))
        if isinstance(c, sympy.And | sympy.Or):
            op = Op.MIN if isinstance(c, sympy.And) else Op.MAX
            return reduce(lambda a, b: self.apply(op, a, b), map(self.condition, c.args))
        if c in (sympy.true, sympy.false):
            return self.number(1.0 if c == sympy.true else 0.0)
        raise InputError(f"SymPy condition {str(c)[:60]!r}: expected comparisons, And, Or, Not")

    def apply(self, op: Op, *inputs: Node) -> Node:
        function = self.primitives.function_of(op)
        if function is None:
            raise InputError(f"primitive set {self.primitives.name!r} lacks function {op.name.lower()}")
        return function_node(self.primitives.codes[function.name], inputs)

    def number(self, value: float) -> Node:
        code = self.primitives.constant_code(value)
        assert code is not None  # plain numbers always have one
        return Node(code, value)


def _as_float(number: Any) -> float:
    """Refuses what would become infinite or, without being it, zero."""
    value = float(number)
    if not math.isfinite(value) or (value == 0) != (number == 0):
        raise InputError(f"SymPy number {str(number)[:60]}: expected one that a float can hold")
    return value


def _protected(value: Any, condition: Any) -> Any:
    """The denominator where a case is the protection of a division, as to_sympy writes it; else None."""
    if not isinstance(condition, sympy.StrictLessThan) or not (value.is_number and condition.rhs.is_number):
        return None
    if (float(value), float(condition.rhs)) != (DIVISION_BY_ZERO, SMALLEST_DENOMINATOR):
        return None
    size = condition.lhs
    return size.args[0] if isinstance(size, sympy.Abs) else size  # SymPy drops | | of what is never negative
