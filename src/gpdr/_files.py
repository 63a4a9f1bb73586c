"""Files that are whole or absent, also when the disk is full or the process is killed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A place beside `path` to write to; what is there takes that name once all is written.

    Links are followed. What is there and no regular file, such as a pipe, is itself the place.
    """
    target = Path(path)
    if target.exists() and not target.is_file():  # before links are followed: that of /dev/stdout may lead nowhere
        yield target
        return
    target = target.resolve()
    part = None
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
        os.close(handle)
        part = Path(name)
        yield part
        umask = os.umask(0)
        os.umask(umask)
        part.chmod(0o666 & ~umask)
        part.replace(target)
    except OSError as error:
        if error.errno is not None:  # of the file, not of a store that is read meanwhile
            error.filename = str(path)  # the name that the user knows
        raise
    finally:
        if part is not None:
            with suppress(OSError):  # on a read-only medium there is nothing to remove, and more to say
                part.unlink(missing_ok=True)
