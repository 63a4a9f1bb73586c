"""A cell of a study (a method on a problem) and a job (a cell with a seed): what is handed to workers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from gpdr.study.keys import RESULTS_VERSION, Json, canonical, digest

# The "method" whose run gives a problem's yardsticks: the classical rules and the optimum.
REFERENCES = "references"


@dataclass(frozen=True)
class Cell:
    """All that shapes a run but its seed, with the names under which tables show it."""

    problem: Json
    method: str
    parameters: Json
    problem_name: str = field(compare=False)
    method_name: str = field(compare=False)
    results_version: int = RESULTS_VERSION

    @cached_property
    def hash(self) -> str:
        return digest(canonical(self.key))

    @property
    def key(self) -> Json:
        return {
            "problem": self.problem,
            "method": self.method,
            "parameters": self.parameters,
            "results_version": self.results_version,
        }


@dataclass(frozen=True)
class Job:
    """One run to be carried out."""

    cell: Cell
    seed: int

    @property
    def key(self) -> Json:
        return {**self.cell.key, "seed": self.seed}

    @property
    def identity(self) -> tuple[str, int]:
        """The key in short."""
        return self.cell.hash, self.seed

    def __str__(self) -> str:
        return f"{self.cell.method_name} on {self.cell.problem_name}, seed {self.seed}"
