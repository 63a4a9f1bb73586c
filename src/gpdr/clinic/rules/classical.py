"""The rules that clinics and the literature have used: appointment times of patients 0 … P-1 in closed form."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gpdr.clinic.clinic import Clinic
from gpdr.clinic.rules.rule import Rule

Times = NDArray[np.floating]


def _ibfi(clinic: Clinic) -> Times:
    """Individual block, fixed interval (Bailey and Welch 1952, without the second patient at the start)."""
    return np.arange(clinic.patients) * clinic.mean_service


def _two_beg(clinic: Clinic) -> Times:
    """Two at the beginning, then one each mean service (Bailey and Welch 1952)."""
    i = np.arange(clinic.patients)
    return np.maximum(i - 1, 0) * clinic.mean_service


def _mbfi(clinic: Clinic) -> Times:
    """Multiple block, fixed interval: two patients every two mean services."""
    i = np.arange(clinic.patients)
    return (i - i % 2) * clinic.mean_service


def _offset(clinic: Clinic) -> Times:
    """Patients before the k-th come earlier than the mean service says, those after later (Ho and Lau 1992)."""
    i, k = np.arange(clinic.patients), math.floor(0.4 * clinic.patients + 0.5)
    return i * clinic.mean_service + np.where(i <= k, 0.15, 0.3) * (i - k) * clinic.sd


def _dome(clinic: Clinic) -> Times:
    """Intervals that grow towards the middle of the session and shrink at its end (Cayirli, Veral and Rosen 2006)."""
    i, k1, k2 = np.arange(clinic.patients), 4, 8
    slack = np.select([i <= k1, i <= k2], [0.15 * (i - k1), 0.3 * (i - k1)], -0.05 * (i - k2))
    return i * clinic.mean_service + slack * clinic.sd


def _rule7(clinic: Clinic) -> Times:
    """Two at the beginning, then intervals a little longer than the mean service (Yang, Lau and Quek 1998)."""
    i = np.arange(clinic.patients)
    return np.maximum(i - 1, 0) * (clinic.mean_service + 0.3 * clinic.sd)


_FORMULAS: dict[str, Callable[[Clinic], Times]] = {
    "IBFI": _ibfi,
    "2BEG": _two_beg,
    "MBFI": _mbfi,
    "OFFSET": _offset,
    "DOME": _dome,
    "RULE7": _rule7,
}
CLASSICAL_NAMES = tuple(_FORMULAS)


def classical_rules() -> list[Rule]:
    """The six, in the order of the published tables.

    OFFSET keeps times past the session's end: only so do the published figures of it come out.
    """
    return [Rule(name, formula, past_session=name == "OFFSET") for name, formula in _FORMULAS.items()]
