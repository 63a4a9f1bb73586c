"""What tests of studies share."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpdr.errors import InputError
from gpdr.study.export import reproducible_lines
from gpdr.study.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store that is not there yet."""
    return tmp_path / "study.db"


def content(path: Path) -> str:
    """What every repetition of a study reproduces."""
    with Store.reading(path) as store:
        return "".join(reproducible_lines(store))


def is_sound(path: Path) -> bool:
    """SQLite's own check of the file, and our checksums of every document."""
    try:
        with Store.reading(path) as store:
            (answer,) = store.connection.execute("PRAGMA integrity_check").fetchone()
            (runs,) = store.connection.execute("SELECT count(*) FROM runs WHERE state = 'done'").fetchone()
            (studies,) = store.connection.execute("SELECT count(*) FROM studies").fetchone()
            documents = sum(1 for _ in store.documents()) if studies else 0  # killed before it could begin
    except InputError as error:  # killed before it could make tables
        return "no study in this store yet" in str(error)
    return bool(answer == "ok") and documents == runs
