"""How often the intervals of a timetable form a dome, in the sense in which people are told of a rule's shape."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from gpdr.study.keys import Json
from gpdr.study.report.results import Results
from gpdr.study.report.table import ReportTable

# By how much the longest interval must exceed both ends, as a share of a mean service: one margin alone would decide.
MARGINS = (0.01, 0.03, 0.05)

# Whether a timetable is a dome, then by margin whether its longest interval is an inner one.
Marks = tuple[bool, ...]


def marks(times: Sequence[float], clinic: Json) -> Marks:
    """What is seen of the intervals, whoever comes together at either end left out."""
    from gpdr.clinic import Clinic
    from gpdr.clinic.problem.words import shape

    found = shape(np.asarray(times, np.float64), Clinic.from_dict(clinic))
    above = (max(found.intervals) - max(found.intervals[0], found.intervals[-1])) if found.intervals else 0.0
    return found.kind == "dome", *(above > margin * clinic["mean_service"] for margin in MARGINS)


class DomeShares:
    """Counts over all runs."""

    def __init__(self) -> None:
        self._seen: defaultdict[tuple[str, str], list[Marks]] = defaultdict(list)

    def see(self, problem: str, method: str, document: Json) -> None:
        clinic = document["key"]["problem"]["clinic"]
        self._seen[problem, method].append(marks(document["result"]["test"]["times"], clinic))

    def table(self, results: Results) -> ReportTable:
        """The share of domes, also apart for clinics whose optimum is a dome and for those whose is not."""
        optima = {
            problem: marks(rules["OPTIMUM"]["times"], results.clinics[problem])
            for problem, rules in results.references.items()
        }
        columns = (
            "method", "rules", "domes", "where the optimum is one", "where it is not",
            *(f"longest inside by {margin:.0%}" for margin in MARGINS),
        )  # fmt: skip
        table = ReportTable("dome_share", "Rules whose intervals form a dome", columns)
        for method in results.methods:
            seen = {problem: self._seen[problem, method] for problem in results.problems}
            split = [
                _share([dome for problem in optima if optima[problem][0] is kind for dome, *_ in seen[problem]])
                for kind in (True, False)
            ]
            _add(table, method, [mark for found in seen.values() for mark in found], split)
        _add(table, "OPTIMUM", list(optima.values()), [None, None])
        table.notes = [
            "A dome, as in the words in which people are told of a rule: intervals grow up to one in the middle and"
            " shrink after it, changes below 3% of a mean service aside. Patients who come together at the start or the"
            " end are left out: at the end they do where a rule names times past the session. Longest inside by 3%: the"
            " longest interval exceeds the first and the last by more than 3% of a mean service, whatever the others"
            " do. OPTIMUM: the optimal timetable of each clinic."
        ]
        return table


def _add(table: ReportTable, name: str, found: Sequence[Marks], apart: Sequence[float | None]) -> None:
    split = dict(zip(("share_if_optimum_dome", "share_if_not"), apart, strict=True))
    inside = {f"inside_{100 * m:g}_percent": _share([mark[k] for mark in found]) for k, m in enumerate(MARGINS, 1)}
    table.add_shares(name, {"rules": len(found), "share": _share([dome for dome, *_ in found]), **split, **inside})


def _share(found: Sequence[bool]) -> float | None:
    return sum(found) / len(found) if found else None
