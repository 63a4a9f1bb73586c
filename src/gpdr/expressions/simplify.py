"""Shorter trees of the same value and dimension.

Protected operations make some identities of algebra false (x / x is 1e6 at 0), and rounding others. So every step is
a candidate only: it is taken where it is shorter, has the same dimension, and agrees on trial data full of zeros,
negative and huge numbers, as far as the terminals' ranges allow them. Where in doubt, the expression stays as it is.

Where terminals keep to their declared ranges the value stays; outside them a simplified expression may give another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gpdr.expressions.dimension import dimension_of
from gpdr.expressions.evaluate import evaluate
from gpdr.expressions.forest import Forest, Tree
from gpdr.expressions.nodes import Node, function_node, to_node, to_tree
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.rewrites import rewrites
from gpdr.expressions.terminals import Terminal
from gpdr.expressions.trial_data import trial_data

TOLERANCE = 1e-9
_MOST_NODES_FOR_ALGEBRA = 300  # SymPy's time grows quickly


def simplify(tree: Tree, primitives: PrimitiveSet, algebra: bool = True) -> Tree:
    """The shortest tree found that keeps dimension and, within the terminals' ranges, value.

    With `algebra`, SymPy collects terms too.
    """
    return to_tree(_Simplifier(primitives, algebra).run(to_node(tree, primitives)))


class _Simplifier:
    """Rewrites from the leaves up until nothing gets shorter."""

    def __init__(self, primitives: PrimitiveSet, algebra: bool) -> None:
        self.primitives = primitives
        self.algebra = algebra
        self.known: dict[Node, Node] = {}

    def run(self, root: Node) -> Node:
        while True:
            shorter = self.locally(root)
            if self.algebra and shorter.size <= _MOST_NODES_FOR_ALGEBRA:
                shorter = self.algebraically(shorter)
            if shorter == root:
                return shorter
            root = shorter

    def locally(self, node: Node) -> Node:
        """The node with its inputs simplified, then itself by the first rule that holds."""
        if not node.inputs:
            return node
        if node not in self.known:
            simpler = function_node(node.code, tuple(self.locally(below) for below in node.inputs))
            better = self.first_kept(simpler, self.candidates(simpler))
            self.known[node] = better if better == simpler else self.locally(better)
        return self.known[node]

    def candidates(self, node: Node) -> Iterator[Node]:
        folded = self.folded(node)
        if folded:
            yield folded
        yield from rewrites(node, self.primitives)

    def folded(self, node: Node) -> Node | None:
        """The number that a function of numbers is."""
        if any(below.inputs or not self.primitives.is_number(below.code) for below in node.inputs):
            return None
        value = float(_values([to_tree(node)], self.primitives, np.zeros((1, len(self.primitives.columns))))[0, 0])
        dimension = dimension_of(to_tree(node), self.primitives)
        code = self.primitives.constant_code(value, dimension) if np.isfinite(value) and dimension is not None else None
        return None if code is None else Node(code, value)

    def algebraically(self, node: Node, within: bool = False) -> Node:
        """Each rational function in the tree collected as a whole: `within` one, its parts wait for it."""
        from gpdr.expressions.algebra import collected, is_rational

        if not node.inputs:
            return node
        rational = is_rational(node, self.primitives)
        made = function_node(node.code, tuple(self.algebraically(below, rational) for below in node.inputs))
        if within or not rational:
            return made
        return self.first_kept(made, collected(made, self.primitives))

    def first_kept(self, node: Node, candidates: Iterator[Node]) -> Node:
        """The first candidate that is shorter and as good, else the node itself."""
        for candidate in candidates:
            if self.length(candidate) < self.length(node) and self.same(node, candidate):
                return candidate
        return node

    def length(self, node: Node) -> tuple[int, int]:
        """Nodes, then those that are no numbers: i - 2 * CR is shorter than i - CR - CR."""
        return node.size, sum(not self.primitives.is_number(code) for code in to_tree(node).codes.tolist())

    def same(self, before: Node, after: Node) -> bool:
        """Equal dimension, and equal value on trial data."""
        one, other = to_tree(before), to_tree(after)
        dimension = dimension_of(one, self.primitives)
        if dimension is None or dimension != dimension_of(other, self.primitives):
            return False
        return same_values(one, other, self.primitives)


def same_values(one: Tree, other: Tree, primitives: PrimitiveSet) -> bool:
    """Whether two trees agree to TOLERANCE, relative, on trial data within the terminals' ranges."""
    ranges = tuple((t.low, t.high) for t in primitives.terminals if isinstance(t, Terminal))
    with np.errstate(over="ignore", invalid="ignore"):
        a, b = _values([one, other], primitives, trial_data(ranges))
        close = np.abs(a - b) <= TOLERANCE * np.maximum(np.abs(a), np.abs(b))
    return bool(np.all(close | (a == b) | (np.isnan(a) & np.isnan(b))))


def _values(trees: Sequence[Tree], primitives: PrimitiveSet, data: NDArray[np.float64]) -> NDArray[np.float64]:
    values: NDArray[np.float64] = evaluate(Forest.of([trees]), primitives, data).values[0]
    return values
