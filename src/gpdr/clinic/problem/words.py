"""What a rule says and does, for people: its numbers rounded; who comes together, where intervals turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gpdr.clinic import Clinic
from gpdr.expressions import Tree
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.functions import Op
from gpdr.expressions.intervals import bounds, never_tiny
from gpdr.expressions.nodes import Node, to_node

DIGITS = 5  # of a number, for people

Kind = Literal["none", "level", "rising", "falling", "dome", "bowl", "uneven"]

_AT_ONCE = 0.5  # minutes: patients told to come this close come together
_NOTICED = 0.03  # of a mean service: a change of intervals this small is none


@dataclass(frozen=True)
class Shape:
    """The shape of a timetable's intervals. Patients are counted from 1, as people count them."""

    kind: Kind
    first_together: int  # patients at the first time
    last_together: int  # patients at the last time
    turn: int | None  # the patient before the interval at which a dome or a bowl turns
    intervals: tuple[float, ...]  # minutes, without those between patients who come together at either end


def shape(times: NDArray[np.float64], clinic: Clinic) -> Shape:
    """Look at the intervals between the patients who come together first and those who come together last."""
    first = int(np.count_nonzero(times - times[0] <= _AT_ONCE))
    if first == len(times):
        return Shape("none", len(times), len(times), None, ())
    last = int(np.count_nonzero(times[-1] - times[first:] <= _AT_ONCE))
    between = np.diff(times)[first - 1 : len(times) - last]
    kind, turn = _kind(between, _NOTICED * clinic.mean_service)
    return Shape(
        kind=kind,
        first_together=first,
        last_together=last,
        turn=None if turn is None else first + turn,
        intervals=tuple(float(gap) for gap in between),
    )


def _kind(gaps: NDArray[np.float64], noticed: float) -> tuple[Kind, int | None]:
    top, bottom = int(np.argmax(gaps)), int(np.argmin(gaps))
    if gaps[top] - gaps[bottom] <= noticed:
        return "level", None
    if _rises(gaps[: top + 1], noticed) and _rises(gaps[top:][::-1], noticed):
        if gaps[top] - gaps[0] <= noticed:
            return "falling", None
        return ("rising", None) if gaps[top] - gaps[-1] <= noticed else ("dome", top)
    if _rises(-gaps[: bottom + 1], noticed) and _rises(-gaps[bottom:][::-1], noticed):
        return "bowl", bottom
    return "uneven", None


def _rises(gaps: NDArray[np.float64], noticed: float) -> bool:
    """Whether gaps never fall noticeably below what they have reached."""
    return bool((np.maximum.accumulate(gaps) - gaps <= noticed).all())


def rounded_numbers(text: str) -> str:
    """An expression with its long numbers to five significant digits."""
    return re.sub(r"\d+\.\d{5,}(e[+-]?\d+)?", lambda found: f"{float(found[0]):.{DIGITS}g}", text)


def in_words(times: NDArray[np.float64], clinic: Clinic) -> str:
    """A few sentences that a planner can check with the timetable in hand."""
    found = shape(times, clinic)
    if found.kind == "none" and len(times) > 1:
        return f"All {len(times)} patients come together {_when(times[0])}."
    return " ".join(s for s in (_start(found, times), _middle(found, clinic), _end(found, times)) if s)


def _start(found: Shape, times: NDArray[np.float64]) -> str:
    if len(times) == 1:
        return f"The one patient comes {_when(times[0])}."
    if found.first_together == 1:
        return f"The first patient comes {_when(times[0])}."
    return f"The first {found.first_together} patients come together {_when(times[0])}."


def _when(time: float) -> str:
    return "at the start" if time <= _AT_ONCE else f"{_minutes(time)} after the start"


def _middle(found: Shape, clinic: Clinic) -> str:
    gaps = found.intervals
    if not gaps:
        return ""
    if len(gaps) == 1:
        return f"Then there is one interval of {_minutes(gaps[0])}."
    first, last, low, high = gaps[0], gaps[-1], min(gaps), max(gaps)
    mean = float(np.mean(gaps))
    compared = f"{mean / clinic.mean_service:.2f} mean services"
    match found.kind:
        case "level":
            return f"Intervals are all about {_minutes(mean)}, {compared}."
        case "rising":
            return f"Intervals grow from {first:.0f} to {_minutes(last)}, on average {compared}."
        case "falling":
            return f"Intervals shrink from {first:.0f} to {_minutes(last)}, on average {compared}."
        case "dome":
            return (
                f"Intervals form a dome: they grow from {first:.0f} to {_minutes(high)} up to the one after patient "
                f"{found.turn}, then shrink to {_minutes(last)}; on average {compared}."
            )
        case "bowl":
            return (
                f"Intervals form a bowl: they shrink from {first:.0f} to {_minutes(low)} up to the one after patient "
                f"{found.turn}, then grow to {_minutes(last)}; on average {compared}."
            )
    return f"Intervals vary between {low:.0f} and {_minutes(high)} without one turn, on average {compared}."


def _end(found: Shape, times: NDArray[np.float64]) -> str:
    if found.last_together <= 1:
        return ""
    return f"The last {found.last_together} patients come together, {_minutes(times[-1])} after the start."


def _minutes(value: float) -> str:
    if 0.0 < value < 1.0:
        return f"{value:.1f} minutes"
    return "1 minute" if round(value) == 1 else f"{value:.0f} minutes"


def conventions(trees: Sequence[Tree]) -> str:
    """What functions of a rule mean where schoolbooks have no answer; empty where no clinic takes it there."""
    nodes = [node for tree in trees for node in _below(to_node(tree, APPOINTMENT))]
    said = []
    if any(_op(node) is Op.DIV and not never_tiny(node.inputs[1], APPOINTMENT) for node in nodes):
        said.append("a / b counts as 1,000,000 where b is 0")
    if any(_op(node) is Op.SQRT and bounds(node.inputs[0], APPOINTMENT)[0] < 0 for node in nodes):
        said.append("sqrt(a) is the root of a without its sign")
    return f"Here {', and '.join(said)}." if said else ""


def _below(node: Node) -> Iterator[Node]:
    """The node and all below it that are functions."""
    if node.inputs:
        yield node
        for one in node.inputs:
            yield from _below(one)


def _op(node: Node) -> Op:
    return APPOINTMENT.functions[node.code].op
