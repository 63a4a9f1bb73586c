"""The batch script of the cluster's page, carried out with stand-ins for the cluster's commands."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "cluster.md"

STAND_INS = {
    "python": f'#!/bin/bash\nexec {sys.executable} "$@"\n',
    "srun": '#!/bin/bash\nexec "$@"\n',
    "dask": """#!/bin/bash
if [ "$1" = scheduler ]; then sleep 0.2; echo fresh > "$3"; fi
exec sleep 60
""",
    # Notes what it meets; ends after `moments` tenths of a second, or half a second after SIGTERM with a last commit.
    "gpdr": f"""#!{sys.executable}
import signal, sqlite3, sys, time
from pathlib import Path
store, scheduler = Path(sys.argv[5]), Path(sys.argv[7])
connection = sqlite3.connect(store, isolation_level=None)
connection.execute("PRAGMA journal_mode = WAL")
connection.execute("CREATE TABLE IF NOT EXISTS seen (scheduler, beside)")
connection.execute("INSERT INTO seen VALUES (?, ?)", (scheduler.read_text().strip(), store.parent == Path.cwd()))
def stop(*_):
    time.sleep(0.5)
    connection.execute("INSERT INTO seen VALUES ('ended in good order', 0)")
    sys.exit(130)
signal.signal(signal.SIGTERM, stop)
Path("started").touch()
for _ in range(int(Path("moments").read_text())):
    time.sleep(0.1)
""",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the script is submitted, with the stand-ins and what an earlier job left."""
    blocks = re.findall(r"^```bash\n(.*?)^```$", PAGE.read_text("utf-8"), flags=re.M | re.S)
    (script,) = (block for block in blocks if "#SBATCH" in block)
    (tmp_path / "script.sh").write_text(script)
    (tmp_path / "scheduler.json").write_text("stale")
    (tmp_path / "commands").mkdir()
    for name, content in STAND_INS.items():
        command = tmp_path / "commands" / name
        command.write_text(content)
        command.chmod(0o755)
    return tmp_path


def submit(folder: Path, moments: int) -> subprocess.Popen[bytes]:
    (folder / "moments").write_text(str(moments))
    path = f"{folder / 'commands'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "TMPDIR": str(folder)}
    command = ["bash", "script.sh"]
    return subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, stderr=subprocess.DEVNULL)


def end(job: subprocess.Popen[bytes]) -> int:
    """The script's exit status; what it leaves behind ends with the job, as SLURM sees to it."""
    status = job.wait(timeout=20)
    os.killpg(job.pid, signal.SIGKILL)
    return status


def seen(folder: Path) -> list[tuple[str, int]]:
    connection = sqlite3.connect(folder / "paper.db")
    try:
        return connection.execute("SELECT * FROM seen").fetchall()
    finally:
        connection.close()


def test_a_second_job_goes_on_with_a_scheduler_of_its_own(folder: Path) -> None:
    for _ in range(2):
        assert end(submit(folder, moments=0)) == 0
    assert seen(folder) == [("fresh", 0), ("fresh", 0)]
    assert not list(folder.glob("tmp.*"))


def test_when_time_is_up_the_script_waits_for_the_driver(folder: Path) -> None:
    job = submit(folder, moments=300)
    while not (folder / "started").exists() and job.poll() is None:
        time.sleep(0.02)
    job.send_signal(signal.SIGTERM)
    assert end(job) == 130
    assert seen(folder) == [("fresh", 0), ("ended in good order", 0)]
