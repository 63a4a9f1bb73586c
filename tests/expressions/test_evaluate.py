"""Evaluation of forests against the plain-Python twin, on data meant to hurt."""

from __future__ import annotations

import math
from functools import partial

import numba
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpdr.dimensions import UnitSystem
from gpdr.errors import InputError
from gpdr.expressions import (
    ADD,
    Constant,
    Forest,
    Function,
    PrimitiveSet,
    Rule,
    Sampler,
    Terminal,
    Tree,
    evaluate,
    parse,
    reference,
)
from gpdr.expressions.appointment import APPOINTMENT

from .sets import ALL_SETS, BUILT_IN_SETS, ONE_UNIT, OWN_FUNCTIONS, awkward_forest, awkward_rows, random_forest


def assert_equals_twin(forest: Forest, primitives: PrimitiveSet, data: np.ndarray) -> None:
    found = evaluate(forest, primitives, data)
    rows = [dict(zip(primitives.columns, row, strict=True)) for row in data.tolist()]
    for n, individual in enumerate(forest):
        for t, tree in enumerate(individual):
            expected = np.array([reference.evaluate(tree, primitives, row) for row in rows])
            np.testing.assert_allclose(found.values[n, t], expected, rtol=1e-12)
            assert found.finite[n, t] == np.isfinite(expected).all()


@pytest.mark.kernel
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # without the compiler NumPy's scalars warn of overflow
@pytest.mark.parametrize("primitives", ALL_SETS, ids=lambda p: p.name)
def test_forest_equals_twin(primitives: PrimitiveSet) -> None:
    assert_equals_twin(random_forest(primitives, 12, seed=3, trees=2), primitives, awkward_rows(primitives, 9, seed=4))


@pytest.mark.parametrize("primitives", BUILT_IN_SETS, ids=lambda p: p.name)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_any_forest_equals_twin_on_any_numbers(primitives: PrimitiveSet, seed: int) -> None:
    assert_equals_twin(awkward_forest(primitives, seed), primitives, awkward_rows(primitives, 3, seed))


@pytest.mark.slow
@pytest.mark.parametrize("primitives", ALL_SETS, ids=lambda p: p.name)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=10_000 // len(ALL_SETS), deadline=None)
def test_ten_thousand_forests_equal_twin(primitives: PrimitiveSet, seed: int) -> None:
    assert_equals_twin(awkward_forest(primitives, seed), primitives, awkward_rows(primitives, 3, seed))


MEANINGS = [
    ("t / [0 d]", 1e6),
    ("n / 1e-10", 1e6),
    ("n / [-1e-10]", 1e6),
    ("n / 1e-9", 7e9),
    ("sqrt([-16])", 4.0),
    ("if(0, 1, 2)", 2.0),
    ("if(1e-300, 1, 2)", 1.0),
    ("max(2, [-3])", 2.0),
    ("min(2, [-3])", -3.0),
    ("sq(n) - n", 42.0),
    ("n - 2 - 1", 4.0),
    ("-n * 2", -14.0),
    ("1e200 * 1e200", np.inf),
]


@pytest.mark.kernel
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("text", "expected"), MEANINGS)
def test_protected_meaning(text: str, expected: float) -> None:
    tree = parse(text, ONE_UNIT)
    found = evaluate(Forest.of([[tree]]), ONE_UNIT, {"n": 7.0, "t": 5.0, "w": 0.5})
    assert found.values[0, 0, 0] == pytest.approx(expected)
    assert found.finite[0, 0] == np.isfinite(expected)
    assert reference.evaluate(tree, ONE_UNIT, {"n": 7.0, "t": 5.0, "w": 0.5}) == pytest.approx(expected)


@pytest.mark.kernel
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_not_a_number_takes_the_second_input() -> None:
    """inf - inf is not a number; comparisons with it are false."""
    nan = "(1e200 * 1e200 - 1e200 * 1e200)"
    for text, expected in ((f"max({nan}, 1)", 1.0), (f"min({nan}, 1)", 1.0), (f"if({nan}, 2, 1)", 1.0)):
        values = evaluate(Forest.of([[parse(text, ONE_UNIT)]]), ONE_UNIT, np.zeros((1, 3))).values
        assert values.tolist() == [[[expected]]]


def test_one_tree_that_is_not_finite_does_not_taint_its_neighbours() -> None:
    trees = [parse(text, APPOINTMENT) for text in ("M", "1e200 * 1e200", "i / 0")]
    found = evaluate(Forest.of([trees]), APPOINTMENT, np.ones((3, 7)))
    assert found.finite.tolist() == [[True, False, True]]


def test_rows_threads_and_company_change_nothing() -> None:
    forest = random_forest(APPOINTMENT, 60, seed=8, trees=2)
    data = awkward_rows(APPOINTMENT, 5000, seed=9)
    whole = evaluate(forest, APPOINTMENT, data).values
    np.testing.assert_array_equal(evaluate(forest, APPOINTMENT, data, threads=3).values, whole)
    np.testing.assert_array_equal(evaluate(forest.take([17]), APPOINTMENT, data).values[0], whole[17])
    np.testing.assert_array_equal(evaluate(forest, APPOINTMENT, data[4990:]).values, whole[:, :, 4990:])


