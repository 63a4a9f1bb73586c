"""Mean and spread of services from past consultation times, and how well a lognormal describes them."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gpdr.clinic.performance import Figure
from gpdr.clinic.service import MAX_MEAN
from gpdr.errors import InputError, unknown_name

_FEWEST = 8
# Shapiro and Wilk's test is tabulated up to here; of more values these many are taken at even distances.
_MOST_TESTED = 5_000


@dataclass(frozen=True)
class ServiceEstimate:
    """What past consultation times say of a clinic's services."""

    count: int
    mean: Figure
    cv: Figure
    # Largest distance between the sample's distribution and the lognormal of the same logarithmic mean and spread.
    distance: float
    # How likely logarithms at least as far from normal are, were the services lognormal (Shapiro and Wilk).
    p_value: float

    @property
    def verdict(self) -> str:
        """How well the lognormal fits, in words."""
        if self.p_value >= 0.05:
            return "a lognormal fits: nothing in the sample speaks against it"
        if self.distance <= 0.05:
            return "a lognormal fits well enough for planning, though not exactly"
        return "a lognormal fits badly: use the sample itself as the service distribution"

    def as_dict(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "mean_service": self.mean.as_dict(),
            "cv": self.cv.as_dict(),
            "lognormal": {"distance": self.distance, "p_value": self.p_value, "verdict": self.verdict},
        }


def estimate(minutes: list[float]) -> ServiceEstimate:
    """Estimate mean and coefficient of variation from at least eight consultation times."""
    from scipy import stats

    if len(minutes) < _FEWEST:
        raise InputError(f"consultation times: expected at least {_FEWEST}, got {len(minutes)}")
    values = np.array(minutes, np.float64)
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    if sd == 0.0:
        raise InputError("consultation times: all are the same; choose --service deterministic")
    logs = np.sort(np.log(values))
    distance = stats.kstest(logs, "norm", args=(logs.mean(), logs.std(ddof=1))).statistic
    tested = logs[np.linspace(0, logs.size - 1, min(logs.size, _MOST_TESTED)).astype(int)]
    p_value = stats.shapiro(tested).pvalue
    return ServiceEstimate(
        count=values.size,
        mean=Figure.from_error(mean, sd / math.sqrt(values.size)),
        cv=Figure.from_error(sd / mean, _cv_error(values)),
        distance=float(distance),
        p_value=float(p_value),
    )


def _cv_error(values: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """Standard error of the coefficient of variation, from the sample's own moments (delta method)."""
    mean, n = values.mean(), values.size
    centred = values - mean
    variance = float((centred**2).mean())
    cv = math.sqrt(variance) / mean
    influence = centred**2 / (2 * math.sqrt(variance) * mean) - cv / 2 - cv * centred / mean
    return float(np.sqrt((influence**2).mean() / n))


def read_minutes(path: str | Path, column: str | None = None) -> list[float]:
    """Consultation times from a column of a CSV file; a file of one column needs no name."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if any(cell.strip() for cell in row)]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a CSV file: {error}") from None
    if not rows:
        raise InputError(f"{path}: expected consultation times, the file is empty")
    header = [cell.strip() for cell in rows[0]]
    place = _column(path, header, column)
    named = column is not None or not _is_number(header[place])
    return [_minutes(path, line, row, place) for line, row in enumerate(rows, start=1) if line > 1 or not named]


def _column(path: str | Path, header: list[str], column: str | None) -> int:
    if column is not None:
        if column not in header:
            raise unknown_name(f"column of {path}", column, header)
        return header.index(column)
    if len(header) > 1:
        raise InputError(f"{path}: has {len(header)} columns; choose one with --column: {', '.join(header)}")
    return 0


def _minutes(path: str | Path, line: int, row: list[str], place: int) -> float:
    text = row[place].strip() if place < len(row) else ""
    if not _is_number(text) or not 0.0 < float(text) <= MAX_MEAN:
        raise InputError(f"{path}, row {line}: expected minutes above 0 up to {MAX_MEAN:g}, got {text!r}")
    return float(text)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
