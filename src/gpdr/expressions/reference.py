"""What the kernels compute, in plain Python written for reading; tests hold the kernels to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from gpdr.expressions.fold import fold
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import DIVISION_BY_ZERO, SMALLEST_DENOMINATOR, Function, Op
from gpdr.expressions.primitives import PrimitiveSet

# Comparisons with NaN are false, which decides what max, min and if do with it.
MEANING: Mapping[Op, Callable[..., float]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.DIV: lambda a, b: DIVISION_BY_ZERO if abs(b) < SMALLEST_DENOMINATOR else a / b,
    Op.MAX: lambda a, b: a if a > b else b,
    Op.MIN: lambda a, b: a if a < b else b,
    Op.SQ: lambda a: a * a,
    Op.SQRT: lambda a: math.sqrt(abs(a)),
    Op.IF: lambda a, b, c: b if a > 0 else c,
}


def evaluate(tree: Tree, primitives: PrimitiveSet, row: Mapping[str, float]) -> float:
    """The value of a tree where the terminals have these values."""

    def leaf(code: int, value: float) -> float:
        return value if primitives.is_number(code) else float(row[primitives.name_of(code)])

    return fold(tree, primitives, leaf, apply)[0]


def apply(function: Function, inputs: Sequence[float]) -> float:
    """The value of a function."""
    compute = function.compute or MEANING[function.op]
    return float(compute(*inputs))


def sizes(tree: Tree, primitives: PrimitiveSet) -> list[int]:
    """Nodes of the subtree at each node."""
    return fold(tree, primitives, lambda _code, _value: 1, lambda _function, inputs: 1 + sum(inputs))


def heights(tree: Tree, primitives: PrimitiveSet) -> list[int]:
    """Levels of the subtree at each node: 1 for a terminal."""
    return fold(tree, primitives, lambda _code, _value: 1, lambda _function, inputs: 1 + max(inputs))


def inputs_of(tree: Tree, primitives: PrimitiveSet) -> list[list[int]]:
    """The nodes that each node has as its inputs."""
    size = sizes(tree, primitives)
    inputs: list[list[int]] = []
    for k, code in enumerate(tree.codes.tolist()):
        inputs.append([])
        begin = k + 1
        for _ in range(primitives.functions[code].arity if primitives.is_function(code) else 0):
            inputs[k].append(begin)
            begin += size[begin]
    return inputs


def depths(tree: Tree, primitives: PrimitiveSet) -> list[int]:
    """Depth of each node; the root has depth 1."""
    found = [1] * len(tree)
    for k, inputs in enumerate(inputs_of(tree, primitives)):
        for below in inputs:
            found[below] = found[k] + 1
    return found


def stack_height(trees: Sequence[Tree], primitives: PrimitiveSet) -> int:
    """The most values that wait at once when trees are evaluated from right to left; -1 - k if tree k is none."""
    highest = 0
    for k, tree in enumerate(trees):
        waiting: list[int] = []
        for node in reversed(range(len(tree))):
            code = int(tree.codes[node])
            arity = primitives.functions[code].arity if 0 <= code < len(primitives.functions) else 0
            if not 0 <= code <= primitives.literal or arity > len(waiting):
                return -1 - k
            waiting = [*waiting[: len(waiting) - arity], node]
            highest = max(highest, len(waiting))
        if waiting != [0]:
            return -1 - k
    return highest
