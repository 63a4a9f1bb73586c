"""The memory of a repair: records of nodes and of states, used again for each tree."""

from __future__ import annotations

import threading
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
        ("index_at", np.int64),  # their index: index_at … index_at + mask
        ("mask", np.int64),
        ("cheapest", np.float64),  # least cost of a state
        ("outside", np.float64),  # what the rest of the tree costs at least
        ("dearest", np.float64),  # states that cost more are of no use
        ("beyond", np.float64),  # the least estimate of a state left out
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
_NODES = 256
_CANDIDATES = 1 << 12


class Memory(NamedTuple):
    """Room for the repair of a tree."""

    nodes: NDArray[Any]
    states: NDArray[Any]  # of all nodes, end to end
    candidates: NDArray[Any]  # of one node, before those of the same dimension are merged
    slots: NDArray[np.int32]  # positions of states by their key, -1 where empty


_own = threading.local()  # fresh memory is slow to touch: each thread keeps its own


def memory_for(nodes: int, states: int) -> Memory:
    """Room for trees of up to `nodes` nodes, with `states` states in all."""
    memory: Memory | None = getattr(_own, "memory", None)
    if memory is None or len(memory.nodes) < nodes or len(memory.states) != states:
        memory = Memory(
            np.recarray(max(nodes, _NODES), NODE),
            np.recarray(states, STATE),
            np.recarray(max(_CANDIDATES, 2 * states), STATE),
            np.empty(4 * states + SMALLEST_INDEX * max(nodes, _NODES), np.int32),
        )
        _own.memory = memory
    return memory
