"""What the publication reports, cell by cell, to stand beside a study's own figures."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

from gpdr.study.keys import Json

# What the publication says of parameters, for all methods or for the one that has it; of others it says nothing.
PARAMETERS: Json = {
    "population": 256, "generations": 50, "replications": 15_000, "initial_smallest": 2, "initial_largest": 6,
    "deepest": 8, "tournament": 7, "crossover": 0.9, "distinct_parents": False, "tolerance": 0.0,
    "candidates": 2, "best_share": 0.1, "eta": 0.01, "reward_gaps": True, "terminals_by_frequency": True,
    "exponents": {"stgp": 1, "cfggp": 2},
}  # fmt: skip

# A published clinic by what its rows are headed with.
ClinicKey = tuple[int, float, float, float, float]
_HEADINGS = ("patients", "mean_service", "cv", "no_show", "walk_in")


@dataclass(frozen=True)
class PublishedCell:
    """A published figure; its standard deviation and mark where there are any."""

    mean: float
    sd: float | None = None
    mark: str = ""


Cells = dict[tuple[ClinicKey, str], PublishedCell]


def clinic_key(clinic: Json) -> ClinicKey | None:
    """The row of a clinic in the published tables; none if it is not a clinic of theirs."""
    if clinic["cost_ratio"] != 0.1 or clinic["walk_in_policy"] != "fourth-in-line" or clinic["service"] != "lognormal":
        return None
    if clinic["session"] != 210.0:
        return None
    return (int(clinic["patients"]), *(float(clinic[name]) for name in _HEADINGS[1:]))  # type: ignore[return-value]


class Published:
    """The tables, read when they are asked for; absent cells are absent keys."""

    @cached_property
    def classical(self) -> Cells:
        from gpdr.clinic import paper_clinics, published_costs

        keys = [clinic_key(clinic.as_dict()) for clinic in paper_clinics()]
        rows = zip(keys, published_costs(), strict=True)
        return {(key, rule): PublishedCell(cost) for key, row in rows if key for rule, cost in row.items()}

    @cached_property
    def cost(self) -> Cells:
        return {
            (key, row["method"]): PublishedCell(
                float(row["total_cost_mean"]), float(row["total_cost_sd"]), row["gpdr_vs_method"]
            )
            for key, row in _rows("methods_total_cost_and_gap.csv")
        }

    @cached_property
    def gap(self) -> Cells:
        rows = _rows("methods_total_cost_and_gap.csv")
        return {(key, row["method"]): PublishedCell(float(row["dimension_gap_mean"])) for key, row in rows}

    @cached_property
    def size(self) -> Cells:
        return {
            (key, row["method"]): PublishedCell(float(row["nodes_mean"]), float(row["nodes_sd"]), row["gpdr_vs_method"])
            for key, row in _rows("methods_program_size.csv")
        }

    @cached_property
    def seconds(self) -> Cells:
        rows = _rows("runtime_seconds.csv")
        return {(key, method): PublishedCell(float(row[method])) for key, row in rows for method in ("GP", "GPDR")}


def _rows(name: str) -> Iterator[tuple[ClinicKey, dict[str, str]]]:
    text = files("gpdr.study").joinpath(f"data/{name}").read_text("utf-8")
    for row in csv.DictReader(text.splitlines()):
        patients, *others = (row[heading] for heading in _HEADINGS)
        yield (int(patients), *(float(other) for other in others)), row  # type: ignore[misc]
