"""Simplification: shorter where it is true, untouched where a protected operation or a unit makes it false."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gpdr.dimensions import UnitSystem
from gpdr.expressions import ADD, Forest, Function, PrimitiveSet, Rule, Terminal, evaluate, parse, to_text
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.dimension import dimension_of
from gpdr.expressions.simplify import same_values, simplify

from .sets import ALL_SETS, ONE_UNIT, random_forest


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("max(M, M)", "M"),
        ("i * 1 + 0", "i"),
        ("0 + 1 * i / 1", "i"),
        ("1 + 2 * 3", "7"),
        ("i - i", "0"),
        ("i * M + i * M - M * i", "i * M"),
        ("if(1, M, V)", "M"),
        ("if(0, M, V)", "V"),
        ("if(sqrt(i) + 1, M, V)", "M"),
        ("if(CR, M, M)", "M"),
        ("if(i, if(i, M, V), M + V)", "if(i, M, M + V)"),
        ("max(max(M, V), V)", "max(M, V)"),
        ("max(min(i, P), i)", "i"),
        ("max(sqrt(i), [-1])", "sqrt(i)"),
        ("min(sqrt(i), [-1])", "[-1]"),
        ("-(-i)", "i"),
        ("i - (0 - P)", "i + P"),
        ("i * 0 + P", "P"),
        ("M / 2 / 2", "0.25 * M"),
        ("sqrt(sqrt(i) * 1)", "sqrt(sqrt(i))"),
        ("(if(1, 2, 3) / 4 - CR * 0) * M", "0.5 * M"),
    ],
)
def test_shorter(text: str, simple: str) -> None:
    assert to_text(simplify(parse(text, APPOINTMENT), APPOINTMENT), APPOINTMENT) == simple


@pytest.mark.parametrize(
    "text",
    [
        "i / i",  # 1e6 at 0
        "0 / i",
        "M - M",  # 0 is no number of minutes
        "M + 0",  # not consistent: nothing is touched
        "1 / (1 / i)",
        "sqrt(i * i)",  # |i|
        "sqrt(i) * sqrt(i)",
        "max(i, P)",
        "max(P, [-1e13])",  # true of no trial value, but not of every number
        "if(i, M, V)",
    ],
)
def test_left_alone(text: str) -> None:
    tree = parse(text, APPOINTMENT)
    assert simplify(tree, APPOINTMENT) == tree


def test_squares() -> None:
    assert to_text(simplify(parse("(n + t / t) * (n + t / t)", ONE_UNIT), ONE_UNIT), ONE_UNIT) == "sq(n + t / t)"
    assert to_text(simplify(parse("sqrt(sq(sqrt(n)))", ONE_UNIT), ONE_UNIT), ONE_UNIT) == "sqrt(n)"


def test_own_functions_of_numbers_are_computed_as_evaluation_does() -> None:
    """In Python the logarithm of a negative number and the exponential of 1000 are exceptions."""
    own = PrimitiveSet(
        "own",
        (ADD, Function("log", Rule.PURE, compute=math.log), Function("exp", Rule.PURE, compute=math.exp)),
        (Terminal("u"),),
        UnitSystem(()),
    )
    for text, simple in (("u + exp(0)", "u + 1"), ("u + log([-1])", "u + log([-1])"), ("exp(1000)", "exp(1000)")):
        assert to_text(simplify(parse(text, own), own), own) == simple


def assert_kept(primitives: PrimitiveSet, seed: int, individuals: int) -> None:
    rng = np.random.default_rng(seed)
    data = rng.choice([-1.0, 0.0, 1.0], (50, len(primitives.columns))) * 10 ** rng.uniform(-2, 3)
    shorter = 0
    for (tree,) in random_forest(primitives, individuals, seed, largest=5):
        simple = simplify(tree, primitives)
        shorter += len(simple) < len(tree)
        assert len(simple) <= len(tree)
        assert dimension_of(simple, primitives) == dimension_of(tree, primitives)
        before, after = evaluate(Forest.of([[tree], [simple]]), primitives, data).values[:, 0]
        np.testing.assert_allclose(after, before, rtol=1e-6, err_msg=to_text(tree, primitives))
    assert shorter > individuals / 30


@pytest.mark.parametrize("primitives", ALL_SETS, ids=lambda p: p.name)
def test_value_and_dimension_are_kept(primitives: PrimitiveSet) -> None:
    assert_kept(primitives, seed=1, individuals=60)


@pytest.mark.slow
@pytest.mark.parametrize("primitives", ALL_SETS, ids=lambda p: p.name)
def test_value_and_dimension_of_many_are_kept(primitives: PrimitiveSet) -> None:
    for seed in range(2, 6):
        assert_kept(primitives, seed, individuals=250)


def test_trial_data_tell_lookalikes_apart() -> None:
    for one, other in (("i", "max(i, [-1000])"), ("i / i", "1"), ("sqrt(i * i)", "i"), ("i + 1e-6", "i")):
        assert not same_values(parse(one, APPOINTMENT), parse(other, APPOINTMENT), APPOINTMENT)
