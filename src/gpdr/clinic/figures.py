"""Figures of timetables: the intervals between appointments, and who waits how long."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gpdr._files import whole_file
from gpdr.clinic.compare import RuleOnClinic
from gpdr.errors import InputError

FORMATS = ("pdf", "png", "svg")
# The same figure is the same bytes: parts of an SVG are named by a fixed salt, and no file tells when it was made.
_STYLE: dict[Any, Any] = {"svg.hashsalt": "gpdr", "svg.fonttype": "path", "axes.grid": True, "grid.alpha": 0.3}
_NO_DATE: dict[str, dict[str, Any]] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {}}


def checked_format(path: str | Path) -> str:
    """The format that a file's ending asks for; better asked before the work than after it."""
    kind = Path(path).suffix.lstrip(".").lower()
    if kind not in FORMATS:
        raise InputError(f"plot: expected a file ending in .{', .'.join(FORMATS)}, got {str(path)!r}")
    return kind


def plot(rules: Sequence[RuleOnClinic], path: str | Path) -> None:
    """Intervals and expected waits of each timetable, place by place, as PDF, PNG or SVG by the file's ending."""
    kind = checked_format(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):
        figure = Figure(figsize=(9, 4), layout="constrained")
        left, right = figure.subplots(1, 2)
        for rule, marker in zip(rules, _markers(len(rules)), strict=True):
            count = len(rule.times)
            look = {"marker": marker, "markersize": 4, "linewidth": 1.2, "label": rule.name}
            left.plot(np.arange(1, count), np.diff(rule.times), **look)
            waits = [np.nan if wait is None else wait.mean for wait in rule.performance.wait_by_position]
            right.plot(np.arange(1, count + 1), waits, **look)
        left.set(title="Interval after each appointment", xlabel="patient", ylabel="minutes", ylim=(0, None))
        right.set(title="Expected wait", xlabel="patient", ylabel="minutes", ylim=(0, None))
        for axes in (left, right):
            axes.xaxis.get_major_locator().set_params(integer=True)
        right.legend(fontsize="small")
        with whole_file(path) as part:
            figure.savefig(part, format=kind, metadata=_NO_DATE[kind])


def _markers(count: int) -> list[str]:
    known = "osD^vP*X<>"
    return [known[k % len(known)] for k in range(count)]
