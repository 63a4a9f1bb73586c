"""Identities that shorten an expression at its root. Each only proposes: simplify.py checks before it takes one."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gpdr.expressions.functions import Op
from gpdr.expressions.nodes import Node, function_node
from gpdr.expressions.primitives import PrimitiveSet

_ANY = (-math.inf, math.inf)


def rewrites(node: Node, primitives: PrimitiveSet) -> Iterator[Node]:
    """Shorter expressions that may equal this one."""
    op = primitives.functions[node.code].op
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


def bounds(node: Node, primitives: PrimitiveSet) -> tuple[float, float]:
    """What the value lies between, whatever the terminals are."""
    if not node.inputs:
        return (node.value, node.value) if primitives.is_number(node.code) else _ANY
    (a_low, a_high), (b_low, b_high) = (bounds(below, primitives) for below in (node.inputs[0], node.inputs[-1]))
    match _op(node, primitives):
        case Op.ADD:
            return a_low + b_low, a_high + b_high
        case Op.SUB:
            return a_low - b_high, a_high - b_low
        case Op.MUL if 0 <= a_low <= a_high < math.inf and 0 <= b_low <= b_high < math.inf:
            return a_low * b_low, a_high * b_high
        case Op.MAX:
            return max(a_low, b_low), max(a_high, b_high)
        case Op.MIN:
            return min(a_low, b_low), min(a_high, b_high)
        case Op.IF:
            then_low, then_high = bounds(node.inputs[1], primitives)
            return min(then_low, b_low), max(then_high, b_high)
        case Op.SQ | Op.SQRT:
            return 0.0, math.inf
        case _:
            return _ANY


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
    if op is Op.MUL and (_is(a, 0.0, primitives) or _is(b, 0.0, primitives)):
        yield from _number(0.0, primitives)


def _extremes(node: Node, primitives: PrimitiveSet) -> Iterator[Node]:
    a, b = node.inputs
    if a == b:
        yield a
    for nested, other in ((a, b), (b, a)):  # max(max(x, y), y) is max(x, y); max(min(x, y), y) is y
        if other in nested.inputs and nested.inputs:
            yield from (nested,) if nested.code == node.code else (other,)
    (a_low, a_high), (b_low, b_high) = bounds(a, primitives), bounds(b, primitives)
    if a_low >= b_high or b_low >= a_high:  # one never matters: max(sqrt(x), -1)
        larger, smaller = (a, b) if a_low >= b_high else (b, a)
        yield larger if _op(node, primitives) is Op.MAX else smaller


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


def _powers(op: Op, node: Node, primitives: PrimitiveSet) -> Iterator[Node]:
    (below,) = node.inputs
    if below.inputs and _op(below, primitives) in (Op.SQ, Op.SQRT) and _op(below, primitives) is not op:
        inner = below.inputs[0]
        if bounds(inner, primitives)[0] >= 0:  # sqrt(sq(x)) is |x|
            yield inner


def _is(node: Node, value: float, primitives: PrimitiveSet) -> bool:
    return primitives.is_number(node.code) and node.value == value


def _op(node: Node, primitives: PrimitiveSet) -> Op:
    return primitives.functions[node.code].op


def _number(value: float, primitives: PrimitiveSet) -> Iterator[Node]:
    code = primitives.constant_code(value)
    if code is not None:
        yield Node(code, value)
