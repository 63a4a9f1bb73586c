"""`gpdr check`: what it prints, and one line for every kind of wrong input."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from gpdr.cli.app import app
from gpdr.cli.errors import exit_status

# What several messages share, by a word of its own.
WORDS = {
    "NAMES": "choose one of max, min, sqrt, if, P, i, PN, PW, CR, M, V, alpha, beta",
    "CHARACTER": "expected a number, a name or one of + - * / , ( )",
    "OPERAND": "expected a number, a name, - or (",
    "OPERATOR": "expected an operator (+ - * /)",
}
EXPRESSIONS = [
    ("", 1, "OPERAND, got the end"),
    (" ", 1, "OPERAND, got the end"),
    ("M +", 4, "OPERAND, got the end"),
    ("+ M", 1, "OPERAND, got +"),
    ("M M", 3, "OPERATOR or the end, got M; write * to multiply"),
    ("(M", 3, "OPERATOR or ), got the end"),
    ("M)", 2, "OPERATOR or the end, got )"),
    ("()", 2, "OPERAND, got )"),
    ("M + + V", 5, "OPERAND, got +"),
    ("M * * V", 5, "OPERAND, got *"),
    ("max(M)", 1, "max takes 2 inputs, got 1"),
    ("max(M, V, P)", 1, "max takes 2 inputs, got 3"),
    ("max()", 5, "OPERAND, got )"),
    ("max", 4, "expected ( after max, got the end"),
    ("max M", 5, "expected ( after max, got M"),
    ("if(M, V)", 1, "if takes 3 inputs, got 2"),
    ("sqrt()", 6, "OPERAND, got )"),
    ("sqrt(M, V)", 1, "sqrt takes 1 input, got 2"),
    ("foo", 1, "unknown name 'foo': NAMES"),
    ("foo(M)", 1, "unknown name 'foo': NAMES"),
    ("m", 1, "unknown name 'm': NAMES"),
    ("pn", 1, "unknown name 'pn': NAMES"),
    ("Mx", 1, "unknown name 'Mx': NAMES; did you mean M?"),
    ("M..V", 2, "CHARACTER, got ."),
    ("1.2.3", 4, "OPERATOR or the end, got .3; write * to multiply"),
    ("1e", 2, "OPERATOR or the end, got e; write * to multiply"),
    ("1e999", 1, "number 1e999 is too large, expected at most 1.8e308"),
    ("M^2", 2, "CHARACTER, got ^; write sq(a) or a * a for a power"),
    ("M ** 2", 4, "OPERAND, got *"),
    ("M % V", 3, "CHARACTER, got %"),
    ("M, V", 2, "OPERATOR or the end, got ,"),
    ("M; V", 2, "CHARACTER, got ;"),
    ("'M'", 1, "CHARACTER, got '"),
    ("[1 min", 1, "expected a number in brackets such as [-0.5] or [9.81 m/s^2], got [1 min"),
    ("[min]", 1, "expected a number in brackets such as [-0.5] or [9.81 m/s^2], got [min]"),
    ("[1 Gyr^60]", 1, "unit 'Gyr^60': its size is beyond all floats; expected exponents nearer to 0"),
    ("M + [1e308 h/min]", 5, "number [1e308 h/min] is too large in base units, at most 1.8e308"),
    ("[1 kg]", 1, "unit 'kg': 'kg' is not made of the base units (base units: min)"),
    ("[]", 1, "expected a number in brackets such as [-0.5] or [9.81 m/s^2], got []"),
    ("M]", 2, "CHARACTER, got ]"),
    ("×", 1, "CHARACTER, got ×; write * for times"),
    ("M = V", 3, "CHARACTER, got ="),
    ("M & V", 3, "CHARACTER, got &"),
    ("lambda: M", 7, "CHARACTER, got :; write / for division"),
    ("__import__('os')", 12, "CHARACTER, got '"),
    ("sq()", 4, "OPERAND, got )"),
    ("inf", 1, "unknown name 'inf': NAMES; did you mean if?"),
    ("nan", 1, "unknown name 'nan': NAMES"),
]
UNITS = [
    ("mxn", "unit 'mxn': 'mxn' is not known (base units: min); did you mean min?"),
    ("5 min", "unit '5 min' contains the number 5; put the 5 into the data; expected a unit such as min, m/s^2 or 1"),
    ("min^", "unit 'min^' has ^ where a name is due; expected a unit such as min, m/s^2 or 1"),
    ("min^^2", "unit 'min^^2' has ^ where a name is due; expected a unit such as min, m/s^2 or 1"),
    ("m", "unit 'm': 'm' is not made of the base units (base units: min)"),
    ("kg", "unit 'kg': 'kg' is not made of the base units (base units: min)"),
    ("min^x", "unit 'min^x' has ^ where a name is due; expected a unit such as min, m/s^2 or 1"),
    ("min^1e9", "unit 'min^1e9': 'e9' is not known (base units: min)"),
    ("min^99999", "unit 'min^99999': expected exponents of at most 100, fractions down to 1/100, got 99999"),
    ("2", "unit '2' contains the number 2; put the 2 into the data; expected a unit such as min, m/s^2 or 1"),
    ("-1", "unit '-1' contains the number -1; put the -1 into the data; expected a unit such as min, m/s^2 or 1"),
    ("min+min", "unit 'min+min' has + where a name is due; expected a unit such as min, m/s^2 or 1"),
    ("sqrt(min)", "unit 'sqrt(min)': 'sqrt' is not known (base units: min)"),
    ("min/", "unit 'min/' ends too early; expected a unit such as min, m/s^2 or 1"),
    ("*", "unit '*' has * where a name is due; expected a unit such as min, m/s^2 or 1"),
    ("degC", "unit 'degC': 'degC' has a zero of its own or is logarithmic (base units: min)"),
    ("x.__class__", "unit 'x.__class__' has . where a name is due; expected a unit such as min, m/s^2 or 1"),
]


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line on stderr of a command that was given wrong input."""
    assert exit_status(app, arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("gpdr: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    return err.removeprefix("gpdr: ").removesuffix("\n")


@pytest.mark.parametrize(("text", "position", "message"), EXPRESSIONS)
def test_malformed_expressions(text: str, position: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    for word, meaning in WORDS.items():
        message = message.replace(word, meaning)
    said = f"expression {text!r}, position {position}: {message}"
    assert complaint(capsys, "check", "--target", "min", "--", text) == said
    assert complaint(capsys, "repair", "--target", "min", "--", text) == said


@pytest.mark.parametrize(("unit", "message"), UNITS)
def test_malformed_targets(unit: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert complaint(capsys, "check", "M", "--target", unit) == message
    assert complaint(capsys, "repair", "M", "--target", unit) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 300 + "M" + ")" * 300, "position 201: nested too deeply, expected at most 200 levels"),
        ("M" + "+M" * 20_001, "position 400: nested too deeply, expected at most 200 levels"),
        ("M\x00", "position 2: expected a number, a name or one of + - * / , ( ), got '\\x00'"),
    ],
)
def test_expressions_out_of_bounds(text: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert complaint(capsys, "check", "--target", "min", "--", text).endswith(message)


def test_wrong_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert complaint(capsys, "check", "M") == "Missing option '--target'; see gpdr check --help"
    assert complaint(capsys, "check", "--target", "min") == "Missing argument 'EXPR'; see gpdr check --help"
    long = complaint(capsys, "check", "M", "--target", "min" * 3000)
    assert long == "unit of 9000 characters: expected at most 200, such as min or m/s^2"


@pytest.mark.parametrize("arguments", [["M +", "--target", "min"], ["M", "--target", "mxn"], ["M"], []])
def test_a_process_of_its_own_ends_with_2_and_one_line(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "gpdr", "check", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("gpdr: ")
    assert ended.stderr.count("\n") == 1


def test_json_is_the_report_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(app, ["check", "M + 1", "--target", "min", "--json", "-"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report) == ["expression", "dimension", "gap", "consistent", "nodes"]
    assert report["nodes"][0] == {"text": "M + 1", "dimension": "min^(1/2)", "gap": 1.0}


def test_what_people_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(app, ["check", "M + 1", "--target", "min"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert ["M", "+", "1", "min^(1/2)", "1"] in lines
    assert ["It", "adds", "min", "and", "1", "at", "'M", "+", "1'."] in lines
    assert lines[-1] == ["Not", "consistent:", "gap", "1.5."]
    assert exit_status(app, ["check", "sq(M) / V", "--target", "min"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].strip() == "Consistent: gives min."


def test_a_target_of_another_size_is_remarked_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(app, ["check", "M", "--target", "h"]) == 0
    said = [line.strip() for line in capsys.readouterr().out.splitlines()][-2:]
    assert said == ["Consistent: gives min.", "h is 60 min: checked is the dimension, results are in min."]


def test_an_expression_with_a_minus_in_front(capsys: pytest.CaptureFixture[str]) -> None:
    hint = "before an expression that starts with - write --, as in -- '-M'"
    assert complaint(capsys, "check", "-i", "--target", "1") == f"No such option: -i; {hint}"
    assert complaint(capsys, "repair", "-i", "--target", "1") == f"No such option: -i; {hint}"
    assert complaint(capsys, "check", "--targte", "1").startswith("No such option: --targte (Possible options:")
    assert exit_status(app, ["check", "--target", "1", "--", "-i"]) == 0


def test_long_units_are_cut_short(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(app, ["check", "sq(" * 190 + "M" + ")" * 190 + " + 1", "--target", "min"]) == 0
    out = capsys.readouterr().out
    assert f"It adds {f'min^{2**190}'[:39]}… and 1 at " in " ".join(out.split())
    assert str(2**190) not in out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_letters_that_a_terminal_lacks_are_replaced(encoding: str) -> None:
    where = {**os.environ, "PYTHONIOENCODING": encoding}
    long = "M" + " + M" * 60
    command = [sys.executable, "-m", "gpdr", "check", long, "--target", "min"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env=where, encoding=encoding)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "?" in ended.stdout


@pytest.mark.parametrize("unit", ["1", "", "dimensionless"])
def test_plain_numbers_as_target(unit: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(app, ["check", "i - CR", "--target", unit, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["consistent"] is True
