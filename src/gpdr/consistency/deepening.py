"""Trees with too many dimensions to list: only what can still be optimal, under a ceiling that rises step by step."""

from __future__ import annotations

import numpy as np

from gpdr.consistency._kernels import search
from gpdr.consistency._kernels.bounds import bound_tree
from gpdr.consistency._kernels.memory import memory_for
from gpdr.consistency.job import Bounds, Job
from gpdr.consistency.keys import COARSE, FINE, Keys

_LEVELS = ((COARSE, 1 << 14), (FINE, 1 << 17), (FINE, 1 << 20))  # residues of the bounds, states of a tree
_STEP, _GROWTH = 0.02, 1.4  # how the ceiling rises: at first by this share of the least estimate, then faster


def deepen(job: Job, k: int, keys: Keys) -> None:
    """Repair tree k, if at all possible: coarse bounds first, finer ones where those let too many states pass.

    Without effect on the result: any bounds and any steps end at the same optimum, and tell when there is none.
    """
    begin, end = int(job.forest.starts[k]), int(job.forest.starts[k + 1])
    tree, target = np.array([k]), int(keys.targets[k % len(keys.targets)])
    ceiling = 0.0
    for residues, budget in _LEVELS:
        memory, outside = memory_for(end - begin, budget), np.empty((end - begin, residues))
        least = bound_tree(
            job.primitives.table, keys.space, job.forest.codes, job.weights,
            begin, end, memory.nodes, residues, target, outside,
        )  # fmt: skip
        if least == np.inf:
            job.status[k], job.costs[k] = search.INFEASIBLE, np.inf
            return
        ceiling = max(ceiling, least)
        step = _STEP * ceiling
        while True:
            job.attempt(tree, keys, Bounds(outside, ceiling, budget, budget))
            if job.status[k] == search.TOO_MANY_STATES:
                break
            if job.status[k] != search.ABOVE_CEILING:
                return
            left_out = float(memory_for(end - begin, budget).nodes["beyond"][1 : end - begin].min())
            ceiling = min(float(job.costs[k]), max(left_out, ceiling + step))
            step *= _GROWTH
