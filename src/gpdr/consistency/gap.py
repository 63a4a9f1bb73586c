"""How far expressions are from consistent dimensions: the gap of whole forests, the dimension of each node."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gpdr._threads import map_parts
from gpdr.consistency import reference
from gpdr.dimensions import Dimension
from gpdr.errors import InputError
from gpdr.expressions.forest import Forest, Tree
from gpdr.expressions.membership import ensure_made_of
from gpdr.expressions.primitives import PrimitiveSet

_LARGEST = int(np.finfo(np.float64).max)
_BLOCK = 256  # individuals a thread takes at a time


def gaps(
    forest: Forest, primitives: PrimitiveSet, targets: Sequence[Dimension], threads: int = 1
) -> NDArray[np.float64]:
    """The dimension gap of each individual, summed over its trees; exactly 0 where all is consistent."""
    from gpdr.consistency._kernels.gap import forest_gaps

    check_targets(forest.trees, primitives, targets)
    ensure_made_of(forest, primitives)
    table, scaled = primitives.table, primitives.scaled_targets(targets)
    found, exact = np.empty(len(forest)), np.empty(len(forest), np.bool_)

    def measure(first: int) -> None:
        last = min(first + _BLOCK, len(forest))
        forest_gaps(table, forest.codes, forest.starts, first, last, scaled, found, exact)

    map_parts(measure, range(0, len(forest), _BLOCK), threads)
    found /= primitives.denominator
    for individual in np.flatnonzero(~exact).tolist():
        pairs = zip(forest[individual], targets, strict=True)
        exact_gap = sum((reference.gap(tree, primitives, target) for tree, target in pairs), Fraction(0))
        found[individual] = gap_as_float(exact_gap)
    return found


def gap_as_float(gap: Fraction) -> float:
    """A gap as a number: infinite where it is beyond all floats."""
    return float(gap) if gap < _LARGEST else math.inf


def dimensions_of_nodes(tree: Tree, primitives: PrimitiveSet) -> tuple[Dimension, ...]:
    """The dimension of each node, in prefix order."""
    ensure_made_of(Forest.of([(tree,)]), primitives)
    return tuple(node.dimension for node in reference.nodes(tree, primitives))


def check_targets(trees: int, primitives: PrimitiveSet, targets: Sequence[Dimension]) -> None:
    """One target for each tree of an individual, in the set's base units."""
    if len(targets) != trees:
        raise InputError(f"targets: expected {trees}, one for each tree of an individual, got {len(targets)}")
    for target in targets:
        if len(target) != len(primitives.units):
            raise InputError(
                f"targets: expected dimensions over {len(primitives.units)} base units, got one over {len(target)}"
            )
