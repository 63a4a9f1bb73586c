"""One table a node: the dimensions it can be given, what each costs at least, and in how many ways at that cost.

The states of all nodes lie end to end. Each table has an index (open addressing, linear probing) into its states.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import kernel

TIE = 1e-9  # costs are sums of 1/k: closer than this they are equal
_SMALLEST_INDEX = 8
_MANY = 1e200


class Tables(NamedTuple):
    """The tables of one tree; memory that is used again for the next."""

    keys: NDArray[np.int64]  # states of all nodes
    costs: NDArray[np.float64]
    counts: NDArray[np.float64]
    index: NDArray[np.int32]  # positions of states by their key's hash, -1 where empty
    used: NDArray[np.int64]  # how many states, how much index
    first: NDArray[np.int64]  # a node's states: first[n] … first[n] + size[n] - 1
    size: NDArray[np.int64]
    index_first: NDArray[np.int64]
    mask: NDArray[np.int64]  # length of the node's index less 1
    cheapest: NDArray[np.float64]  # least cost in the node's table


@kernel
def make_tables(nodes, states):  # type: ignore[no-untyped-def]
    """Empty tables for trees of up to `nodes` nodes with `states` states in all."""
    return Tables(
        np.empty(states, np.int64),
        np.empty(states),
        np.empty(states),
        np.empty(4 * states + _SMALLEST_INDEX * nodes, np.int32),
        np.zeros(2, np.int64),
        np.empty(nodes, np.int64),
        np.empty(nodes, np.int64),
        np.empty(nodes, np.int64),
        np.empty(nodes, np.int64),
        np.empty(nodes),
    )


@kernel
def open_table(t, n):  # type: ignore[no-untyped-def]
    """An empty table for node n, after all others."""
    t.first[n] = t.used[0]
    t.size[n] = 0
    t.index_first[n] = t.used[1]
    t.mask[n] = _SMALLEST_INDEX - 1
    t.cheapest[n] = np.inf
    for slot in range(t.used[1], t.used[1] + _SMALLEST_INDEX):
        t.index[slot] = -1
    t.used[1] += _SMALLEST_INDEX


@kernel
def find(t, n, key):  # type: ignore[no-untyped-def]
    """Where the state of this key is, -1 if node n cannot have it."""
    mask, base = t.mask[n], t.index_first[n]
    slot = key & mask
    while True:
        position = t.index[base + slot]
        if position < 0 or t.keys[position] == key:
            return position
        slot = (slot + 1) & mask


@kernel
def rebuild_index(t, n, length):  # type: ignore[no-untyped-def]
    """The index of node n, whose table is the last, anew with this length (a power of 2)."""
    base, mask = t.index_first[n], length - 1
    t.mask[n] = mask
    t.used[1] = base + length
    for slot in range(base, base + length):
        t.index[slot] = -1
    for position in range(t.first[n], t.first[n] + t.size[n]):
        slot = t.keys[position] & mask
        while t.index[base + slot] >= 0:
            slot = (slot + 1) & mask
        t.index[base + slot] = position


@kernel
def relax(t, n, key, cost, count):  # type: ignore[no-untyped-def]
    """Node n can be given this dimension at this cost in `count` ways. False where memory is short."""
    mask, base = t.mask[n], t.index_first[n]
    slot = key & mask
    while True:
        position = t.index[base + slot]
        if position < 0:
            break
        if t.keys[position] == key:
            known = t.costs[position]
            if cost < known - TIE:
                t.costs[position], t.counts[position] = cost, count
            elif cost <= known + TIE:
                t.counts[position] += count
            return True
        slot = (slot + 1) & mask
    position = t.used[0]
    if position == len(t.keys):
        return False
    t.keys[position], t.costs[position], t.counts[position] = key, cost, count
    t.index[base + slot] = position
    t.used[0] += 1
    t.size[n] += 1
    if 2 * t.size[n] > mask:
        rebuild_index(t, n, 2 * (mask + 1))
    return True


@kernel
def close_table(t, n):  # type: ignore[no-untyped-def]
    """After the last state: note the least cost, and keep counts in range (only their ratios are used)."""
    least, most = np.inf, 0.0
    last = t.first[n] + t.size[n]
    for position in range(t.first[n], last):
        least = min(least, t.costs[position])
        most = max(most, t.counts[position])
    t.cheapest[n] = least
    if most > _MANY:
        for position in range(t.first[n], last):
            t.counts[position] /= most


@kernel
def sort_table(t, n):  # type: ignore[no-untyped-def]
    """Node n's states in order of cost."""
    first, last = t.first[n], t.first[n] + t.size[n]
    order = np.argsort(t.costs[first:last]) + first
    t.keys[first:last] = t.keys[order]
    t.costs[first:last] = t.costs[order]
    t.counts[first:last] = t.counts[order]
    rebuild_index(t, n, t.mask[n] + 1)


__all__: list[Any] = ["TIE", "Tables", "close_table", "find", "make_tables", "open_table", "relax", "sort_table"]
