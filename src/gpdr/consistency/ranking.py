"""Repairs in order of cost: of each state in a chart the best few, worked out as far as asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush

from gpdr.consistency.chart import Chart, Edges

Item = tuple[float, int, tuple[int, ...]]  # cost, edge, and of each input which of its best it takes


@dataclass
class _Ranked:
    """The best ways to a state, those found so far and those that may come next."""

    edges: Edges
    waiting: list[Item] = field(default_factory=list)
    found: list[Item] = field(default_factory=list)
    met: set[tuple[int, tuple[int, ...]]] = field(default_factory=set)


class Ranking:
    """The k best derivations of Huang and Chiang (2005): an input takes its next best only after all better ones."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._states: dict[tuple[int, int], _Ranked] = {}

    def in_order(self, n: int, state: int) -> Iterator[tuple[float, int, int]]:
        """Cost, state and rank of each way to a state, the cheapest first."""
        rank = 0
        while (item := self._nth(n, state, rank)) is not None:
            yield item[0], state, rank
            rank += 1

    def choice(self, n: int, state: int, rank: int) -> tuple[int, ...]:
        """The choices in prefix order of one of the ways to a state."""
        chosen, waiting = list[int](), [(n, state, rank)]
        while waiting:
            n, state, rank = waiting.pop()
            item = self._nth(n, state, rank)
            assert item is not None
            _, edge, ranks = item
            edges = self._states[n, state].edges
            chosen.append(int(edges.choice[edge]))
            below = zip(self._chart.inputs[n], edges.inputs[edge].tolist(), ranks, strict=True)
            waiting += reversed(list(below))
        return tuple(chosen)

    def _nth(self, n: int, state: int, rank: int) -> Item | None:
        ranked = self._states.get((n, state)) or self._opened(n, state)
        while len(ranked.found) <= rank:
            if ranked.found:
                self._let_in_next(n, ranked)
            if not ranked.waiting:
                return None
            ranked.found.append(heappop(ranked.waiting))
        return ranked.found[rank]

    def _opened(self, n: int, state: int) -> _Ranked:
        edges = self._chart.edges(n, state)
        ranked = self._states[n, state] = _Ranked(edges)
        first = (0,) * edges.inputs.shape[1]
        ranked.waiting = sorted((cost, edge, first) for edge, cost in enumerate(edges.cost.tolist()))
        return ranked

    def _let_in_next(self, n: int, ranked: _Ranked) -> None:
        """After the last one found: those in which one of its inputs takes its next best."""
        _, edge, ranks = ranked.found[-1]
        states = ranked.edges.inputs[edge].tolist()
        for i in range(len(ranks)):
            following = (*ranks[:i], ranks[i] + 1, *ranks[i + 1 :])
            if (edge, following) in ranked.met:
                continue
            ranked.met.add((edge, following))
            parts = [self._nth(*of) for of in zip(self._chart.inputs[n], states, following, strict=True)]
            if all(part is not None for part in parts):
                cost = sum((part[0] for part in parts if part is not None), float(ranked.edges.price[edge]))
                heappush(ranked.waiting, (cost, edge, following))
