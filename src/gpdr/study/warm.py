"""Loaded once before workers are forked: every kernel compiled or read from the cache, one thread a process."""

from __future__ import annotations

import os
from contextlib import suppress

# Before NumPy is imported: its linear algebra would start threads of its own in every worker.
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"


def warm() -> None:
    """Carries a tiny run of every method out; what comes of it does not matter, what is loaded does."""
    from gpdr.clinic import Clinic
    from gpdr.evolution.methods import METHODS
    from gpdr.study.job import REFERENCES, Cell, Job
    from gpdr.study.runner import run_appointment

    parameters = {"population": 16, "generations": 2, "replications": 64}
    for walk_in in (0.0, 0.15):
        clinic = Clinic(patients=4, mean_service=10.0, cv=0.5, walk_in=walk_in)
        problem = {"clinic": clinic.as_dict(), "test": {"replications": 64, "seed": 1}}
        for method in (*METHODS, REFERENCES):
            cell = Cell(problem, method, {} if method == REFERENCES else parameters, "warm", method)
            run_appointment(Job(cell, 1))


with suppress(Exception):  # whatever is wrong shows in the runs themselves, with its traceback
    warm()
