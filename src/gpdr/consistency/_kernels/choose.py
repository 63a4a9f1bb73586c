"""From the root down: one of the optimal repairs, all of them equally likely.

At each node the ways to the wanted dimension are run through once. The way kept is replaced by one as cheap with the
chance that its count has in the sum so far, which makes it a fair draw among the cheapest.
"""

from __future__ import annotations

import numpy as np

from gpdr._jit import kernel
from gpdr._random import uniform
from gpdr.consistency._kernels.arrays import Index, Node, Records
from gpdr.consistency._kernels.memory import Memory
from gpdr.consistency._kernels.modular import half, minus, plus
from gpdr.consistency._kernels.shape import Space, first_compatible, last_compatible, price
from gpdr.consistency._kernels.tables import TIE, find, ways_at_least_cost
from gpdr.expressions._kernels import Ints, State
from gpdr.expressions.functions import Rule

_TERMINAL, _SAME, _PRODUCT, _QUOTIENT = int(Rule.TERMINAL), int(Rule.SAME), int(Rule.PRODUCT), int(Rule.QUOTIENT)
_SQUARE, _ROOT, _CHOICE, _PURE = int(Rule.SQUARE), int(Rule.ROOT), int(Rule.CHOICE), int(Rule.PURE)


@kernel
def choose_terminal(node: Node, class_keys: Ints, state: State) -> float:
    """How a terminal gets the wanted dimension: its new dimension class, or -1: it stays. Returns the cost."""
    node.chosen = -1
    best, ways = np.inf, 0.0
    if node.key == node.wanted:
        best, ways = 0.0, 1.0
    for group in range(len(class_keys)):
        if group != node.group and class_keys[group] == node.wanted and node.weight <= best + TIE:
            if node.weight < best - TIE:
                best, ways = node.weight, 0.0
            ways += 1.0
            if node.weight < np.inf and uniform(state) * ways < 1.0:
                node.chosen = group
    return best


@kernel
def choose_pair(
    states: Records,
    index: Index,
    node: Node,
    a: Node,
    b: Node,
    quotient: bool,
    extra: float,
    modulus: int,
    best: float,
    ways: float,
    state: State,
) -> tuple[float, float]:
    """Dimensions of a and b whose product, or quotient, is wanted. Returns the best cost and its ways with these."""
    swap = b.last - b.first < a.last - a.first
    outer, other = (b, a) if swap else (a, b)
    for p in range(outer.first, outer.last):
        x = states[p].key
        if not quotient:
            y = minus(node.wanted, x, modulus)
        elif swap:
            y = plus(node.wanted, x, modulus)
        else:
            y = minus(x, node.wanted, modulus)
        q = find(states, index, other, y)
        if q < 0:
            continue
        cost = states[p].cost + states[q].cost + extra
        if cost > best + TIE:
            continue
        if cost < best - TIE:
            best, ways = cost, 0.0
        count = states[p].count * states[q].count
        ways += count
        if uniform(state) * ways < count:
            node.chosen = _QUOTIENT if quotient else _PRODUCT
            a.wanted, b.wanted = (y, x) if swap else (x, y)
    return best, ways


@kernel
def choose_cheapest(states: Records, node: Node, state: State) -> None:
    """Any dimension will do: one at which the node's subtree costs its least."""
    ways = 0.0
    for p in range(node.first, node.last):
        if states[p].cost <= node.cheapest + TIE:
            ways += states[p].count
            if uniform(state) * ways < states[p].count:
                node.wanted = states[p].key


@kernel
def choose_function(space: Space, memory: Memory, node: Node, state: State) -> float:
    """How a function node gets the wanted dimension: its class, and what is wanted of its inputs. Returns the cost."""
    nodes, states, _, index = memory
    a, b, c = nodes[node.a], nodes[node.b], nodes[node.c]
    best, ways = np.inf, 0.0
    for new in range(first_compatible(node.rule), last_compatible(node.rule) + 1):
        extra, count = price(node, space.available, new), 1.0
        if extra == np.inf:
            continue
        if new == _PRODUCT or new == _QUOTIENT:  # noqa: SIM109
            best, ways = choose_pair(
                states, index, node, a, b, new == _QUOTIENT, extra, space.modulus, best, ways, state
            )
            continue
        x, one, two = node.wanted, a, a
        if new == _SAME:
            two = b
        elif new == _CHOICE:
            one, two, extra, count = b, c, a.cheapest, ways_at_least_cost(states, a)
        elif new == _SQUARE:
            x = half(x, space.modulus)
        elif new == _ROOT:
            x = plus(x, x, space.modulus)
        elif x != 0:
            continue  # a plain number in and out
        p, q = find(states, index, one, x), find(states, index, two, x)
        if p < 0 or q < 0:
            continue
        cost, count = states[p].cost + extra, states[p].count * count
        if new == _SAME or new == _CHOICE:  # noqa: SIM109
            cost, count = cost + states[q].cost, count * states[q].count
        if cost > best + TIE:
            continue
        if cost < best - TIE:
            best, ways = cost, 0.0
        ways += count
        if uniform(state) * ways < count:
            node.chosen = new
            one.wanted = two.wanted = x
    return best


@kernel
def choose(space: Space, memory: Memory, count: int, target: int, state: State) -> float:
    """A cheapest repair for this target into the nodes. Returns its cost, infinite where there is none."""
    nodes, states, _, _ = memory
    nodes[0].wanted = target
    total = 0.0
    for n in range(count):
        node = nodes[n]
        if node.rule == _TERMINAL:
            cost = choose_terminal(node, space.class_keys, state)
        else:
            cost = choose_function(space, memory, node, state)
        if n == 0:
            total = cost
            if total == np.inf:
                break
        if node.rule == _CHOICE:
            choose_cheapest(states, nodes[node.a], state)
    return total
