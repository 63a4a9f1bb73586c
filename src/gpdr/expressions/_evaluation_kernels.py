"""Evaluation of whole forests: each node works on a block of rows at once. The twins are in reference.py."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import inlined, kernel
from gpdr.expressions.forest import Codes, Starts, Values
from gpdr.expressions.functions import DIVISION_BY_ZERO, SMALLEST_DENOMINATOR, Op
from gpdr.expressions.primitives import PrimitiveTable

Matrix = NDArray[np.float64]

_ADD, _SUB, _MUL, _DIV, _MAX, _MIN, _SQ, _SQRT, _IF, _USER = (int(op) for op in Op)


@kernel
def stack_height(table: PrimitiveTable, codes: Codes, starts: Starts) -> int:
    """The most values that wait at once when trees are evaluated from right to left; -1 - k if tree k is none."""
    highest = 0
    for k in range(len(starts) - 1):
        if starts[k] < 0 or starts[k + 1] > len(codes):
            return -1 - k
        height = 0
        for node in range(starts[k + 1] - 1, starts[k] - 1, -1):
            code = codes[node]
            if code < 0 or code >= len(table.arity) or height < table.arity[code]:
                return -1 - k
            height += 1 - table.arity[code]
            highest = max(highest, height)
        if height != 1:
            return -1 - k
    return highest


@kernel
def apply_built_in(op: int, work: Matrix, out: int, a: int, b: int, c: int, count: int) -> None:
    """Row `out` of the workspace becomes op of rows a, b, c; `out` is none of them, so that loops become vectors."""
    if op == _ADD:
        for j in range(count):
            work[out, j] = work[a, j] + work[b, j]
    elif op == _SUB:
        for j in range(count):
            work[out, j] = work[a, j] - work[b, j]
    elif op == _MUL:
        for j in range(count):
            work[out, j] = work[a, j] * work[b, j]
    elif op == _DIV:
        for j in range(count):
            work[out, j] = DIVISION_BY_ZERO if abs(work[b, j]) < SMALLEST_DENOMINATOR else work[a, j] / work[b, j]
    elif op == _MAX:
        for j in range(count):
            work[out, j] = work[a, j] if work[a, j] > work[b, j] else work[b, j]
    elif op == _MIN:
        for j in range(count):
            work[out, j] = work[a, j] if work[a, j] < work[b, j] else work[b, j]
    elif op == _SQ:
        for j in range(count):
            work[out, j] = work[a, j] * work[a, j]
    elif op == _SQRT:
        for j in range(count):
            work[out, j] = np.sqrt(abs(work[a, j]))
    else:
        for j in range(count):
            work[out, j] = work[b, j] if work[a, j] > 0.0 else work[c, j]


@inlined
def walk(
    apply: Callable[..., None],
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
    """Every tree on every row, `block` rows at a time; `apply` is a compiled function such as apply_built_in.

    Workspace rows: the columns of the data, then two for each place on the stack, used in turns. An entry of the
    stack is the workspace row that holds a value, so a column is never copied.
    """
    columns, rows = data.shape  # copied number by number: for an array assigned to another, Numba compiles for seconds
    work = np.zeros((columns + 2 * height, block))
    stack = np.empty(height + 1, np.int64)
    finite[:] = True
    for begin in range(0, rows, block):
        count = min(block, rows - begin)
        for column in range(columns):
            for j in range(count):
                work[column, j] = data[column, begin + j]
        for k in range(len(starts) - 1):
            top = -1
            for node in range(starts[k + 1] - 1, starts[k] - 1, -1):
                code = codes[node]
                arity = table.arity[code]
                if arity == 0:
                    top += 1
                    stack[top] = table.column[code]
                    if stack[top] < 0:
                        stack[top] = columns + 2 * top
                        for j in range(count):
                            work[stack[top], j] = values[node]
                    continue
                a = stack[top]
                b = stack[top - 1] if arity > 1 else a
                c = stack[top - 2] if arity > 2 else a
                top -= arity - 1
                free = columns + 2 * top
                if stack[top] == free:
                    free += 1
                apply(table.op[code], work, free, a, b, c, count)
                stack[top] = free
            root = stack[0]
            endless = 0
            for j in range(count):
                out[k, begin + j] = work[root, j]
                endless += not np.isfinite(work[root, j])
            finite[k] &= endless == 0


@kernel
def evaluate_built_in(
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
    """Trees of built-in functions only: out[k, row] and whether all of tree k's values are finite."""
    walk(apply_built_in, table, codes, values, starts, data, height, block, out, finite)
