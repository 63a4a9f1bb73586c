"""What a report gathers from documents, in one pass and little memory."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
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


@dataclass(frozen=True)
class SampledRule:
    """A rule of the sample."""

    size: int
    trees: tuple[str, ...]


class Sample:
    """The rules of the first runs of every cell: to simplify the rules of all would take longer than to evolve them."""

    per_cell = 5
    words = f"the rules of the first {per_cell} runs on each clinic"

    def __init__(self) -> None:
        self._rules: defaultdict[Place, list[SampledRule]] = defaultdict(list)

    def see(self, problem: str, method: str, document: Json) -> None:
        taken = self._rules[problem, method]
        if len(taken) < self.per_cell:
            result = document["result"]
            taken.append(SampledRule(result["size"], tuple(result["rule"]["trees"])))

    def rules(self, method: str) -> list[SampledRule]:
        """Those of a method, clinic by clinic."""
        return [rule for (_, own), taken in self._rules.items() if own == method for rule in taken]


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
    """The cheapest tested rule of each size: final rules and members of archives.

    Members are tested on fewer sessions than final rules, whose mean alone may be off by a per cent or two. Where a
    final rule is a member too, it has been tested on both; the clinic's median difference brings members to the scale
    of final rules. Without one member costs are left out.
    """

    def __init__(self) -> None:
        self._final: dict[Place, dict[int, float]] = defaultdict(dict)
        self._members: dict[Place, dict[int, float]] = defaultdict(dict)
        self._differences: dict[str, list[float]] = defaultdict(list)

    def see(self, problem: str, method: str, document: Json) -> None:
        result = document["result"]
        _keep_least(self._final[problem, method], result["size"], result["cost"])
        for member in result["archive"]:
            cost = member.get("test_cost")
            if cost is None:
                continue
            _keep_least(self._members[problem, method], member["size"], cost)
            if member["trees"] == result["rule"]["trees"]:
                self._differences[problem].append(result["cost"] - cost)

    def attained(self, problem: str, method: str, sizes: NDArray[Any]) -> Curve:
        """The least cost of rules of at most each size; infinite where there is none."""
        cheapest = dict(self._final.get((problem, method), {}))
        if differences := self._differences.get(problem):
            shift = float(np.median(differences))
            for size, cost in self._members.get((problem, method), {}).items():
                _keep_least(cheapest, size, cost + shift)
        return np.array([min((cost for k, cost in cheapest.items() if k <= size), default=np.inf) for size in sizes])


def _keep_least(cheapest: dict[int, float], size: int, cost: float) -> None:
    cheapest[size] = min(cost, cheapest.get(size, cost))


class Origins:
    """From which code and machines the runs come, and the processor time they took."""

    names = ("gpdr", "commit", "python", "numpy", "numba", "platform", "processor")

    def __init__(self) -> None:
        self.runs: Counter[tuple[str, ...]] = Counter()
        self.seconds: defaultdict[tuple[str, ...], float] = defaultdict(float)

    def see(self, problem: str, method: str, document: Json) -> None:
        provenance = document["provenance"]
        told = {**provenance, "platform": _short(str(provenance.get("platform")))}
        origin = tuple(str(told.get(name) or "not recorded") for name in self.names)
        self.runs[origin] += 1
        self.seconds[origin] += document["seconds"].get("processor", 0.0)

    def __iter__(self) -> Iterator[tuple[tuple[str, ...], int, float]]:
        """Each origin with its runs and their processor seconds, the one with most runs first."""
        for origin in sorted(self.runs, key=lambda origin: (-self.runs[origin], origin)):
            yield origin, self.runs[origin], self.seconds[origin]


def _short(platform: str) -> str:
    """System, processor's kind and C library: what may change results. A kernel's build number does not."""
    found = re.fullmatch(
        r"(?P<system>[^-]+)-.*?(?P<kind>x86_64|amd64|aarch64|arm64)(?:.*-(?P<libc>g?libc[\d.]+))?.*", platform
    )
    return " ".join(part for part in found.groups() if part) if found else platform
