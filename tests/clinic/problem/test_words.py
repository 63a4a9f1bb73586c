"""Timetables in words: every shape, by hand and turned upside down."""

from __future__ import annotations

import numpy as np
import pytest

from gpdr.clinic import Clinic
from gpdr.clinic.problem.words import conventions, in_words, rounded_numbers, shape
from gpdr.expressions import parse
from gpdr.expressions.appointment import APPOINTMENT

CLINIC = Clinic(patients=6, mean_service=20.0, cv=0.5)


def times(*intervals: float) -> np.ndarray:
    return np.cumsum([0.0, *intervals])


@pytest.mark.parametrize(
    ("intervals", "kind", "turn"),
    [
        ((20, 20.2, 20, 19.9, 20), "level", None),
        ((15, 18, 20, 24, 25), "rising", None),
        ((25, 24, 20, 20, 11), "falling", None),
        ((15, 18, 24, 20, 12), "dome", 3),
        ((15, 18, 24, 24.3, 12), "dome", 4),  # a change too small to notice does not hide the dome
        ((24, 18, 12, 16, 22), "bowl", 3),
        ((24, 12, 24, 12, 24), "uneven", None),
        ((0, 15, 22, 19, 12), "dome", 3),
        ((0, 15, 22, 12, 0), "dome", 3),
        ((0, 0, 0, 0, 0), "none", None),
        ((20, 0, 0, 0, 0), "level", None),
    ],
)
def test_shapes(intervals: tuple[float, ...], kind: str, turn: int | None) -> None:
    found = shape(times(*intervals), CLINIC)
    assert (found.kind, found.turn) == (kind, turn)


def test_together_at_both_ends() -> None:
    found = shape(times(0, 0, 20, 20, 0), CLINIC)
    assert (found.first_together, found.last_together) == (3, 2)
    assert found.intervals == (20, 20)


@pytest.mark.parametrize(
    ("intervals", "words"),
    [
        (
            (0, 15, 22, 19, 12),
            "The first 2 patients come together at the start. Intervals form a dome: they grow from 15 to 22 minutes "
            "up to the one after patient 3, then shrink to 12 minutes; on average 0.85 mean services.",
        ),
        (
            (20, 20, 20, 20, 0),
            "The first patient comes at the start. Intervals are all about 20 minutes, 1.00 mean services. "
            "The last 2 patients come together, 80 minutes after the start.",
        ),
        ((0, 0, 0, 0, 0), "All 6 patients come together at the start."),
        ((), "The one patient comes at the start."),
        (
            # None comes more than half a minute after the one before, the last two minutes after the first.
            (0.4, 0.4, 0.4, 0.4, 0.4),
            "The first 2 patients come together at the start. Intervals are all about 0.4 minutes, 0.02 mean services. "
            "The last 2 patients come together, 2 minutes after the start.",
        ),
        (
            (0.4, 0.4),  # the second belongs to the first, and to nobody else
            "The first 2 patients come together at the start. Then there is one interval of 0.4 minutes.",
        ),
        (
            (0, 0, 0, 0, 30),
            "The first 5 patients come together at the start. Then there is one interval of 30 minutes.",
        ),
    ],
)
def test_words(intervals: tuple[float, ...], words: str) -> None:
    assert in_words(times(*intervals), CLINIC) == words


def test_the_first_may_come_later() -> None:
    assert in_words(times(10, 10, 10, 10, 10) + 5, CLINIC).startswith(
        "The first patient comes 5 minutes after the start."
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(i - 0.8440410088859612) * M", "(i - 0.84404) * M"),
        ("1.2345678e-05 * V + 12.345678", "1.2346e-05 * V + 12.346"),
        ("0.5 * i + 2 - [-0.3166767609350435]", "0.5 * i + 2 - [-0.31668]"),
    ],
)
def test_long_numbers_are_rounded_and_short_ones_left(text: str, shown: str) -> None:
    assert rounded_numbers(text) == shown


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("i * M", ""),
        ("sqrt(i) / P * M", ""),  # no clinic has fewer than one patient, or a place below 0
        ("M / i", "Here a / b counts as 1,000,000 where b is 0."),
        ("sqrt(i - 1) * M", "Here sqrt(a) is the root of a without its sign."),
        (
            "sqrt(CR - PW) / V * M",
            "Here a / b counts as 1,000,000 where b is 0, and sqrt(a) is the root of a without its sign.",
        ),
    ],
)
def test_what_schoolbooks_have_no_answer_to(expression: str, said: str) -> None:
    assert conventions([parse(expression, APPOINTMENT)]) == said
