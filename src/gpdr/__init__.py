"""Appointment rules that clinics can read and trust: genetic programming with dimension repair."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gpdr._version import __version__

if TYPE_CHECKING:
    from gpdr.clinic import Clinic, Rule, classical_rules, compare, optimum, simulate
    from gpdr.clinic.problem import evolve
    from gpdr.consistency import check, repair

__all__ = [
    "Clinic",
    "Rule",
    "__version__",
    "check",
    "classical_rules",
    "compare",
    "evolve",
    "optimum",
    "repair",
    "simulate",
]

# The rooms are entered on first use, so that `import gpdr` and `gpdr --help` answer at once.
_ROOMS = {
    "Clinic": "gpdr.clinic",
    "Rule": "gpdr.clinic",
    "classical_rules": "gpdr.clinic",
    "compare": "gpdr.clinic",
    "optimum": "gpdr.clinic",
    "simulate": "gpdr.clinic",
    "evolve": "gpdr.clinic.problem",
    "check": "gpdr.consistency",
    "repair": "gpdr.consistency",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'gpdr' has no attribute {name!r}; it offers {', '.join(__all__)}")
    value = getattr(import_module(_ROOMS[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
