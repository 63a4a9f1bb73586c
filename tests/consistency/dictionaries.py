"""The least cost of a repair once more: dictionaries of whole numbers, nothing left out, quick enough for real trees.

Exponents are multiples of a small enough step, all of a dimension in one number; costs are exact fractions of a lcm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from gpdr.consistency import reference
from gpdr.dimensions import Dimension
from gpdr.expressions import PrimitiveSet, Rule, Tree
from gpdr.expressions.reference import depths, inputs_of

_WIDTH = 200  # bits of an exponent
Costs = dict[int, int]


def least_cost(tree: Tree, primitives: PrimitiveSet, target: Dimension) -> float:
    """With a price of 1/k at depth k; infinite if there is no repair."""
    inputs, old, levels = inputs_of(tree, primitives), reference.rules(tree, primitives), depths(tree, primitives)
    unit = math.lcm(*range(1, max(levels) + 1))
    scale = 2 ** len(tree)
    for dimension in (*primitives.dimensions, target):
        scale = math.lcm(scale, *((e * scale).denominator * scale for e in dimension.exponents) if dimension else (1,))

    def number(dimension: Dimension) -> int:
        return sum(int(Fraction(e) * scale) << (_WIDTH * k) for k, e in enumerate(dimension.exponents))

    offered = {function.rule for function in primitives.functions}
    found: list[Costs] = [{} for _ in levels]
    for n in reversed(range(len(tree))):
        price = unit // levels[n]
        if old[n] is Rule.TERMINAL:
            for dimension, weight in reference.terminal_choices(int(tree.codes[n]), primitives, 1.0):
                found[n].setdefault(number(dimension), price if weight else 0)
            continue
        below = [found[child] for child in inputs[n]]
        for new in reference.compatible(old[n]):
            if new is old[n] or new in offered:
                _enter(found[n], new, below, 0 if new is old[n] else price, number(target) if n == 0 else None)
    cost = found[0].get(number(target))
    return math.inf if cost is None else cost / unit


def _enter(own: Costs, rule: Rule, below: Sequence[Costs], price: int, only: int | None) -> None:
    """The ways of a class into a node's dictionary; of products and quotients at the root those that are wanted."""
    a, b = below[0], below[-1]

    def enter(dimension: int, cost: int) -> None:
        if cost < own.get(dimension, cost + 1):
            own[dimension] = cost

    if rule in (Rule.PRODUCT, Rule.QUOTIENT):
        sign = 1 if rule is Rule.PRODUCT else -1
        for x, cost in a.items():
            paid = cost + price
            if only is not None:
                other = b.get(sign * (only - x))
                if other is not None:
                    enter(only, paid + other)
                continue
            for y, other in b.items():
                z, total = x + sign * y, paid + other
                if total < own.get(z, total + 1):
                    own[z] = total
        return
    for x, cost in a.items() if rule is not Rule.CHOICE else below[1].items():
        match rule:
            case Rule.SAME if x in b:
                enter(x, cost + b[x] + price)
            case Rule.CHOICE if x in b:
                enter(x, min(a.values()) + cost + b[x])
            case Rule.SQUARE:
                enter(2 * x, cost + price)
            case Rule.ROOT:
                enter(x // 2, cost + price)
            case Rule.PURE if x == 0:
                enter(0, cost)
            case _:
                pass
