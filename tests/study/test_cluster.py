"""Runs on a Dask scheduler: the same store content, whatever happens to workers."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gpdr.errors import InputError
from gpdr.study.driver import Driver, Tally
from gpdr.study.errors import ExecutorLostError
from gpdr.study.executors.cluster import DaskExecutor
from gpdr.study.executors.processes import ProcessExecutor
from gpdr.study.runner import run_appointment
from gpdr.study.sitting import sit
from gpdr.study.status import status
from gpdr.study.store import Store
from gpdr.study.study_file import load_study
from tests.study.conftest import content, is_sound
from tests.study.fakes import carry_out, fake_run, fake_study


@pytest.fixture
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    made: Any = LocalCluster
    with made(n_workers=3, threads_per_worker=1, dashboard_address=None) as running:
        yield running


def test_one_worker_killed_and_the_content_is_that_of_processes(cluster: Any, path: Path, tmp_path: Path) -> None:
    study = fake_study(3, 3, 8, sleep=0.02)
    killed = []

    def kill(event: object) -> None:
        if len(killed) < 20:
            killed.append(event)
        if len(killed) == 20:
            killed.append(os.kill(cluster.workers[1].pid, signal.SIGKILL))

    with Store.driving(path) as store, DaskExecutor(fake_run, cluster.scheduler_address) as executor:
        tally = Driver(study, store, executor, kill).work()
    assert len(killed) == 21
    assert tally == Tally(72, 72, 0)
    carry_out(study, tmp_path / "processes.db")
    assert content(path) == content(tmp_path / "processes.db")


def test_failures_are_outcomes_like_any_other(cluster: Any, path: Path, tmp_path: Path) -> None:
    scheduler_file = tmp_path / "scheduler.json"
    scheduler_file.write_text(json.dumps(cluster.scheduler.identity()))
    with Store.driving(path) as store, DaskExecutor(fake_run, str(scheduler_file)) as executor:
        tally = Driver(fake_study(1, 1, 3, fail_seeds=[2]), store, executor).work()
        assert tally == Tally(3, 2, 1)
        (failure,) = status(store).failures
    assert failure.summary == "ValueError: seed 2 is not to my taste"


def test_a_scheduler_that_goes_away_is_told_and_the_study_goes_on_elsewhere(cluster: Any, path: Path) -> None:
    study = fake_study(2, 2, 30, sleep=0.05)
    threading.Timer(1.0, cluster.close).start()
    with (
        pytest.raises(ExecutorLostError, match="went away; what was done is in the store: start a scheduler and run"),
        Store.driving(path) as store,
        DaskExecutor(fake_run, cluster.scheduler_address) as executor,
    ):
        Driver(study, store, executor).work()
    assert is_sound(path)
    with Store.reading(path) as store:
        assert 0 < status(store).done < 120
    assert carry_out(study, path, workers=4) == Tally(120, 120, 0)


def test_no_scheduler_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpdr.study.executors.cluster._CONNECT_SECONDS", 0.3)
    with pytest.raises(ExecutorLostError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9: is it running"):
        DaskExecutor(fake_run, "tcp://127.0.0.1:9").__enter__()


@pytest.mark.parametrize(
    ("given", "content", "message"),
    [
        ("foo", None, "--dask: expected an address such as tcp://10.0.0.5:8786, or the file that `dask scheduler"),
        ("", None, "--scheduler-file` writes, got ''"),
        ("10.0.0.5:8786", None, "--scheduler-file` writes, got '10.0.0.5:8786'"),
        ("FILE", "not JSON", "scheduler.json: expected an address such as tcp://10.0.0.5:8786, or the file that `dask"),
        ("FILE", '{"workers": 3}', "--scheduler-file` writes; this file names no address"),
        ("FILE", '["tcp://10.0.0.5:8786"]', "this file names no address"),
        ("FILE", '{"address": "here"}', "this file names no address"),
    ],
)
def test_what_is_no_scheduler_is_refused_at_once(given: str, content: str | None, message: str, tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(InputError) as refusal:
        DaskExecutor(fake_run, given.replace("FILE", str(file)))
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_without_dask_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError) as caught:
        DaskExecutor(lambda job: {}, "tcp://localhost:1").__enter__()
    assert str(caught.value) == "--dask: Dask is not installed; pip install distributed"


@pytest.mark.slow
def test_real_runs_are_those_of_processes(cluster: Any, path: Path, tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    file.write_text(
        "[problems]\npaper = [3, 4]\n[evolution]\npopulation = 16\ngenerations = 2\nreplications = 64\n"
        '[[methods]]\nmethod = "gpdr"\n[[methods]]\nmethod = "mogp"\n[seeds]\ncount = 2\n[test]\nreplications = 256\n'
    )
    study, other = load_study(file), tmp_path / "processes.db"
    assert sit(study, path, DaskExecutor(run_appointment, cluster.scheduler_address)).done == 10
    assert sit(study, other, ProcessExecutor(run_appointment, 2, preload=["gpdr.study.warm"])).done == 10
    assert content(path) == content(other)
