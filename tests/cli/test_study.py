"""`gpdr study`: exit statuses, one line for every trouble, JSON that is nothing but JSON."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from rich.console import Console

from gpdr.cli.app import app
from gpdr.cli.errors import exit_status
from gpdr.cli.study import _summary
from gpdr.cli.study_progress import StudyProgress
from gpdr.errors import InputError
from gpdr.study.errors import StoreError
from gpdr.study.events import Checked, RunDone, Started
from gpdr.study.status import MethodStatus, Status
from gpdr.study.status import status as status_of
from gpdr.study.store import Failure, Store
from tests.study.fakes import fake_study, imitation_store, imitation_study

TINY = """
name = "tiny"
[problems]
paper = [3]
[evolution]
population = 8
generations = 1
replications = 64
[[methods]]
method = "gpdr"
[[methods]]
method = "gp"
[seeds]
count = SEEDS
[test]
replications = 256
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    file = tmp_path / "tiny.toml"
    file.write_text(TINY.replace("SEEDS", "3"))
    return file


@pytest.fixture
def made_up(tmp_path: Path) -> Path:
    path = tmp_path / "made-up.db"
    imitation_store(path, imitation_study(seeds=2, clinics=2))
    return path


def gpdr(*arguments: object) -> int:
    return exit_status(app, ["study", *map(str, arguments)])


def answer(captured: str) -> Any:
    return json.loads(captured)


