"""LaTeX, SymPy, Python source and pictures: the same expression in other hands."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import sympy

from gpdr.errors import InputError
from gpdr.expressions import Forest, Function, Op, PrimitiveSet, Tree, evaluate, parse, to_text
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.fold import fold
from gpdr.expressions.latex import to_latex
from gpdr.expressions.picture import PALETTE, colours_of, to_svg
from gpdr.expressions.reference import apply
from gpdr.expressions.reference import evaluate as evaluate_slowly
from gpdr.expressions.source import to_formula, to_python
from gpdr.expressions.symbolic import from_sympy, symbol, to_sympy

from .sets import BUILT_IN_SETS, MECHANICS, ONE_UNIT, OWN_FUNCTIONS, awkward_rows, random_forest


def values(tree: Tree, primitives: PrimitiveSet, data: np.ndarray) -> np.ndarray:
    return evaluate(Forest.of([[tree]]), primitives, data).values[0, 0]


def columns(tree: Tree, primitives: PrimitiveSet) -> list[str]:
    """The names of the terminals that a tree reads."""
    return [name for name in primitives.columns if primitives.codes[name] in tree.codes]


# -- Python source -------------------------------------------------------------------------------------------------


def python_function(tree: Tree, primitives: PrimitiveSet, **scope: Any) -> Any:
    exec(to_python(tree, primitives, "rule"), scope)  # source of our own making
    return scope["rule"]


@pytest.mark.parametrize("primitives", BUILT_IN_SETS, ids=lambda p: p.name)
def test_python_source_computes_the_same(primitives: PrimitiveSet) -> None:
    data = awkward_rows(primitives, 8, seed=2)
    for (tree,) in random_forest(primitives, 60, seed=1):
        rule = python_function(tree, primitives)
        wanted = [primitives.columns.index(name) for name in columns(tree, primitives)]
        np.testing.assert_allclose(
            [rule(*row) for row in data[:, wanted].tolist()], values(tree, primitives, data), rtol=1e-12
        )


def test_python_source_reads_well() -> None:
    source = to_python(parse("if(i - 1, M / (P - i), -V)", APPOINTMENT), APPOINTMENT, "interval")
    assert source == (
        "def _div(a, b):\n"
        "    return 1000000.0 if abs(b) < 1e-09 else a / b\n\n\n"
        "def _if(a, b, c):\n"
        "    return b if a > 0 else c\n\n\n"
        "def interval(P, i, M, V):\n"
        "    return _if(i - 1.0, _div(M, P - i), 0.0 - V)\n"
    )


def test_python_source_calls_own_functions_by_name() -> None:
    tree = parse("plus(expn(u), 1)", OWN_FUNCTIONS)
    assert "plus" not in to_python(tree, OWN_FUNCTIONS)
    assert python_function(tree, OWN_FUNCTIONS, expn=math.cos)(0.0) == 2.0


def test_python_source_needs_a_name() -> None:
    with pytest.raises(InputError, match=r"^name 'my rule': expected a name that Python allows for a function$"):
        to_python(parse("i", APPOINTMENT), APPOINTMENT, "my rule")


# -- spreadsheets --------------------------------------------------------------------------------------------------


def test_formula_reads_well() -> None:
    cells = {"i": "A5", "M": "$B$1", "P": "$B$2"}
    tree = parse("max(i - 1, 0.5) * M / (P - i) + sqrt(i) / 2", APPOINTMENT)
    assert to_formula(tree, APPOINTMENT, cells) == (
        "=IF(ABS($B$2 - A5)<1E-09,1000000,MAX(A5 - 1,0.5) * $B$1 / ($B$2 - A5)) + SQRT(ABS(A5)) / 2"
    )


def test_formula_needs_cells_and_known_functions_and_ends_somewhere() -> None:
    with pytest.raises(InputError, match=r"^terminal 'M': expected its cell in cells, such as M='B1'$"):
        to_formula(parse("i * M", APPOINTMENT), APPOINTMENT, {"i": "A1"})
    with pytest.raises(InputError, match=r"^function 'expn': a spreadsheet does not know it$"):
        to_formula(parse("expn(u)", OWN_FUNCTIONS), OWN_FUNCTIONS, {"u": "A1"})
    tower = "i" + " + i" * 20
    for _ in range(12):
        tower = f"1 / ({tower})"
    with pytest.raises(InputError, match="spreadsheets take"):
        to_formula(parse(tower, APPOINTMENT), APPOINTMENT, {"i": "A1"})


# -- SymPy ---------------------------------------------------------------------------------------------------------


def at(expression: Any, primitives: PrimitiveSet, row: list[float]) -> float:
    """A SymPy expression where the symbols have these values."""
    return float(expression.subs({symbol(name): x for name, x in zip(primitives.columns, row, strict=True)}))


def is_safe(tree: Tree, primitives: PrimitiveSet, row: list[float]) -> bool:
    """Whether no division and no root of the tree needs its protection on this row."""
    terminals = dict(zip(primitives.columns, row, strict=True))
    safe = True

    def node(function: Function, inputs: list[float]) -> float:
        nonlocal safe
        if function.op is Op.DIV:
            safe = safe and abs(inputs[1]) > 1e-6
        if function.op is Op.SQRT:
            safe = safe and inputs[0] > 1e-6
        return apply(function, inputs)

    fold(
        tree,
        primitives,
        lambda code, value: value if primitives.is_number(code) else terminals[primitives.name_of(code)],
        node,
    )
    return safe


@pytest.mark.parametrize("primitives", BUILT_IN_SETS, ids=lambda p: p.name)
def test_protected_forms_agree_with_the_kernel_and_come_back(primitives: PrimitiveSet) -> None:
    data = np.random.default_rng(3).uniform(-4.0, 4.0, (4, len(primitives.columns)))
    data[0] = 0.0
    for (tree,) in random_forest(primitives, 30, seed=7, largest=4):
        expression = to_sympy(tree, primitives)
        found = [at(expression, primitives, row) for row in data.tolist()]
        expected = values(tree, primitives, data)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
        again = values(from_sympy(expression, primitives), primitives, data[1:])  # 0 / 0 is lost where SymPy cancels
        np.testing.assert_allclose(again, expected[1:], rtol=1e-6, err_msg=to_text(tree, primitives))


@pytest.mark.parametrize("primitives", BUILT_IN_SETS, ids=lambda p: p.name)
def test_safe_expressions_agree_everywhere_and_come_back(primitives: PrimitiveSet) -> None:
    """SymPy's textbook form, the tree made of it, the Python source and the kernel."""
    data = np.random.default_rng(3).uniform(0.5, 4.0, (3, len(primitives.columns)))
    compared = 0
    for (tree,) in random_forest(primitives, 60, seed=7, largest=4):
        if not all(is_safe(tree, primitives, row) for row in data.tolist()):
            continue
        expected = values(tree, primitives, data)
        expression = to_sympy(tree, primitives, protected=False)
        found = [at(expression, primitives, row) for row in data.tolist()]
        np.testing.assert_allclose(found, expected, rtol=1e-6, err_msg=to_text(tree, primitives))
        again = from_sympy(expression, primitives)
        np.testing.assert_allclose(values(again, primitives, data), expected, rtol=1e-6)
        rule = python_function(tree, primitives)
        wanted = [primitives.columns.index(name) for name in columns(tree, primitives)]
        np.testing.assert_allclose([rule(*row) for row in data[:, wanted].tolist()], expected, rtol=1e-12)
        compared += 1
    assert compared > 20


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("i * i - 2 * i + 1", "i**2 - 2*i + 1"),
        ("M / 4", "M/4"),
        ("M / (P - i)", "Piecewise((1000000, Abs(P - i) < 1.0e-9), (M/(P - i), True))"),
        ("M / 0", "1000000"),
        ("sqrt(i)", "sqrt(Abs(i))"),
        ("max(P, i)", "Max(P, i)"),
        ("if(i - 1, M, V)", "Piecewise((M, i - 1 > 0), (V, True))"),
        ("M / (i - i)", "1000000"),
    ],
)
def test_protection_is_kept(text: str, expression: str) -> None:
    assert str(to_sympy(parse(text, APPOINTMENT), APPOINTMENT)) == expression