def test_shapes_of_nothing() -> None:
    forest = random_forest(APPOINTMENT, 3, seed=1, trees=2)
    assert evaluate(forest, APPOINTMENT, np.empty((0, 7))).values.shape == (3, 2, 0)
    assert evaluate(forest.take([]), APPOINTMENT, np.ones((4, 7))).values.shape == (0, 2, 4)


def test_columns_by_name_are_spread_over_the_rows() -> None:
    forest = Forest.of([[parse("u + [0.25 q]", OWN_FUNCTIONS)]])
    found = evaluate(forest, OWN_FUNCTIONS, {"v": 1.0, "u": [1, 2, 3]})
    assert found.values.tolist() == [[[1.25, 2.25, 3.25]]]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (np.ones((2, 3)), "data: expected 2 columns (u, v), one row for each case, got an array of shape (2, 3)"),
        (np.ones(2), "data: expected 2 columns (u, v), one row for each case, got an array of shape (2,)"),
        (
            {"u": 1.0, "v": ["a", "b"]},
            "data: expected numbers in column v, got texts or lists of several lengths",
        ),
        (np.array([["a", "b"]]), "data: expected numbers in rows, got texts or lists of several lengths"),
        ({"u": 1.0}, "data: expected 2 columns (u, v), but v is missing"),
        ({"u": 1.0, "vv": 2.0}, "unknown column 'vv': choose one of u, v; did you mean v?"),
        (
            {"u": [1.0, 2.0], "v": [1.0, 2.0, 3.0]},
            "data: expected columns of one length, got u of shape (2,), v of shape (3,)",
        ),
        (
            {"u": np.ones((3, 1)), "v": np.ones(3)},
            "data: expected columns of one length, got u of shape (3, 1), v of shape (3,)",
        ),
    ],
)
def test_wrong_data(data: object, text: str) -> None:
    with pytest.raises(InputError) as error:
        evaluate(random_forest(OWN_FUNCTIONS, 1, seed=1), OWN_FUNCTIONS, data)  # type: ignore[arg-type]
    assert str(error.value) == text


def test_a_table_is_read_by_the_names_of_its_columns() -> None:
    forest = Forest.of([[parse("u - 1", OWN_FUNCTIONS), parse("v", OWN_FUNCTIONS)]])
    table = pd.DataFrame({"v": [5.0, 6.0], "u": [1.0, 2.0]})
    assert evaluate(forest, OWN_FUNCTIONS, table).values.tolist() == [[[0.0, 1.0], [5.0, 6.0]]]


def test_a_set_of_constants_reads_no_data() -> None:
    constants = PrimitiveSet("constants", (ADD,), (Constant("k", Sampler.INTEGER, 0, 9),), UnitSystem(()))
    assert evaluate(Forest.of([[parse("3 + 4", constants)]]), constants, {}).values.tolist() == [[[7.0]]]


@pytest.mark.kernel
@pytest.mark.parametrize("codes", [[99], [-1], [0], [0, 8], [8, 8], []])
def test_trees_of_another_set_are_refused(codes: list[int]) -> None:
    """Their codes would be looked up outside the set's tables."""
    good = parse("i + M", APPOINTMENT)
    wrong = Forest.of([[good, Tree(np.array(codes, np.int32), np.zeros(len(codes)))]])
    with pytest.raises(InputError) as error:
        evaluate(wrong, APPOINTMENT, np.ones((2, 7)))
    assert str(error.value) == (
        "forest: tree 1 is not made of primitive set 'appointment'; give the set it was parsed or generated with"
    )


def set_with(*computes: object) -> PrimitiveSet:
    """A set with functions odd0, odd1, … of one plain number."""
    own = [Function(f"odd{k}", Rule.PURE, compute=compute) for k, compute in enumerate(computes)]  # type: ignore[arg-type]
    return PrimitiveSet("odd", (ADD, *own), (Terminal("u"), Constant("k", Sampler.INTEGER, 0, 1)), UnitSystem(()))


def test_functions_of_libraries_and_compiled_ones_are_taken_as_they_are() -> None:
    own = set_with(math.exp, np.exp, numba.njit(lambda a: math.exp(a)))
    forest = Forest.of([[parse(f"odd{k}(u)", own) for k in range(3)]])
    found = evaluate(forest, own, {"u": [0.0, 1.0, 1000.0]})
    np.testing.assert_allclose(found.values[0], [[1.0, math.e, np.inf]] * 3)


@pytest.mark.parametrize(
    "compute",
    [
        lambda a, b: a,
        lambda a: print(a).upper(),
        lambda a: "text",
        lambda a: [][int(a)],
        partial(math.pow, 2.0),
    ],
)
def test_a_function_that_cannot_be_compiled(compute: object) -> None:
    wrong = set_with(compute)
    with pytest.raises(InputError) as error:
        evaluate(Forest.of([[parse("odd0(u)", wrong)]]), wrong, np.ones((1, 1)))
    assert str(error.value) == (
        "function 'odd0': compute must take 1 float, give one, and be Python that Numba compiles:"
        " arithmetic, conditions, functions of math and numpy"
    )
