"""Mean and spread of services from past consultation times, and how well a lognormal describes them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpdr.clinic.performance import Figure
from gpdr.clinic.service import checked_minutes
from gpdr.errors import InputError

_FEWEST = 8
# Shapiro and Wilk's test is tabulated up to here; of more values these many are taken at even distances.
_MOST_TESTED = 5_000
# Where within its rounding each time lies, and how often mean and spread are taken again from times so placed.
_IN_BETWEEN, _MORE_EXACT = 0x0E57, 10


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
    values = np.array(checked_minutes("consultation times", minutes), np.float64)
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    if sd == 0.0:
        raise InputError("consultation times: all are the same; choose --service deterministic")
    logs = np.sort(_unrounded_logs(values))
    distance = stats.kstest(logs, "norm", args=(logs.mean(), logs.std(ddof=1))).statistic
    tested = logs[np.linspace(0, logs.size - 1, min(logs.size, _MOST_TESTED)).astype(int)]
    p_value = stats.shapiro(tested).pvalue
    return ServiceEstimate(
        count=values.size,
        mean=Figure.from_error(mean, sd / math.sqrt(values.size), values.size),
        cv=Figure.from_error(sd / mean, _cv_error(values), values.size),
        distance=float(distance),
        p_value=float(p_value),
    )


def _unrounded_logs(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of times as they may have been before they were noted to the minute, or to five.

    Each lies where a lognormal has it, within what was rounded to the value: ties would speak against any lognormal.
    """
    from scipy.special import ndtr, ndtri

    hundredths = values * 100
    if (abs(hundredths - np.rint(hundredths)) > 1e-6).any():
        return np.log(values)
    step = np.gcd.reduce(np.rint(hundredths).astype(int)) / 100
    low = np.log(np.where(values > step, values - step / 2, 1e-9))  # nobody notes a time as 0
    high, logs = np.log(values + step / 2), np.log(values)
    where = np.random.default_rng(_IN_BETWEEN).random(values.size)
    for _ in range(_MORE_EXACT):
        mean, sd = logs.mean(), logs.std()
        below, above = ndtr((low - mean) / sd), ndtr((high - mean) / sd)
        logs = mean + sd * ndtri(np.clip(below + where * (above - below), 1e-15, 1 - 1e-15))
    exact: NDArray[np.float64] = logs
    return exact


def _cv_error(values: NDArray[np.float64]) -> float:
    """Standard error of the coefficient of variation, from the sample's own moments (delta method)."""
    mean, n = values.mean(), values.size
    centred = values - mean
    variance = float((centred**2).mean())
    cv = math.sqrt(variance) / mean
    influence = centred**2 / (2 * math.sqrt(variance) * mean) - cv / 2 - cv * centred / mean
    return float(np.sqrt((influence**2).mean() / n))
