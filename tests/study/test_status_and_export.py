"""Status and export: counts, time left, tables for other programs, content that repeats."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from gpdr._files import whole_file
from gpdr.errors import InputError
from gpdr.study.export import export_runs, runs_table
from gpdr.study.plan import Study
from gpdr.study.status import status
from gpdr.study.store import Failure, Store, Success
from tests.study.fakes import fake_run, fake_study


def partly_done(path: Path, study: Study, each_takes: float = 2.0) -> None:
    """Seeds 1 to 3 of the first cell done, seed 4 failed for good, seed 5 once."""
    first = next(study.cells()).cell
    jobs = {job.seed: job for job in study.jobs() if job.cell == first}
    with Store.driving(path) as store:
        store.record(study)
        store.sign(workers=2)
        values = {seed: fake_run(jobs[seed])["result"] for seed in (1, 2, 3)}
        store.save([Success(jobs[seed], value, {"total": each_takes}, {}) for seed, value in values.items()])
        store.save([Failure(jobs[4], "Traceback\nValueError: bad", 3, final=True)])
        store.save([Failure(jobs[5], "Traceback\nOSError: disk", 1, final=False)])


def test_counts_and_time_left(path: Path) -> None:
    partly_done(path, fake_study(2, 2, 5))
    with Store.reading(path) as store:
        found = status(store)
    assert (found.total, found.done, found.failed, found.missing) == (20, 3, 1, 16)
    assert [(m.method, m.total, m.done, m.failed, m.missing) for m in found.methods] == [
        ("M1", 10, 3, 1, 6),
        ("M2", 10, 0, 0, 10),
    ]
    assert found.seconds_left == pytest.approx(16 * 2.0 / 2)
    assert [(f.seed, f.final, f.summary) for f in found.failures] == [
        (4, True, "ValueError: bad"),
        (5, False, "OSError: disk"),
    ]
    assert not found.outdated


def test_seeds_outside_the_plan_do_not_count(path: Path) -> None:
    partly_done(path, fake_study(2, 2, 5))
    with Store.driving(path) as store:
        store.record(fake_study(2, 2, 2))
        found = status(store)
    assert (found.total, found.done, found.failures) == (8, 2, ())


def test_two_studies_share_their_runs(path: Path) -> None:
    partly_done(path, fake_study(2, 2, 5))
    other = fake_study(1, 1, 4)
    with Store.driving(path) as store:
        store.record(Study(**{**vars(other), "name": "other"}))
        assert status(store).study == "other"
        assert (status(store).done, status(store, "fake").done) == (3, 3)


def test_a_plan_of_an_older_version_is_called_outdated(path: Path) -> None:
    partly_done(path, fake_study(2, 2, 5))
    with Store.driving(path) as store:
        store.connection.execute("UPDATE studies SET results_version = 0")
        assert status(store).outdated


def test_the_table_of_runs_goes_out_as_csv_and_parquet(path: Path, tmp_path: Path) -> None:
    partly_done(path, fake_study(2, 2, 5))
    with Store.reading(path) as store:
        table = runs_table(store)
        assert export_runs(store, tmp_path / "runs.csv") == 5
        assert export_runs(store, tmp_path / "runs.parquet") == 5
    assert table["state"].tolist() == ["done", "done", "done", "failed", "retry"]
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "runs.parquet"), table)
    read = pd.read_csv(tmp_path / "runs.csv")
    assert read["cost"].tolist()[:3] == table["cost"].tolist()[:3]


def test_full_export_repeats_though_times_differ(path: Path, tmp_path: Path) -> None:
    partly_done(path, fake_study(2, 2, 5), each_takes=2.0)
    partly_done(tmp_path / "again.db", fake_study(2, 2, 5), each_takes=5.0)
    contents = []
    for store_path in (path, tmp_path / "again.db"):
        with Store.reading(store_path) as store:
            export_runs(store, target := store_path.with_suffix(".jsonl"))
            contents.append(target.read_bytes())
    assert contents[0] == contents[1]


def test_an_unknown_ending_is_refused(path: Path) -> None:
    partly_done(path, fake_study(2, 2, 5))
    with (
        Store.reading(path) as store,
        pytest.raises(InputError, match=r"expected a name that ends in \.csv, \.parquet or"),
    ):
        export_runs(store, "runs.xlsx")


_EXPORT_ON_A_FULL_DISK = """
import resource, sys
import pandas, pyarrow.parquet
from gpdr.study.export import export_runs
from gpdr.study.store import Store
store = Store.reading(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
for target in sys.argv[2:]:
    try:
        export_runs(store, target)
    except OSError as error:
        print(error.filename)
"""


def test_a_file_that_cannot_be_written_in_full_is_not_there(path: Path, tmp_path: Path) -> None:
    partly_done(path, fake_study(2, 2, 5))
    targets = [str(tmp_path / f"runs.{ending}") for ending in ("csv", "parquet", "jsonl")]
    command = [sys.executable, "-B", "-c", _EXPORT_ON_A_FULL_DISK, str(path), *targets]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == targets
    assert not list(tmp_path.glob("*runs*"))


def test_what_ended_the_writing_is_told_even_if_nothing_can_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(part: Path, missing_ok: bool = False) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(part))

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(OSError, match="No space left") as error, whole_file(tmp_path / "x.csv"):
        raise OSError(errno.ENOSPC, "No space left", "part")
    assert error.value.filename == str(tmp_path / "x.csv")
