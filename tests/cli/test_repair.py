"""`gpdr repair`: one expression or a file of them, for people and for programs."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gpdr.cli.app import app
from gpdr.cli.errors import exit_status
from gpdr.consistency import check
from tests.cli.test_check import complaint

SOLVERS = ["exact", "highs", *(["gurobi"] if find_spec("gurobipy") else [])]
CONTRACT = ["expression", "feasible", "cost", "repaired", "changed", "solver"]


def repaired(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert exit_status(app, ["repair", *arguments, "--json", "-"]) == 0
    results: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return results


@pytest.mark.parametrize("solver", SOLVERS)
def test_one_expression_by_each_solver(solver: str, capsys: pytest.CaptureFixture[str]) -> None:
    (result,) = repaired(capsys, "max(i, M)  +  1", "--target", "min", "--solver", solver)
    assert list(result) == CONTRACT
    assert result["expression"] == "max(i, M) + 1"
    assert result["solver"] == solver
    assert result["changed"] == 2
    assert result["cost"] == pytest.approx(1 / 3 + 1 / 2)
    assert check(str(result["repaired"]), "min").consistent


def test_a_file_of_expressions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "rules.txt"
    source.write_text("# what evolution made\nM + 1\n\n  M * i\nP\n", encoding="utf-8")
    results = repaired(capsys, "--from", str(source), "--target", "min^2")
    assert [result["expression"] for result in results] == ["M + 1", "M * i", "P"]
    assert [result["feasible"] for result in results] == [True, True, False]
    assert results[2]["cost"] is None
    assert results[2]["repaired"] is None


def test_what_a_change_costs_and_what_stays(capsys: pytest.CaptureFixture[str]) -> None:
    text = "M + i * P"

    def found(*options: str) -> tuple[object, ...]:
        (result,) = repaired(capsys, text, "--target", "min", *options)
        return result["cost"], result["changed"]

    assert found() == (pytest.approx(1 / 3), 1)  # i or P becomes a time
    assert found("--weights", "uniform") == (1.0, 1)
    assert found("--weights", "size") == (0.2, 1)
    assert found("--keep", "terminals") == (1.0, 1)  # the sum becomes a product
    assert found("--keep", "functions") == found()
    assert found("--most-changes", "1") == found()
    assert found("--most-changes", "0") == (None, 0)


def test_the_best_repairs_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    results = repaired(capsys, "M + i * P", "--target", "min", "--best", "5")
    costs = [float(str(result["cost"])) for result in results]
    assert costs == sorted(costs)
    assert costs[:2] == [pytest.approx(1 / 3)] * 2
    assert {result["expression"] for result in results} == {"M + i * P"}
    assert all(check(str(result["repaired"]), "min").consistent for result in results)
    (none,) = repaired(capsys, "P", "--target", "min^3", "--best", "5")
    assert none["feasible"] is False


def test_the_seed_decides_among_equals(capsys: pytest.CaptureFixture[str]) -> None:
    text = "(M + 1) * (V + P) + max(i, M)"
    found = [repaired(capsys, text, "--target", "min", "--seed", str(seed))[0]["repaired"] for seed in range(8)]
    again = [repaired(capsys, text, "--target", "min", "--seed", str(seed))[0]["repaired"] for seed in range(8)]
    assert found == again
    assert len(set(found)) > 2


def test_what_people_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(app, ["repair", "M + 1", "--target", "min", "--seed", "3"]) == 0
    before, after, cost, change = capsys.readouterr().out.splitlines()
    assert before == "before  M + 1"
    assert after in ("after   M + M", "after   M + V")
    assert cost == "cost    0.5, 1 changed"
    assert change == f"        1 -> {after[-1]}: adds min and 1 at 'M + 1'"
    assert exit_status(app, ["repair", "M + V", "--target", "min"]) == 0
    assert capsys.readouterr().out.splitlines() == ["before  M + V", "        consistent already"]
    assert exit_status(app, ["repair", "P", "--target", "min^3"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "before  P",
        "        cannot be repaired: no choice of functions and terminals gives min^3",
    ]


def test_pictures_before_and_after(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = tmp_path / "pictures"
    assert exit_status(app, ["repair", "M + 1", "--target", "min", "--picture", str(pictures)]) == 0
    names = sorted(path.name for path in pictures.iterdir())
    assert names == ["1-after.svg", "1-before.svg"]
    for name in names:
        assert ElementTree.parse(pictures / name).getroot().tag.endswith("svg")
    assert "min^(1/2)" in (pictures / "1-before.svg").read_text(encoding="utf-8")
    capsys.readouterr()


def test_wrong_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    either = "give either an expression or --from FILE with one on each line"
    assert complaint(capsys, "repair", "--target", "min") == either
    assert complaint(capsys, "repair", "M", "--from", "x.txt", "--target", "min") == either
    missing = tmp_path / "none.txt"
    assert complaint(capsys, "repair", "--from", str(missing), "--target", "min").endswith(
        "none.txt: No such file or directory"
    )
    empty = tmp_path / "empty.txt"
    empty.write_text("# nothing\n", encoding="utf-8")
    assert complaint(capsys, "repair", "--from", str(empty), "--target", "min").endswith(
        "empty.txt: no expression found; write one on each line"
    )
    binary = tmp_path / "binary.txt"
    binary.write_bytes(b"\xff\xfe\x00")
    assert complaint(capsys, "repair", "--from", str(binary), "--target", "min").endswith(
        "binary.txt: expected a text file in UTF-8"
    )
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("# one is fine\nM + 1\n\nM +\n", encoding="utf-8")
    assert complaint(capsys, "repair", "--from", str(wrong), "--target", "min") == (
        f"{wrong}, line 4: expression 'M +', position 4: expected a number, a name, - or (, got the end"
    )
    assert complaint(capsys, "repair", "--from", str(wrong), "--target", "mxn").startswith("unit 'mxn'")
    long = tmp_path / "long.txt"
    long.write_text("M\n" + "M+" * 500_000 + "M\n", encoding="utf-8")
    assert complaint(capsys, "repair", "--from", str(long), "--target", "min") == (
        f"{long}, line 2: expression of 1000001 characters: expected at most 100000"
    )
    assert complaint(capsys, "repair", "M", "--target", "min", "--best", "3", "--solver", "highs") == (
        "--best lists what the exact solver finds: leave out --solver highs"
    )
    assert complaint(capsys, "repair", "M", "--target", "min", "--solver", "cplex") == (
        "--solver: 'cplex' is not one of 'exact', 'highs', 'gurobi'."
    )
    assert complaint(capsys, "repair", "M", "--target", "min", "--seed", "-1") == (
        "--seed: expected at least 0, got '-1'"
    )


def test_an_interrupted_solver_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_self: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gpdr.consistency.milp.highs.Highs.solve", interrupted)
    source = tmp_path / "rules.txt"
    source.write_text("M\nM + 1\n", encoding="utf-8")
    arguments = ["repair", "--from", str(source), "--target", "min", "--solver", "highs", "--json", "-"]
    assert exit_status(app, arguments) == 130
    assert capsys.readouterr().out == ""
