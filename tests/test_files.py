"""Files that are whole or absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gpdr._files import whole_file


def test_what_was_written_appears_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    with whole_file(target) as part:
        part.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    umask = os.umask(0)
    os.umask(umask)
    assert target.stat().st_mode & 0o777 == 0o666 & ~umask


def test_nothing_is_left_of_what_failed(tmp_path: Path) -> None:
    def write_half() -> None:
        with whole_file(tmp_path / "a.txt") as part:
            part.write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named_as_the_user_did() -> None:
    with pytest.raises(FileNotFoundError) as error, whole_file("no/such/a.txt"):
        pass
    assert error.value.filename == "no/such/a.txt"


def test_links_are_followed_and_devices_written_to(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with whole_file(tmp_path / "link") as part:
        part.write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    with whole_file(os.devnull) as part:
        assert part == Path(os.devnull)
