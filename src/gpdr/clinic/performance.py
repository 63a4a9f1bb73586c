"""What a timetable does in a clinic: figures with their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

# The normal quantile of a two-sided 95 % interval; Student's comes near it where there are so many values.
_Z95 = 1.959963984540054
_MANY = 200


@dataclass(frozen=True)
class Figure:
    """A mean and its 95 % confidence interval.

    Attributes:
        mean: The mean.
        ci95: Both ends of the interval.
    """

    mean: float
    ci95: tuple[float, float]

    @classmethod
    def from_error(cls, mean: float, standard_error: float, count: int) -> Figure:
        """A figure from its mean and standard error, which come from `count` values."""
        half = _quantile(count) * standard_error
        return cls(mean, (mean - half, mean + half))

    @classmethod
    def from_moments(cls, count: int, total: float, squares: float) -> Figure:
        """The figure of `count` independent values, two or more, with this sum and sum of squares."""
        mean = float(total) / count
        variance = max(0.0, float(squares) / count - mean * mean) * count / (count - 1)
        return cls.from_error(mean, math.sqrt(variance / count), count)

    def as_dict(self) -> dict[str, Any]:
        return {"mean": self.mean, "ci95": list(self.ci95)}


def _quantile(count: int) -> float:
    """Of a two-sided 95 % interval from so many values."""
    if count >= _MANY:
        return _Z95
    from scipy.special import stdtrit

    return float(stdtrit(count - 1, 0.975))


@dataclass(frozen=True)
class Performance:
    """Costs of a timetable, minutes per patient served unless said otherwise; each figure with its interval.

    Attributes:
        total_cost: Waiting, and idling and overtime weighed by the cost ratio.
        wait: From appointment, or arrival of a walk-in, to the start of the consultation.
        idle: The doctor's idle time.
        overtime: Time worked after the session's end.
        session_overtime: How long after its end a session goes on, minutes.
        wait_scheduled: The wait of scheduled patients.
        wait_walk_in: The wait of walk-ins.
        wait_by_position: That of the patient at each place of the timetable, when he shows up; None if he hardly did.
        replications: How many sessions were simulated.
    """

    total_cost: Figure
    wait: Figure
    idle: Figure
    overtime: Figure
    session_overtime: Figure
    wait_scheduled: Figure | None
    wait_walk_in: Figure | None
    wait_by_position: tuple[Figure | None, ...]
    replications: int

    def as_dict(self) -> dict[str, Any]:
        """The figures under the names of the JSON contract, and the rest."""

        def plain(figure: Figure | None) -> dict[str, Any] | None:
            return None if figure is None else figure.as_dict()

        return {
            "total_cost": self.total_cost.as_dict(),
            "wait": self.wait.as_dict(),
            "idle": self.idle.as_dict(),
            "overtime": self.overtime.as_dict(),
            "session_overtime": self.session_overtime.as_dict(),
            "wait_scheduled": plain(self.wait_scheduled),
            "wait_walk_in": plain(self.wait_walk_in),
            "wait_by_position": [plain(figure) for figure in self.wait_by_position],
        }
