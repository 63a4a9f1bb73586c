"""The memory of a repair: records of nodes and of states, used again for each tree.

Records are passed to kernels as mere pointers. Arrays are counted references, which costs more than the work of an
inner loop: so kernels are called once a node, not once a state.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

NODE = np.dtype(
    [
        ("rule", np.int64),
        ("key", np.int64),  # terminals: dimension
        ("group", np.int64),  # terminals: dimension class, -1 for a number that belongs to none
        ("weight", np.float64),  # cost of a change; infinite where the node must stay
        ("a", np.int64),  # inputs
        ("b", np.int64),
        ("c", np.int64),
        ("first", np.int64),  # the node's states: first … last - 1
        ("last", np.int64),
        ("base", np.int64),  # their index: base … base + mask
        ("mask", np.int64),
        ("cheapest", np.float64),  # least cost of a state
        ("wanted", np.int64),  # the dimension chosen for the node,
        ("chosen", np.int64),  # and its class: of functions their Rule, of terminals a dimension class, or -1: stays
    ]
)
STATE = np.dtype(
    [
        ("key", np.int64),  # a dimension the node can be given
        ("cost", np.float64),  # what that costs at least
        ("count", np.float64),  # in how many ways at that cost
    ]
)
SMALLEST_INDEX = 8
_CANDIDATES = 1 << 12


class Memory(NamedTuple):
    """Room for the repair of a tree."""

    nodes: NDArray[Any]
    states: NDArray[Any]  # of all nodes, end to end
    candidates: NDArray[Any]  # of one node, before those of the same dimension are merged
    index: NDArray[np.int32]  # positions of states by their key, -1 where empty


def make_memory(nodes: int, states: int) -> Memory:
    """Room for trees of up to `nodes` nodes, with `states` states in all."""
    return Memory(
        np.recarray(nodes, NODE),
        np.recarray(states, STATE),
        np.recarray(max(_CANDIDATES, 2 * states), STATE),
        np.empty(4 * states + SMALLEST_INDEX * nodes, np.int32),
    )
