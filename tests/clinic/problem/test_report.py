"""The page about a run: whole, self-contained, and the same every time."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser
from xml.etree import ElementTree

from gpdr import Clinic, evolve
from gpdr.clinic.problem.figures import draw_figures
from gpdr.clinic.problem.report import report

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
