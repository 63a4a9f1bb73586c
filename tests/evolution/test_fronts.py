"""Pareto fronts against their definition, and by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpdr.evolution.fronts import crowding, front_numbers, nearest_to_ideal, non_dominated

POINTS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=25)


def dominates(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] <= b[0] and a[1] <= b[1] and a != b


@given(POINTS)
def test_nobody_dominates_the_non_dominated(points: list[tuple[int, int]]) -> None:
    first, second = np.array(points, float).T
    expected = [not any(dominates(q, p) for q in points) for p in points]
    assert non_dominated(first, second).tolist() == expected


@given(POINTS)
def test_every_front_is_dominated_by_the_one_before(points: list[tuple[int, int]]) -> None:
    first, second = np.array(points, float).T
    fronts = front_numbers(first, second)
    for p, front in zip(points, fronts, strict=True):
        above = [n for q, n in zip(points, fronts, strict=True) if dominates(q, p)]
        assert front == (max(above) + 1 if above else 0)


def test_infinite_costs_are_ordered_too() -> None:
    assert front_numbers(np.array([np.inf, 1.0, np.inf]), np.array([3.0, 3.0, 4.0])).tolist() == [1, 0, 2]
    assert front_numbers(np.array([np.inf, np.inf]), np.array([np.inf, np.inf])).tolist() == [0, 0]
    assert non_dominated(np.empty(0), np.empty(0)).tolist() == []


def test_crowding_by_hand() -> None:
    # Deb's figure: the ends are infinitely far apart, in between half the cuboid's perimeter, axes scaled.
    distance = crowding(np.array([0.0, 1.0, 4.0]), np.array([8.0, 4.0, 0.0]))
    assert distance.tolist() == [np.inf, 2.0, np.inf]
    assert crowding(np.array([1.0, 1.0, 1.0]), np.array([2.0, 2.0, 2.0]))[1] == 0.0


def test_nearest_to_ideal_scales_both_axes_to_the_front() -> None:
    cost, gap = np.array([10.0, 10.2, 10.9, 11.0, 40.0]), np.array([9.0, 2.0, 1.5, 0.0, 5.0])
    # The dominated 40 must not stretch the axis: scaled, the members are (0, 1), (.2, .22), (.9, .17), (1, 0).
    assert nearest_to_ideal(cost, gap) == 1
    assert nearest_to_ideal(np.array([5.0]), np.array([3.0])) == 0
    assert nearest_to_ideal(np.array([5.0, 4.0]), np.array([3.0, 3.0])) == 1
