"""What a value lies between: true of every node of random trees, and as narrow as people would say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gpdr.clinic import Clinic
from gpdr.clinic.clinic import MAX_PATIENTS
from gpdr.clinic.service import MAX_CV, MAX_MEAN
from gpdr.errors import InputError
from gpdr.expressions import Forest, PrimitiveSet, Terminal, evaluate, parse
from gpdr.expressions.appointment import APPOINTMENT, SHORTEST_MEAN
from gpdr.expressions.intervals import bounds, never_tiny
from gpdr.expressions.nodes import Node, to_node, to_tree

from .sets import HALF_BOUNDED, MECHANICS, ONE_UNIT, random_forest, rows_within


def nodes_of(root: Node) -> list[Node]:
    return [root, *(node for below in root.inputs for node in nodes_of(below))]


@pytest.mark.parametrize("primitives", [APPOINTMENT, HALF_BOUNDED, ONE_UNIT, MECHANICS], ids=lambda p: p.name)
def test_every_value_lies_within_its_bounds(primitives: PrimitiveSet) -> None:
    data = rows_within(primitives, 40, seed=1)
    forest = random_forest(primitives, 60, seed=9)
    nodes = [node for (tree,) in forest for node in nodes_of(to_node(tree, primitives))]
    values = evaluate(Forest.of([[to_tree(node)] for node in nodes]), primitives, data).values[:, 0]
    narrow = 0
    for node, found in zip(nodes, values, strict=True):
        low, high = bounds(node, primitives)
        assert np.all((low <= found) & (found <= high)), node
        narrow += bool(node.inputs) and (low > -math.inf or high < math.inf)
    assert narrow > 50


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("P", 1, 500),
        ("P - i", -498, 500),
        ("CR * (0 - i)", -499_000, 0),
        ("(i - 2) * (i - 2)", 0, 497**2),
        ("(i - 2) * (PN - 2)", -2 * 497, 4),
        ("1 / P", 1 / 500, 1),
        ("1 / (0 - P)", -1, -1 / 500),
        ("1 / i", 1 / 499, 1e9),
        ("1 / (i - 1)", -1e9, 1e9),
        ("P / 0", 1e6, 1e6),
        ("sqrt(1 - P)", 0, math.sqrt(499)),
        ("max(P, i)", 1, 500),
        ("min(P, i)", 0, 499),
        ("if(i, P, PN)", 0, 500),
        ("if(P, P, PN)", 1, 500),
        ("if(0 - i, P, PN)", 0, 0.99),
    ],
)
def test_bounds_by_hand(text: str, low: float, high: float) -> None:
    assert bounds(to_node(parse(text, APPOINTMENT), APPOINTMENT), APPOINTMENT) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("text", "safe"),
    [("M", True), ("M * M", True), ("0 - P", True), ("1 - PN", True), ("V", False), ("P - i", False), ("0", False)],
)
def test_what_a_protection_never_concerns(text: str, safe: bool) -> None:
    assert never_tiny(to_node(parse(text, APPOINTMENT), APPOINTMENT), APPOINTMENT) == safe


def test_without_a_range_nothing_is_known() -> None:
    for text, expected in (
        ("n", (-math.inf, math.inf)),
        ("n + 1", (-math.inf, math.inf)),
        ("n * 0", (0, 0)),
        ("sq(n)", (0, math.inf)),
        ("n / n", (-math.inf, math.inf)),
        ("min(sqrt(n), 3)", (0, 3)),
    ):
        assert bounds(to_node(parse(text, ONE_UNIT), ONE_UNIT), ONE_UNIT) == expected


def test_the_ranges_of_appointment_rules_are_those_of_a_clinic() -> None:
    ranges = {t.name: (t.low, t.high) for t in APPOINTMENT.terminals if isinstance(t, Terminal)}
    assert ranges == {
        "P": (1, MAX_PATIENTS),
        "i": (0, MAX_PATIENTS - 1),
        "PN": (0, 0.99),
        "PW": (0, 5),
        "CR": (0, 1000),
        "M": (SHORTEST_MEAN, MAX_MEAN),
        "V": (0, MAX_CV * MAX_MEAN),
    }
    for field, name in (("no_show", "PN"), ("walk_in", "PW"), ("cost_ratio", "CR"), ("mean_service", "M")):
        given = {"patients": 10, "mean_service": 20.0}
        Clinic(**{**given, field: ranges[name][1]})
        with pytest.raises(InputError, match=field):
            Clinic(**{**given, field: ranges[name][1] * 1.001})
