"""Every example runs; how much it does is set by the arguments of its main, and here they are small."""

from __future__ import annotations

import inspect
import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
BUDGET = {"population": 16, "generations": 1, "replications": 300}


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 6


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_says_something(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(example), run_name="example")["main"]
    main(**{name: BUDGET[name] for name in inspect.signature(main).parameters})
    assert capsys.readouterr().out
