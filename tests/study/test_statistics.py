"""Tests and effect sizes, against worked examples and against each other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpdr.study.statistics import Comparison, against_method, against_value, can_differ, corrected, holm, ranking

# Hollander and Wolfe (1973), depression scores before and after; R's wilcox.test gives V = 40, two-sided p = 0.03906.
BEFORE = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]


def test_signed_rank_gives_the_textbook_value() -> None:
    found = against_method(AFTER, BEFORE)
    assert found.p == pytest.approx(0.03906, abs=1e-5)
    assert found.effect == pytest.approx(-(40 - 5) / 45)
    assert found.difference == pytest.approx(np.mean(AFTER) - np.mean(BEFORE))
    assert found.mark == "+"
    assert against_method(BEFORE, AFTER).mark == "-"


def test_t_test_gives_the_textbook_value() -> None:
    # "Student" (1908), extra sleep with drug 2; R's t.test gives t = 3.6799, p = 0.005076.
    sleep = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = against_value(sleep, 0.0)
    assert found.p == pytest.approx(0.005076, abs=1e-6)
    assert found.effect == pytest.approx(3.6799 / math.sqrt(10), abs=1e-4)
    assert found.mark == "-"


def test_equal_figures_are_equal() -> None:
    assert against_method([1.0, 2.0], [1.0, 2.0]) == Comparison(0.0, 1.0, 0.0, 2)
    assert against_value([2.0, 2.0], 2.0).mark == "="
    assert against_value([3.0], 2.0).mark == "="


def test_figures_without_spread_differ_for_certain() -> None:
    assert against_value([1.0, 1.0, 1.0], 2.0).mark == "+"
    assert against_value([3.0, 3.0, 3.0], 2.0).mark == "-"


def test_holm_gives_the_textbook_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=30))
def test_holm_lies_between_no_correction_and_bonferroni(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for before, after in zip(p_values, adjusted, strict=True):
        assert before <= after <= min(1.0, before * len(p_values)) + 1e-12


def test_correction_changes_marks_and_nothing_else() -> None:
    comparisons = [Comparison(-1.0, 0.03, -0.5, 9), Comparison(-1.0, 0.04, -0.5, 9)]
    assert [c.mark for c in corrected(comparisons, "none")] == ["+", "+"]
    assert [c.mark for c in corrected(comparisons, "holm")] == ["=", "="]
    assert [c.effect for c in corrected(comparisons, "holm")] == [-0.5, -0.5]


def test_ranks_and_critical_difference_give_the_published_example() -> None:
    # Demšar (2006), four versions of C4.5 on 14 data sets, as errors; he prints ranks 3.143 2.000 2.893 1.964, CD 1.25.
    auc = np.array(
        [
            [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
            [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
            [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
            [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
            [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
        ]
    )  # fmt: skip
    found = ranking(["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"], 1.0 - auc)
    assert found.ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=0.0005)
    assert found.critical == pytest.approx(2.569 * math.sqrt(4 * 5 / (6 * 14)), abs=0.001)
    assert 0.015 < found.friedman_p < 0.0258  # his, which takes no account of ties
    assert found.alike() == [("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")]


def test_methods_far_apart_are_not_alike() -> None:
    costs = np.tile([1.0, 2.0, 3.0, 4.0], (30, 1))
    found = ranking(["a", "b", "c", "d"], costs)
    assert found.critical == pytest.approx(2.569 * math.sqrt(4 * 5 / (6 * 30)), abs=0.001)
    assert found.alike() == []


def test_groups_that_overlap_are_all_named() -> None:
    costs = np.vstack([np.tile([1.0, 2.0, 3.0], (10, 1)), np.ones((10, 3))])
    found = ranking(["a", "b", "c"], costs)
    assert found.ranks == (1.5, 2.0, 2.5)
    assert found.alike() == [("a", "b"), ("b", "c")]


@pytest.mark.parametrize("pairs", [5, 6, 7])
def test_too_few_pairs_reach_no_level_however_far_apart(pairs: int) -> None:
    found = against_method(np.arange(pairs), np.arange(pairs) * 2.5 + 10.0)
    for correction, family in (("none", 1), ("holm", 2)):
        reached = corrected([found] * family, correction)[0].mark == "+"
        assert can_differ([pairs] * family, correction) is reached
