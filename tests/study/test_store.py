"""The store: its keys, what it refuses, what it finds damaged."""

from __future__ import annotations

import dataclasses
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from gpdr.errors import InputError
from gpdr.study.errors import StoreError
from gpdr.study.export import runs_table
from gpdr.study.job import Cell, Job
from gpdr.study.plan import Study
from gpdr.study.status import status
from gpdr.study.store import Store, Success
from tests.study.conftest import content, is_sound
from tests.study.fakes import carry_out, fake_run, fake_study

REFUSED = "the store is read-only: make it writable, or copy it to where you may write"


def success(job: Job) -> Success:
    value = fake_run(job)
    return Success(job, value["result"], value["seconds"], value["provenance"])


def fill(path: Path, study: Study, count: int | None = None) -> list[Job]:
    jobs = list(study.jobs())[:count]
    with Store.driving(path) as store:
        store.record(study)
        store.save([success(job) for job in jobs])
    return jobs


def save_one_by_one(store: Store, jobs: list[Job]) -> None:
    for job in jobs:
        store.save([success(job)])


def test_a_document_comes_back_as_it_was(path: Path) -> None:
    job, *_ = fill(path, fake_study())
    with Store.reading(path) as store:
        document = store.document(job)
    assert document["key"] == job.key
    assert document["result"] == fake_run(job)["result"]


def test_the_plan_comes_back_as_it_was(path: Path) -> None:
    study = fake_study(population=8, tastes=[1, 2])
    fill(path, study)
    with Store.reading(path) as store:
        assert store.study() == study


@pytest.mark.parametrize(
    "change",
    [{"problem": {"number": 2}}, {"method": "m2"}, {"parameters": {"population": 8}}, {"results_version": 99}],
)
def test_each_part_of_the_key_makes_another_run(path: Path, change: dict[str, object]) -> None:
    cell = Cell({"number": 1}, "m1", {}, "problem 1", "M1")
    other = dataclasses.replace(cell, **change)  # type: ignore[arg-type]
    with Store.driving(path) as store:
        store.save([success(Job(cell, 1))])
        assert set(store.states(cell)) == {1}
        assert store.states(other) == {}


def test_names_in_tables_are_no_part_of_the_key() -> None:
    cell = Cell({"number": 1}, "m1", {"a": 1, "b": 2}, "problem 1", "M1")
    assert cell.hash == Cell({"number": 1}, "m1", {"b": 2, "a": 1}, "other", "name").hash


def test_results_of_another_version_are_told_and_not_mixed_in(path: Path) -> None:
    study = fake_study(1, 1, 4)
    old = [dataclasses.replace(job, cell=dataclasses.replace(job.cell, results_version=0)) for job in study.jobs()]
    with Store.driving(path) as store:
        store.save([success(job) for job in old])
        store.record(study)
        found = status(store)
    assert (found.done, found.missing, found.other_versions) == (0, 4, {0: 4})


def test_saving_is_all_or_nothing(path: Path) -> None:
    jobs = list(fake_study(1, 1, 2).jobs())
    broken = dataclasses.replace(success(jobs[1]), result={"cost": object()})
    with Store.driving(path) as store:
        with pytest.raises(TypeError):
            store.save([success(jobs[0]), broken])
        assert store.states(jobs[0].cell) == {}
        store.save([success(jobs[0])])
        assert set(store.states(jobs[0].cell)) == {1}


def test_a_number_that_json_does_not_know_is_refused(path: Path) -> None:
    (job,) = fake_study(1, 1, 1).jobs()
    with Store.driving(path) as store, pytest.raises(ValueError, match="JSON compliant"):
        store.save([dataclasses.replace(success(job), result={"cost": float("nan")})])


@pytest.mark.parametrize("how", ["content = substr(content, 1, length(content) - 3)", "content = zeroblob(9)"])
def test_a_damaged_document_is_noticed(path: Path, how: str) -> None:
    job, *_ = fill(path, fake_study())
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE documents SET {how} WHERE rowid = 1")
    connection.close()
    with (
        Store.reading(path) as store,
        pytest.raises(StoreError, match="the document of M1 on problem 1, seed 1 is damaged"),
    ):
        store.document(job)
    with Store.driving(path) as store:
        assert store.forget_damaged() == 1
        assert 1 not in store.states(job.cell)
        assert store.forget_damaged() == 0
    carry_out(fake_study(), path)
    assert is_sound(path)
    assert content(path).count("\n") == 20


def test_a_run_without_its_document_is_done_again(path: Path) -> None:
    job, *_ = fill(path, fake_study(1, 1, 3))
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM documents WHERE seed = 1")
    connection.close()
    with Store.driving(path) as store:
        assert store.forget_damaged() == 1
        assert set(store.states(job.cell)) == {2, 3}


