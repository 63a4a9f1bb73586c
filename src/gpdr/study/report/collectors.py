"""What a report gathers from documents, in one pass and little memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpdr.study.keys import Json

Place = tuple[str, str]  # problem name, method name
Curve = NDArray[np.float64]


@dataclass(frozen=True)
class BestRule:
    """The cheapest rule of a cell's runs, on the test draws."""

    cost: float
    size: int
    seed: int
    trees: tuple[str, ...]
    times: tuple[float, ...]


class BestRules:
    """The cheapest rule of every cell."""

    def __init__(self) -> None:
        self.rules: dict[Place, BestRule] = {}

    def see(self, problem: str, method: str, document: Json) -> None:
        result = document["result"]
        known = self.rules.get((problem, method))
        if known is None or result["cost"] < known.cost:
            self.rules[problem, method] = BestRule(
                result["cost"],
                result["size"],
                document["key"]["seed"],
                tuple(result["rule"]["trees"]),
                tuple(result["test"]["times"]),
            )


class Convergence:
    """Mean over runs of each generation's best cost."""

    def __init__(self) -> None:
        self._sums: dict[Place, Curve] = {}
        self._counts: dict[Place, int] = defaultdict(int)

    def see(self, problem: str, method: str, document: Json) -> None:
        best = np.array(document["result"]["history"]["best"], np.float64)  # null becomes not-a-number
        place = problem, method
        known = self._sums.get(place)
        self._sums[place] = best if known is None else known + best
        self._counts[place] += 1

    def curve(self, problem: str, method: str) -> Curve | None:
        """By generation; none without runs."""
        total = self._sums.get((problem, method))
        return None if total is None else total / self._counts[problem, method]


class Fronts:
    """The cheapest tested rule of each size: final rules and members of archives."""

    def __init__(self) -> None:
        self._cheapest: dict[Place, dict[int, float]] = defaultdict(dict)

    def see(self, problem: str, method: str, document: Json) -> None:
        result = document["result"]
        self._note(problem, method, result["size"], result["cost"])
        for member in result["archive"]:
            if member.get("test_cost") is not None:
                self._note(problem, method, member["size"], member["test_cost"])

    def _note(self, problem: str, method: str, size: int, cost: float) -> None:
        cheapest = self._cheapest[problem, method]
        cheapest[size] = min(cost, cheapest.get(size, cost))

    def attained(self, problem: str, method: str, sizes: NDArray[Any]) -> Curve:
        """The least cost of rules of at most each size; infinite where there is none."""
        cheapest = self._cheapest.get((problem, method), {})
        return np.array([min((cost for k, cost in cheapest.items() if k <= size), default=np.inf) for size in sizes])


class Origins:
    """From which code and machines the runs come."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, ...]] = Counter()

    def see(self, problem: str, method: str, document: Json) -> None:
        provenance = document["provenance"]
        self.counts[tuple(str(provenance.get(name)) for name in self.names)] += 1

    names = ("gpdr", "commit", "python", "numpy", "numba", "platform")
