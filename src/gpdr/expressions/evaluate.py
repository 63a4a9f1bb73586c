"""The values of a whole forest on columns of data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpdr._threads import map_parts
from gpdr.errors import InputError, unknown_name
from gpdr.expressions.forest import Forest
from gpdr.expressions.functions import Op
from gpdr.expressions.membership import ensure_made_of
from gpdr.expressions.primitives import PrimitiveSet

Data = NDArray[np.float64] | Mapping[str, ArrayLike]

_WORKSPACE = 32_768  # numbers: 256 KB, so that it stays in a core's own cache
_NARROWEST, _WIDEST = 64, 4096  # rows worked on at once


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What trees yield: `values` (individuals, trees, rows), and which trees are finite on every row."""

    values: NDArray[np.float64]
    finite: NDArray[np.bool_]


def evaluate(forest: Forest, primitives: PrimitiveSet, data: Data, threads: int = 1) -> Evaluation:
    """Every tree on every row of data.

    `data` is (rows, columns) in the order of `primitives.columns`, or columns by name: a mapping or a pandas table.
    A value may be infinite or not a number; `finite` tells of which trees none is.
    """
    columns = _columns(primitives, data)
    rows, count = columns.shape[1], len(forest.starts) - 1
    table, evaluator = primitives.table, _evaluator(primitives)
    height = ensure_made_of(forest, primitives)
    widest = max(1, min(_WIDEST, rows, max(_NARROWEST, _WORKSPACE // (len(columns) + 2 * height + 1))))
    values, finite = np.empty((count, rows)), np.empty(count, np.bool_)

    def part(trees: slice) -> None:
        starts = forest.starts[trees.start : trees.stop + 1]
        evaluator(table, forest.codes, forest.values, starts, columns, height, widest, values[trees], finite[trees])

    step = max(1, -(-count // max(1, threads)))
    map_parts(part, [slice(k, min(k + step, count)) for k in range(0, count, step)], threads)
    return Evaluation(values.reshape(len(forest), forest.trees, rows), finite.reshape(len(forest), forest.trees))


def _evaluator(primitives: PrimitiveSet) -> Callable[..., None]:
    own = tuple(function for function in primitives.functions if function.op is Op.USER)
    if own:
        from gpdr.expressions._user_functions import evaluator_with

        return evaluator_with(own)
    from gpdr.expressions._evaluation_kernels import evaluate_built_in

    return evaluate_built_in


def _columns(primitives: PrimitiveSet, data: Data) -> NDArray[np.float64]:
    """The data as one contiguous row for each column, as the kernels read it."""
    names = primitives.columns
    expected = f"data: expected {len(names)} columns ({', '.join(names)})"
    if not isinstance(data, np.ndarray) and hasattr(data, "keys"):  # a pandas table has keys, too
        for name in data:
            if name not in names:
                raise unknown_name("column", name, names)
        missing = [name for name in names if name not in data]
        if missing:
            raise InputError(f"{expected}, but {', '.join(missing)} is missing")
        arrays = [_numbers(data[name], f"column {name}") for name in names]
        try:
            (rows,) = np.broadcast_shapes((1,), *(array.shape for array in arrays))
        except ValueError:
            shapes = ", ".join(f"{name} of shape {array.shape}" for name, array in zip(names, arrays, strict=True))
            raise InputError(f"data: expected columns of one length, got {shapes}") from None
        return np.array([np.broadcast_to(array, rows) for array in arrays]).reshape(len(names), rows)
    table = _numbers(data, "rows")
    if table.ndim != 2 or table.shape[1] != len(names):
        raise InputError(f"{expected}, one row for each case, got an array of shape {table.shape}")
    return np.ascontiguousarray(table.T)


def _numbers(values: Any, what: str) -> NDArray[np.float64]:
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"data: expected numbers in {what}, got texts or lists of several lengths") from None


__all__ = ["Data", "Evaluation", "evaluate"]
