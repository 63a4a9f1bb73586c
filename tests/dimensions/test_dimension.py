"""Dimensions are exact vectors."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpdr.dimensions import Dimension
from gpdr.dimensions.linear import solve

FRACTIONS = st.fractions(min_value=-5, max_value=5, max_denominator=12)
DIMENSIONS = st.tuples(FRACTIONS, FRACTIONS, FRACTIONS).map(Dimension)


@given(a=DIMENSIONS, b=DIMENSIONS)
def test_products_and_quotients_undo_one_another(a: Dimension, b: Dimension) -> None:
    assert a * b / b == a
    assert (a**2) ** Fraction(1, 2) == a
    assert a * b == b * a
    assert not a / a


@given(a=DIMENSIONS, b=DIMENSIONS, c=DIMENSIONS)
def test_distance_is_a_metric(a: Dimension, b: Dimension, c: Dimension) -> None:
    assert a.distance(b) == b.distance(a) >= 0
    assert (a.distance(b) == 0) == (a == b)
    assert a.distance(c) <= a.distance(b) + b.distance(c)
    assert a.distance(a.midway(b)) == a.distance(b) / 2


def test_literature_check() -> None:
    """max of a weight and a time is 2 apart in units of weight and time."""
    assert Dimension.of([1, 0]).distance(Dimension.of([0, 1])) == 2


def test_only_plain_numbers_are_false() -> None:
    assert not Dimension.none(3)
    assert Dimension.of([0, "1/2", 0])
    assert len(Dimension.none(3)) == 3


def test_vectors_of_different_length_do_not_mix() -> None:
    with pytest.raises(ValueError, match="zip"):
        Dimension.of([1]) * Dimension.of([1, 2])


def vector(*entries: int) -> dict[str, Fraction]:
    return {f"e{k}": Fraction(entry) for k, entry in enumerate(entries) if entry}


def test_linear_systems() -> None:
    assert solve([vector(2, 0), vector(0, 3)], vector(1, 1)) == [Fraction(1, 2), Fraction(1, 3)]
    assert solve([vector(1, 1), vector(1, 1)], vector(2, 2)) == [2, 0]
    assert solve([vector(1, 1)], vector(1, 2)) is None
    assert solve([], vector(1)) is None
    assert solve([], {}) == []


@given(
    columns=st.lists(st.tuples(*(st.integers(-3, 3),) * 4), max_size=4),
    factors=st.lists(FRACTIONS, min_size=4, max_size=4),
)
def test_a_solution_solves(columns: list[tuple[int, ...]], factors: list[Fraction]) -> None:
    vectors = [vector(*column) for column in columns]
    wanted = {
        f"e{k}": sum((x * column[k] for x, column in zip(factors, columns, strict=False)), Fraction(0))
        for k in range(4)
    }
    solution = solve(vectors, wanted)
    assert solution is not None
    for k in range(4):
        assert sum((x * c[k] for x, c in zip(solution, columns, strict=True)), Fraction(0)) == wanted[f"e{k}"]