@pytest.mark.parametrize("text", ["M / (P - i)", "sqrt(sqrt(i))", "if(i - 1, M / sqrt(i), V)", "M * i / (P - i) + 1"])
def test_protected_forms_come_back(text: str) -> None:
    tree = parse(text, APPOINTMENT)
    data = awkward_rows(APPOINTMENT, 60, seed=5)
    again = from_sympy(to_sympy(tree, APPOINTMENT), APPOINTMENT)
    np.testing.assert_allclose(values(again, APPOINTMENT, data), values(tree, APPOINTMENT, data), rtol=1e-9)


def test_choices_of_others_become_trees() -> None:
    i, m = symbol("i"), symbol("M")
    expression = sympy.Piecewise((1, (i > 3) & (m <= 2)), (2, (i < 0) | (m >= 10)), (3, ~(i > m)), (4, True))
    tree = from_sympy(expression, APPOINTMENT)
    for x in (-1.0, 0.0, 2.0, 3.0, 4.0, 11.0):
        for y in (1.0, 2.0, 5.0, 10.0, 11.0):
            found = evaluate_slowly(tree, APPOINTMENT, {"i": x, "M": y})
            assert found == float(expression.subs({i: x, m: y})), (x, y)


def test_divisions_within_divisions_are_refused_before_they_explode() -> None:
    tower = parse("P / (" * 60 + "i" + ")" * 60, APPOINTMENT)
    with pytest.raises(InputError, match=r"^expression: too many divisions within one another for SymPy; use prot"):
        to_sympy(tower, APPOINTMENT)


