"""Timetables as tests need them: near to sensible ones, and wild."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpdr.clinic import Clinic, timetables


def near(clinic: Clinic, count: int, seed: int = 1) -> NDArray[np.float64]:
    """Timetables around one mean service for each patient."""
    noise = np.random.default_rng(seed).normal(size=(count, clinic.patients))
    return timetables((np.arange(clinic.patients) + 0.3 * noise) * clinic.mean_service, clinic.session)


def wild(clinic: Clinic, count: int, seed: int = 1) -> NDArray[np.float64]:
    """Timetables of any density: all at once, all late, and what lies between."""
    generator = np.random.default_rng(seed)
    slope, shift = generator.uniform(0, 1.5, (count, 1)), generator.normal(size=(count, 1))
    return timetables((np.arange(clinic.patients) * slope + shift) * clinic.mean_service, clinic.session)
