"""Opening a store's SQLite file, for the one driver that writes or for any number of readers."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from urllib.request import pathname2url

from gpdr.errors import InputError
from gpdr.study.errors import StoreError

_APPLICATION = 0x67706472  # "gpdr": marks the file as ours
_SCHEMA_VERSION = 1
_BUSY_SECONDS = 30.0

_MEANING = {
    "SQLITE_FULL": "the disk is full; what was committed is safe: free some space and run the same command again",
    "SQLITE_READONLY": "the store is read-only: make it writable, or copy it to where you may write",
    "SQLITE_CANTOPEN": "the store cannot be opened: does its folder exist, and may you write there?",
    "SQLITE_PERM": "the store cannot be opened: you have no permission",
    "SQLITE_NOTADB": "this is not a store of gpdr: name another file",
    "SQLITE_CORRUPT": "the store is damaged: go on from a copy of it, or start a new one",
    "SQLITE_BUSY": "the store is locked by another process: wait for it to finish",
    "SQLITE_IOERR": "the store cannot be read or written; what was committed is safe: see to the disk, then go on",
}


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turns SQLite's exceptions into one line that says what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        meaning = next((text for code, text in _MEANING.items() if name.startswith(code)), str(error))
        raise StoreError(f"{path}: {meaning}") from error


def connect_writer(path: Path) -> sqlite3.Connection:
    """A connection that writes, the file created if need be; readers are never blocked by it (WAL)."""
    with plain_errors(path):
        connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            new = _is_new(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            # A killed process loses nothing that was committed; a power cut may lose the last commits, never tears one.
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            if new:
                _create_tables(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def connect_reader(path: Path) -> sqlite3.Connection:
    """A connection that only reads, also beside a driver that writes and on read-only media."""
    if not path.is_file():
        raise InputError(f"{path}: no such store: name the file that `gpdr study run --store` wrote")
    with plain_errors(path):
        try:
            return _checked_reader(path, "mode=ro")
        except sqlite3.OperationalError as error:
            # WAL needs a side file; where none can be made and no driver is at work, the file alone is the whole store.
            if error.sqlite_errorname not in ("SQLITE_CANTOPEN", "SQLITE_READONLY_DIRECTORY") or _has_log(path):
                raise
            return _checked_reader(path, "immutable=1")


def _checked_reader(path: Path, how: str) -> sqlite3.Connection:
    location = f"file:{pathname2url(str(path))}?{how}"
    connection = sqlite3.connect(location, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
    try:
        if _is_new(connection, path):  # also what a driver leaves that is killed before its first transaction
            raise no_study(path)
    except BaseException:
        connection.close()
        raise
    return connection


def no_study(path: Path) -> InputError:
    """What to say of a store in which nothing has been started."""
    return InputError(f"{path}: no study in this store yet: start one with `gpdr study run FILE.toml`")


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _is_new(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether a file has no content yet; files that are not stores and stores of another layout are refused."""
    connection.execute("BEGIN")  # all three as of one moment: a driver may be making the tables
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    connection.execute("COMMIT")
    if tables == 0 and application == 0:
        return True
    if application != _APPLICATION:
        raise StoreError(f"{path}: this is not a store of gpdr: name another file")
    if version != _SCHEMA_VERSION:
        raise StoreError(
            f"{path}: a store of layout {version}, this gpdr reads layout {_SCHEMA_VERSION}: name another file"
        )
    return False


def _create_tables(connection: sqlite3.Connection) -> None:
    """All tables in one transaction, so that a kill leaves either none or all."""
    schema = files("gpdr.study").joinpath("schema.sql").read_text("utf-8")
    connection.executescript(
        f"BEGIN IMMEDIATE;\n{schema}\n"
        f"PRAGMA application_id = {_APPLICATION};\nPRAGMA user_version = {_SCHEMA_VERSION};\nCOMMIT;"
    )


@contextmanager
def only_driver(path: Path) -> Iterator[None]:
    """Holds the right to drive a store. The operating system gives it back when the process ends, however it ends.

    It is an exclusive transaction on an empty SQLite file beside the store: the same locks that guard the store itself,
    on every platform, not inherited by workers, and gone with the process.
    """
    store = path.resolve()  # whatever links lead to it
    guard = store.with_name(store.name + "-lock")
    with plain_errors(path):
        connection = sqlite3.connect(guard, timeout=0, isolation_level=None)
    try:
        with plain_errors(path):
            try:
                connection.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                if not (error.sqlite_errorname or "").startswith("SQLITE_BUSY"):
                    raise
                raise StoreError(f"{path}: {_holder(path)} is at work on this store: wait for it, or stop it") from None
        yield
    finally:
        connection.close()


def _holder(path: Path) -> str:
    """Who drives a store, as he signed."""
    try:
        connection = connect_reader(path)
    except (InputError, StoreError):
        return "another process"
    try:
        row = connection.execute("SELECT process, host, started FROM driver").fetchone()
    finally:
        connection.close()
    if row is None:
        return "another process"
    since = time.strftime("%Y-%m-%d %H:%M", time.localtime(row[2]))
    return f"process {row[0]} on {row[1]} (since {since})"
