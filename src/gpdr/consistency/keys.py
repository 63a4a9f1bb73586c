"""Keys of dimensions: exponents folded into one residue, so that any number of base units costs the same."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpdr.consistency._kernels.shape import Space
from gpdr.dimensions import Dimension
from gpdr.expressions.primitives import PrimitiveSet

COARSE, FINE = 61, 1021  # residues of the small images
# Odd, so that every key has one half. A key's residue modulo a factor is a key too, of a small image: for the bounds.
MODULUS = COARSE * FINE * 37023217501477


class Keys(NamedTuple):
    """The dimensions of a primitive set, and those of the targets of an individual's trees."""

    space: Space
    targets: NDArray[np.int64]


@lru_cache(maxsize=64)
def keys_of(primitives: PrimitiveSet, targets: tuple[Dimension, ...], attempt: int = 0) -> Keys:
    """What the repair kernels need to know of dimensions: those of the set, and those of the targets.

    Another attempt has other coefficients. A single base unit needs none: its keys are its exponents.
    """
    known = [dimension for dimension in primitives.dimensions if dimension is not None]
    denominator = math.lcm(*(e.denominator for d in (*known, *targets) for e in d.exponents), 1)
    units = len(primitives.units)
    random = np.random.Generator(np.random.PCG64(attempt))
    coefficients = [1] if units == 1 and not attempt else [int(random.integers(1, MODULUS)) for _ in range(units)]

    def key(dimension: Dimension | None) -> int:
        exponents = dimension.exponents if dimension is not None else ()
        pairs = zip(exponents, coefficients, strict=False)
        return sum(int(e * denominator) * c for e, c in pairs) % MODULUS

    table = primitives.table
    classes = [int(table.class_codes[first]) for first in table.class_starts[:-1]]
    offered = {function.rule for function in primitives.functions}
    space = Space(
        modulus=MODULUS,
        available=sum(1 << rule for rule in offered),
        keys=np.array([key(dimension) for dimension in primitives.dimensions], np.int64),
        class_keys=np.array([key(primitives.dimensions[code]) for code in classes], np.int64),
    )
    return Keys(space, np.array([key(target) for target in targets], np.int64))
