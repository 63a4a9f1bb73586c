"""How trees grow, in plain Python written for reading: the kernels' twins, which read the same random numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpdr._random import below, uniform
from gpdr.expressions.forest import Tree
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.terminals import Constant, Sampler

State = NDArray[np.uint64]


def draw_terminal(primitives: PrimitiveSet, state: State) -> int:
    """The code of a terminal or random constant, each as likely."""
    return len(primitives.functions) + below(state, len(primitives.terminals))


def draw_constant(primitives: PrimitiveSet, state: State, code: int) -> float:
    """A fresh value where the code is that of a random constant, else 0 and nothing drawn."""
    if primitives.is_function(code) or not primitives.is_number(code):
        return 0.0
    constant = primitives.terminals[code - len(primitives.functions)]
    assert isinstance(constant, Constant)
    if constant.sampler is Sampler.INTEGER:
        return constant.low + below(state, constant.high - constant.low + 1)
    value = constant.low + uniform(state) * (constant.high - constant.low)
    return value if value < constant.high else constant.low


def grow_tree(primitives: PrimitiveSet, state: State, smallest: int, largest: int, full: bool) -> Tree:
    """A random tree to a depth limit of smallest … largest that is drawn first."""
    limit = smallest + below(state, largest - smallest + 1)
    functions = len(primitives.functions)
    codes: list[int] = []
    values: list[float] = []

    def append(depth: int) -> None:
        if depth == limit or not functions:
            code = draw_terminal(primitives, state)
        else:
            code = below(state, functions if full or depth < smallest else primitives.literal)
        codes.append(code)
        values.append(draw_constant(primitives, state, code))
        if code < functions:
            for _ in range(primitives.functions[code].arity):
                append(depth + 1)

    append(1)
    return Tree(np.array(codes, np.int32), np.array(values))


def grow_forest(
    primitives: PrimitiveSet, states: Sequence[State], trees: int, smallest: int, largest: int, chance_of_full: float
) -> list[list[Tree]]:
    """Individuals, each from its own stream: a coin for each tree, then the tree."""
    return [
        [grow_tree(primitives, state, smallest, largest, full=uniform(state) < chance_of_full) for _ in range(trees)]
        for state in states
    ]
