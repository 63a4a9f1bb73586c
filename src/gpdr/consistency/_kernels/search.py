"""The cheapest repair of one tree whose states cost no more than a ceiling."""

from __future__ import annotations

import numpy as np

from gpdr._jit import kernel
from gpdr.consistency._kernels.arrays import Grid
from gpdr.consistency._kernels.build import build
from gpdr.consistency._kernels.choose import choose
from gpdr.consistency._kernels.memory import Memory
from gpdr.consistency._kernels.shape import Space
from gpdr.expressions._kernels import State

DONE, INFEASIBLE, TOO_MANY_STATES, ABOVE_CEILING, COLLISION, NOT_EXACT = 0, 1, 2, 3, 4, 5
_ROUNDING = 1e-8


@kernel
def search(
    space: Space, memory: Memory, outside: Grid, ceiling: float, budget: int, count: int, target: int, state: State
) -> tuple[int, float]:
    """A repair of the tree in the first `count` nodes, into them. Returns how it went, and the cost.

    ABOVE_CEILING: there may be repairs, none of them within the ceiling; the cost is of one that was met, or infinite.
    """
    if not build(space, memory, outside, ceiling, count, budget):
        return TOO_MANY_STATES, np.inf
    cost = choose(space, memory, count, target, state)
    if cost < np.inf:
        return (DONE if cost <= ceiling + _ROUNDING else ABOVE_CEILING), cost
    for n in range(1, count):
        if memory.nodes[n].beyond < np.inf:
            return ABOVE_CEILING, cost
    return INFEASIBLE, cost
