"""Spreadsheet formulas: they compute what the kernel computes."""

from __future__ import annotations

import numpy as np

from gpdr.expressions import evaluate, ramped_half_and_half
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.source import to_formula
from tests.spreadsheets import shown

CELLS = {name: f"cell_{name}" for name in APPOINTMENT.columns}


def test_formulas_agree_with_the_kernel_on_random_trees() -> None:
    forest = ramped_half_and_half(APPOINTMENT, 300, 1, np.random.SeedSequence(1))
    data = np.random.default_rng(2).uniform(0.0, 20.0, (6, len(APPOINTMENT.columns)))
    data[0] = 0.0
    expected = evaluate(forest, APPOINTMENT, data).values[:, 0]
    for individual, (tree,) in enumerate(forest):
        formula = to_formula(tree, APPOINTMENT, CELLS)
        got = [shown(formula, dict(zip(CELLS.values(), row, strict=True))) for row in data.tolist()]
        np.testing.assert_allclose(got, expected[individual], rtol=1e-9)