@pytest.mark.parametrize("text", ["i" + " + i" * 199, "max(i, " * 199 + "P" + ")" * 199, "-" * 199 + "i"])
def test_the_deepest_expressions_get_through(text: str) -> None:
    tree = parse(text, APPOINTMENT)
    row = np.full((1, 7), 0.5)
    expected = values(tree, APPOINTMENT, row)
    assert python_function(tree, APPOINTMENT)(*([0.5] * len(columns(tree, APPOINTMENT)))) == expected
    assert values(from_sympy(to_sympy(tree, APPOINTMENT), APPOINTMENT), APPOINTMENT, row) == pytest.approx(expected)
    assert to_latex(tree, APPOINTMENT)
    assert to_svg(tree, APPOINTMENT).count("<rect") == len(tree)


def test_textbook_form() -> None:
    tree = parse("sqrt(M / (P - i))", APPOINTMENT)
    assert str(to_sympy(tree, APPOINTMENT, protected=False)) == "sqrt(M/(P - i))"


def test_sympy_expressions_become_trees() -> None:
    i, m = symbol("i"), symbol("M")
    for expression, text in (
        (-i, "0 - i"),
        (i - m, "i - M"),
        (m**2 / i, "M * M / i"),
        (1 / sympy.sqrt(i), "1 / sqrt(i)"),
        (sympy.Abs(i), "max(i, 0 - i)"),
        (sympy.Rational(1, 2) * i, "0.5 * i"),
        (sympy.Min(i, m, 3), "min(min(3, M), i)"),
    ):
        tree = from_sympy(expression, APPOINTMENT)
        data = np.random.default_rng(1).uniform(1, 5, (4, 7))
        direct = sympy.lambdify((i, m), expression, "math")
        expected = [direct(row[1], row[5]) for row in data]
        np.testing.assert_allclose(values(tree, APPOINTMENT, data), expected)
        if not isinstance(expression, sympy.Min):  # SymPy sorts inputs as it likes
            assert to_text(tree, APPOINTMENT) == text


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (sympy.sin(symbol("i")), "SymPy expression 'sin(i)': no primitive of 'appointment' computes it"),
        (symbol("i") ** 40, "SymPy expression 'i**40': expected whole powers up to 16, halves or quarters"),
        (
            sympy.Piecewise((1, sympy.Eq(symbol("i"), 3)), (2, True)),
            "SymPy condition 'Eq(i, 3)': expected comparisons, And, Or, Not",
        ),
    ],
)
def test_sympy_expressions_that_are_refused(expression: Any, text: str) -> None:
    with pytest.raises(InputError) as error:
        from_sympy(expression, APPOINTMENT)
    assert str(error.value) == text


# -- LaTeX ---------------------------------------------------------------------------------------------------------


CASES = r"\left\{\begin{array}{ll} M & \text{if } i > 0 \\[2pt] V & \text{otherwise} \end{array}\right."


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("(i - CR) * M", r"\left(i - \mathit{CR}\right) \, M"),
        ("i * 2", r"i \cdot 2"),
        ("M / i / 2", r"\frac{\frac{M}{i}}{2}"),
        ("i - (P - M)", r"i - \left(P - M\right)"),
        ("i - (P + M)", r"i - \left(P + M\right)"),
        ("i + (P - M) * (P * i)", r"i + \left(P - M\right) \, P \, i"),
        ("i + (P + M)", r"i + P + M"),
        ("i + (-P + M)", r"i + \left(-P + M\right)"),
        ("i * (P / M)", r"i \, \frac{P}{M}"),
        ("i * (2 * M)", r"i \cdot 2 \, M"),
        ("-sqrt(i)", r"-\sqrt{i}"),
        ("i + -P", r"i + \left(-P\right)"),
        ("i * [-0.5]", r"i \, \left(-0.5\right)"),
        ("i * 1e-7", r"i \cdot 10^{-7}"),
        ("i * [-2.5e-7]", r"i \, \left(-2.5 \cdot 10^{-7}\right)"),
        ("max(i, P)", r"\max\left(i, P\right)"),
        ("if(i, M, V)", CASES),
        ("if(i, M, V) + M", rf"\left({CASES}\right) + M"),
    ],
)
def test_latex(text: str, latex: str) -> None:
    assert to_latex(parse(text, APPOINTMENT), APPOINTMENT) == latex


