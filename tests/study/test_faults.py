"""Kill -9 of the driver and of workers at random moments: what was committed stays, and the study ends the same."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from gpdr.errors import InputError
from gpdr.study.driver import Driver, Tally
from gpdr.study.events import RunDone
from gpdr.study.executors.processes import ProcessExecutor
from gpdr.study.status import status
from gpdr.study.store import Store
from tests.study.conftest import content, is_sound
from tests.study.fakes import carry_out, fake_run, fake_study

STUDY: dict[str, Any] = {"problems": 3, "methods": 3, "seeds": 8, "sleep": 0.02}
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("undisturbed") / "study.db"
    carry_out(fake_study(**STUDY), path)
    return content(path)


def start_driver(path: Path, study: dict[str, Any]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "tests.study.fakes", str(path), json.dumps(study)], cwd=ROOT)


def kill_drivers_at_random(path: Path, study: dict[str, Any], times: int) -> int:
    """Each time: a driver starts, works for a moment, perhaps loses a worker, and is killed.

    Every third is killed while it starts, the others after they have kept a run more; returns how many those were.
    """
    draw = random.Random(times)
    worked = 0
    for number in range(times):
        before = done_in(path)
        driver = start_driver(path, study)
        if number % 3:
            worked += wait_for_more(path, before, driver)
            time.sleep(draw.uniform(0.0, 0.3))
        else:
            time.sleep(draw.uniform(0.1, 0.9))
        if draw.random() < 0.5:
            kill_a_worker(driver.pid, draw)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
        if path.exists() and path.stat().st_size:
            assert is_sound(path)
    return worked


def done_in(path: Path) -> int:
    """Runs in a store, as a reader beside the driver sees them."""
    try:
        with Store.reading(path) as store:
            return status(store).done
    except InputError:  # no store yet, or no study in it
        return 0


def wait_for_more(path: Path, before: int, driver: subprocess.Popen[bytes]) -> bool:
    """Whether the driver keeps a run before it ends of itself."""
    deadline = time.monotonic() + 60.0
    while driver.poll() is None and time.monotonic() < deadline:
        if done_in(path) > before:
            return True
        time.sleep(0.01)
    return False


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
    assert kill_drivers_at_random(path, STUDY, times=3) == 2
    carry_out(fake_study(**STUDY), path)
    assert content(path) == undisturbed


@pytest.mark.slow
def test_twenty_killed_drivers_lose_nothing(path: Path, tmp_path: Path) -> None:
    study = {**STUDY, "seeds": 40, "sleep": 0.1}  # so long that every kill finds it at work
    assert kill_drivers_at_random(path, study, times=20) == 13
    with Store.reading(path) as store:
        assert 0 < status(store).done < status(store).total
    carry_out(fake_study(**study), path, workers=8)
    carry_out(fake_study(**study), tmp_path / "undisturbed.db", workers=8)
    assert content(path) == content(tmp_path / "undisturbed.db")


class KillerOfWorkers(threading.Thread):
    """Kills a worker of this process at a random moment after a run was done, again and again."""

    def __init__(self, kills: int) -> None:
        super().__init__(daemon=True)
        self.kills = kills
        self.killed = 0
        self._draw = random.Random(kills)
        self._progress = threading.Event()

    def listen(self, event: object) -> None:
        if isinstance(event, RunDone):
            self._progress.set()

    def run(self) -> None:
        while self.killed < self.kills:
            self._progress.wait()
            self._progress.clear()
            time.sleep(self._draw.uniform(0.0, 0.03))
            self.killed += kill_a_worker(os.getpid(), self._draw)


@pytest.mark.parametrize("kills", [4, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_workers_lose_only_their_runs(path: Path, undisturbed: str, kills: int) -> None:
    killer = KillerOfWorkers(kills)
    with Store.driving(path) as store, ProcessExecutor(fake_run, 2) as executor:
        killer.start()
        tally = Driver(fake_study(**STUDY), store, executor, killer.listen).work()
    assert killer.killed == kills
    assert tally == Tally(72, 72, 0)
    assert content(path) == undisturbed


def test_workers_end_with_a_killed_driver(path: Path) -> None:
    driver = start_driver(path, STUDY)
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
    carry_out(fake_study(**STUDY), path, workers)
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
from typing import Any
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


def test_a_killed_fork_server_is_replaced_with_the_next_worker(path: Path, undisturbed: str) -> None:
    killed = []

    def kill(event: object) -> None:
        if isinstance(event, RunDone) and not killed:
            workers = [(server, worker) for server in psutil.Process().children() for worker in server.children()]
            for process in workers[0]:
                process.kill()
            killed.append(workers[0])

    with Store.driving(path) as store, ProcessExecutor(fake_run, 2) as executor:
        tally = Driver(fake_study(**STUDY), store, executor, kill).work()
    assert len(killed) == 1
    assert tally == Tally(72, 72, 0)
    assert content(path) == undisturbed
