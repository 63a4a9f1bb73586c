"""Tables on narrow terminals."""

from __future__ import annotations

import pytest

from gpdr.cli.app import app
from gpdr.cli.errors import exit_status
from gpdr.cli.output import above


def test_rules_and_costs_of_evolve_are_whole_in_40_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    small = ["--population", "8", "--generations", "1", "--replications", "100", "--patients", "3", "--threads", "1"]
    assert exit_status(app, ["evolve", *small, "--quiet"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    header = lines.index(["rule", "cost", "above", "optimum"])
    rows = {words[0]: words[1:] for words in lines[header + 2 :] if words[-1:] == ["%"]}
    assert {"GPDR", "IBFI", "UNIVERSAL", "OPTIMUM"} <= set(rows)
    assert all(float(figures[0]) > 0 for figures in rows.values())


def test_no_share_of_next_to_nothing() -> None:
    assert [above(0.5, 10.0), above(-0.01, 10.0), above(1.0, 1e-9)] == ["5.0 %", "-0.1 %", "–"]
