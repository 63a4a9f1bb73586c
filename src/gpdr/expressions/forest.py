"""Trees and forests: prefix order, flat arrays, nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]
Values = NDArray[np.float64]
Starts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """One expression: its primitives' codes in prefix order, and the value at each node that is a number."""

    codes: Codes
    values: Values

    def __len__(self) -> int:
        return len(self.codes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return np.array_equal(self.codes, other.codes) and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash((self.codes.tobytes(), (self.values + 0.0).tobytes()))  # -0.0 equals 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Individuals of `trees` trees each, all nodes end to end.

    Tree t of individual n is tree k = n * trees + t: nodes starts[k] … starts[k + 1] - 1. The arrays hold no gaps:
    starts[0] = 0 and starts[-1] is the number of nodes.
    """

    codes: Codes
    values: Values
    starts: Starts
    trees: int = 1

    def __post_init__(self) -> None:
        if len(self.codes) != len(self.values) or len(self.codes) != self.starts[-1]:
            raise ValueError(f"{len(self.codes)} codes, {len(self.values)} values, but starts end at {self.starts[-1]}")
        if (len(self.starts) - 1) % self.trees:
            raise ValueError(f"{len(self.starts) - 1} trees cannot be shared out in individuals of {self.trees}")

    @classmethod
    def of(cls, individuals: Sequence[Sequence[Tree]], trees: int | None = None) -> Forest:
        """A forest of individuals given as their trees."""
        count = trees or (len(individuals[0]) if individuals else 1)
        if any(len(individual) != count for individual in individuals):
            raise ValueError(f"every individual needs {count} trees")
        flat = [tree for individual in individuals for tree in individual]
        return cls(
            codes=np.concatenate([np.empty(0, np.int32), *(tree.codes for tree in flat)]).astype(np.int32),
            values=np.concatenate([np.empty(0), *(tree.values for tree in flat)]),
            starts=np.cumsum([0, *(len(tree) for tree in flat)]).astype(np.int64),
            trees=count,
        )

    def __len__(self) -> int:
        """How many individuals."""
        return (len(self.starts) - 1) // self.trees

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Forest):
            return NotImplemented
        pairs = ((self.codes, other.codes), (self.values, other.values), (self.starts, other.starts))
        return self.trees == other.trees and all(np.array_equal(a, b) for a, b in pairs)

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[tuple[Tree, ...]]:
        return (self[n] for n in range(len(self)))

    def __getitem__(self, individual: int) -> tuple[Tree, ...]:
        """The trees of one individual."""
        first = range(len(self))[individual] * self.trees
        return tuple(self.tree(k) for k in range(first, first + self.trees))

    def tree(self, k: int) -> Tree:
        """Tree k of all trees, counted through."""
        nodes = slice(self.starts[k], self.starts[k + 1])
        return Tree(self.codes[nodes].copy(), self.values[nodes].copy())

    @property
    def tree_sizes(self) -> NDArray[np.int64]:
        """Nodes of each tree: (individuals, trees)."""
        return np.diff(self.starts).reshape(len(self), self.trees)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Nodes of each individual, over all its trees."""
        return np.diff(self.starts[:: self.trees])

    def take(self, individuals: NDArray[np.integer] | Sequence[int]) -> Forest:
        """The forest of these individuals, in this order; repeats allowed."""
        chosen = np.asarray(individuals, np.int64)
        first = self.starts[:-1].reshape(-1, self.trees)[chosen].ravel()
        lengths = self.tree_sizes[chosen].ravel()
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        nodes = np.arange(starts[-1]) + np.repeat(first - starts[:-1], lengths)
        return Forest(self.codes[nodes], self.values[nodes], starts, self.trees)

    def with_trees_replaced(self, individuals: NDArray[np.integer] | Sequence[int], new: Forest) -> Forest:
        """This forest with individual individuals[k] replaced by individual k of `new`."""
        order = np.arange(len(self))
        order[np.asarray(individuals, np.int64)] = len(self) + np.arange(len(new))
        return concatenate([self, new]).take(order)


def concatenate(forests: Sequence[Forest]) -> Forest:
    """One forest of all individuals, in order."""
    if len({forest.trees for forest in forests}) != 1:
        raise ValueError("forests to be joined need the same number of trees an individual")
    offsets = np.cumsum([0, *(forest.starts[-1] for forest in forests)])
    joined = [f.starts[:-1] + offset for f, offset in zip(forests, offsets[:-1], strict=True)]
    return Forest(
        codes=np.concatenate([forest.codes for forest in forests]),
        values=np.concatenate([forest.values for forest in forests]),
        starts=np.concatenate([*joined, offsets[-1:]]).astype(np.int64),
        trees=forests[0].trees,
    )
