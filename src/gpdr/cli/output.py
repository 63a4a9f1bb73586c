"""What the command line writes: files that are whole or absent, tables for people."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.style import StyleType
from rich.table import Table
from rich.text import Text

from gpdr._files import whole_file as whole_path

_HALF_WIDTH = " ± "
# So many characters of a long name stand beside figures that are whole.
_FOLDED_NAME = 12


def console(stderr: bool = False, quiet: bool = False) -> Console:
    """A console that minds NO_COLOR, pipes and the width of the terminal, and colours no numbers of its own."""
    return Console(stderr=stderr, quiet=quiet, highlight=False, soft_wrap=False)


class _Table(Table):
    """A table under a heading as wide as the terminal; where that is narrow, the least important columns are left out.

    Cells are plain text, unless they are rich's own `Text`.
    """

    heading: str | None = None
    optional: tuple[str, ...] = ()

    def add_row(self, *cells: RenderableType | None, style: StyleType | None = None, end_section: bool = False) -> None:
        plain = (Text(cell) if isinstance(cell, str) else cell for cell in cells)
        super().add_row(*plain, style=style, end_section=end_section)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.heading:
            yield Text(self.heading, style="bold")
        yield self._fitting(console, options)

    def _fitting(self, console: Console, options: ConsoleOptions) -> Table:
        """The first that is not too wide: all columns, some, no half-widths of intervals; at last names are folded."""

        def width(shown: Table) -> int:
            return shown.__rich_measure__(console, options.update(max_width=10_000)).maximum

        names = [str(column.header) for column in self.columns]
        for count in range(len(self.optional), -1, -1):
            kept = [name for name in names if name not in self.optional[count:]]
            if width(shown := self._of(kept)) <= options.max_width:
                return shown
        if width(shown := self._of(kept, half_widths=False)) <= options.max_width:
            return shown
        figures_fit = width(self._of(kept[1:], half_widths=False)) + _FOLDED_NAME <= options.max_width
        return self._of(kept, half_widths=False, whole_figures=figures_fit)

    def _of(self, names: list[str], half_widths: bool = True, whole_figures: bool = False) -> Table:
        """The columns of these names as a table of rich's."""
        made = Table(box=self.box, pad_edge=False, collapse_padding=True)
        columns = [column for column in self.columns if column.header in names]
        for place, column in enumerate(columns):
            rigid = whole_figures and place > 0
            made.add_column(column.header, justify=column.justify, overflow="fold", no_wrap=rigid)
        for row, cells in zip(self.rows, zip(*(column.cells for column in columns), strict=True), strict=True):
            made.add_row(*(cells if half_widths else map(_without_half_width, cells)), style=row.style)
        return made


def _without_half_width(cell: RenderableType) -> RenderableType:
    return Text(cell.plain.partition(_HALF_WIDTH)[0], cell.style) if isinstance(cell, Text) else cell


def table(*columns: str, title: str | None = None, optional: tuple[str, ...] = ()) -> Table:
    """A table in the one style: the first column names things, the others hold right-aligned figures.

    On a narrow terminal `optional` columns are left out, the last of them first, and then half-widths of intervals.
    """
    made = _Table(box=box.SIMPLE_HEAD)
    made.heading, made.optional = title, optional
    for position, column in enumerate(columns):
        made.add_column(column, justify="left" if position == 0 else "right")
    return made


def number(value: float, digits: int = 2) -> str:
    """A figure rounded for people."""
    return f"{value:,.{digits}f}"


def interval(mean: float, ci95: tuple[float, float], digits: int = 2) -> str:
    """A mean and half the width of its 95 % interval."""
    return f"{mean:.{digits}f}{_HALF_WIDTH}{(ci95[1] - ci95[0]) / 2:.{digits}f}"


def above(difference: float, cost: float) -> str:
    """By how much something costs more than what costs so much; no share of a cost that is next to nothing."""
    return f"{100 * difference / cost:.1f} %" if cost >= 0.005 else "–"


@contextlib.contextmanager
def whole_file(path: str | Path) -> Iterator[IO[str]]:
    """A text file that appears complete under its name, or not at all."""
    with whole_path(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        yield file


def write_json(target: str, data: object) -> None:
    """Write JSON to a file, or to stdout for `-`."""
    plain = target == "-" and not sys.stdout.encoding.lower().startswith("utf")  # JSON can do without other letters
    text = json.dumps(data, indent=2, ensure_ascii=plain, allow_nan=False, default=_plain) + "\n"
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
