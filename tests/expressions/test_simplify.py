"""Simplification: shorter where it is true, untouched where a protected operation or a unit makes it false."""

from __future__ import annotations

import math
from dataclasses import replace
from time import process_time

import numpy as np
import pytest

from gpdr.dimensions import UnitSystem
from gpdr.expressions import ADD, Forest, Function, PrimitiveSet, Rule, Terminal, evaluate, parse, to_text
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.dimension import dimension_of
from gpdr.expressions.simplify import same_values, simplify
from gpdr.expressions.trial_data import trial_data

from .sets import ALL_SETS, HALF_BOUNDED, ONE_UNIT, random_forest, rows_within

BOUNDLESS = replace(
    APPOINTMENT,
    terminals=tuple(Terminal(t.name, t.unit) if isinstance(t, Terminal) else t for t in APPOINTMENT.terminals),
)


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
        ("i - CR - CR", "i - 2 * CR"),
        ("i * min(PW, 0) + P", "P"),
        ("P / 0", "1000000"),
    ],
)
def test_shorter(text: str, simple: str) -> None:
    assert to_text(simplify(parse(text, APPOINTMENT), APPOINTMENT), APPOINTMENT) == simple


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("M / M", "1"),
        ("M / (M * P)", "1 / P"),
        ("M / M / M / M", "1 / M / M"),
        ("M * V / M + V", "2 * V"),
        ("(M * M + M * V) / (M + V)", "M"),
        ("0 / P", "0"),
        ("CR - 0.262 - CR", "[-0.262]"),
        ("if(P, M, V)", "M"),
        ("if(0 - i, M, V)", "V"),
        ("if(1 - PN, M, V)", "M"),
        ("if(M * i, M, V)", "if(i, M, V)"),
        ("if(V / P, M, V)", "if(V, M, V)"),
        ("if(sqrt(i), M, V)", "if(i, M, V)"),
        ("max(i, 0)", "i"),
        ("min(PN, P)", "PN"),
        ("max(M, M + V)", "M + V"),
        ("max(V - M, V)", "V"),
        ("min(M - V, M)", "M - V"),
        ("sqrt(M * M)", "M"),
        ("sqrt(i) * sqrt(i)", "i"),
        ("max(P, [-1e13])", "P"),
    ],
)
def test_what_is_read_is_known(text: str, simple: str) -> None:
    """There are patients, services take time, and no share is negative; where nothing is known, all stays."""
    assert to_text(simplify(parse(text, APPOINTMENT), APPOINTMENT), APPOINTMENT) == simple
    assert len(simplify(parse(text, BOUNDLESS), BOUNDLESS)) > len(parse(simple, APPOINTMENT))


@pytest.mark.parametrize(
    "text",
    [
        "i / i",  # 1e6 at 0
        "0 / i",
        "M - M",  # 0 is no number of minutes
        "M + 0",  # not consistent: nothing is touched
        "1 / (1 / i)",
        "sqrt((P - i) * (P - i))",  # |P - i|
        "V / V",  # services of one length have V = 0
        "M / (M * V)",
        "1 / M / M / M / M + 1 / M / M / M / M",  # 2 / (M * M * M * M) is not: it may divide by 1e-12
        "if(i, P, PN)",
        "max(P, V / M)",
        "max(i, P)",
        "if(i, M, V)",
    ],
)
def test_left_alone(text: str) -> None:
    tree = parse(text, APPOINTMENT)
    assert simplify(tree, APPOINTMENT) == tree


@pytest.mark.parametrize(
    "text",
    [
        "n / n",
        "max(n, [-1e13])",  # the same on ordinary numbers, but not on every number
        "max(n, n + t * w)",
        "sqrt(sq(n))",  # |n|
        "sqrt(sq(sq(n)))",  # sq(sq(n)) may be infinite where sq(n) is not
        "n * (1e200 * 3e200) - 1",
        "n * 1e-200 * 1e-200",  # no float holds the product of the two
        "1e200 * n * 1e200",
    ],
)
def test_what_no_range_promises_is_left_alone(text: str) -> None:
    tree = parse(text, ONE_UNIT)
    assert simplify(tree, ONE_UNIT) == tree


@pytest.mark.filterwarnings("error")
def test_numbers_beyond_all_floats_are_no_matter_of_warnings() -> None:
    assert to_text(simplify(parse("1e200 * n * 1e200 * 1", ONE_UNIT), ONE_UNIT), ONE_UNIT) == "1e+200 * n * 1e+200"


def test_many_terms_do_not_take_long() -> None:
    """Terms that share nothing, each with variables of its own."""
    text = " + ".join(f"max(i, {k}.5) * (P - {k}.25 * PN)" for k in range(30))
    started = process_time()
    simplify(parse(text, APPOINTMENT), APPOINTMENT)
    assert process_time() - started < 3


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
    data = rows_within(primitives, 50, seed)
    shorter = 0
    for (tree,) in random_forest(primitives, individuals, seed, largest=5):
        simple = simplify(tree, primitives)
        shorter += len(simple) < len(tree)
        assert len(simple) <= len(tree)
        assert dimension_of(simple, primitives) == dimension_of(tree, primitives)
        before, after = evaluate(Forest.of([[tree], [simple]]), primitives, data).values[:, 0]
        np.testing.assert_allclose(after, before, rtol=1e-6, err_msg=to_text(tree, primitives))
    assert shorter > individuals / 30


@pytest.mark.parametrize("primitives", [*ALL_SETS, HALF_BOUNDED], ids=lambda p: p.name)
def test_value_and_dimension_are_kept(primitives: PrimitiveSet) -> None:
    assert_kept(primitives, seed=1, individuals=60)


@pytest.mark.slow
@pytest.mark.parametrize("primitives", [*ALL_SETS, HALF_BOUNDED], ids=lambda p: p.name)
def test_value_and_dimension_of_many_are_kept(primitives: PrimitiveSet) -> None:
    for seed in range(2, 6):
        assert_kept(primitives, seed, individuals=250)


def test_trial_data_tell_lookalikes_apart() -> None:
    for one, other in (("n", "max(n, [-1000])"), ("n / n", "1"), ("sqrt(n * n)", "n"), ("n + 1e-6", "n")):
        assert not same_values(parse(one, ONE_UNIT), parse(other, ONE_UNIT), ONE_UNIT)
    for one, other in (("i", "min(i, 498)"), ("P", "max(P, 1.01)"), ("V / V", "1"), ("PW", "max(PW, PN)")):
        assert not same_values(parse(one, APPOINTMENT), parse(other, APPOINTMENT), APPOINTMENT)


@pytest.mark.parametrize("primitives", [*ALL_SETS, HALF_BOUNDED], ids=lambda p: p.name)
def test_trial_data_keep_to_the_ranges(primitives: PrimitiveSet) -> None:
    ranges = tuple((t.low, t.high) for t in primitives.terminals if isinstance(t, Terminal))
    for (low, high), column in zip(ranges, trial_data(ranges).T, strict=True):
        assert np.all((low <= column) & (column <= high))
        assert all(np.any(column == end) for end in (low, high) if math.isfinite(end))
        assert len(set(column.tolist())) > 100
