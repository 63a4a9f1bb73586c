"""Past consultation times from a CSV file: with commas and decimal points, or as Excel in Europe writes it."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from gpdr.clinic.service import MAX_MEAN
from gpdr.errors import InputError, unknown_name

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.ASCII | re.IGNORECASE)

# A line of the file, by its number, and its cells.
_Row = tuple[int, list[str]]


def read_minutes(path: str | Path, column: str | None = None) -> list[float]:
    """Consultation times from a column of a CSV file; a file of one column needs no name.

    Where the first line has semicolons or tabs, these separate the columns and a comma may be a decimal sign.
    """
    rows, separator = _read(Path(path))
    line, header = rows[0]
    place = _column(f"{path}", header, column)
    named = column is not None or not _NUMBER.fullmatch(_plain(header[place], separator))
    found = []
    for line, cells in rows[1:] if named else rows:
        where = f"{path}, line {line}"
        if any(cells[len(header) :]):
            raise InputError(
                f"{where}: expected {len(header)} {'cell' if len(header) == 1 else 'cells'} as in the first line, "
                f"got {len(cells)}; write decimals with a point, or separate columns by semicolons"
            )
        found.append(_minutes(where, cells[place] if place < len(cells) else "", separator))
    return found


def _read(path: Path) -> tuple[list[_Row], str]:
    """The lines that are not blank, at least one, and what separates their cells."""
    try:
        text = path.read_text("utf-8-sig")
        first = next((line for line in text.splitlines() if line.strip()), "")
        separator = next((sign for sign in (";", "\t") if sign in first), ",")
        reader = csv.reader(text.splitlines(keepends=True), delimiter=separator)
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(c.strip() for c in row)]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a CSV file in UTF-8: {error}; save it as one") from None
    if not rows:
        raise InputError(f"{path}: expected consultation times, the file is empty")
    return rows, separator


def _column(path: str, header: list[str], column: str | None) -> int:
    if column is not None:
        if column not in header:
            raise unknown_name(f"column of {path}", column, header)
        return header.index(column)
    if len(header) == 1:
        return 0
    if all(_NUMBER.fullmatch(cell) for cell in header):
        raise InputError(
            f"{path}: has {len(header)} columns without names; name them in the first line, "
            f"and write decimals with a point"
        )
    raise InputError(f"{path}: has {len(header)} columns; choose one with --column: {', '.join(header)}")


def _plain(text: str, separator: str) -> str:
    """A number as other lines have it; where no comma separates, one may be the decimal sign."""
    return text if separator == "," or "." in text else text.replace(",", ".", 1)


def _minutes(where: str, text: str, separator: str) -> float:
    number = _plain(text, separator)
    if not _NUMBER.fullmatch(number) or not 0.0 < float(number) <= MAX_MEAN:
        raise InputError(f"{where}: expected minutes above 0 up to {MAX_MEAN:g}, got {text!r}")
    return float(number)
