"""What a report is made of: figures of all runs by SQL, and one pass over the documents for all that is deeper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gpdr.study.export import runs_table
from gpdr.study.job import REFERENCES
from gpdr.study.keys import Json
from gpdr.study.plan import Study
from gpdr.study.report.published import ClinicKey, Published, clinic_key
from gpdr.study.store import Store

CLASSICAL = ("IBFI", "2BEG", "MBFI", "OFFSET", "DOME", "RULE7")


class Collector(Protocol):
    """Sees every run's document once, in the order of the plan."""

    def see(self, problem: str, method: str, document: Json) -> None: ...


@dataclass(frozen=True)
class Results:
    """A study's results."""

    study: Study
    runs: pd.DataFrame
    references: dict[str, dict[str, Json]]
    published: Published
    processor_seconds: float = 0.0

    @classmethod
    def load(cls, store: Store, study: str | None, of_methods: Iterable[Collector], of_all: Collector) -> Results:
        """Reads the store once; collectors see the documents meanwhile, one of them those of the references too."""
        chosen = store.study_name(study)
        gatherers = list(of_methods)
        references: dict[str, dict[str, Json]] = {}
        for problem, method, document in store.documents(chosen):
            of_all.see(problem, method, document)
            if method == REFERENCES:
                references[problem] = {rule["name"]: rule for rule in document["result"]["rules"]}
            else:
                for gatherer in gatherers:
                    gatherer.see(problem, method, document)
        runs = runs_table(store, chosen)
        runs = runs[runs["state"] == "done"]
        spent = float(runs["processor_seconds"].astype(float).sum())
        return cls(store.study(chosen), runs[runs["method"] != REFERENCES], references, Published(), spent)

    @property
    def problems(self) -> list[str]:
        return [problem.name for problem in self.study.problems]

    @property
    def methods(self) -> list[str]:
        return [method.name for method in self.study.methods]

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Which of the seven methods stands behind each name."""
        return {method.name: method.method for method in self.study.methods}

    @property
    def subject(self) -> str:
        """The method that all others are compared with: GPDR where it takes part."""
        own = [method.name for method in self.study.methods if method.method == "gpdr"]
        return (own or self.methods)[0]

    @property
    def others(self) -> list[str]:
        return [method for method in self.methods if method != self.subject]

    @cached_property
    def clinics(self) -> dict[str, Json]:
        return {problem.name: problem.definition["clinic"] for problem in self.study.problems}

    def published_key(self, problem: str) -> ClinicKey | None:
        return clinic_key(self.clinics[problem])

    @cached_property
    def _by_cell(self) -> dict[tuple[str, str], pd.DataFrame]:
        return {
            (str(problem), str(method)): cell.set_index("seed")
            for (problem, method), cell in self.runs.groupby(["problem", "method"], sort=False)
        }

    def figures(self, problem: str, method: str, figure: str) -> pd.Series:
        """A figure of all runs of a cell, by seed; empty if there are none."""
        cell = self._by_cell.get((problem, method))
        return pd.Series(dtype=float) if cell is None else cell[figure].astype(float)

    def mean(self, problem: str, method: str, figure: str) -> float:
        """Over the runs of a cell; not a number if there are none."""
        return float(self.figures(problem, method, figure).mean())

    def paired(self, problem: str, method: str, figure: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """A figure of the subject and of another method, for the seeds that both have."""
        both = pd.concat(
            [self.figures(problem, self.subject, figure), self.figures(problem, method, figure)], axis=1, join="inner"
        )
        return both.iloc[:, 0].to_numpy(np.float64), both.iloc[:, 1].to_numpy(np.float64)

    def reference_cost(self, problem: str, rule: str) -> float | None:
        """What a classical rule or the optimum costs on the draws that judge the problem's runs."""
        rules = self.references.get(problem, {})
        return float(rules[rule]["total_cost"]["mean"]) if rule in rules else None
