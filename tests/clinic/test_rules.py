"""Rules: the published table, formulas by hand, expressions, files."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gpdr.clinic import (
    Clinic,
    Rule,
    classical_rules,
    draw_scenarios,
    mean_costs,
    named_rule,
    paper_clinic,
    paper_clinics,
    published_costs,
    universal,
)
from gpdr.clinic.rules.universal import raw_times, tuned_k
from gpdr.errors import InputError


def _relative_errors(numbers, replications):
    errors = []
    for number in numbers:
        clinic, published = paper_clinic(number), published_costs()[number - 1]
        rules = classical_rules()
        costs = mean_costs(draw_scenarios(clinic, replications, 1), np.array([r.times(clinic) for r in rules]))
        errors.append([cost / published[rule.name] - 1 for rule, cost in zip(rules, costs, strict=True)])
    return np.array(errors)


def test_published_costs_of_some_clinics():
    assert np.abs(_relative_errors((1, 4, 9, 14, 24), 100_000)).max() < 0.02


@pytest.mark.slow
def test_published_costs_of_all_144_cells():
    errors = _relative_errors(range(1, 25), 400_000)
    assert np.abs(errors).max() < 0.02
    assert np.sqrt((errors**2).mean()) < 0.007


def test_formulas_by_hand():
    clinic = Clinic(10, 20.0, 0.5)
    times = {rule.name: rule.times(clinic) for rule in classical_rules()}
    assert times["IBFI"].tolist() == [20.0 * i for i in range(10)]
    assert times["2BEG"].tolist() == [0, 0, 20, 40, 60, 80, 100, 120, 140, 160]
    assert times["MBFI"].tolist() == [0, 0, 40, 40, 80, 80, 120, 120, 160, 160]
    offset = [0, 15.5, 37, 58.5, 80, 103, 126, 149, 172, 195]
    assert times["OFFSET"] == pytest.approx(offset)
    assert times["DOME"] == pytest.approx([0, 15.5, 37, 58.5, 80, 103, 126, 149, 172, 179.5])
    assert times["RULE7"] == pytest.approx([0, 0, 23, 46, 69, 92, 115, 138, 161, 184])


def test_offset_alone_may_pass_the_session():
    clinic = Clinic(10, 21.0, 0.8)
    passing = {rule.name for rule in classical_rules() if rule.times(clinic)[-1] > clinic.session}
    assert passing == {"OFFSET"}
    assert classical_rules()[3].times(Clinic(20, 10.5, 0.4))[8] == pytest.approx(84.0)  # k = 8 for 20 patients


@pytest.mark.parametrize("patients", [1, 2, 3, 500])
def test_every_rule_takes_any_size(patients):
    clinic = Clinic(patients, 10.0, 2.0, 0.1, 0.1)
    for rule in (*classical_rules(), universal(1.5)):
        times = rule.times(clinic)
        assert times.shape == (patients,)
        assert times[0] == 0
        assert (np.diff(times) >= 0).all()


def test_universal():
    clinic = Clinic(3, 10.0, 0.5)
    # Without no-shows and walk-ins: k i M - V sqrt(i + 1) (P + i + 1) / (P - 1).
    expected = [0, max(0, 15 - 5 * np.sqrt(2) * 5 / 2), max(0, 30 - 5 * np.sqrt(3) * 6 / 2)]
    assert universal(1.5).times(clinic) == pytest.approx(expected)
    for number, low, high in ((1, 1.2, 2.0), (24, 1.2, 2.0)):
        clinic = paper_clinic(number)
        k = tuned_k(clinic)
        assert low <= k <= high
        scenarios = draw_scenarios(clinic, 60_000, 77)
        tuned, low_k, high_k = mean_costs(scenarios, raw_times(clinic, np.array([k, k - 0.05, k + 0.05])))
        assert tuned < min(low_k, high_k) * 1.001


def test_rules_of_expressions():
    clinic = paper_clinic(9)
    rule = Rule.from_text("i - CR", "(min(0.2*CR*i*i, 0.8) - 0.2) * M")
    expected = [(i - 0.1 + min(0.02 * i * i, 0.8) - 0.2) * 21 for i in range(10)]
    assert rule.times(clinic) == pytest.approx(np.maximum(expected, 0))
    assert Rule.from_text("i", "0").times(clinic).tolist() == classical_rules()[0].times(clinic).tolist()
    assert Rule.from_text(*rule.trees).times(clinic).tolist() == rule.times(clinic).tolist()
    assert classical_rules()[0].trees is None


@pytest.mark.parametrize(
    ("trees", "message"),
    [
        (("1", "M"), "rule: expected i, the patient's place, in at least one tree: without it all come at one time"),
        (("i", 3), "tree 2: expected an expression as text, got 3"),
        (("i +", "M"), "tree 1: "),
        (("i", "exp(M)"), "tree 2: "),
    ],
)
def test_bad_expressions(trees, message):
    with pytest.raises(InputError) as error:
        Rule.from_text(*trees)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_rule_files(tmp_path):
    path = tmp_path / "rule.json"
    rule = Rule.from_text("i", "0.3 * V", "MINE")
    rule.to_file(path, {"seed": 7})
    assert json.loads(path.read_text())["trees"] == ["i", "0.3 * V"]
    again = Rule.from_file(path)
    assert again.name == "MINE"
    assert again.times(paper_clinic(3)).tolist() == rule.times(paper_clinic(3)).tolist()
    path.write_text('{"trees": ["i", "0"]}')
    assert Rule.from_file(path).name == "rule"
    with pytest.raises(InputError, match="rule IBFI: only a rule made of two expressions"):
        classical_rules()[0].to_file(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: "),
        ("[1, 2]", 'expected "trees": [tree 1, tree 2], got None'),
        ('{"trees": ["i"]}', "expected \"trees\": [tree 1, tree 2], got ['i']"),
        ('{"trees": ["i", 4]}', "tree 2: expected an expression as text, got 4"),
        ('{"trees": ["P", "M"]}', "rule: expected i, the patient's place"),
        ('{"trees": ["i", "0"], "primitives": "jobs"}', "expected primitives 'appointment', got 'jobs'"),
        ('{"trees": ["i", "0"], "name": 4}', "expected the name as text on one line, got 4"),
        ('{"trees": ["i", "0"], "name": " "}', "expected the name as text on one line, got ' '"),
        ('{"trees": ["i", "0"], "name": "A\\nB"}', "expected the name as text on one line, got 'A\\nB'"),
        ('{"trees": ["i", "0"], "name": "\\u001b[31mA"}', "expected the name as text on one line, got '\\x1b[31mA'"),
        ("[" * 100_000, "not JSON: "),
    ],
)
def test_bad_rule_files(tmp_path, text, message):
    path = tmp_path / "rule.json"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        Rule.from_file(path)
    assert str(error.value).startswith(f"rule file {path}: {message}")
    assert "\n" not in str(error.value)


def test_a_rule_file_is_whole_or_the_old_one(tmp_path, monkeypatch):
    path = tmp_path / "rule.json"
    rule = Rule.from_text("i", "0", "OLD")
    rule.to_file(path)

    def fail(self, text, encoding):
        self.write_bytes(text[:9].encode(encoding))
        raise OSError("disk full")

    monkeypatch.setattr("pathlib.Path.write_text", fail)
    with pytest.raises(OSError, match="disk full"):
        rule.to_file(path)
    assert Rule.from_file(path).name == "OLD"
    assert list(tmp_path.iterdir()) == [path]


def test_rule_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="No such file or directory"):
        Rule.from_file(tmp_path / "nothing.json")
    (tmp_path / "large.json").write_text(" " * 2_000_000)
    with pytest.raises(InputError, match="expected at most 1,000,000 bytes; is it a rule file"):
        Rule.from_file(tmp_path / "large.json")


def test_names():
    assert named_rule(" ibfi ").name == "IBFI"
    assert named_rule("UNIVERSAL").name == "UNIVERSAL"
    with pytest.raises(InputError) as error:
        named_rule("IBFF")
    assert str(error.value) == (
        "unknown rule 'IBFF': choose one of IBFI, 2BEG, MBFI, OFFSET, DOME, RULE7, UNIVERSAL; did you mean IBFI?"
    )
    assert len(paper_clinics()) == len(published_costs())
