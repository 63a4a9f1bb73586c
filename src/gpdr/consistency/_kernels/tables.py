"""One table a node: its states, no dimension twice, with an index (open addressing, linear probing)."""

from __future__ import annotations

import numpy as np

from gpdr._jit import kernel
from gpdr.consistency._kernels.arrays import Index, Node, Reals, Records
from gpdr.consistency._kernels.memory import SMALLEST_INDEX

TIE = 1e-9  # costs are sums of 1/k: closer than this they are equal
SLACK = 1e-6  # rounding in sums of costs must never cut off an optimum, or one of several
# Counts beyond MANY are scaled down, as only their ratios matter, but never below FEW: products of three, summed over
# all states, neither overflow nor vanish. A ratio above 1e190 at one node is lost by that; the repair stays optimal.
_MANY, _FEW = 1e90, 1e-100


@kernel
def find(states: Records, index: Index, node: Node, key: int) -> int:
    """Where the node's state of this key is, -1 if it cannot have it."""
    mask, base = node.mask, node.index_at
    slot = key & mask
    while True:
        position = int(index[base + slot])
        if position < 0 or states[position].key == key:
            return position
        slot = (slot + 1) & mask


@kernel
def open_table(index: Index, node: Node, first: int, base: int) -> None:
    """An empty table for this node."""
    node.first, node.last = first, first
    node.index_at, node.mask = base, SMALLEST_INDEX - 1
    node.beyond = np.inf
    for slot in range(base, base + SMALLEST_INDEX):
        index[slot] = -1


@kernel
def fill_index(states: Records, index: Index, node: Node, mask: int) -> None:
    """The node's index anew, with this mask (a power of 2, less 1)."""
    base = node.index_at
    node.mask = mask
    for slot in range(base, base + mask + 1):
        index[slot] = -1
    for position in range(node.first, node.last):
        slot = states[position].key & mask
        while index[base + slot] >= 0:
            slot = (slot + 1) & mask
        index[base + slot] = position


@kernel
def merge(
    states: Records, index: Index, node: Node, candidates: Records, count: int, outside: Reals, ceiling: float
) -> bool:
    """The first `count` candidates into the node's table, the last of all.

    Left out are those of no use: which cost, with what the rest of the tree costs at least, more than the ceiling.
    Of a dimension that comes twice the lower cost stays; where costs are equal, ways add up. False if memory is short.
    """
    mask, base, last = node.mask, node.index_at, node.last
    residues, beyond = len(outside), node.beyond
    for c in range(count):
        new = candidates[c]
        if residues > 0:
            estimate = new.cost + outside[new.key % residues]
            if estimate > ceiling + SLACK:
                beyond = min(beyond, estimate)
                continue
        slot = new.key & mask
        position = index[base + slot]
        while position >= 0 and states[position].key != new.key:
            slot = (slot + 1) & mask
            position = index[base + slot]
        if position >= 0:
            known = states[position]
            if new.cost < known.cost - TIE:
                known.cost, known.count = new.cost, new.count
            elif new.cost <= known.cost + TIE:
                known.count += new.count
            continue
        if last == len(states):
            return False
        added = states[last]
        added.key, added.cost, added.count = new.key, new.cost, new.count
        index[base + slot] = last
        last += 1
        node.last = last
        if 2 * (last - node.first) > mask:
            mask = 2 * mask + 1
            fill_index(states, index, node, mask)
    node.beyond = beyond
    return True


@kernel
def close_table(states: Records, node: Node) -> None:
    """After the last state: note the least cost, and keep counts in range."""
    least, most = np.inf, 0.0
    for position in range(node.first, node.last):
        least = min(least, states[position].cost)
        most = max(most, states[position].count)
    node.cheapest = least
    if most > _MANY:
        for position in range(node.first, node.last):
            states[position].count = max(_FEW, states[position].count / most * _MANY)


@kernel
def least(numbers: Reals) -> float:
    found = np.inf
    for number in numbers:
        found = min(found, number)
    return found


@kernel
def sort_table(states: Records, index: Index, node: Node) -> None:
    """The node's states in order of cost (Shell's sort: each gap is 4/9 of the one before)."""
    first, last = node.first, node.last
    gap = last - first
    while gap > 1:
        gap = max(1, 4 * gap // 9)
        for position in range(first + gap, last):
            moved = states[position]
            key, cost, count = moved.key, moved.cost, moved.count
            slot = position
            while slot - gap >= first and states[slot - gap].cost > cost:
                states[slot].key = states[slot - gap].key
                states[slot].cost = states[slot - gap].cost
                states[slot].count = states[slot - gap].count
                slot -= gap
            states[slot].key, states[slot].cost, states[slot].count = key, cost, count
    fill_index(states, index, node, node.mask)


@kernel
def ways_at_least_cost(states: Records, node: Node) -> float:
    """In how many ways the node's subtree costs its least, whatever dimension it gives."""
    ways = 0.0
    for position in range(node.first, node.last):
        if states[position].cost <= node.cheapest + TIE:
            ways += states[position].count
    return ways
