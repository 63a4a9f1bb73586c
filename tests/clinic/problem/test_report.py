"""The page about a run: whole, self-contained, and the same every time."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

from gpdr import Clinic, evolve
from gpdr.clinic.problem import AppointmentProblem, Evolved
from gpdr.clinic.problem.figures import draw_figures
from gpdr.clinic.problem.report import report
from gpdr.evolution import METHODS, Generation, Outcome
from gpdr.evolution.population import described
from gpdr.expressions import Forest, parse
from gpdr.expressions.appointment import APPOINTMENT

_VOID = {"meta", "br", "img", "hr", "link", "input"}


class Balanced(HTMLParser):
    """Notes tags that are left open or closed without being open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def test_the_page_and_its_figures() -> None:
    clinic = Clinic(patients=5, mean_service=20.0, cv=0.5)
    pages = []
    for _ in range(2):
        result = evolve(clinic, seed=1, population=30, generations=3, replications=300, threads=1)
        figures = draw_figures(result)
        pages.append((figures, report(result, figures)))
    (figures, page), again = pages
    assert (figures, page) == again, "nothing in it depends on when it was made"
    assert list(figures) == ["intervals", "convergence", "front"]
    for svg in figures.values():
        assert len(list(ElementTree.fromstring(svg).iter())) > 20
    parser = Balanced()
    parser.feed(page)
    assert (parser.open, parser.wrong) == ([], [])
    assert not re.search(r'(src|href)="http', page), "nothing is fetched"
    for name in ("GPDR", "OPTIMUM", "UNIVERSAL", "IBFI", "MBFI"):
        assert f"<td>{name}</td>" in page
    assert all(f"{time:.0f}" in page for time in result.found.times)
    assert escape(result.formula) in page
    assert escape(result.latex) in page
    assert "$" not in re.sub(r"<svg.*?</svg>", "", page, flags=re.S), "every blank is filled in"


def evolved(clinic: Clinic, tree1: str, tree2: str) -> Evolved:
    """As if this rule had been found."""
    problem = AppointmentProblem(clinic, 100)
    forest = Forest.of([(parse(tree1, APPOINTMENT), parse(tree2, APPOINTMENT))])
    found = described(forest, problem).with_costs(np.ones(1))
    past = Generation(0, 0, best=1.0, mean=1.0, size=3, gap=0.0, archive=1, distinct=1)
    outcome = Outcome(found, found, (past,), {}, interrupted=False)
    return Evolved(clinic, "gpdr", 1, 100, METHODS["gpdr"].parameters(), outcome)


@pytest.mark.parametrize(
    ("tree1", "tree2", "formula", "latex"),
    [
        ("CR", "i * M", "A_i = CR * M + i * M", r"A_i = \mathit{CR} \, M + i \, M"),
        ("i - CR", "V - M", "A_i = (i - CR) * M + V - M", None),
        ("i", "V / P", "A_i = i * M + V / P", r"A_i = i \, M + \frac{V}{P}"),
        ("i - i", "i * M", "A_i = i * M", r"A_i = i \, M"),
        ("i", "0", "A_i = i * M", r"A_i = i \, M"),
        ("0", "0", "A_i = 0", "A_i = 0"),
    ],
)
def test_a_formula_has_no_more_brackets_than_it_needs(tree1: str, tree2: str, formula: str, latex: str | None) -> None:
    result = evolved(Clinic(patients=4, mean_service=20.0, cv=0.5), tree1, tree2)
    assert result.formula == formula
    assert latex in (None, result.latex)


def test_a_page_for_one_patient_shows_no_intervals() -> None:
    result = evolved(Clinic(patients=1, mean_service=20.0, cv=0.5), "0", "M / M - 1")
    figures = draw_figures(result)
    page = report(result, figures)
    assert list(figures) == ["convergence", "front"]
    assert "The one patient comes at the start." in page
    assert "a / b counts as 1,000,000" in page or " / " not in result.formula


def test_no_interval_is_said_to_have_no_width() -> None:
    page = report((result := evolved(Clinic(patients=4, mean_service=0.1, cv=0.5), "i", "V / i")), draw_figures(result))
    assert "± 0.00<" not in page
    assert "a / b counts as 1,000,000" in page
