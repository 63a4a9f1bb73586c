"""The files a command is to write, looked at before the work: all can be written, and none twice."""

from __future__ import annotations

import os
from errno import EACCES, EISDIR, ENOENT
from pathlib import Path

from gpdr.errors import InputError


def check_targets(json: str | None, **files: str | Path | None) -> None:
    """Refuse targets, by option, that could not be written to. `-` is stdout, for JSON alone."""
    seen: dict[Path, str] = {}
    for name, target in {"json": json, **files}.items():
        if target is None or (name == "json" and target == "-"):
            continue
        if str(target) == "-":
            raise InputError(f"--{name}: expected a file, got -; only --json - writes to stdout")
        path = Path(target).resolve()
        if path in seen:
            raise InputError(f"--{seen[path]} and --{name}: expected two files, got {target} twice")
        seen[path] = name
        if trouble := _trouble(path):
            raise OSError(trouble, os.strerror(trouble), str(target))


def _trouble(path: Path) -> int | None:
    """Why the path cannot be written to, as an error number."""
    if path.is_dir():
        return EISDIR
    if path.exists() and not path.is_file():  # a pipe or a device
        return None
    if not path.parent.is_dir():
        return ENOENT
    return None if os.access(path.parent, os.W_OK) else EACCES
