"""`gpdr evolve`: what goes to stdout and to files, wrong input, and Ctrl-C."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gpdr import Rule
from gpdr.cli.app import app
from gpdr.cli.errors import exit_status

SMALL = ["--patients", "5", "--mean", "20", "--population", "30", "--generations", "3", "--replications", "300"]


def test_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(app, ["evolve", *SMALL, "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("GPDR for P=5 M=20 CV=0.4 PN=0 PW=0, seed 1\nA_i = ")
    assert "all units fit" in said.out
    assert "\nLaTeX: A_i = " in said.out
    for name in ("GPDR", "OPTIMUM", "UNIVERSAL", "IBFI"):
        assert f"\n {name} " in said.out
    remarks = "".join(said.err.split())  # wherever lines were broken
    assert "".join(f"Written to {tmp_path / 'out'}:".split()) in remarks
    assert "report.html,apageabouttherule" in remarks
    names = {"rule.json", "report.html", "intervals.svg", "convergence.svg", "front.svg"}
    assert {path.name for path in (tmp_path / "out").iterdir()} == names
    rule = json.loads((tmp_path / "out" / "rule.json").read_text())
    assert Rule.from_file(tmp_path / "out" / "rule.json").trees == tuple(rule["trees"])
    assert rule["provenance"]["parameters"]["population"] == 30


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["evolve", *SMALL, "--method", "cdagp", "--seed", "3", "--set", "eta=0.5", "--quiet", "--json", "-"]
    assert exit_status(app, arguments) == 0
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert said.err == ""
    assert (told["method"], told["seed"]) == ("cdagp", 3)
    assert told["provenance"]["parameters"]["eta"] == 0.5
    assert len(told["history"]) == 4


def test_a_shorter_rule_that_is_nearly_as_good(capsys: pytest.CaptureFixture[str]) -> None:
    small = ["--clinic", "paper:9", "--population", "100", "--generations", "10", "--replications", "1000"]
    sizes = []
    for tolerance in ("0", "0.3"):
        assert exit_status(app, ["evolve", *small, "--set", f"tolerance={tolerance}", "--quiet", "--json", "-"]) == 0
        sizes.append(json.loads(capsys.readouterr().out)["rule"]["size"])
    assert sizes[1] < sizes[0]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--set", "eta=0.5"], "unknown parameter 'eta': choose one of population,"),
        (["--set", "tournament"], "--set tournament: expected NAME=VALUE, such as tournament=5 or crossover=0.8"),
        (["--set", "population=10"], "--set population=10: this has an option of its own; use --population"),
        (["--set", "generations=10"], "--set generations=10: this has an option of its own; use --generations"),
        (["--method", "gp", "--population", "30", "--set", "elites=40"], "parameter elites: expected fewer than the"),
        (["--set", "tournament=0"], "parameter tournament: expected a whole number from 1 to 1000, got 0"),
        (["--method", "ga"], "--method: 'ga' is not one of 'gpdr', 'gp'"),
        (["--population", "1"], "--population: expected at least 2, got '1'"),
        (["--patients", "0"], "patients: expected a whole number from 1 to 500, got 0"),
        (["--clinic", "paper:25"], "paper clinic"),
    ],
)
def test_wrong_input(arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(app, ["evolve", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("gpdr: ")
    assert line in said.err
    assert said.err.count("\n") == 1


def test_a_directory_that_cannot_be_made_is_told_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert exit_status(app, ["evolve", *SMALL, "--out", str(tmp_path / "file" / "out")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_ctrl_c_keeps_the_best_so_far(tmp_path: Path) -> None:
    arguments = [
        "evolve",
        *SMALL,
        "--generations",
        "100000",
        "--out",
        str(tmp_path),
        "--json",
        str(tmp_path / "a.json"),
    ]
    program = (
        "import sys, signal, os; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from gpdr.evolution import loop; told = loop._told\n"
        "def stop(generation, *rest):\n"
        "    if generation == 5: os.kill(os.getpid(), signal.SIGINT)\n"
        "    return told(generation, *rest)\n"
        "loop._told = stop\n"
        "from gpdr.cli import main; main()"
    )
    for name in ("report.html", "intervals.svg"):  # of a run before
        (tmp_path / name).write_text("another rule")
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode == 130, done.stderr
    assert "Stopped early, after generation" in done.stderr
    assert "the best rule so far is in" in done.stderr
    assert Rule.from_file(tmp_path / "rule.json").trees
    assert {path.name for path in tmp_path.iterdir()} == {"rule.json", "a.json"}
    told = json.loads((tmp_path / "a.json").read_text())
    assert told["interrupted"]
    assert len(told["history"]) < 10
    assert "on fresh sessions" in done.stdout
