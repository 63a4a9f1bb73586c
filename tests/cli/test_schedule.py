"""`gpdr schedule`: a timetable and its files."""

from __future__ import annotations

import json
import re
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
    told = " ".join(said.out.split())
    assert re.search(r"before rounding to 10 minutes, \S+ after \(\S+ if each time went to the nearest 10 min", told)
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
    assert data["provenance"]["parameters"] == {"replications": 300, "seed": 1}


def test_optimum(capsys: Said) -> None:
    assert exit_status(app, ["schedule", "--optimum", *FEW]) == 0
    assert "OPTIMUM" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "expected one of --rule NAME, --rule-file FILE, --optimum, got none; rules are IBFI, 2BEG"),
        (
            ["--rule", "IBFI", "--optimum"],
            "expected one of --rule NAME, --rule-file FILE, --optimum, got --rule and --optimum",
        ),
        (["--rule", "IBFI", "--round", "2.5"], "--round: expected a whole number, got '2.5'"),
        (["--rule", "IBFI", "--csv", "-"], "--csv: expected a file, got -; only --json - writes to stdout"),
        (["--rule", "IBFI", "--csv", "x", "--ics", "./x"], "--csv and --ics: expected two files, got ./x twice"),
        (["--rule", "IBFI", "--json", "x", "--html", "x"], "--json and --html: expected two files, got x twice"),
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


@pytest.mark.parametrize("arguments", [["--round", "1"], ["--round", "0"], ["--round", "7"]])
def test_one_cost_where_rounding_changes_nothing(arguments: list[str], capsys: Said) -> None:
    assert exit_status(app, ["schedule", "--rule", "IBFI", *arguments, *FEW]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^Total cost \d+\.\d\d\.$", said, flags=re.M)
    assert re.findall(r"\d\d:\d\d", said) == ["09:00", "09:21", "09:42", "10:03", "10:24"]


def test_nothing_is_written_when_one_of_the_files_cannot_be(tmp_path: Path, capsys: Said) -> None:
    files = ["--csv", str(tmp_path / "a.csv"), "--plot", str(tmp_path / "no" / "b.png")]
    assert exit_status(app, ["schedule", "--rule", "IBFI", *files, *FEW]) == 2
    assert capsys.readouterr().err.endswith("b.png: No such file or directory\n")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written(capsys: Said) -> None:
    assert exit_status(app, ["schedule", "--rule", "IBFI", "--csv", "no/such/folder/a.csv", *FEW]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].endswith("No such file or directory")
