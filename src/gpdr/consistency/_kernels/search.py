"""The cheapest repair of one tree: tables in full while they are small, else bounded ever less tightly."""

from __future__ import annotations

import numpy as np

from gpdr._jit import kernel
from gpdr.consistency._kernels.bounds import inside_costs, outside_costs
from gpdr.consistency._kernels.build import build
from gpdr.consistency._kernels.choose import choose
from gpdr.consistency._kernels.memory import Memory
from gpdr.consistency._kernels.shape import Space
from gpdr.expressions._kernels import State

DONE, INFEASIBLE, SHORT_OF_MEMORY, COLLISION, NOT_EXACT = 0, 1, 2, 3, 4
RESIDUES = 61  # of the bounds; it divides the modulus of the keys
BUDGET = 4096  # states of a tree up to which no bounds are worth their time
_STEP = 0.02  # by how much the ceiling rises at first, as a share of the least estimate
_ROUNDING = 1e-8


@kernel
def search(space: Space, memory: Memory, count: int, target: int, state: State) -> tuple[int, float]:
    """A cheapest repair of the tree in the first `count` nodes, into them. Returns how it went, and the cost."""
    if build(space, memory, np.empty((1, 0)), np.inf, count, BUDGET):
        cost = choose(space, memory, count, target, state)
        return (DONE if cost < np.inf else INFEASIBLE), cost
    return bounded_search(space, memory, count, target, state)


@kernel
def bounded_search(space: Space, memory: Memory, count: int, target: int, state: State) -> tuple[int, float]:
    """States whose estimate is above a ceiling are left out; if the optimum is not, it was found. Else it is raised."""
    nodes, states, _, _ = memory
    inside, outside = np.empty((count, RESIDUES)), np.empty((count, RESIDUES))
    inside_costs(space, nodes, count, RESIDUES, inside)
    outside_costs(space, nodes, count, RESIDUES, target, inside, outside)
    ceiling = inside[0, target % RESIDUES]
    step = _STEP * ceiling
    while ceiling < np.inf:
        if not build(space, memory, outside, ceiling, count, len(states)):
            return SHORT_OF_MEMORY, np.inf
        cost = choose(space, memory, count, target, state)
        if cost <= ceiling + _ROUNDING:
            return DONE, cost
        beyond = cost
        for n in range(1, count):
            beyond = min(beyond, nodes[n].beyond)
        ceiling = min(cost, max(beyond, ceiling + step)) if beyond < np.inf else np.inf
        step *= 2.0
    return INFEASIBLE, np.inf
