"""Identities that shorten an expression at its root. Each only proposes: simplify.py checks before it takes one."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gpdr.expressions.functions import SMALLEST_DENOMINATOR, Op
from gpdr.expressions.intervals import bounds, never_tiny
from gpdr.expressions.nodes import Node, function_node
from gpdr.expressions.primitives import PrimitiveSet


def rewrites(node: Node, primitives: PrimitiveSet) -> Iterator[Node]:
    """Shorter expressions that may equal this one."""
    low, high = bounds(node, primitives)
    if low == high and math.isfinite(low):
        yield from _number(low, primitives)
    op = _op(node, primitives)
    match op:
        case Op.ADD | Op.SUB:
            yield from _sums(op, node, primitives)
        case Op.MUL | Op.DIV:
            yield from _products(op, node, primitives)
        case Op.MAX | Op.MIN:
            yield from _extremes(node, primitives)
        case Op.IF:
            yield from _choices(node, primitives)
        case Op.SQ | Op.SQRT:
            yield from _powers(op, node, primitives)


def _sums(op: Op, node: Node, primitives: PrimitiveSet) -> Iterator[Node]:
    a, b = node.inputs
    if _is(b, 0.0, primitives):  # a + 0, a - 0
        yield a
    if op is Op.ADD and _is(a, 0.0, primitives):
        yield b
    if op is Op.SUB and a == b:
        yield from _number(0.0, primitives)
    subtraction, addition = primitives.function_of(Op.SUB), primitives.function_of(Op.ADD)
    if subtraction and addition and b.inputs and _op(b, primitives) is Op.SUB and _is(b.inputs[0], 0.0, primitives):
        other = addition if op is Op.SUB else subtraction  # a - (0 - c), a + (0 - c)
        yield function_node(primitives.codes[other.name], (a, b.inputs[1]))


def _products(op: Op, node: Node, primitives: PrimitiveSet) -> Iterator[Node]:
    a, b = node.inputs
    if _is(b, 1.0, primitives):  # a * 1, a / 1
        yield a
    if op is Op.MUL and _is(a, 1.0, primitives):
        yield b
    if op is Op.MUL and a == b and (square := primitives.function_of(Op.SQ)):
        yield function_node(primitives.codes[square.name], (a,))
    if op is Op.MUL and a == b and _is_root_of_no_negative(a, primitives):
        yield a.inputs[0]
    if op is Op.DIV and a == b and never_tiny(b, primitives):
        yield from _number(1.0, primitives)


def _extremes(node: Node, primitives: PrimitiveSet) -> Iterator[Node]:
    a, b = node.inputs
    if a == b:
        yield a
    for nested, other in ((a, b), (b, a)):  # max(max(x, y), y) is max(x, y); max(min(x, y), y) is y
        if other in nested.inputs and nested.inputs:
            yield from (nested,) if nested.code == node.code else (other,)
    for larger, smaller in ((a, b), (b, a)):  # one never matters: max(sqrt(x), -1)
        if _never_less(larger, smaller, primitives):
            yield larger if _op(node, primitives) is Op.MAX else smaller


def _never_less(a: Node, b: Node, primitives: PrimitiveSet) -> bool:
    """Whether a >= b is proven: by their bounds, or as x + y >= x and x >= x - y for y >= 0."""
    if bounds(a, primitives)[0] >= bounds(b, primitives)[1]:
        return True
    if a.inputs and _op(a, primitives) is Op.ADD and b in a.inputs:
        return bounds(a.inputs[1 - a.inputs.index(b)], primitives)[0] >= 0
    if b.inputs and _op(b, primitives) is Op.SUB and b.inputs[0] == a:
        return bounds(b.inputs[1], primitives)[0] >= 0
    return False


def _choices(node: Node, primitives: PrimitiveSet) -> Iterator[Node]:
    condition, then, other = node.inputs
    low, high = bounds(condition, primitives)
    if low > 0 or high <= 0:  # if(2, a, b), if(sqrt(x) + 1, a, b)
        yield then if low > 0 else other
    if then == other:
        yield then
    if then.code == node.code and then.inputs[0] == condition:
        yield function_node(node.code, (condition, then.inputs[1], other))
    if other.code == node.code and other.inputs[0] == condition:
        yield function_node(node.code, (condition, then, other.inputs[2]))
    for shorter in _conditions(condition, primitives):
        yield function_node(node.code, (shorter, then, other))


def _conditions(condition: Node, primitives: PrimitiveSet) -> Iterator[Node]:
    """Conditions of the same sign: M * x is above 0 where x is."""
    if not condition.inputs:
        return
    a, b = condition.inputs[0], condition.inputs[-1]
    match _op(condition, primitives):
        case Op.MUL if bounds(a, primitives)[0] > 0:
            yield b
        case Op.MUL if bounds(b, primitives)[0] > 0:
            yield a
        case Op.DIV if bounds(b, primitives)[0] >= SMALLEST_DENOMINATOR:
            yield a
        case Op.SQRT if bounds(a, primitives)[0] >= 0:
            yield a


def _powers(op: Op, node: Node, primitives: PrimitiveSet) -> Iterator[Node]:
    """sqrt(sq(x)), sqrt(x * x) and sq(sqrt(x)) are |x|."""
    (below,) = node.inputs
    if not below.inputs:
        return
    if op is Op.SQ and _is_root_of_no_negative(below, primitives):
        yield below.inputs[0]
    squared = _op(below, primitives) is Op.SQ or (_op(below, primitives) is Op.MUL and len({*below.inputs}) == 1)
    if op is Op.SQRT and squared and bounds(below.inputs[0], primitives)[0] >= 0:
        yield below.inputs[0]


def _is_root_of_no_negative(node: Node, primitives: PrimitiveSet) -> bool:
    return bool(node.inputs) and _op(node, primitives) is Op.SQRT and bounds(node.inputs[0], primitives)[0] >= 0


def _is(node: Node, value: float, primitives: PrimitiveSet) -> bool:
    return primitives.is_number(node.code) and node.value == value


def _op(node: Node, primitives: PrimitiveSet) -> Op:
    return primitives.functions[node.code].op


def _number(value: float, primitives: PrimitiveSet) -> Iterator[Node]:
    code = primitives.constant_code(value)
    if code is not None:
        yield Node(code, value)