def test_a_study_runs_and_a_second_call_has_nothing_to_do(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "tiny.db"
    assert gpdr("run", tiny, "--store", store, "--workers", 2, "--json", "-") == 0
    first = answer(capsys.readouterr().out)
    assert (first["done"], first["missing"], first["failed"]) == (7, 0, 0)
    begin = time.perf_counter()
    assert gpdr("run", tiny, "--store", store, "--quiet") == 0
    captured = capsys.readouterr()
    assert "7 of 7 done, 0 missing, 0 failed" in captured.out
    assert captured.err == ""
    assert time.perf_counter() - begin < 5.0


def test_results_do_not_depend_on_the_number_of_workers(tiny: Path, tmp_path: Path) -> None:
    contents = []
    for workers in (1, 2):
        store, target = tmp_path / f"{workers}.db", tmp_path / f"{workers}.jsonl"
        assert gpdr("run", tiny, "--store", store, "--workers", workers, "--quiet") == 0
        assert gpdr("export", target, "--store", store) == 0
        contents.append(target.read_bytes())
    assert contents[0] == contents[1]
    assert contents[0].count(b"\n") == 7


def test_ctrl_c_keeps_what_is_done_and_the_study_goes_on(tmp_path: Path) -> None:
    file, store = tmp_path / "tiny.toml", tmp_path / "tiny.db"
    file.write_text(TINY.replace("SEEDS", "2000"))
    command = [sys.executable, "-m", "gpdr", "study", "run", str(file), "--store", str(store), "--workers", "2"]
    driver = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_until_done(store, 1)
    os.killpg(driver.pid, signal.SIGINT)
    begin = time.perf_counter()
    out, err = driver.communicate(timeout=20)
    assert time.perf_counter() - begin < 5.0
    assert driver.returncode == 130, err
    assert out == ""
    assert err.splitlines()[-1] == "gpdr: interrupted"
    assert "Traceback" not in err
    with Store.reading(store) as opened:
        assert status_of(opened).done > 0


def wait_until_done(store: Path, runs: int) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        time.sleep(0.02)
        if store.exists() and done_in(store) >= runs:
            return
    raise AssertionError(f"{runs} runs were not done within two minutes")


@pytest.mark.slow
def test_real_runs_outlive_killed_drivers_and_workers_byte_by_byte(tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    file.write_text(TINY.replace("SEEDS", "150"))
    undisturbed, store = tmp_path / "undisturbed.db", tmp_path / "killed.db"
    for kill in range(5):
        command = [sys.executable, "-m", "gpdr", "study", "run", str(file), "--store", str(store), "--workers", "2"]
        driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until_done(store, done_in(store) + 10 if store.exists() else 10)
        if kill % 2:
            servers = psutil.Process(driver.pid).children()
            next(worker for server in servers for worker in server.children()).kill()
            wait_until_done(store, done_in(store) + 5)
        driver.kill()
        driver.wait()
    assert 0 < done_in(store) < 301
    for path in (store, undisturbed):
        assert gpdr("run", file, "--store", path, "--workers", 2, "--quiet") == 0
        assert gpdr("export", path.with_suffix(".jsonl"), "--store", path) == 0
    assert store.with_suffix(".jsonl").read_bytes() == undisturbed.with_suffix(".jsonl").read_bytes()


def done_in(store: Path) -> int:
    """As a reader beside the driver sees it; 0 while there is no study in the store."""
    try:
        with Store.reading(store) as opened:
            return status_of(opened).done
    except (InputError, StoreError):
        return 0


def test_status_tells_people_and_programs(made_up: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gpdr("status", "--store", made_up) == 0
    assert "30 of 30 done, 0 missing, 0 failed" in capsys.readouterr().out
    assert gpdr("status", "--store", made_up, "--json", "-") == 0
    found = answer(capsys.readouterr().out)
    assert found["study"] == "imitation"
    assert [method["method"] for method in found["methods"]][:2] == ["references", "GP"]


def test_failed_runs_show_in_status_and_in_its_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "study.db"
    study = fake_study(1, 1, 2)
    with Store.driving(path) as store:
        store.record(study)
        store.save([Failure(next(study.jobs()), "Traceback\nValueError: [bad] luck", 3, final=True)])
    assert gpdr("status", "--store", path) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "M1 on problem 1, seed 1: ValueError: [bad] luck (3 attempts, given up)" in out
    assert "0 of 2 done, 1 missing, 1 failed" in out


@pytest.mark.parametrize(
    ("seconds", "workers", "words"),
    [
        (20.0, 1, "; less than a minute left with 1 worker"),
        (3000.0, 2, "; about 50 min left with 2 workers"),
        (9000.0, 2, "; about 2 h 30 min left with 2 workers"),
    ],
)
def test_the_time_left_is_told_in_words(seconds: float, workers: int, words: str) -> None:
    found = Status("s", (MethodStatus("GP", 2, 1, 0, 1.0),), (), workers, seconds, 2, {})
    assert _summary(found) == f"1 of 2 done, 1 missing, 0 failed{words}"


def test_a_log_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([1000.0, 1030.0, 1061.0, 1062.0])
    monkeypatch.setattr("gpdr.cli.study_progress.time.monotonic", lambda: next(now))
    log = io.StringIO()
    job = next(fake_study().jobs())
    with StudyProgress(Console(file=log, width=200)) as progress:
        progress.listen(Checked(2))
        for event in (Started("s", 1200, 1000, 0, 1), RunDone(job, 1.0), RunDone(job, 1.0), RunDone(job, 1.0)):
            progress.listen(event)
    assert log.getvalue().splitlines() == [
        "every stored run tested: 2 damaged, to be done again",
        "s (1 worker): 1,000 of 1,200 ended",
        "s (1 worker): 1,002 of 1,200 ended",
    ]


def test_a_report_is_written(made_up: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gpdr("report", "--store", made_up, "--out", tmp_path / "report", "--json", "-") == 0
    files = answer(capsys.readouterr().out)["files"]
    assert str(tmp_path / "report" / "report.md") in files
    assert all(Path(file).stat().st_size for file in files)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "nowhere.toml"), "gpdr: nowhere.toml: no such file: name the TOML file of a study, such as"),
        (("status", "--store", "nowhere.db"), "gpdr: nowhere.db: no such store: name the file that `gpdr study run"),
        (("report", "--store", "MADE_UP", "--study", "x"), "gpdr: unknown study 'x': choose one of imitation"),
        (
            ("report", "--store", "MADE_UP", "--correction", "x"),
            "gpdr: unknown correction 'x': choose one of none, holm",
        ),
        (
            ("export", "runs.xls", "--store", "MADE_UP"),
            "gpdr: runs.xls: expected a name that ends in .csv, .parquet or",
        ),
        (("run", "TINY", "--workers", "0"), "--workers"),
        (
            ("run", "TINY", "--workers", "2", "--dask", "tcp://x:1"),
            "gpdr: --dask and --workers cannot be given together",
        ),
        (
            ("run", "TINY", "--dask", "foo"),
            "gpdr: --dask: expected an address such as tcp://10.0.0.5:8786, or the file",
        ),
    ],
)
def test_wrong_input_is_answered_in_one_line(
    arguments: tuple[str, ...], message: str, made_up: Path, tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {"MADE_UP": str(made_up), "TINY": str(tiny)}
    assert gpdr(*(names.get(argument, argument) for argument in arguments)) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_a_second_driver_is_refused_with_status_1(
    made_up: Path, tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Store.driving(made_up):
        assert gpdr("run", tiny, "--store", made_up) == 1
    err = capsys.readouterr().err
    assert "is at work on this store: wait for it, or stop it" in err
