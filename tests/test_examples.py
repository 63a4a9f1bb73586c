"""Every example runs; how much it does is set by the arguments of its main, and here they are small."""

from __future__ import annotations

import inspect
import re
import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
BUDGET = {"population": 16, "generations": 1, "replications": 300}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "found", "exact"),
    [("falling_body", r"error (\S+),", 0.0), ("order_quantity", r"costs (\S+) times the least", 1.0)],
)
def test_laws_are_found_as_told(example: str, found: str, exact: float, capsys: pytest.CaptureFixture[str]) -> None:
    path = next(path for path in EXAMPLES if path.stem == example)
    runpy.run_path(str(path), run_name="example")["main"]()
    said = re.search(found, capsys.readouterr().out)
    assert said is not None
    assert float(said[1]) == pytest.approx(exact, abs=1e-9)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 6


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_says_something(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(example), run_name="example")["main"]
    main(**{name: BUDGET[name] for name in inspect.signature(main).parameters})
    assert capsys.readouterr().out
