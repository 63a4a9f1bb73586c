"""What the command line writes: files that are whole or absent, tables for people."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text


def console(stderr: bool = False, quiet: bool = False) -> Console:
    """A console that minds NO_COLOR, pipes and the width of the terminal, and colours no numbers of its own."""
    return Console(stderr=stderr, quiet=quiet, highlight=False, soft_wrap=False)


class _Table(Table):
    """A table under a heading as wide as the terminal; rich's own titles are no wider than the table."""

    heading: str | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.heading:
            yield Text(self.heading, style="bold")
        yield from super().__rich_console__(console, options)


def table(*columns: str, title: str | None = None) -> Table:
    """A table in the one style: the first column names things, the others hold right-aligned figures."""
    made = _Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    made.heading = title
    for position, column in enumerate(columns):
        made.add_column(column, justify="left" if position == 0 else "right", overflow="fold")
    return made


def number(value: float, digits: int = 2) -> str:
    """A figure rounded for people."""
    return f"{value:,.{digits}f}"


def interval(mean: float, ci95: tuple[float, float], digits: int = 2) -> str:
    """A mean and half the width of its 95 % interval."""
    return f"{mean:.{digits}f} ± {(ci95[1] - ci95[0]) / 2:.{digits}f}"


@contextlib.contextmanager
def whole_file(path: str | Path) -> Iterator[IO[str]]:
    """A text file that appears complete under its name, or not at all."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        error.filename = str(path)  # the name that the user knows
        raise
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            yield file
        umask = os.umask(0)
        os.umask(umask)
        part.chmod(0o666 & ~umask)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def write_json(target: str, data: object) -> None:
    """Write JSON to a file, or to stdout for `-`."""
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False, default=_plain) + "\n"
    if target == "-":
        sys.stdout.write(text)
        return
    with whole_file(target) as file:
        file.write(text)


def _plain(value: Any) -> object:
    """What JSON has no word for: NumPy's arrays and numbers, paths."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"no JSON for {type(value).__name__}")
