"""The store: one SQLite file with every run, safe to kill at any moment."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from gpdr.errors import InputError, unknown_name
from gpdr.study.connection import connect_reader, connect_writer, no_study, only_driver, plain_errors
from gpdr.study.errors import StoreError
from gpdr.study.job import Cell, Job
from gpdr.study.keys import RESULTS_VERSION, Json, canonical, digest
from gpdr.study.plan import Study


@dataclass(frozen=True)
class Success:
    """A run that was carried out: `result` is what every repetition gives, the rest is of this one."""

    job: Job
    result: Json
    seconds: Mapping[str, float]
    provenance: Json

    def document(self) -> Json:
        return {
            "key": self.job.key,
            "result": self.result,
            "seconds": dict(self.seconds),
            "provenance": self.provenance,
        }


@dataclass(frozen=True)
class Failure:
    """A run that failed, and whether it may be tried again."""

    job: Job
    reason: str
    attempts: int
    final: bool


@dataclass(frozen=True)
class StoredState:
    """What the store knows of a run that is not missing."""

    state: str
    attempts: int


class Store:
    """A store opened for reading, or by `Store.driving` for writing."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection

    @classmethod
    def reading(cls, path: str | Path) -> Self:
        """Opens an existing store for reading, also while a driver writes."""
        return cls(Path(path), connect_reader(Path(path)))

    @classmethod
    @contextmanager
    def driving(cls, path: str | Path) -> Iterator[Self]:
        """Opens a store, made if there is none, as its only writer."""
        place = Path(path)
        with only_driver(place):
            store = cls(place, connect_writer(place))
            try:
                store.sign()
                yield store
            finally:
                store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        with plain_errors(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read within is of one moment, whatever a driver writes meanwhile."""
        if self.connection.in_transaction:
            yield
            return
        with plain_errors(self.path):
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    def sign(self, workers: int = 1) -> None:
        """Writes down who drives the store, with how many workers."""
        with self.transaction():
            self.connection.execute(
                "INSERT OR REPLACE INTO driver VALUES (1, ?, ?, ?, ?)",
                (socket.gethostname(), os.getpid(), workers, time.time()),
            )

    def record(self, study: Study) -> None:
        """Writes a study's plan down, so that the store alone tells what is missing."""
        with self.transaction():
            self.connection.execute(
                "INSERT INTO studies (name, plan, results_version, recorded) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (name) DO UPDATE SET plan = excluded.plan,"
                " results_version = excluded.results_version, recorded = excluded.recorded",
                (study.name, canonical(study.as_dict()), RESULTS_VERSION, time.time()),
            )
            (study_id,) = self.connection.execute("SELECT id FROM studies WHERE name = ?", (study.name,)).fetchone()
            self.connection.execute("DELETE FROM study_cells WHERE study = ?", (study_id,))
            for position, planned in enumerate(study.cells()):
                cell = planned.cell
                names = (cell.problem_name, cell.method_name)
                seeds = (planned.seeds.start, len(planned.seeds))
                self.connection.execute(
                    "INSERT INTO study_cells VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (study_id, self._cell_id(cell), position, *names, *seeds),
                )

    def _cell_id(self, cell: Cell) -> int:
        self.connection.execute(
            "INSERT INTO cells (hash, problem, method, parameters, results_version) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (hash) DO NOTHING",
            (cell.hash, canonical(cell.problem), cell.method, canonical(cell.parameters), cell.results_version),
        )
        (found,) = self.connection.execute("SELECT id FROM cells WHERE hash = ?", (cell.hash,)).fetchone()
        return int(found)

    def states(self, cell: Cell) -> dict[int, StoredState]:
        """By seed, what is known of a cell's runs; seeds that are not there are missing."""
        with plain_errors(self.path):
            rows = self.connection.execute(
                "SELECT seed, state, attempts FROM runs JOIN cells ON cells.id = runs.cell WHERE cells.hash = ?",
                (cell.hash,),
            )
            return {seed: StoredState(state, attempts) for seed, state, attempts in rows}

    def save(self, outcomes: Iterable[Success | Failure]) -> None:
        """Keeps the outcomes of runs, all of them or, if it cannot, none."""
        with self.transaction():
            for outcome in outcomes:
                if isinstance(outcome, Success):
                    self._save_success(outcome)
                else:
                    self._save_failure(outcome)

    def _save_success(self, success: Success) -> None:
        cell, seed = self._cell_id(success.job.cell), success.job.seed
        figures = [success.result.get(name) for name in ("cost", "size", "gap")]
        text = canonical(success.document()).encode()
        self.connection.execute(
            "INSERT INTO runs VALUES (?1, ?2, 'done', 1, ?3, ?4, ?5, ?6, ?7, ?8, NULL)"
            " ON CONFLICT (cell, seed) DO UPDATE SET state = 'done', cost = ?3, size = ?4, gap = ?5, seconds = ?6,"
            " processor_seconds = ?7, finished = ?8, reason = NULL, attempts = attempts + 1",
            (cell, seed, *figures, success.seconds["total"], success.seconds.get("processor"), time.time()),
        )
        self.connection.execute(
            "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)", (cell, seed, digest(text), zlib.compress(text, 6))
        )

    def _save_failure(self, failure: Failure) -> None:
        state = "failed" if failure.final else "retry"
        self.connection.execute(
            "INSERT OR REPLACE INTO runs (cell, seed, state, attempts, finished, reason) VALUES (?, ?, ?, ?, ?, ?)",
            (self._cell_id(failure.job.cell), failure.job.seed, state, failure.attempts, time.time(), failure.reason),
        )

    def forget_damaged(self) -> int:
        """Drops every run whose document is damaged or missing, so that it is done again; returns how many."""
        with self.transaction():
            rows = self.connection.execute("SELECT cell, seed, checksum, content FROM documents")
            damaged = [(cell, seed) for cell, seed, checksum, content in rows if _text(content, checksum) is None]
            damaged += self.connection.execute(
                "SELECT cell, seed FROM runs LEFT JOIN documents USING (cell, seed)"
                " WHERE state = 'done' AND content IS NULL"
            ).fetchall()
            self.connection.executemany("DELETE FROM documents WHERE cell = ? AND seed = ?", damaged)
            self.connection.executemany("DELETE FROM runs WHERE cell = ? AND seed = ?", damaged)
        return len(damaged)

    def study_name(self, name: str | None = None) -> str:
        """A study of this store by name, or the one that was worked on last."""
        with plain_errors(self.path):
            names = [
                row[0] for row in self.connection.execute("SELECT name FROM studies ORDER BY recorded DESC, id DESC")
            ]
        if not names:
            raise no_study(self.path)
        if name is not None and name not in names:
            raise unknown_name("study", name, sorted(names))
        return name or names[0]

    def study(self, name: str | None = None) -> Study:
        """The plan of a study, as it was recorded."""
        chosen = self.study_name(name)
        with plain_errors(self.path):
            (plan,) = self.connection.execute("SELECT plan FROM studies WHERE name = ?", (chosen,)).fetchone()
        return Study.from_dict(json.loads(plan))

    def document(self, job: Job) -> Json:
        """The document of one run that is done, its checksum tested."""
        for _, _, document in self._documents("cells.hash = ? AND documents.seed = ?", job.identity):
            return document
        raise InputError(f"{self.path}: no result of {job} in this store")

    def documents(self, study: str | None = None) -> Iterator[tuple[str, str, Json]]:
        """Problem name, method name and document of every run of a study that is done, in the plan's order."""
        yield from self._documents("studies.name = ?", (self.study_name(study),))

    def _documents(self, condition: str, values: tuple[object, ...]) -> Iterator[tuple[str, str, Json]]:
        with plain_errors(self.path):
            rows = self.connection.execute(
                "SELECT problem_name, method_name, documents.seed, checksum, content FROM study_cells"
                " JOIN studies ON studies.id = study_cells.study JOIN cells ON cells.id = study_cells.cell"
                " JOIN documents ON documents.cell = cells.id"
                " AND documents.seed BETWEEN first_seed AND first_seed + seeds - 1"
                f" WHERE {condition} ORDER BY position, documents.seed",
                values,
            )
            for problem, method, seed, checksum, content in rows:
                yield problem, method, self._checked(content, checksum, f"{method} on {problem}, seed {seed}")

    def _checked(self, content: bytes, checksum: str, what: str) -> Json:
        text = _text(content, checksum)
        if text is None:
            raise StoreError(f"{self.path}: the document of {what} is damaged: do it again by `gpdr study run --check`")
        document: Json = json.loads(text)
        return document


def _text(content: bytes, checksum: str) -> bytes | None:
    """A document as it was written; none if it is not that any more."""
    try:
        text = zlib.decompress(content)
    except zlib.error:
        return None
    return text if digest(text) == checksum else None
