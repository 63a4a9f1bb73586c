"""Pareto fronts for two things to be minimised."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def non_dominated(first: Numbers, second: Numbers) -> NDArray[np.bool_]:
    """Who is dominated by nobody; equals do not dominate each other."""
    if not len(first):
        return np.empty(0, bool)
    order = np.lexsort((second, first))
    a, b = first[order], second[order]
    least = np.minimum.accumulate(b)
    before = np.concatenate([[np.inf], least[:-1]])  # the least of `second` among those sorted before
    new = np.concatenate([[True], (a[1:] != a[:-1]) | (b[1:] != b[:-1])])
    leader = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))  # the first of those equal in both
    result = np.empty(len(order), bool)
    ahead = b < before
    ahead[:1] = True  # the very first, even if it is infinite on both axes
    result[order] = ahead[leader]
    return result


def front_numbers(first: Numbers, second: Numbers) -> NDArray[np.int64]:
    """0 for who is dominated by nobody, 1 for who then is, and so on."""
    numbers = np.full(len(first), -1)
    left = np.arange(len(first))
    front = 0
    while len(left):
        best = non_dominated(first[left], second[left])
        numbers[left[best]] = front
        left = left[~best]
        front += 1
    return numbers.astype(np.int64)


def crowding(first: Numbers, second: Numbers) -> Numbers:
    """How far apart the neighbours of each member of one front are, both axes scaled to the front (Deb 2002)."""
    distance = np.zeros(len(first))
    for axis in (first, second):
        order = np.argsort(axis, kind="stable")
        distance[order[[0, -1]]] = np.inf
        low, high = axis[order[0]], axis[order[-1]]
        if low < high < np.inf:
            distance[order[1:-1]] += (axis[order[2:]] - axis[order[:-2]]) / (high - low)
    return distance


def nearest_to_ideal(first: Numbers, second: Numbers) -> int:
    """The member of the front nearest to the best of both, both axes scaled to the front."""
    members = np.flatnonzero(non_dominated(first, second))
    squares = np.zeros(len(members))
    for axis in (first[members], second[members]):
        span = axis.max() - axis.min()
        if span > 0.0:
            squares += ((axis - axis.min()) / span) ** 2
    return int(members[np.argmin(squares)])
