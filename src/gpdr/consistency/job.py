"""The repair of a forest under way: what is known of each tree, and attempts at some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpdr._threads import map_parts
from gpdr.consistency import reference
from gpdr.consistency._kernels import search
from gpdr.consistency._kernels.forest import repair_trees
from gpdr.consistency._kernels.memory import memory_for
from gpdr.consistency._kernels.replace import Replacements
from gpdr.consistency.keys import Keys
from gpdr.dimensions import Dimension
from gpdr.expressions.forest import Forest
from gpdr.expressions.primitives import PrimitiveSet

_BLOCK = 64  # trees a thread takes at a time


@dataclass(frozen=True)
class Bounds:
    """Which states an attempt may leave out: those that cost, with what is outside, more than the ceiling."""

    outside: NDArray[np.float64]  # (nodes, residues)
    ceiling: float
    budget: int  # states of a tree: with more, the attempt is given up
    states: int  # memory for so many


class Job:
    """A forest's trees as far as they are repaired."""

    def __init__(
        self,
        forest: Forest,
        primitives: PrimitiveSet,
        targets: Sequence[Dimension],
        weights: NDArray[np.float64],
        become: Replacements,
        streams: NDArray[np.uint64],
        threads: int,
    ) -> None:
        self.forest, self.primitives, self.targets = forest, primitives, targets
        self.weights, self.become, self.streams, self.threads = weights, become, streams, threads
        self.scaled = primitives.scaled_targets(targets)
        self.codes, self.values = forest.codes.copy(), forest.values.copy()
        self.changed = np.zeros(len(self.codes), np.bool_)
        trees = len(forest.starts) - 1
        self.costs, self.status = np.empty(trees), np.empty(trees, np.int64)
        self.sizes = np.diff(forest.starts)

    def attempt(self, trees: NDArray[np.int64], keys: Keys, bounds: Bounds) -> None:
        """Repair these trees; what became of each is in status and costs."""

        def work(first: int) -> None:
            block = trees[first : first + _BLOCK]
            repair_trees(
                self.primitives.table,
                keys.space,
                self.become,
                memory_for(int(self.sizes[block].max()), bounds.states),
                self.forest.starts,
                self.weights,
                block,
                self.scaled,
                keys.targets,
                bounds.outside,
                bounds.ceiling,
                bounds.budget,
                self.streams,
                self.codes,
                self.values,
                self.changed,
                self.costs,
                self.status,
            )

        map_parts(work, range(0, len(trees), _BLOCK), self.threads)
        for k in self.which(trees, search.NOT_EXACT).tolist():
            self._confirm(k)

    def which(self, trees: NDArray[np.int64], status: int) -> NDArray[np.int64]:
        """Those of these trees with this status."""
        found: NDArray[np.int64] = trees[self.status[trees] == status]
        return found

    def _confirm(self, k: int) -> None:
        """Where float64 cannot tell whether a repair is one, fractions can; else the tree is as it was."""
        tree = Forest(self.codes, self.values, self.forest.starts).tree(k)
        if reference.gap(tree, self.primitives, self.targets[k % self.forest.trees]) == 0:
            self.status[k] = search.DONE
            return
        nodes: Any = slice(self.forest.starts[k], self.forest.starts[k + 1])
        self.codes[nodes], self.values[nodes] = self.forest.codes[nodes], self.forest.values[nodes]
        self.changed[nodes] = False
        self.status[k] = search.COLLISION
