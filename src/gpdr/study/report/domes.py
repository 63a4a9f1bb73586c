"""How often the intervals of a timetable form a dome, in the sense in which people are told of a rule's shape."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from gpdr.study.keys import Json
from gpdr.study.report.results import Results
from gpdr.study.report.table import ReportTable

# How much longer the longest interval must be than both ends, as a share of a mean service: one alone would decide.
MARGINS = (0.01, 0.03, 0.05)
# The one that people are told of.
_USUAL = 0.03

# By margin, whether a timetable is a dome.
Domes = tuple[bool, ...]


def domes(times: Sequence[float], clinic: Json) -> Domes:
    """Whether intervals grow to an inner one and shrink after it, whoever comes together at either end left out."""
    from gpdr.clinic import Clinic
    from gpdr.clinic.problem.words import shape

    row, where = np.asarray(times, np.float64), Clinic.from_dict(clinic)
    return tuple(shape(row, where, margin).kind == "dome" for margin in MARGINS)


class DomeShares:
    """Counts over all runs."""

    def __init__(self) -> None:
        self._seen: defaultdict[tuple[str, str], list[Domes]] = defaultdict(list)

    def see(self, problem: str, method: str, document: Json) -> None:
        clinic = document["key"]["problem"]["clinic"]
        self._seen[problem, method].append(domes(document["result"]["test"]["times"], clinic))

    def table(self, results: Results) -> ReportTable:
        """The share at each margin; also apart for clinics whose optimum is a dome and for those whose is not."""
        optima = {
            problem: domes(rules["OPTIMUM"]["times"], results.clinics[problem])
            for problem, rules in results.references.items()
        }
        headings = [f"domes by {margin:.0%}" for margin in MARGINS]
        apart = [f"by {_USUAL:.0%} where the optimum is {what}" for what in ("one", "none")]
        table = ReportTable("dome_share", "Rules whose intervals form a dome", ("method", "rules", *headings, *apart))
        usual = MARGINS.index(_USUAL)
        for method in results.methods:
            seen = {problem: self._seen[problem, method] for problem in results.problems}
            split = [
                _share([dome[usual] for problem in optima if optima[problem][usual] is kind for dome in seen[problem]])
                for kind in (True, False)
            ]
            _add(table, method, [dome for found in seen.values() for dome in found], split)
        _add(table, "OPTIMUM", list(optima.values()), [None, None])
        table.notes = [
            "A dome: intervals grow up to one in the middle and shrink after it. Patients who come together at the"
            " start or at the end are left out: at the end they do where a rule names times past the session. By 3%:"
            " the longest interval exceeds the first and the last by more than 3% of a mean service, and changes no"
            " larger than that are none. OPTIMUM: the optimal timetable of each clinic."
        ]
        return table


def _add(table: ReportTable, name: str, found: Sequence[Domes], apart: Sequence[float | None]) -> None:
    shares = {
        f"share_{100 * margin:g}_percent": _share([dome[k] for dome in found]) for k, margin in enumerate(MARGINS)
    }
    split = dict(zip(("share_if_optimum_dome", "share_if_not"), apart, strict=True))
    table.add_shares(name, {"rules": len(found), **shares, **split})


def _share(found: Sequence[bool]) -> float | None:
    return sum(found) / len(found) if found else None
