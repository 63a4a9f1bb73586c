"""Trees, forests and primitive sets: the layout that everything builds on."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

from gpdr.dimensions import Dimension, UnitSystem
from gpdr.errors import InputError
from gpdr.expressions import (
    ADD,
    Constant,
    Forest,
    Function,
    Op,
    PrimitiveSet,
    Rule,
    Sampler,
    Terminal,
    Tree,
    concatenate,
    parse,
)
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.dimension import dimension_of, node_dimensions

from .sets import MECHANICS, ONE_UNIT, OWN_FUNCTIONS, random_forest

# -- trees and forests ---------------------------------------------------------------------------------------------


def test_forest_holds_its_trees() -> None:
    texts = [["i", "M + V"], ["P * i", "M"], ["0.5", "V"]]
    trees = [[parse(text, APPOINTMENT) for text in individual] for individual in texts]
    forest = Forest.of(trees)
    assert [list(individual) for individual in forest] == trees
    assert forest.sizes.tolist() == [4, 4, 2]
    assert forest.tree_sizes.tolist() == [[1, 3], [3, 1], [1, 1]]
    assert forest[-1] == tuple(trees[2])
    assert list(forest.take([2, 0, 2])) == [tuple(trees[n]) for n in (2, 0, 2)]
    assert forest.with_trees_replaced([1], forest.take([0])) == forest.take([0, 0, 2])
    assert concatenate([forest, forest.take([1])]) == forest.take([0, 1, 2, 1])
    with pytest.raises(IndexError):
        forest[3]


def test_taking_nothing_and_joining_nothing() -> None:
    forest = random_forest(APPOINTMENT, 4, seed=1, trees=2)
    assert len(forest.take([])) == 0
    assert concatenate([forest.take([]), forest]) == forest
    assert len(Forest.of([], trees=2)) == 0


def test_forests_that_do_not_add_up() -> None:
    codes, values = np.zeros(3, np.int32), np.zeros(3)
    with pytest.raises(ValueError, match=r"^3 codes, 3 values, but starts end at 2$"):
        Forest(codes, values, np.array([0, 2]))
    with pytest.raises(ValueError, match=r"^3 trees cannot be shared out in individuals of 2$"):
        Forest(codes, values, np.arange(4), trees=2)
    tree = parse("i", APPOINTMENT)
    with pytest.raises(ValueError, match=r"^every individual needs 2 trees$"):
        Forest.of([[tree, tree], [tree]])
    with pytest.raises(ValueError, match="same number of trees"):
        concatenate([Forest.of([[tree]]), Forest.of([[tree, tree]])])


def test_equal_trees_have_equal_hashes() -> None:
    zero, minus_zero = (Tree(np.array([17], np.int32), np.array([value])) for value in (0.0, -0.0))
    assert zero == minus_zero
    assert hash(zero) == hash(minus_zero)
    assert len({parse("i + M", APPOINTMENT), parse("i+M", APPOINTMENT), parse("M + i", APPOINTMENT)}) == 2


# -- primitive sets ------------------------------------------------------------------------------------------------


def test_table_of_the_appointment_set() -> None:
    table = APPOINTMENT.table
    assert (table.functions, table.drawable, len(table.arity)) == (8, 17, 18)
    assert table.arity.tolist() == [2, 2, 2, 2, 2, 2, 1, 3] + [0] * 10
    assert table.column.tolist() == [-1] * 8 + [0, 1, 2, 3, 4, 5, 6] + [-1] * 3
    assert table.class_dims.tolist() == [[0.0], [1.0]]
    members = np.split(table.class_codes, table.class_starts[1:-1])
    assert [[APPOINTMENT.name_of(code) for code in group] for group in members] == [
        ["P", "i", "PN", "PW", "CR", "alpha", "beta"],
        ["M", "V"],
    ]


def test_dims_count_in_the_common_denominator() -> None:
    assert MECHANICS.denominator == 2
    assert MECHANICS.table.dims[MECHANICS.code("rate")].tolist() == [0.0, -1.0, 0.0]
    assert MECHANICS.scaled(MECHANICS.units.dimension("m/s^2")).tolist() == [2.0, -4.0, 0.0]


def test_user_functions_are_counted_on_from_the_built_in_ones() -> None:
    ops = [OWN_FUNCTIONS.table.op[OWN_FUNCTIONS.code(name)] for name in ("add", "plus", "expn", "hypot2", "pick")]
    assert ops == [Op.ADD, Op.ADD, Op.USER, Op.USER + 1, Op.USER + 2]


def wrong_sets() -> list[tuple[object, str]]:
    units = UnitSystem(("min",))
    a = Terminal("a")
    return [
        (lambda: PrimitiveSet("s", (), (), units), "primitive set 's': needs at least one terminal or constant"),
        (lambda: PrimitiveSet("s", (ADD,), (a, a), units), "primitive 'a': declared twice; give each its own name"),
        (
            lambda: PrimitiveSet("s", (), (Terminal("1a"),), units),
            "primitive '1a': expected a name of letters, digits and _",
        ),
        (
            lambda: PrimitiveSet("s", (), (Terminal("t", "h"),), units),
            "terminal 't': h is 60 min; give its data in min",
        ),
        (
            lambda: PrimitiveSet("s", (), (Constant("k", Sampler.REAL, 0, 1, "h"),), units),
            "constant 'k': h is 60 min; give its bounds in min",
        ),
        (
            lambda: PrimitiveSet("s", (), (Constant("number", Sampler.REAL, 0, 1),), units),
            "constant 'number': texts call plain numbers so; choose another name",
        ),
        (
            lambda: PrimitiveSet("s", (), (Terminal("t", "m"),), units),
            "unit 'm': 'm' is not made of the base units (base units: min)",
        ),
        (
            lambda: APPOINTMENT.code("X"),
            "unknown primitive 'X': choose one of add, sub, mul, div, max, min, sqrt, if, P, i, PN, PW, CR, M, V,"
            " alpha, beta",
        ),
        (
            lambda: Function("f", Rule.TERMINAL),
            "function 'f': rule must be one of SAME, PRODUCT, QUOTIENT, SQUARE, ROOT, CHOICE, PURE",
        ),
        (
            lambda: Function("f", Rule.PURE),
            "function 'f': give either a built-in op or compute, a function of floats",
        ),
        (
            lambda: Function("lambda", Rule.PURE, compute=abs),
            "function 'lambda': this is a word of Python's own; choose another name",
        ),
        (
            lambda: Function("neg", Rule.SQUARE, Op.ADD),
            "function 'neg': op ADD has 2 inputs, rule SQUARE 1; choose a rule with as many",
        ),
        (
            lambda: PrimitiveSet("s", (ADD,), (Terminal("_sqrt"),), units),
            "primitive '_sqrt': exported Python calls a function of its own so; rename it",
        ),
        (
            lambda: Terminal("t", low=2.0, high=1.0),
            "terminal 't': expected a range from low to high, got 2.0 and 1.0",
        ),
        (
            lambda: Terminal("t", low=math.inf),
            "terminal 't': expected a range from low to high, got inf and inf",
        ),
        (
            lambda: Terminal("t", low=math.nan),
            "terminal 't': expected a range from low to high, got nan and inf",
        ),
        (
            lambda: Constant("k", Sampler.REAL, 1.0, 1.0),
            "constant 'k': low must be below high, got 1.0 and 1.0",
        ),
        (
            lambda: Constant("k", Sampler.INTEGER, 0, 1.5),
            "constant 'k': an integer sampler needs whole bounds, got 0, 1.5",
        ),
        (
            lambda: Constant("k", Sampler.REAL, 0.0, math.inf),
            "constant 'k': expected a sampler and finite bounds, got 0.0, inf",
        ),
    ]


@pytest.mark.parametrize(("make", "text"), wrong_sets(), ids=range(len(wrong_sets())))
def test_wrong_declarations(make: object, text: str) -> None:
    with pytest.raises(InputError) as error:
        make()  # type: ignore[operator]
    assert str(error.value) == text


# -- dimensions of trees -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("t + t", "min"),
        ("t * w", "1"),
        ("t / w", "min^2"),
        ("sq(t)", "min^2"),
        ("sqrt(t)", "min^(1/2)"),
        ("if(w, t, t)", "min"),
        ("max(t, [3 min])", "min"),
        ("t + 1", None),
        ("if(1, t, w)", None),
        ("(t + 1) * 2", None),
    ],
)
def test_dimension_of(text: str, unit: str | None) -> None:
    expected = None if unit is None else ONE_UNIT.units.dimension(unit)
    assert dimension_of(parse(text, ONE_UNIT), ONE_UNIT) == expected


def test_dimensions_of_all_nodes() -> None:
    minutes, plain = Dimension.of([1]), Dimension.none(1)
    assert node_dimensions(parse("i * (M + 1)", APPOINTMENT), APPOINTMENT) == [None, plain, None, minutes, plain]
    assert dimension_of(parse("expn(v)", OWN_FUNCTIONS), OWN_FUNCTIONS) is None
    assert dimension_of(parse("expn(u) * v", OWN_FUNCTIONS), OWN_FUNCTIONS) == minutes


# -- what an import costs ------------------------------------------------------------------------------------------


def test_import_brings_no_compiler_and_no_algebra() -> None:
    heavy = ("numba", "sympy", "pint", "pandas", "matplotlib", "scipy")
    script = f"import sys, gpdr.expressions.appointment; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
