"""Whether a primitive set has any consistent expression of a dimension at all.

The dimensions of consistent expressions are what the terminals' dimensions generate. Quotients make a group of it
(d / d is a plain number), products alone sums with counts of at least 0, squares alone doubles; roots allow halves.
Without quotients, whether a dimension is such a sum is an integer programme.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from gpdr.dimensions import Dimension
from gpdr.errors import InputError
from gpdr.expressions.functions import Rule
from gpdr.expressions.primitives import PrimitiveSet

Row = list[int]
_UNBOUNDED = 3  # status of scipy.optimize.linprog


def ensure_reachable(primitives: PrimitiveSet, targets: Sequence[Dimension]) -> None:
    """Refuse targets that no expression of the set can have, before any time is spent on the search for one."""
    for target in targets:
        if not reachable(primitives, target):
            known = ", ".join(dict.fromkeys(primitives.units.text(d) for d in _terminal_dimensions(primitives)))
            functions = ", ".join(function.name for function in primitives.functions) or "no functions"
            raise InputError(
                f"target {primitives.units.text(target)!r}: no consistent expression of primitive set "
                f"{primitives.name!r} has it; its terminals have {known}, its functions are {functions}; "
                f"add a terminal or a function"
            )


def reachable(primitives: PrimitiveSet, target: Dimension) -> bool:
    """Whether some consistent expression of the set's functions and terminals has this dimension."""
    offered = {function.rule for function in primitives.functions}
    known = list(dict.fromkeys(_terminal_dimensions(primitives)))
    if target in known:
        return True
    halves = Rule.ROOT in offered
    if Rule.QUOTIENT in offered:
        return _in_group(known, target, halves)
    if Rule.PRODUCT in offered:
        return _is_sum(known, target, halves)
    return any(_is_power(d, target, Rule.SQUARE in offered, halves) for d in known)


def _terminal_dimensions(primitives: PrimitiveSet) -> Iterator[Dimension]:
    """Of all terminals that may be drawn; the literal number cannot."""
    for code in range(len(primitives.functions), primitives.literal):
        dimension = primitives.dimensions[code]
        assert dimension is not None
        yield dimension


def _is_power(d: Dimension, target: Dimension, doubles: bool, halves: bool) -> bool:
    """Whether the target is d times a power of 2, of those that can be had."""
    k = next((k for k, e in enumerate(d.exponents) if e), None)
    if k is None or not target.exponents[k] / d.exponents[k] > 0:
        return False
    ratio = target.exponents[k] / d.exponents[k]
    if d**ratio != target or not (_power_of_two(ratio.numerator) and _power_of_two(ratio.denominator)):
        return False
    return (ratio >= 1 or halves) and (ratio <= 1 or doubles)


def _power_of_two(n: int) -> bool:
    return n > 0 and n & (n - 1) == 0


def _in_group(generators: Sequence[Dimension], target: Dimension, halves: bool) -> bool:
    """Whether the target is a sum of generators, each with a whole number, or a whole number over a power of 2."""
    scale = lcm(1, *(e.denominator for d in (*generators, target) for e in d.exponents))
    rows = _echelon([[int(e * scale) for e in d.exponents] for d in generators])
    left = [Fraction(e * scale) for e in target.exponents]
    for row in rows:
        k = next(k for k, e in enumerate(row) if e)
        share = left[k] / row[k]
        if not (_power_of_two(share.denominator) if halves else share.denominator == 1):
            return False
        left = [a - share * b for a, b in zip(left, row, strict=True)]
    return not any(left)


def _echelon(rows: list[Row]) -> list[Row]:
    """A basis of the lattice that whole rows generate, each row starting further right (Hermite's form)."""
    basis: list[Row] = []
    for column in range(len(rows[0]) if rows else 0):
        while len(started := [row for row in rows if row[column]]) > 1:
            pivot = min(started, key=lambda row: abs(row[column]))
            rows = [
                row if row is pivot else [a - row[column] // pivot[column] * b for a, b in zip(row, pivot, strict=True)]
                for row in rows
            ]
        if started:
            basis.append(started[0])
            rows = [row for row in rows if row is not started[0]]
    return basis


def _is_sum(generators: Sequence[Dimension], target: Dimension, halves: bool) -> bool:
    """Whether the target is a sum of generators, each with a count of at least 0 and some count above it.

    With halves, counts over powers of 2 will do. Those lie densely in the rational solutions if there is one at all:
    so it is enough that rational counts exist, and that the generators which can take part reach the target as a
    group with halves.
    """
    from scipy.optimize import LinearConstraint, milp

    scale = lcm(1, *(e.denominator for d in (*generators, target) for e in d.exponents))
    columns = np.array([[float(e * scale) for e in d.exponents] for d in generators]).T
    wanted = np.array([float(e * scale) for e in target.exponents])
    count = len(generators)
    if not halves:
        rows = LinearConstraint(np.vstack([columns, np.ones(count)]), [*wanted, 1.0], [*wanted, np.inf])
        return bool(milp(np.ones(count), integrality=np.ones(count, np.int64), constraints=rows).success)
    part = _takes_part(columns, wanted)
    return bool(part) and _in_group([generators[k] for k in part], target, True)


def _takes_part(columns: NDArray[np.float64], wanted: NDArray[np.float64]) -> list[int]:
    """The generators that have a positive count in some rational solution."""
    from scipy.optimize import linprog

    part = []
    for k in range(columns.shape[1]):
        objective = np.zeros(columns.shape[1])
        objective[k] = -1.0
        found = linprog(objective, A_eq=columns, b_eq=wanted, bounds=(0, None))
        if found.status == _UNBOUNDED or (found.fun is not None and found.fun < -1e-9):
            part.append(k)
    return part
