"""What a value lies between where the terminals keep to their declared ranges, and no step leaves the floats.

Every operation rounds monotonically, so the same operation on the ends bounds what evaluation yields, rounding
included. An end may be infinite: no bound is known there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gpdr.expressions.functions import DIVISION_BY_ZERO, SMALLEST_DENOMINATOR, Op
from gpdr.expressions.nodes import Node
from gpdr.expressions.primitives import PrimitiveSet

Interval = tuple[float, float]

_ANY = (-math.inf, math.inf)


def bounds(node: Node, primitives: PrimitiveSet) -> Interval:
    """The least and the largest value that a node may have."""
    if not node.inputs:
        if primitives.is_number(node.code):
            return node.value, node.value
        terminal = primitives.terminals[node.code - len(primitives.functions)]
        return terminal.low, terminal.high
    op = primitives.functions[node.code].op
    inputs = [bounds(below, primitives) for below in node.inputs]
    if op is Op.MUL and node.inputs[0] == node.inputs[1]:
        op = Op.SQ
    low, high = _applied(op, inputs)
    return _ANY if math.isnan(low) or math.isnan(high) else (low, high)


def never_tiny(node: Node, primitives: PrimitiveSet) -> bool:
    """Whether a division by this node is an ordinary one."""
    low, high = bounds(node, primitives)
    return low >= SMALLEST_DENOMINATOR or high <= -SMALLEST_DENOMINATOR


def _applied(op: Op, inputs: Sequence[Interval]) -> Interval:
    (a_low, a_high), (b_low, b_high) = inputs[0], inputs[-1]
    match op:
        case Op.ADD:
            return a_low + b_low, a_high + b_high
        case Op.SUB:
            return a_low - b_high, a_high - b_low
        case Op.MUL:
            return _hull([x * y if x and y else 0.0 for x in inputs[0] for y in inputs[1]])
        case Op.DIV:
            return _quotient(inputs[0], inputs[1])
        case Op.MAX:
            return max(a_low, b_low), max(a_high, b_high)
        case Op.MIN:
            return min(a_low, b_low), min(a_high, b_high)
        case Op.SQ:
            low, high = _size(inputs[0])
            return low * low, high * high
        case Op.SQRT:
            low, high = _size(inputs[0])
            return math.sqrt(low), math.sqrt(high)
        case Op.IF:
            possible = [*(inputs[1] if a_high > 0 else ()), *(inputs[2] if a_low <= 0 else ())]
            return _hull(possible)
        case _:
            return _ANY


def _quotient(above: Interval, below: Interval) -> Interval:
    """Divisors above the protected ones, those below them, and what the protection gives."""
    low, high = below
    found = [DIVISION_BY_ZERO] if low < SMALLEST_DENOMINATOR and high > -SMALLEST_DENOMINATOR else []
    divisors: list[float] = []
    if high >= SMALLEST_DENOMINATOR:
        divisors += (max(low, SMALLEST_DENOMINATOR), high)
    if low <= -SMALLEST_DENOMINATOR:
        divisors += (low, min(high, -SMALLEST_DENOMINATOR))
    # Numbers without a bound by numbers without a bound: between 0 and what the other ends give.
    found += [0.0 if math.isinf(x) and math.isinf(y) else x / y for x in above for y in divisors]
    return _hull(found)


def _size(interval: Interval) -> Interval:
    """The bounds of the absolute value."""
    low, high = interval
    if low <= 0 <= high:
        return 0.0, max(-low, high)
    return min(abs(low), abs(high)), max(abs(low), abs(high))


def _hull(values: Sequence[float]) -> Interval:
    return min(values), max(values)
