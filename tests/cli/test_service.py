"""`gpdr service`: estimates from a CSV file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpdr.cli.app import app
from gpdr.cli.errors import exit_status

Said = pytest.CaptureFixture[str]


def test_estimate(tmp_path: Path, capsys: Said) -> None:
    file = tmp_path / "times.csv"
    file.write_text("day,minutes\n" + "".join(f"{k},{10 + k}\n" for k in range(12)))
    assert exit_status(app, ["service", str(file), "--column", "minutes"]) == 0
    said = capsys.readouterr().out
    assert "12 consultation times" in said
    assert "--mean 15.5 --cv 0.233" in said
    assert exit_status(app, ["service", str(file), "--column", "minutes", "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["mean_service"]["mean"] == 15.5
    assert data["lognormal"]["verdict"].startswith("a lognormal fits")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a,b\n1,2\n", ": has 2 columns; choose one with --column: a, b"),
        (
            "minutes\n10,5\n12,5\n",
            ", line 2: expected 1 cell as in the first line, got 2; write decimals with a point, "
            "or separate columns by semicolons",
        ),
        ("minutes\n1\ntwo\n", ", line 3: expected minutes above 0 up to 10000, got 'two'"),
        ("minutes\n", "times.csv: consultation times: expected at least 8, got 0"),
    ],
)
def test_wrong_input(tmp_path: Path, text: str, line: str, capsys: Said) -> None:
    file = tmp_path / "times.csv"
    file.write_text(text)
    assert exit_status(app, ["service", str(file)]) == 2
    assert capsys.readouterr().err.endswith(f"{line}\n")
