"""The command line's frame: how commands end, what goes to stdout, options in groups."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import pytest
import typer

from gpdr.cli import output
from gpdr.cli.app import COMMANDS, GROUPS, app
from gpdr.cli.errors import exit_status
from gpdr.cli.options import ClinicOptions, OutputOptions, RunOptions, flattened
from gpdr.errors import InputError

TOP = "evolve, compare, schedule, optimum, service, check, repair, rule, study"


def program(command: object) -> typer.Typer:
    """A program of one command, made as `gpdr` makes its own."""
    made = typer.Typer()
    made.callback()(lambda: None)
    made.command("go")(flattened(command))  # type: ignore[arg-type]
    return made


def raising(error: BaseException) -> typer.Typer:
    def command() -> NoReturn:
        raise error

    return program(command)


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (InputError("cv: expected a number above 0,\n  got -1"), 2, "gpdr: cv: expected a number above 0, got -1\n"),
        (KeyboardInterrupt(), 130, "gpdr: interrupted\n"),
        (FileNotFoundError(2, "No such file or directory", "a.toml"), 2, "gpdr: a.toml: No such file or directory\n"),
        (OSError(28, "No space left on device", "a.json"), 1, "gpdr: a.json: No space left on device\n"),
        (
            ZeroDivisionError("division by zero"),
            1,
            "gpdr: internal error, ZeroDivisionError: division by zero; set GPDR_TRACEBACK=1 for the traceback\n",
        ),
        (MemoryError(), 1, "gpdr: internal error, MemoryError; set GPDR_TRACEBACK=1 for the traceback\n"),
    ],
)
def test_a_failure_is_one_line_and_a_status(
    error: BaseException, status: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_status(raising(error), ["go"]) == status
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", line)


def test_a_traceback_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPDR_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        exit_status(raising(ZeroDivisionError()), ["go"])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--versio"], "gpdr: No such option: --versio (Possible options: --version); see gpdr --help\n"),
        (["study", "run"], "gpdr: Missing argument 'FILE.toml'; see gpdr study run --help\n"),
        (
            ["rule", "export", "a.json", "--to"],
            "gpdr: Option '--to' requires an argument.\n",
        ),
        (["evolv"], f"gpdr: unknown command 'evolv': choose one of {TOP}; did you mean evolve?\n"),
        (
            ["study", "stat"],
            "gpdr: unknown command 'stat': choose one of run, status, report, export; did you mean status?\n",
        ),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(app, arguments) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", line)


def test_options_of_a_group_reach_the_command_as_one_value() -> None:
    seen = []

    def command(run: RunOptions, out: OutputOptions, extra: Annotated[str, typer.Option()] = "none") -> None:
        """Do it."""
        seen.append((run, out, extra))

    assert exit_status(program(command), ["go", "--seed", "7", "--json", "-", "--extra", "x"]) == 0
    assert seen == [(RunOptions(seed=7), OutputOptions(json="-"), "x")]


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [
        ("--seed", "-1", "expected at least 0, got '-1'"),
        ("--replications", "0", "expected at least 1, got '0'"),
        ("--threads", "many", "expected a whole number, got 'many'"),
        ("--mean", "long", "expected a number, got 'long'"),
        ("--walk-in-policy", "first", "'first' is not one of 'fourth-in-line', 'when-free'."),
    ],
)
def test_a_wrong_value_names_its_option(
    option: str, value: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(where: ClinicOptions, run: RunOptions) -> None: ...

    assert exit_status(program(command), ["go", option, value]) == 2
    assert capsys.readouterr().err == f"gpdr: {option}: {complaint}\n"


def test_a_clinic_is_named_in_one_way_only() -> None:
    with pytest.raises(InputError) as caught:
        ClinicOptions(clinic="paper:3", no_show=0.1).load()
    assert str(caught.value) == (
        "--clinic paper:3 and --no-show cannot be given together: leave one out, or change the value in a TOML file"
    )


def test_a_published_clinic_is_named_by_a_number() -> None:
    with pytest.raises(InputError) as caught:
        ClinicOptions(clinic="paper:first").load()
    assert str(caught.value) == "--clinic paper:first: expected paper:1 … paper:24 or a TOML file"


def test_json_is_whole_or_absent(tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    output.write_json(str(target), {"a": [1, 2.5]})
    assert json.loads(target.read_text()) == {"a": [1, 2.5]}
    with pytest.raises(TypeError, match="no JSON for object"):
        output.write_json(str(target), {"a": [1, object()]})
    with pytest.raises(TypeError), output.whole_file(target) as file:
        file.write(None)  # type: ignore[arg-type]
    assert json.loads(target.read_text()) == {"a": [1, 2.5]}
    assert list(tmp_path.iterdir()) == [target]


def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real.json")
    output.write_json(str(tmp_path / "link"), [1])
    assert (tmp_path / "link").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text()) == [1]
    command = [sys.executable, "-m", "gpdr", "check", "M", "--target", "min", "--json", "/dev/stdout"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith('{\n  "expression": "M"')


def test_a_folder_is_no_place_for_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(app, ["check", "M", "--target", "min", "--json", "."]) == 2
    assert capsys.readouterr() == ("", "gpdr: .: Is a directory\n")


def test_json_on_a_terminal_of_few_letters_is_still_json() -> None:
    script = "from gpdr.cli.output import write_json; write_json('-', ['\u2026'])"
    where = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=where)
    assert json.loads(done.stdout) == ["\u2026"]


def test_a_place_that_is_not_there_is_named_as_the_user_did(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        output.write_json(str(tmp_path / "none" / "a.json"), [])
    assert caught.value.filename == str(tmp_path / "none" / "a.json")


def test_json_takes_numpy_and_refuses_what_is_not_json(capsys: pytest.CaptureFixture[str]) -> None:
    import numpy as np

    output.write_json("-", {"times": np.array([0.0, 21.0]), "n": np.int64(3)})
    assert json.loads(capsys.readouterr().out) == {"times": [0.0, 21.0], "n": 3}
    with pytest.raises(ValueError, match="not JSON compliant"):
        output.write_json("-", {"mean": float("nan")})


def test_stdout_promised_to_json_holds_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    out = OutputOptions(json="-")
    out.people.print("a table")
    out.write_json([])
    assert capsys.readouterr().out == "[]\n"


def test_every_command_is_found_and_every_group_is_used() -> None:
    from gpdr.cli.app import load

    for target in COMMANDS.values():
        assert load(target).__doc__
    assert {name.split()[0] for name in COMMANDS if " " in name} == set(GROUPS)


@pytest.mark.parametrize(
    ("typed", "completed"), [("gpdr ev", "evolve"), ("gpdr study re", "report"), ("gpdr evolve --pop", "--population")]
)
def test_the_shell_completes(typed: str, completed: str) -> None:
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1), "_GPDR_COMPLETE": "complete_bash"}
    command = [sys.executable, "-c", "from gpdr.cli import main; main()"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **words})
    assert done.stdout.split() == [completed]


def test_completion_installs_in_a_home_of_its_own(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gpdr", "--install-completion", "bash"]
    asked = {"HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}  # whatever runs the tests
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **asked})
    assert (tmp_path / ".bash_completions" / "gpdr.sh").exists()


def test_a_reader_that_leaves_is_no_failure() -> None:
    shell = f'"{sys.executable}" -m gpdr --help | head -n 1'
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def helped(columns: int, *command: str) -> str:
    """The help of a command as a terminal of that many columns shows it."""
    done = subprocess.run(
        [sys.executable, "-m", "gpdr", *command, "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": str(columns), "TERMINAL_WIDTH": str(columns)},
    )
    return done.stdout


@pytest.mark.parametrize("columns", [50, 80])
def test_help_never_cuts_the_name_of_an_option(columns: int) -> None:
    text = helped(columns, "evolve")
    for option in ("--walk-in-policy", "--replications", "--generations"):
        assert option in text


@pytest.mark.parametrize("columns", [40, 200])
def test_help_fits_the_terminal_and_has_no_colours_in_a_pipe(columns: int) -> None:
    text = helped(columns)
    assert "\x1b" not in text
    assert "--install-completion" in text
    assert max(map(len, text.splitlines())) <= columns
    for command in COMMANDS:
        assert command.split()[0] in text


def test_help_shows_no_value_after_a_flag_and_plain_defaults() -> None:
    text = helped(120, "evolve")
    assert "<bool>" not in text + helped(120)
    assert "Patients scheduled; 10 unless given." in text
    assert "(10)" not in text
