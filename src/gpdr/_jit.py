"""Compiler settings, in one place: every kernel is decorated with one of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

# nogil: threads of ours run kernels side by side. error_model: a division by zero yields inf, never an exception.
# No fastmath: rounding, and with it every result, must not depend on how a loop was vectorised.
_SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Compile a kernel; the machine code is cached on disk."""
    return _compiled(function)


def inlined(function: F) -> F:
    """Compile a small helper of kernels into its callers."""
    return _compiled(function, inline="always")


def local_kernel(function: F) -> F:
    """Compile a kernel that closes over functions of a user: nothing that a disk cache could recognise."""
    return cast(F, numba.njit(**_SETTINGS)(function))


def _compiled(function: F, **more: Any) -> F:
    """Cached on disk, or for this process only where no directory can be written."""
    try:
        return cast(F, numba.njit(cache=True, **_SETTINGS, **more)(function))
    except RuntimeError as error:
        if "cannot cache" not in str(error):
            raise
        return cast(F, numba.njit(**_SETTINGS, **more)(function))
