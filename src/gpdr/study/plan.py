"""What a study consists of: problems x methods x seeds, and in which order its runs are done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Self

from gpdr.study.job import REFERENCES, Cell, Job
from gpdr.study.keys import Json

# Runs are done in rounds of so many seeds: an unfinished study has all its cells filled evenly, while a worker still
# meets the same problem many times in a row, whose test draws it keeps.
_SEEDS_IN_A_ROUND = 5


@dataclass(frozen=True)
class Problem:
    """A problem under the name that tables show; `definition` is what shapes results."""

    name: str
    definition: Json


@dataclass(frozen=True)
class Method:
    """A method with parameters, under the name that tables show."""

    name: str
    method: str
    parameters: Json


@dataclass(frozen=True)
class PlannedCell:
    """A cell and its seeds."""

    cell: Cell
    seeds: range


@dataclass(frozen=True)
class Study:
    """A plan: every method on every problem with every seed, and each problem's yardsticks if `references`."""

    name: str
    problems: tuple[Problem, ...]
    methods: tuple[Method, ...]
    first_seed: int = 1
    seeds: int = 30
    attempts: int = 3
    references: bool = True
    description: str = ""

    def cells(self) -> Iterator[PlannedCell]:
        """Problem by problem: its references first, then its methods."""
        for problem in self.problems:
            if self.references:
                yield PlannedCell(Cell(problem.definition, REFERENCES, {}, problem.name, REFERENCES), range(1))
            for method in self.methods:
                cell = Cell(problem.definition, method.method, method.parameters, problem.name, method.name)
                yield PlannedCell(cell, range(self.first_seed, self.first_seed + self.seeds))

    def jobs(self) -> Iterator[Job]:
        """All runs, in the order in which they are done."""
        cells = list(self.cells())
        rounds = max((-(-len(planned.seeds) // _SEEDS_IN_A_ROUND) for planned in cells), default=0)
        for start in range(0, rounds * _SEEDS_IN_A_ROUND, _SEEDS_IN_A_ROUND):
            for planned in cells:
                for seed in planned.seeds[start : start + _SEEDS_IN_A_ROUND]:
                    yield Job(planned.cell, seed)

    def as_dict(self) -> Json:
        return asdict(self)

    @classmethod
    def from_dict(cls, plan: Json) -> Self:
        problems = tuple(Problem(**problem) for problem in plan["problems"])
        methods = tuple(Method(**method) for method in plan["methods"])
        return cls(**{**plan, "problems": problems, "methods": methods})
