"""Random forests: full, grow, and ramped half-and-half."""

from __future__ import annotations

import numpy as np

from gpdr.errors import InputError
from gpdr.expressions.forest import Forest
from gpdr.expressions.primitives import PrimitiveSet

_GROW, _HALF_AND_HALF, _FULL = 0.0, 0.5, 1.0
_DEEPEST = 16  # full trees double with each level
_GUESSED_NODES = 40  # a tree; the arrays are doubled where that is too few


def full(
    primitives: PrimitiveSet,
    individuals: int,
    trees: int,
    seed: np.random.SeedSequence,
    smallest: int = 2,
    largest: int = 6,
) -> Forest:
    """Every leaf of a tree is at the same depth, drawn for the tree from smallest … largest."""
    return _forest(primitives, individuals, trees, seed, smallest, largest, _FULL)


def grow(
    primitives: PrimitiveSet,
    individuals: int,
    trees: int,
    seed: np.random.SeedSequence,
    smallest: int = 2,
    largest: int = 6,
) -> Forest:
    """Functions above depth `smallest`, then any primitive with the same chance, terminals at the drawn limit."""
    return _forest(primitives, individuals, trees, seed, smallest, largest, _GROW)


def ramped_half_and_half(
    primitives: PrimitiveSet,
    individuals: int,
    trees: int,
    seed: np.random.SeedSequence,
    smallest: int = 2,
    largest: int = 6,
) -> Forest:
    """Each tree full or grown by the toss of a coin, its depth limit drawn uniformly from smallest … largest.

    Individual n has its own stream of random numbers: the first n individuals are the same for any number of them.
    """
    return _forest(primitives, individuals, trees, seed, smallest, largest, _HALF_AND_HALF)


def _forest(
    primitives: PrimitiveSet,
    individuals: int,
    trees: int,
    seed: np.random.SeedSequence,
    smallest: int,
    largest: int,
    chance_of_full: float,
) -> Forest:
    from gpdr._random import kernel_states
    from gpdr.expressions._kernels import grow_forest

    if not 1 <= smallest <= largest <= _DEEPEST:
        raise InputError(f"depths: expected 1 <= smallest <= largest <= {_DEEPEST}, got {smallest} and {largest}")
    if individuals < 0 or trees < 1:
        raise InputError(f"expected individuals >= 0 and trees >= 1, got {individuals} and {trees}")
    states = kernel_states(seed, individuals)
    starts = np.zeros(individuals * trees + 1, np.int64)
    capacity = _GUESSED_NODES * max(1, individuals * trees)
    while True:
        codes, values = np.empty(capacity, np.int32), np.empty(capacity)
        if grow_forest(
            primitives.table, states.copy(), trees, smallest, largest, chance_of_full, codes, values, starts
        ):
            nodes = starts[-1]
            return Forest(codes[:nodes].copy(), values[:nodes].copy(), starts, trees)
        capacity *= 2
