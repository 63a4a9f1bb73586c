"""`gpdr compare`: tables, JSON, wrong input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gpdr import __version__
from gpdr.cli.app import app
from gpdr.cli.errors import exit_status
from gpdr.clinic import Rule, compare, paper_clinic

FEW = ["--replications", "300", "--threads", "1"]
Said = pytest.CaptureFixture[str]


def test_json_is_what_the_contract_says(capsys: Said) -> None:
    assert exit_status(app, ["compare", "--clinic", "paper:9", "--rules", "IBFI,2BEG", "--json", "-", *FEW]) == 0
    said = capsys.readouterr()
    data = json.loads(said.out)
    assert set(data) == {"clinic", "replications", "seed", "rules", "provenance"}
    assert data["provenance"]["parameters"] == {"replications": 300, "seed": 1}
    assert data["provenance"]["gpdr"] == __version__
    assert (data["replications"], data["seed"]) == (300, 1)
    assert data["clinic"]["cv"] == 0.8
    expected = compare(paper_clinic(9), ["IBFI", "2BEG"], replications=300)
    for rule, mine in zip(data["rules"], expected.rules, strict=True):
        assert rule["name"] == mine.name
        assert rule["times"] == mine.times.tolist()
        for name in ("total_cost", "wait", "idle", "overtime"):
            figure = getattr(mine.performance, name)
            assert rule[name] == {"mean": figure.mean, "ci95": list(figure.ci95)}


def test_table_files_and_figure(tmp_path: Path, capsys: Said) -> None:
    file, figure = tmp_path / "mine.json", tmp_path / "figure.svg"
    Rule.from_text("i", "0.2 * V", "MINE").to_file(file)
    arguments = ["--rules", "IBFI", "--rule-file", str(file), "--patients", "5", "--plot", str(figure)]
    assert exit_status(app, ["compare", *arguments, "--optimum", *FEW]) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert [line.split()[0] for line in lines if "±" in line] == ["IBFI", "MINE", "OPTIMUM"]
    assert "best" in next(line for line in lines if "OPTIMUM" in line)
    assert figure.read_text("utf-8").startswith("<?xml")
    assert str(figure) in said.err.replace("\n", "")


@pytest.mark.parametrize("name", ["[/x]", "[bold]A", "A_rule_with_a_name_that_is_longer_than_the_terminal"])
def test_names_and_costs_are_whole_on_narrow_terminals(
    name: str, tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    Rule.from_text("i", "0.2 * V", name).to_file(tmp_path / "a.json")
    assert (
        exit_status(app, ["compare", "--rules", "UNIVERSAL,OFFSET", "--rule-file", str(tmp_path / "a.json"), *FEW]) == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 40
    words = " ".join(lines).split()
    assert {"UNIVERSAL", "OFFSET", "total", "above"} <= set(words)
    assert name in "".join(line[:20].strip() for line in lines) or name in words
    assert len(re.findall(r" \d+\.\d\d ", " ".join(lines))) >= 3


def test_no_share_of_a_cost_of_nothing(capsys: Said) -> None:
    arguments = ["--patients", "4", "--cv", "0", "--rules", "IBFI,2BEG"]
    assert exit_status(app, ["compare", *arguments, *FEW]) == 0
    rows = {line.split()[0]: line.split()[4] for line in capsys.readouterr().out.splitlines() if "±" in line}
    assert rows == {"IBFI": "best", "2BEG": "–"}


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--rules", "IBFI,X"], "unknown rule 'X': choose one of IBFI, 2BEG, MBFI, OFFSET, DOME, RULE7, UNIVERSAL"),
        (["--rules", ""], "rules: expected at least one rule, or the optimum"),
        (["--rule-file", "nothing.json"], "rule file nothing.json: No such file or directory"),
        (["--no-show", "1"], "no_show: expected a number from 0 to 0.99, got 1; it is a share of the patients, so"),
        (["--patients", "0"], "patients: expected a whole number from 1 to 500, got 0"),
        (["--mean", "nan"], "mean_service: expected a number above 0 up to 10000, got nan"),
        (["--plot", "no/such/folder/a.svg"], "no/such/folder/a.svg: No such file or directory"),
        (["--plot", "."], ".: Is a directory"),
        (["--plot", "-"], "--plot: expected a file, got -; only --json - writes to stdout"),
        (["--plot", "a.gif"], "plot: expected a file ending in .pdf, .png, .svg, got 'a.gif'"),
        (["--clinic", "paper:25"], "paper clinic: expected a number from 1 to 24, got 25"),
    ],
)
def test_wrong_input(arguments: list[str], line: str, capsys: Said) -> None:
    assert exit_status(app, ["compare", *arguments, *FEW]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"gpdr: {line}")
    assert said.err.count("\n") == 1
