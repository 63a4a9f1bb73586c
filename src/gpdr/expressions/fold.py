"""One pass over a tree that builds a result for every subtree from those of its inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Function
from gpdr.expressions.primitives import PrimitiveSet

T = TypeVar("T")


def fold(
    tree: Tree,
    primitives: PrimitiveSet,
    leaf: Callable[[int, float], T],
    node: Callable[[Function, list[T]], T],
) -> list[T]:
    """The result of every subtree in prefix order, the whole tree's first.

    `leaf` gets the code and the value of a terminal, `node` a function and the results of its inputs. Works from
    right to left, where inputs come before the node they belong to, so depth is no concern.
    """
    results: list[T] = []
    waiting: list[T] = []
    for code, value in zip(reversed(tree.codes.tolist()), reversed(tree.values.tolist()), strict=True):
        if primitives.is_function(code):
            function = primitives.functions[code]
            inputs = [waiting.pop() for _ in range(function.arity)]
            waiting.append(node(function, inputs))
        else:
            waiting.append(leaf(code, value))
        results.append(waiting[-1])
    return results[::-1]
