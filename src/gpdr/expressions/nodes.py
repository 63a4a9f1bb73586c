"""Trees as nested nodes, for work that takes them apart: reading and rewriting."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpdr.expressions.fold import fold
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Function
from gpdr.expressions.primitives import PrimitiveSet


class Node(NamedTuple):
    """A node with everything below it; equal nodes are equal expressions."""

    code: int
    value: float
    inputs: tuple[Node, ...] = ()
    depth: int = 1
    size: int = 1


def function_node(code: int, inputs: tuple[Node, ...]) -> Node:
    """A function of these inputs."""
    depth = 1 + max(below.depth for below in inputs)
    return Node(code, 0.0, inputs, depth, 1 + sum(below.size for below in inputs))


def to_node(tree: Tree, primitives: PrimitiveSet) -> Node:
    """The root of a tree."""

    def node(function: Function, inputs: list[Node]) -> Node:
        return function_node(primitives.codes[function.name], tuple(inputs))

    return fold(tree, primitives, Node, node)[0]


def to_tree(root: Node) -> Tree:
    """The tree of a root, in prefix order."""
    codes, values = [], []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        codes.append(node.code)
        values.append(node.value)
        waiting.extend(reversed(node.inputs))
    return Tree(np.array(codes, np.int32), np.array(values, np.float64))
