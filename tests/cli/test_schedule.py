"""`gpdr schedule`: a timetable and its files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpdr.cli.app import app
from gpdr.cli.errors import exit_status
from gpdr.clinic import Rule

FEW = ["--patients", "5", "--replications", "300", "--threads", "1"]
Said = pytest.CaptureFixture[str]


def test_table_and_files(tmp_path: Path, capsys: Said) -> None:
    files = {name: tmp_path / f"a.{name}" for name in ("csv", "ics", "html")}
    options = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    figure = tmp_path / "a.png"
    arguments = ["--rule", "2beg", "--start", "08:30", "--round", "10", "--date", "2027-03-01", "--plot", str(figure)]
    assert exit_status(app, ["schedule", *arguments, *options, *FEW]) == 0
    said = capsys.readouterr()
    assert "08:30" in said.out
    assert "before rounding to 10 minutes" in said.out
    assert files["csv"].read_text().startswith("patient,clock,minutes,expected_wait\n1,08:30,0,")
    assert files["ics"].read_bytes().startswith(b"BEGIN:VCALENDAR\r\n")
    assert b"DTSTART:20270301T083000\r\n" in files["ics"].read_bytes()
    assert "<th>08:30</th>" in files["html"].read_text()
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_json(capsys: Said, tmp_path: Path) -> None:
    file = tmp_path / "rule.json"
    Rule.from_text("i", "0", "MINE").to_file(file)
    assert exit_status(app, ["schedule", "--rule-file", str(file), "--json", "-", *FEW]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {slot["clock"] for slot in data["slots"]} <= {
        f"{h:02d}:{m:02d}" for h in range(9, 12) for m in range(0, 60, 5)
    }
    assert data["exact"]["name"] == data["schedule"]["name"] == "MINE"
    assert data["exact"]["times"] == [0, 21, 42, 63, 84]
    assert data["schedule"]["total_cost"]["mean"] > 0


def test_optimum(capsys: Said) -> None:
    assert exit_status(app, ["schedule", "--optimum", *FEW]) == 0
    assert "OPTIMUM" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "expected one of --rule NAME, --rule-file FILE, --optimum; rules are IBFI, 2BEG"),
        (["--rule", "IBFI", "--optimum"], "expected one of --rule NAME, --rule-file FILE, --optimum; rules are"),
        (["--rule", "IBFF"], "unknown rule 'IBFF': choose one of IBFI"),
        (["--rule", "IBFI", "--start", "9"], "start: expected a clock time from 00:00 to 23:59, got '9'"),
        (["--rule", "IBFI", "--start", "23:30"], "start: the last patient would come after midnight; start before"),
        (["--rule", "IBFI", "--date", "monday"], "date: expected YYYY-MM-DD, got 'monday'"),
    ],
)
def test_wrong_input(arguments: list[str], line: str, capsys: Said) -> None:
    assert exit_status(app, ["schedule", *arguments, *FEW]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith(f"gpdr: {line}")


def test_a_file_that_cannot_be_written(capsys: Said) -> None:
    assert exit_status(app, ["schedule", "--rule", "IBFI", "--csv", "no/such/folder/a.csv", *FEW]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].endswith("No such file or directory")
