"""A rule: for any clinic, the times at which its patients are told to come."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpdr.clinic.clinic import Clinic
from gpdr.clinic.timetable import timetable


@dataclass(frozen=True)
class Rule:
    """A named rule. `formula` says raw appointment times; `times` makes a timetable of them."""

    name: str
    formula: Callable[[Clinic], NDArray[np.floating]]
    # Patients may be told to come after the session's end.
    past_session: bool = False

    def times(self, clinic: Clinic) -> NDArray[np.float64]:
        """The clinic's timetable by this rule, minutes from the start."""
        return timetable(self.formula(clinic), math.inf if self.past_session else clinic.session)