def test_latex_of_subscripts_squares_own_functions_and_rounded_numbers() -> None:
    assert to_latex(parse("sq(x_0) / area", MECHANICS), MECHANICS) == r"\frac{x_{0}^{2}}{\mathit{area}}"
    assert to_latex(parse("sq(n + w)", ONE_UNIT), ONE_UNIT) == r"\left(n + w\right)^{2}"
    assert to_latex(parse("t * sq(sqrt(w))", ONE_UNIT), ONE_UNIT) == r"t \, \left(\sqrt{w}\right)^{2}"
    assert to_latex(parse("expn(u)", OWN_FUNCTIONS), OWN_FUNCTIONS) == r"\operatorname{expn}\left(u\right)"
    assert to_latex(parse("0.123456 * i", APPOINTMENT), APPOINTMENT, digits=3) == r"0.123 \, i"


# -- pictures ------------------------------------------------------------------------------------------------------


def test_picture_is_svg_with_every_node() -> None:
    tree = parse("max(M, if(i, V, 0.123456789 * M))", APPOINTMENT)
    labels = ["min", "min", "min", "1", "min", "min", "1", "min"]
    root = ElementTree.fromstring(to_svg(tree, APPOINTMENT, labels=labels, marked=[2]))
    boxes = [e for e in root if e.tag.endswith("rect")]
    texts = [e.text for e in root if e.tag.endswith("text")]
    assert texts[::2] == ["max", "M", "if", "i", "V", "*", "0.1235", "M"]
    assert texts[1::2] == labels
    assert len([e for e in root if e.tag.endswith("path")]) == len(tree) - 1
    assert [box.get("stroke-width") for box in boxes].index("3") == 2
    assert len({box.get("fill") for box in boxes}) == 2


def test_boxes_of_one_level_do_not_overlap() -> None:
    trees = [tree for (tree,) in random_forest(APPOINTMENT, 30, seed=2, largest=6)]
    for tree in (parse("sqrt(i) + sqrt(P)", APPOINTMENT), *trees):
        root = ElementTree.fromstring(to_svg(tree, APPOINTMENT))
        levels: dict[str, list[tuple[float, float]]] = {}
        for box in (e for e in root if e.tag.endswith("rect")):
            x, width = float(box.attrib["x"]), float(box.attrib["width"])
            levels.setdefault(box.attrib["y"], []).append((x, x + width))
        for boxes in levels.values():
            boxes.sort()
            assert all(left[1] <= right[0] for left, right in pairwise(boxes))
            assert boxes[0][0] > 0
            assert boxes[-1][1] < float(root.attrib["width"])


def test_a_function_stands_above_the_middle_of_its_inputs() -> None:
    root = ElementTree.fromstring(to_svg(parse("(i + P + PN + PW) * M", APPOINTMENT), APPOINTMENT))
    product, first_sum, *_, last = (float(e.attrib["x"]) for e in root if e.tag.endswith("text"))
    assert product == pytest.approx((first_sum + last) / 2, abs=0.1)
    assert last - product < 40  # four terminals are below the sum, but none of them on this level


def test_equal_labels_have_equal_colours() -> None:
    assert colours_of(["min", "1", "min", "m"]) == [PALETTE[1], PALETTE[0], PALETTE[1], PALETTE[2]]


def test_picture_needs_a_label_for_each_node() -> None:
    with pytest.raises(InputError, match=r"^labels: expected one for each of the 1 nodes, got 2$"):
        to_svg(parse("i", APPOINTMENT), APPOINTMENT, labels=["1", "1"])


def test_twin_reads_rows_by_name() -> None:
    assert evaluate_slowly(parse("i * M", APPOINTMENT), APPOINTMENT, {"i": 2.0, "M": 21.0}) == 42.0
