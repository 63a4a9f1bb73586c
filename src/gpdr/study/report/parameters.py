"""The parameters in force: those that a study sets and those that the code adds, beside the publication's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import fields

from gpdr.study.keys import Json, canonical
from gpdr.study.report.published import PARAMETERS
from gpdr.study.report.results import Results
from gpdr.study.report.table import NOTHING, ReportTable

_OF_THE_PROBLEM = {"replications": "sessions on which a generation is judged"}


class Parameters:
    """The parameters of every run, as its provenance tells them."""

    def __init__(self) -> None:
        self._values: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._last: dict[str, Json] = {}

    def see(self, problem: str, method: str, document: Json) -> None:
        parameters: Json = document["provenance"].get("parameters", {})
        if self._last.get(method) == parameters:
            return
        self._last[method] = parameters
        for name, value in parameters.items():
            self._values[name][method].add(canonical(value))

    def table(self, results: Results) -> ReportTable:
        """A row for each parameter; what differs from the publication is said in a word."""
        table = ReportTable(
            "parameters",
            "Parameters in force",
            ("parameter", "here", "publication", "compared", "meaning"),
            words=("compared", "meaning"),
        )
        meanings = _meanings(results)
        for name, by_method in sorted(self._values.items()):
            here = {m: " or ".join(sorted(by_method[m])) for m in results.methods if m in by_method}
            published = {m: text for m in here if (text := _published(name, results.kinds[m])) is not None}
            differs = any(here[method] != text for method, text in published.items())
            compared = "differs" if differs else "as published" if published else "left open"
            texts = [_told(here, results.methods), _told(published, results.methods) or NOTHING]
            table.rows.append([f"`{name}`", *texts, compared, meanings.get(name, "")])
            for method, value in here.items():
                beside = {"value": value, "published": published.get(method), "meaning": meanings.get(name)}
                table.records.append({"parameter": name, "method": method, **beside})
        table.notes = [
            "As each run recorded them; where methods differ, or only some have the parameter, they are named. Left"
            " open: the publication says nothing, so a choice had to be made."
        ]
        if others := [row[0] for row in table.rows if row[3] == "differs"]:
            table.notes.append(
                f"With {' and '.join(others)} not as published, costs and sizes beside the publication's are not those"
                " of the same search. `studies/published-selection.toml` is the study with parents chosen as published."
            )
        return table


def _published(name: str, method: str) -> str | None:
    value = PARAMETERS.get(name)
    if isinstance(value, dict):
        value = value.get(method)
    return None if value is None else canonical(value)


def _told(values: Mapping[str, str], methods: list[str]) -> str:
    """`value`, if it is that of all methods; else each value with the methods that have it."""
    owners: dict[str, list[str]] = defaultdict(list)
    for method, value in values.items():
        owners[value].append(method)
    if len(owners) == 1 and len(values) == len(methods):
        return next(iter(owners))
    return "; ".join(f"{value} ({', '.join(having)})" for value, having in owners.items())


def _meanings(results: Results) -> dict[str, str]:
    from gpdr.evolution.methods import METHODS

    known = [METHODS[kind].parameters for kind in results.kinds.values() if kind in METHODS]
    told = {field.name: str(field.metadata.get("help", "")) for parameters in known for field in fields(parameters)}
    return told | _OF_THE_PROBLEM
