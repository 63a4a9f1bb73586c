"""The compiler, in one place: what every kernel is decorated with, and how arrays are handed on at no cost."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array

A = TypeVar("A")
F = TypeVar("F", bound=Callable[..., Any])

# nogil: threads of ours run kernels side by side. error_model: a division by zero yields inf, never an exception.
# No fastmath: rounding, and with it every result, must not depend on how a loop was vectorised.
_SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
# Beside those named kernels: what kernels call, and modules of constants.
SOURCES = ("_jit.py", "_random.py", "/functions.py", "/terminals.py")


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
        compiled: Any = numba.njit(cache=True, **_SETTINGS, **more)(function)
    except RuntimeError as error:
        if "cannot cache" not in str(error):
            raise
        return cast(F, numba.njit(**_SETTINGS, **more)(function))
    if compiled is not function:  # with the compiler on
        # Numba looks at the kernel's own file only: a change in a kernel that it calls would go unnoticed.
        index = compiled._cache._cache_file
        index._source_stamp = (index._source_stamp, _sources())
    return cast(F, compiled)


@cache
def _sources() -> tuple[tuple[str, int, int], ...]:
    """State of the files that kernels are made of: their own, and those of the constants in them."""
    package = Path(__file__).parent
    names = sorted(path.relative_to(package).as_posix() for path in package.rglob("*.py"))
    states = ((name, (package / name).stat()) for name in names if "kernels" in name or name.endswith(SOURCES))
    return tuple((name, state.st_size, state.st_mtime_ns) for name, state in states)


def uncounted(arrays: A) -> A:
    """The same array, or tuple with arrays, without an owner: for the kernels that a kernel calls, again and again.

    Else each call counts the references to each array, with locked instructions: where kernels are small, that takes a
    third of the time. The caller keeps the memory alive: it has the arrays as arguments, or uses them afterwards.
    """
    return arrays  # without the compiler nothing is gained


@overload(uncounted)
def _uncounted(arrays):  # type: ignore[no-untyped-def]  # Numba compares these arguments with those of the lambda
    return lambda arrays: _without_owner(arrays)  # type: ignore[call-arg]


@intrinsic
def _without_owner(_context: Any, arrays: Any) -> Any:
    """Array structures that know of no one to count for."""

    def view(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.BaseTuple):
            parts = [
                view(context, builder, part, builder.extract_value(value, k)) for k, part in enumerate(cast(Any, kind))
            ]
            return context.make_tuple(builder, kind, parts)
        if not isinstance(kind, types.Array):
            return value
        array: Any = make_array(kind)(context, builder, value=value)  # type: ignore[no-untyped-call]
        array.meminfo = array.parent = array.meminfo.type(None)
        return array._getvalue()

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return view(context, builder, signature.return_type, arguments[0])

    return arrays(arrays), generate
