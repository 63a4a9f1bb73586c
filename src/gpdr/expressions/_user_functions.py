"""Evaluation with functions of the user's own: compiled once for each tuple of them, kept for the process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from inspect import isfunction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import local_kernel
from gpdr.errors import InputError
from gpdr.expressions._evaluation_kernels import Matrix, apply_built_in, walk
from gpdr.expressions.forest import Codes, Starts, Values
from gpdr.expressions.functions import Function, Op
from gpdr.expressions.primitives import PrimitiveTable

_USER = int(Op.USER)


@cache
def evaluator_with(functions: tuple[Function, ...]) -> Callable[..., None]:
    """A kernel like evaluate_built_in that knows these functions as Op.USER + 0, 1, …"""
    compute = reduce(_linked, enumerate(functions), _none)

    @local_kernel
    def apply(op: int, work: Matrix, out: int, a: int, b: int, c: int, count: int) -> None:
        if op < _USER:
            apply_built_in(op, work, out, a, b, c, count)
        else:
            for j in range(count):
                work[out, j] = compute(op - _USER, work[a, j], work[b, j], work[c, j])

    @local_kernel
    def evaluate(
        table: PrimitiveTable,
        codes: Codes,
        values: Values,
        starts: Starts,
        data: Matrix,
        height: int,
        block: int,
        out: Matrix,
        finite: NDArray[np.bool_],
    ) -> None:
        walk(apply, table, codes, values, starts, data, height, block, out, finite)

    return evaluate


@local_kernel
def _none(index: int, a: float, b: float, c: float) -> float:
    """The chain's end, never reached: every user function of a set has a link."""
    return np.nan


def _linked(previous: Callable[..., float], item: tuple[int, Function]) -> Callable[..., float]:
    """The chain with one more function: if it is the wanted one, compute, else ask the links before."""
    position, function = item
    own = _compiled(function)
    if function.arity == 1:

        @local_kernel
        def link(index: int, a: float, b: float, c: float) -> float:
            return own(a) if index == position else previous(index, a, b, c)

    elif function.arity == 2:

        @local_kernel
        def link(index: int, a: float, b: float, c: float) -> float:
            return own(a, b) if index == position else previous(index, a, b, c)

    else:

        @local_kernel
        def link(index: int, a: float, b: float, c: float) -> float:
            return own(a, b, c) if index == position else previous(index, a, b, c)

    return link


def _compiled(function: Function) -> Callable[..., float]:
    """The user's function compiled, and called once so that what Numba dislikes is found here."""
    own: Any = function.compute
    if isfunction(own):  # others, such as math.exp, Numba knows or refuses as they are
        own = local_kernel(own)

    @local_kernel
    def as_float(*inputs: float) -> float:
        return float(own(*inputs))

    try:
        as_float(*(0.5,) * function.arity)
    except Exception as error:
        inputs = "1 float" if function.arity == 1 else f"{function.arity} floats"
        raise InputError(
            f"function {function.name!r}: compute must take {inputs}, give one, and be Python that Numba compiles:"
            " arithmetic, conditions, functions of math and numpy"
        ) from error
    return as_float


__all__ = ["evaluator_with"]
