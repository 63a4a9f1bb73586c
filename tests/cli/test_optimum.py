"""`gpdr optimum`: the best timetable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpdr.cli.app import app
from gpdr.cli.errors import exit_status

FEW = ["--patients", "4", "--replications", "300", "--threads", "1"]
Said = pytest.CaptureFixture[str]


def test_table_and_figure(tmp_path: Path, capsys: Said) -> None:
    figure = tmp_path / "a.pdf"
    assert exit_status(app, ["optimum", "--plot", str(figure), *FEW]) == 0
    said = capsys.readouterr()
    rows = [line.split() for line in said.out.splitlines() if line.split()[:1] and line.split()[0].isdecimal()]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert "Total cost" in said.out
    assert figure.read_bytes().startswith(b"%PDF")


def test_json(capsys: Said) -> None:
    assert exit_status(app, ["optimum", "--json", "-", "--method", "cma", *FEW]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["optimum"]["name"] == "OPTIMUM"
    assert len(data["optimum"]["times"]) == 4
    assert data["spread"] < 0.001
    assert data["provenance"]["parameters"] == {"replications": 300, "seed": 1}


def test_wrong_input(capsys: Said) -> None:
    assert exit_status(app, ["optimum", "--cost-ratio", "-1"]) == 2
    assert capsys.readouterr().err == "gpdr: cost_ratio: expected a number from 0 to 1000, got -1\n"
