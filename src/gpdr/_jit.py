"""Compiler settings, in one place: every kernel is decorated with one of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

# nogil: threads of ours run kernels side by side. error_model: a division by zero yields inf, never an exception.
# No fastmath: rounding, and with it every result, must not depend on how a loop was vectorised.
_SETTINGS: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Compile a kernel; the machine code is cached on disk."""
    return cast(F, numba.njit(**_SETTINGS)(function))


def inlined(function: F) -> F:
    """Compile a small helper of kernels into its callers."""
    return cast(F, numba.njit(inline="always", **_SETTINGS)(function))


def local_kernel(function: F) -> F:
    """Compile a kernel that closes over functions of a user: nothing that a disk cache could recognise."""
    return cast(F, numba.njit(**{**_SETTINGS, "cache": False})(function))
