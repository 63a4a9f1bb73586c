"""Linear systems in fractions, solved exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction


def solve(columns: Sequence[Mapping[str, Fraction]], wanted: Mapping[str, Fraction]) -> list[Fraction] | None:
    """Numbers x with the sum of x[k] times columns[k] equal to `wanted`; None where there are none.

    Vectors are given by their entries other than zero. Where several solutions exist, free unknowns are zero.
    """
    entries = sorted({entry for vector in (*columns, wanted) for entry in vector})
    zero = Fraction(0)
    rows = [[*(c.get(entry, zero) for c in columns), wanted.get(entry, zero)] for entry in entries]
    pivots: list[int] = []
    for unknown in range(len(columns)):
        top = len(pivots)
        pivot = next((r for r in range(top, len(rows)) if rows[r][unknown]), None)
        if pivot is None:
            continue
        rows[top], rows[pivot] = rows[pivot], rows[top]
        rows[top] = [value / rows[top][unknown] for value in rows[top]]
        for r in range(len(rows)):
            if r != top and rows[r][unknown]:
                rows[r] = [a - rows[r][unknown] * b for a, b in zip(rows[r], rows[top], strict=True)]
        pivots.append(unknown)
    if any(row[-1] for row in rows[len(pivots) :]):
        return None
    solution = [zero] * len(columns)
    for row, unknown in enumerate(pivots):
        solution[unknown] = rows[row][-1]
    return solution
