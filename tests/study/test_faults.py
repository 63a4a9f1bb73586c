"""Kill -9 of the driver and of workers at random moments: what was committed stays, and the study ends the same."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from gpdr.study.driver import Driver, Tally
from gpdr.study.executors.processes import ProcessExecutor
from gpdr.study.status import status
from gpdr.study.store import Store
from tests.study.conftest import content, is_sound
from tests.study.fakes import carry_out, fake_run, fake_study

STUDY = {"problems": 3, "methods": 3, "seeds": 8, "sleep": 0.02}
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("undisturbed") / "study.db"
    carry_out(fake_study(**STUDY), path)  # type: ignore[arg-type]
    return content(path)


def start_driver(path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "tests.study.fakes", str(path)], cwd=ROOT)


def kill_drivers_at_random(path: Path, times: int, seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(times):
        driver = start_driver(path)
        time.sleep(draw.uniform(0.1, 0.9))
        if draw.random() < 0.5:
            kill_a_worker(driver.pid, draw)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
        if path.exists() and path.stat().st_size:
            assert is_sound(path)


def kill_a_worker(driver: int, draw: random.Random) -> bool:
    """Kills one of the driver's descendants that carry runs out; false if there is none at the moment."""
    try:
        servers = psutil.Process(driver).children()
        workers = [child for server in servers for child in server.children()]
        if not workers:
            return False
        draw.choice(workers).kill()
    except psutil.NoSuchProcess:
        return False
    return True


def test_killed_drivers_lose_nothing(path: Path, undisturbed: str) -> None:
    kill_drivers_at_random(path, times=3, seed=1)
    carry_out(fake_study(**STUDY), path)  # type: ignore[arg-type]
    assert content(path) == undisturbed


@pytest.mark.slow
def test_twenty_killed_drivers_lose_nothing(path: Path, undisturbed: str) -> None:
    kill_drivers_at_random(path, times=20, seed=2)
    carry_out(fake_study(**STUDY), path)  # type: ignore[arg-type]
    assert content(path) == undisturbed


@pytest.mark.parametrize("kills", [4, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_workers_lose_only_their_runs(path: Path, undisturbed: str, kills: int) -> None:
    draw = random.Random(kills)
    study = fake_study(**STUDY)  # type: ignore[arg-type]
    finished = threading.Event()
    killed = 0

    def kill() -> None:
        nonlocal killed
        while killed < kills and not finished.is_set():
            time.sleep(draw.uniform(0.0, 0.06))
            killed += kill_a_worker(psutil.Process().pid, draw)

    with Store.driving(path) as store, ProcessExecutor(fake_run, 2) as executor:
        killer = threading.Thread(target=kill)
        killer.start()
        tally = Driver(study, store, executor).work()
        finished.set()
        killer.join()
    assert killed == kills
    assert tally == Tally(72, 72, 0)
    assert content(path) == undisturbed


def test_workers_end_with_a_killed_driver(path: Path) -> None:
    driver = start_driver(path)
    workers: list[psutil.Process] = []
    while len(workers) < 2:
        time.sleep(0.02)
        workers = [child for server in psutil.Process(driver.pid).children() for child in server.children()]
    driver.kill()
    driver.wait()
    gone, alive = psutil.wait_procs(workers, timeout=5)
    assert len(gone) == 2
    assert not alive


@pytest.mark.parametrize("workers", [1, 3])
def test_the_number_of_workers_changes_no_result(path: Path, undisturbed: str, workers: int) -> None:
    carry_out(fake_study(**STUDY), path, workers)  # type: ignore[arg-type]
    assert content(path) == undisturbed


def test_a_file_size_limit_stops_the_driver_cleanly(path: Path) -> None:
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, 120_000));"
        "from pathlib import Path; from tests.study.fakes import *;"
        "carry_out(fake_study(3, 3, 200), Path(sys.argv[1]))"
    )
    stopped = subprocess.run(
        [sys.executable, "-c", script, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "StoreError" in stopped.stderr
    assert "what was committed is safe" in stopped.stderr
    assert is_sound(path)


UNGUARDED = """
from pathlib import Path
import sys
from tests.study.fakes import carry_out, fake_study
carry_out(fake_study(1, 1, 30), Path(sys.argv[1]))
"""


def test_workers_that_cannot_start_end_the_sitting_and_fail_no_run(path: Path, tmp_path: Path) -> None:
    script = tmp_path / "unguarded.py"
    script.write_text(UNGUARDED)
    command = [sys.executable, str(script), str(path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    last = ended.stderr.splitlines()[-1]
    assert "workers die as they start: is there memory for them? A script that starts a study needs" in last
    with Store.reading(path) as store:
        assert (status(store).done, status(store).failed, status(store).missing) == (0, 0, 30)
