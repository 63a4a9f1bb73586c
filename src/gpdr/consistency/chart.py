"""What each node of one tree can be given, within a ceiling: the tables of the recursion, to be read in several ways.

A state is a dimension, as a key, and how many nodes change below, where that is limited. As in the kernels, states
that cost too much with what the rest of the tree costs at least are left out; here whole arrays of them at a time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpdr.consistency import reference
from gpdr.consistency.keys import Keys
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Rule
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.reference import inputs_of

Whole = NDArray[np.int64]
Reals = NDArray[np.float64]
_SLACK = 1e-6  # rounding in sums of costs must never cut off an optimum
_BLOCK = 1 << 20  # pairs of states at a time


class States(NamedTuple):
    """States of a node, sorted by key and changes."""

    keys: Whole
    changes: Whole
    cost: Reals  # the least
    ways: Reals  # in how many ways

    def of(self, which: Any) -> States:
        return States(*(column[which] for column in self))

    @classmethod
    def joined(cls, parts: Sequence[States]) -> States:
        return cls(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def merged(self) -> States:
        """Each once, with its least cost and the ways to have that."""
        if not len(self.keys):
            return self
        rows = self.of(np.lexsort((self.cost, self.changes, self.keys)))
        new = np.append(True, (np.diff(rows.keys) != 0) | (np.diff(rows.changes) != 0))
        least = rows.cost[new][np.cumsum(new) - 1]
        ways = np.where(rows.cost <= least + reference.TIE, rows.ways, 0.0)
        return rows.of(new)._replace(ways=np.add.reduceat(ways, np.flatnonzero(new)))


class Limits(NamedTuple):
    """Of states: their cost and changes, with those of the rest of the tree at least, and how many there may be."""

    outside_cost: Reals  # (nodes, residues)
    outside_changes: Reals  # (nodes, residues)
    ceiling: float
    most_changes: float
    most_states: int


class Edges(NamedTuple):
    """Ways to a state: the class of its node, and the states of its inputs, by position."""

    choice: Whole
    inputs: Whole  # (ways, inputs)
    price: Reals  # of the node itself
    cost: Reals
    ways: Reals


class TooManyStatesError(Exception):
    """A chart would become larger than allowed."""


@dataclass
class Chart:
    """The states of all nodes of a tree within limits."""

    tree: Tree
    primitives: PrimitiveSet
    weights: Sequence[float]
    keys: Keys
    limits: Limits
    left_out: float = math.inf  # the least estimate of a state that was
    states: list[States] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.inputs, self.rules = inputs_of(self.tree, self.primitives), reference.rules(self.tree, self.primitives)
        self.counted = int(self.limits.most_changes < math.inf)
        self.states = [_NONE] * len(self.tree)
        total = 0
        for n in reversed(range(len(self.tree))):
            parts = [part.merged() for part in self._candidates(n)]
            self.states[n] = States.joined(parts).merged() if parts else _NONE
            total += len(self.states[n].keys)
            if total > self.limits.most_states:
                raise TooManyStatesError

    def roots(self) -> list[int]:
        """The states of the root that have the target's dimension."""
        return np.flatnonzero(self.states[0].keys == self.keys.targets[0]).tolist()

    def edges(self, n: int, state: int) -> Edges:
        """The ways to a state of node n, in a fixed order."""
        own, parts = self.states[n].of(state), list[Edges]()
        if self.rules[n] is Rule.TERMINAL:
            listed = [(group, part) for group, part in self._of_terminal(n) if part.keys[0] == own.keys]
            fitting = [(group, part) for group, part in listed if part.changes[0] == own.changes]
            rows = States.joined([part for _, part in fitting])
            groups = np.array([group for group, _ in fitting], np.int64)
            return Edges(groups, np.empty((len(groups), 0), np.int64), rows.cost, rows.cost, rows.ways)
        below = [self.states[child] for child in self.inputs[n]]
        for new, price in self._classes(n):
            chosen = self._leading_to(int(own.keys), new, below)
            rows = self._result(new, price, below, chosen, self.counted * (new is not self.rules[n]))
            fits = (rows.keys == own.keys) & (rows.changes == own.changes)
            places = np.stack(chosen, axis=1)[fits]
            classes, prices = np.full(len(places), int(new)), np.full(len(places), price)
            parts.append(Edges(classes, places, prices, rows.cost[fits], rows.ways[fits]))
        return Edges(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def _classes(self, n: int) -> Iterator[tuple[Rule, float]]:
        offered = {function.rule for function in self.primitives.functions}
        for new in reference.compatible(self.rules[n]):
            if new is self.rules[n]:
                yield new, 0.0
            elif new in offered and self.weights[n] < math.inf:
                yield new, self.weights[n]

    def _of_terminal(self, n: int) -> Iterator[tuple[int, States]]:
        space, table, code = self.keys.space, self.primitives.table, int(self.tree.codes[n])
        yield -1, _one(int(space.keys[code]), 0, 0.0)
        if self.weights[n] < math.inf:
            for group, key in enumerate(space.class_keys.tolist()):
                if group != table.dimension_class[code]:
                    yield group, _one(key, self.counted, self.weights[n])

    def _candidates(self, n: int) -> Iterator[States]:
        """States of a node before those that are the same are merged; those of no use left out."""
        if self.rules[n] is Rule.TERMINAL:
            yield from (self._useful(n, part) for _, part in self._of_terminal(n))
            return
        below = [self.states[child] for child in self.inputs[n]]
        if self.rules[n] is Rule.CHOICE:  # the condition may have any dimension
            below[0] = below[0]._replace(keys=np.zeros_like(below[0].keys)).merged()
        for new, price in self._classes(n):
            changed = self.counted * (new is not self.rules[n])
            for chosen in self._pairs(n, price, below) if new in _PAIRS else [self._leading_to(None, new, below)]:
                yield self._useful(n, self._result(new, price, below, chosen, changed))

    def _useful(self, n: int, rows: States) -> States:
        limits = self.limits
        residues = rows.keys % limits.outside_cost.shape[1]
        fits = rows.changes + limits.outside_changes[n, residues] <= limits.most_changes
        estimate = rows.cost + limits.outside_cost[n, residues]
        cheap = estimate <= limits.ceiling + _SLACK
        self.left_out = min(self.left_out, float(estimate[fits & ~cheap].min(initial=math.inf)))
        return rows.of(fits & cheap)

    def _pairs(self, n: int, price: float, below: Sequence[States]) -> Iterator[tuple[Whole, ...]]:
        """Each state of one input with each of the other, as far as they are cheap enough, in blocks."""
        a, b = below
        order, outside = np.argsort(b.cost, kind="stable"), float(self.limits.outside_cost[n].min())
        costs = np.append(b.cost[order], np.inf)
        last = np.searchsorted(costs, self.limits.ceiling + _SLACK - outside - price - a.cost, "right")
        last = np.minimum(last, len(order))
        beyond = a.cost + costs[last] + price + outside
        self.left_out = min(self.left_out, float(beyond.min(initial=math.inf)))
        blocks = np.searchsorted(np.cumsum(last), np.arange(_BLOCK, last.sum() + _BLOCK, _BLOCK), "left") + 1
        begin = 0
        for end in blocks.tolist():
            i, j = _ranges(np.zeros(len(last[begin:end]), np.int64), last[begin:end])
            yield begin + i, order[j]
            begin = end

    def _leading_to(self, key: int | None, rule: Rule, below: Sequence[States]) -> tuple[Whole, ...]:
        """States of the inputs that this class allows; of products and quotients, those that give this key."""
        a, modulus = below[0], self.keys.space.modulus
        if rule in _PAIRS and key is not None:
            needed = (key - a.keys) % modulus if rule is Rule.PRODUCT else (a.keys - key) % modulus
            return _equal(needed, below[1].keys)
        if rule is Rule.SAME:
            return _equal(a.keys, below[1].keys)
        if rule is Rule.CHOICE:
            j, k = _equal(below[1].keys, below[2].keys)
            if key is not None:
                fits = below[1].keys[j] == key
                j, k = j[fits], k[fits]
            each = np.repeat(np.arange(len(a.keys)), len(j))
            return each, np.tile(j, len(a.keys)), np.tile(k, len(a.keys))
        return (np.flatnonzero(a.keys == 0) if rule is Rule.PURE else np.arange(len(a.keys)),)

    def _result(
        self, rule: Rule, price: float, below: Sequence[States], chosen: Sequence[Whole], changed: int
    ) -> States:
        """What a node of this class makes of the states chosen of its inputs."""
        rows, modulus = [table.of(places) for table, places in zip(below, chosen, strict=True)], self.keys.space.modulus
        keys = rows[-1].keys
        match rule:
            case Rule.PRODUCT:
                keys = (rows[0].keys + keys) % modulus
            case Rule.QUOTIENT:
                keys = (rows[0].keys - keys) % modulus
            case Rule.SQUARE:
                keys = 2 * keys % modulus
            case Rule.ROOT:
                keys = np.where(keys % 2, (keys + modulus) // 2, keys // 2)
        changes = sum((row.changes for row in rows), np.full(len(keys), changed))
        cost, ways = sum((row.cost for row in rows), np.full(len(keys), price)), np.ones(len(keys))
        for row in rows:
            ways = ways * row.ways
        return States(keys, changes, cost, ways)


_PAIRS = (Rule.PRODUCT, Rule.QUOTIENT)
_NONE = States(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), np.empty(0))


def _one(key: int, changes: int, cost: float) -> States:
    return States(np.array([key]), np.array([changes]), np.array([cost]), np.ones(1))


def _equal(wanted: Whole, keys: Whole) -> tuple[Whole, Whole]:
    """Positions i, j with wanted[i] == keys[j]; keys are sorted."""
    return _ranges(np.searchsorted(keys, wanted, "left"), np.searchsorted(keys, wanted, "right"))


def _ranges(first: Whole, last: Whole) -> tuple[Whole, Whole]:
    """Each i with each of first[i] ... last[i]-1."""
    lengths = last - first
    i = np.repeat(np.arange(len(first)), lengths)
    return i, np.arange(len(i)) - np.repeat(np.cumsum(lengths) - lengths - first, lengths)
