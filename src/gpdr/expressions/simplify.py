"""Shorter trees of the same value and dimension.

Protected operations make some identities of algebra false (x / x is 1e6 at 0), and rounding others. So every step is
a candidate only: it is taken where it is shorter, has the same dimension, and agrees on trial data full of zeros,
negative and huge numbers. Where in doubt, the expression stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gpdr.expressions.dimension import dimension_of
from gpdr.expressions.evaluate import evaluate
from gpdr.expressions.forest import Forest, Tree
from gpdr.expressions.nodes import Node, function_node, to_node, to_tree
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.rewrites import rewrites

TOLERANCE = 1e-9
_TRIAL_ROWS = 512
_MOST_NODES_FOR_ALGEBRA = 300  # SymPy's time grows quickly


def simplify(tree: Tree, primitives: PrimitiveSet, algebra: bool = True) -> Tree:
    """The shortest tree found that keeps value and dimension; with `algebra`, SymPy collects terms too."""
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
            if shorter.size == root.size:
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
        """Each polynomial in the tree collected as a whole: `within` one, its parts wait for it."""
        from gpdr.expressions.algebra import collected, is_polynomial

        if not node.inputs:
            return node
        polynomial = is_polynomial(node, self.primitives)
        made = function_node(node.code, tuple(self.algebraically(below, polynomial) for below in node.inputs))
        if within or not polynomial:
            return made
        return self.first_kept(made, collected(made, self.primitives))

    def first_kept(self, node: Node, candidates: Iterator[Node]) -> Node:
        """The first candidate that is shorter and as good, else the node itself."""
        for candidate in candidates:
            if candidate.size < node.size and self.same(node, candidate):
                return candidate
        return node

    def same(self, before: Node, after: Node) -> bool:
        """Equal dimension, and equal value on trial data."""
        one, other = to_tree(before), to_tree(after)
        dimension = dimension_of(one, self.primitives)
        if dimension is None or dimension != dimension_of(other, self.primitives):
            return False
        return same_values(one, other, self.primitives)


def same_values(one: Tree, other: Tree, primitives: PrimitiveSet) -> bool:
    """Whether two trees agree to TOLERANCE, relative, on trial data."""
    a, b = _values([one, other], primitives, _trial_data(len(primitives.columns)))
    close = np.abs(a - b) <= TOLERANCE * np.maximum(np.abs(a), np.abs(b))
    return bool(np.all(close | (a == b) | (np.isnan(a) & np.isnan(b))))


def _values(trees: Sequence[Tree], primitives: PrimitiveSet, data: NDArray[np.float64]) -> NDArray[np.float64]:
    values: NDArray[np.float64] = evaluate(Forest.of([trees]), primitives, data).values[0]
    return values


@cache
def _trial_data(columns: int) -> NDArray[np.float64]:
    """Rows in which ordinary, whole, zero, tiny and huge numbers of either sign meet."""
    rng = np.random.default_rng(20_240_229)
    shape = (_TRIAL_ROWS, columns)
    sign = rng.choice([-1.0, 1.0], shape)
    kinds = np.stack(
        [
            rng.uniform(-3, 3, shape),
            rng.uniform(0, 30, shape),
            rng.integers(-2, 21, shape).astype(float),
            np.zeros(shape),
            sign * 10.0 ** rng.uniform(-12, -6, shape),
            sign * 10.0 ** rng.uniform(3, 12, shape),
        ]
    )
    kind = rng.choice(len(kinds), shape, p=[0.3, 0.3, 0.2, 0.08, 0.06, 0.06])
    return np.asarray(np.take_along_axis(kinds, kind[None], axis=0)[0])
