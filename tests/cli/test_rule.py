"""`gpdr rule export`: what it writes computes what the rule computes."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest

from gpdr import Clinic, Rule
from gpdr.cli.app import app
from gpdr.cli.errors import exit_status
from gpdr.clinic.clock import clock
from gpdr.clinic.rules.export import rule_sheet
from tests.spreadsheets import shown

CLINIC = Clinic(patients=12, mean_service=15.0, cv=0.5, no_show=0.1, walk_in=0.2)
# Uses every function and terminal, divides by 0 at i = 0, decreases somewhere and leaves the session at the end.
TREES = (
    "i - CR * P / i + if(PN - 0.2, 1, sqrt(i) * 0.2)",
    "max(V, M * PW) * min(1, i / 3) - M * (i / 7) * (i / 7) * 0.1 + if(i - 10, M * P * P, 0 * M)",
)
OPTIONS = ["--patients", "12", "--mean", "15", "--cv", "0.5", "--no-show", "0.1", "--walk-in", "0.2"]


@pytest.fixture
def rule_file(tmp_path: Path) -> Path:
    path = tmp_path / "rule.json"
    Rule.from_text(*TREES, name="MINE").to_file(path)
    return path


def exported(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert exit_status(app, ["rule", "export", *arguments]) == 0
    return capsys.readouterr().out


def test_the_python_module_needs_nothing_and_gives_the_timetable(
    rule_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = exported(capsys, str(rule_file), "--to", "python")
    assert re.findall(r"^(?:import|from) (.*)", source, flags=re.M) == ["math"]
    names: dict[str, object] = {}
    exec(source, names)
    times = names["appointment_times"](12, 15.0, 7.5, PN=0.1, PW=0.2)  # type: ignore[operator]
    np.testing.assert_allclose(times, Rule.from_text(*TREES).times(CLINIC), rtol=1e-12)


def test_each_helper_stands_once_in_the_python_module(rule_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = exported(capsys, str(rule_file), "--to", "python")
    defined = re.findall(r"^def (\w+)", source, flags=re.M)
    assert len(set(defined)) == len(defined)


def test_the_spreadsheet_computes_the_timetable(
    rule_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "rule.csv"
    exported(capsys, str(rule_file), "--to", "spreadsheet", "--out", str(target), *OPTIONS)
    minutes, clocks = computed(list(csv.reader(target.open())))
    times = Rule.from_text(*TREES).times(CLINIC)
    np.testing.assert_allclose(minutes, times, rtol=1e-9)
    assert clocks == [clock(540, time) for time in times]


def test_all_appointments_of_the_spreadsheet_follow_when_a_number_is_changed() -> None:
    rule = Rule.from_text("i", "0.3 * V")
    rows = rule_sheet(rule, CLINIC)
    changed = Clinic(patients=8, mean_service=19.7, cv=0.8, no_show=0.1, walk_in=0.2)
    for name, value in (("P", 8), ("M", 19.7), ("CV", 0.8)):
        next(row for row in rows if row[:1] == [name])[1] = str(value)
    minutes, clocks = computed(rows)
    times = rule.times(changed)
    np.testing.assert_allclose(minutes[:8], times, rtol=1e-9)
    assert clocks == [*(clock(540, time) for time in times), *[""] * 4]  # four patients less
    assert minutes[8:] == [minutes[7]] * 4  # past the session, which is shorter too


def test_a_session_of_its_own_length_stays_in_the_spreadsheet() -> None:
    rows = rule_sheet(Rule.from_text("i", "0"), Clinic(4, 10.0, 0.5, session=200))
    assert ["session", "200"] in rows


def test_the_spreadsheet_refuses_a_start_that_is_no_time(rule_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(app, ["rule", "export", str(rule_file), "--to", "spreadsheet", "--start", "9 am"]) == 2
    assert capsys.readouterr().err == "gpdr: start: expected a clock time from 00:00 to 23:59, got '9 am'\n"


def test_latex_is_one_formula(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Rule.from_text("i - 0.310031", "0.18 * min(PW * (i - PW - 1) / V * M, 1) * i * V").to_file(tmp_path / "a.json")
    assert exported(capsys, str(tmp_path / "a.json")) == (
        r"A_i = \left(i - 0.31003\right) \, M + 0.18 \, \min\left("
        r"\frac{\mathit{PW} \, \left(i - \mathit{PW} - 1\right)}{V} \, M, 1\right) \, i \, V"
        "\n"
    )


def test_json_holds_the_text_and_nothing_else_is_printed(rule_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = exported(capsys, str(rule_file), "--to", "python")
    data = json.loads(exported(capsys, str(rule_file), "--to", "python", "--json", "-"))
    assert data == {"name": "MINE", "to": "python", "text": plain}


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.json"
    assert exit_status(app, ["rule", "export", str(path)]) == 2
    assert capsys.readouterr().err == f"gpdr: rule file {path}: No such file or directory\n"


def computed(rows: list[list[str]]) -> tuple[list[float], list[str]]:
    """Minutes, and the clock times, as a spreadsheet would compute them from the cells."""
    cells: dict[str, object] = {}
    for number, row in enumerate(rows, 1):
        for column, cell in zip("ABCD", row, strict=False):
            if cell.startswith("="):
                formula = re.sub(r"\$?([A-D])\$?(\d+)", r"\1\2", cell[1:])
                cells[f"{column}{number}"] = shown(formula, cells)
            elif re.fullmatch(r"\d\d:\d\d", cell):
                hours, minutes = cell.split(":")
                cells[f"{column}{number}"] = (int(hours) * 60 + int(minutes)) / 1440
            elif re.fullmatch(r"[-\d.e]+", cell):
                cells[f"{column}{number}"] = float(cell)
    patients = [number for number, row in enumerate(rows, 1) if len(row) == 4 and row[0].isdigit()]
    return [cells[f"C{n}"] for n in patients], [cells[f"D{n}"] for n in patients]  # type: ignore[misc]