def test_readers_see_whole_batches_while_the_driver_writes(path: Path) -> None:
    study = fake_study(1, 1, 400)
    jobs = list(study.jobs())
    seen: list[int] = []
    with Store.driving(path) as store:
        store.record(study)
        finished = threading.Event()

        def read() -> None:
            while not finished.is_set():
                with Store.reading(path) as reader:
                    seen.append(len(runs_table(reader)))

        thread = threading.Thread(target=read)
        thread.start()
        for start in range(0, 400, 20):
            store.save([success(job) for job in jobs[start : start + 20]])
        finished.set()
        thread.join()
    assert seen == sorted(seen)
    assert all(count % 20 == 0 for count in seen)


def test_a_snapshot_stands_still_while_the_driver_writes(path: Path) -> None:
    jobs = fill(path, fake_study(1, 1, 4), count=2)
    rest = list(fake_study(1, 1, 4).jobs())[len(jobs) :]
    with Store.reading(path) as reader, Store.driving(path) as driver:
        with reader.snapshot():
            assert status(reader).done == 2
            driver.save([success(job) for job in rest])
            assert status(reader).done == len(runs_table(reader)) == sum(1 for _ in reader.documents()) == 2
        assert status(reader).done == 4


def test_a_second_driver_is_refused_and_told_who_is_at_work(path: Path) -> None:
    with Store.driving(path):
        with pytest.raises(StoreError) as refusal, Store.driving(path):
            pass
        assert f"process {os.getpid()} on " in str(refusal.value)
        assert str(refusal.value).endswith("is at work on this store: wait for it, or stop it")
    with Store.driving(path):
        pass


_AT_WORK = """
import sys
from gpdr.study.store import Store
with Store.driving(sys.argv[1]):
    print("at work", flush=True)
    sys.stdin.read()
"""


def test_a_link_to_a_store_is_no_way_around_its_driver(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(path)
    command = [sys.executable, "-c", _AT_WORK, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdout is not None
        assert driver.stdout.readline() == "at work\n"
        with pytest.raises(StoreError) as refusal, Store.driving(link):
            pass
        assert f"link.db: process {driver.pid} on " in str(refusal.value)
        driver.communicate()


def test_a_file_that_is_no_store_is_left_alone(path: Path, tmp_path: Path) -> None:
    path.write_text("my diary, " * 1000)
    foreign = tmp_path / "other.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    for file in (path, foreign):
        before = file.read_bytes()
        with pytest.raises(StoreError, match="this is not a store of gpdr: name another file"), Store.driving(file):
            pass
        with pytest.raises(StoreError, match="this is not a store of gpdr: name another file"):
            Store.reading(file)
        assert file.read_bytes() == before


def test_a_driver_killed_before_its_first_transaction_leaves_a_store_to_begin_with(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    assert path.stat().st_size > 0
    with pytest.raises(InputError, match="no study in this store yet: start one with `gpdr study run"):
        Store.reading(path)
    assert is_sound(path)
    carry_out(fake_study(), path)
    assert content(path).count("\n") == 20


def test_a_store_of_another_layout_is_refused(path: Path) -> None:
    fill(path, fake_study())
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(StoreError, match="a store of layout 7, this gpdr reads layout 1: name another file"):
        Store.reading(path)


def test_messages_for_what_is_not_there(path: Path) -> None:
    with pytest.raises(InputError, match="no such store: name the file that `gpdr study run --store` wrote"):
        Store.reading(path)
    with Store.driving(path) as store, pytest.raises(InputError, match="no study in this store yet: start one with"):
        status(store)
    fill(path, fake_study())
    with (
        Store.reading(path) as store,
        pytest.raises(InputError, match="unknown study 'fakes': choose one of fake; did you"),
    ):
        status(store, "fakes")


def test_a_full_disk_is_told_in_one_line_and_loses_nothing(path: Path) -> None:
    study = fake_study(1, 1, 300)
    jobs = list(study.jobs())
    with Store.driving(path) as store:
        store.record(study)
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages + 5}")
        with pytest.raises(StoreError, match="the disk is full; what was committed is safe: free some space"):
            save_one_by_one(store, jobs)
    assert is_sound(path)
    with Store.reading(path) as store:
        assert 0 < status(store).done < 300
    carry_out(study, path)
    assert content(path).count("\n") == 300


_AS_A_READER = """
import os, sys
from gpdr.study.errors import StoreError
from gpdr.study.store import Store
from gpdr.study.status import status
if os.geteuid() == 0:  # whom no permission binds
    os.setegid(65534)
    os.seteuid(65534)
with Store.reading(sys.argv[1]) as store:
    print(status(store).done)
try:
    with Store.driving(sys.argv[1]):
        print("drove")
except StoreError as error:
    print(error)
"""


def test_a_store_that_may_not_be_written_can_be_read() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "study.db"
        fill(path, fake_study(1, 1, 3))
        path.chmod(0o444)
        folder.chmod(0o555)
        command = [sys.executable, "-c", _AS_A_READER, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        folder.chmod(0o755)
        assert done.stderr == ""
        assert done.stdout == f"3\n{path}: {REFUSED}\n"
        assert is_sound(path)
