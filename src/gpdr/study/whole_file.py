"""Files that are whole or absent, also when the disk is full or the process is killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to; what is there takes that name once all is written."""
    part = path.with_name(f".{path.name}.part")
    try:
        yield part
        part.replace(path)
    except OSError as error:
        if error.errno is not None:  # of the file, not of the store that is read meanwhile
            error.filename = str(path)  # the name that the user knows
        raise
    finally:
        with suppress(OSError):  # on a read-only medium there is nothing to remove, and more to say
            part.unlink(missing_ok=True)
