"""Text to trees and back: nothing rearranged, nothing lost, every mistake told in one line."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpdr.dimensions import UnitSystem
from gpdr.errors import InputError
from gpdr.expressions import (
    BUILT_IN,
    MUL,
    Constant,
    Forest,
    PrimitiveSet,
    Sampler,
    Terminal,
    Tree,
    node_texts,
    parse,
    to_text,
)
from gpdr.expressions.appointment import APPOINTMENT

from .sets import ALL_SETS, MECHANICS, ONE_UNIT, OWN_FUNCTIONS, awkward_forest, random_forest

LETTERS = PrimitiveSet(
    "letters",
    BUILT_IN,
    (
        *(Terminal(name) for name in "abc"),
        Terminal("t", "s"),
        Constant("real", Sampler.REAL, 0.0, 10.0),
        Constant("whole", Sampler.INTEGER, 0, 10),
        Constant("gravity", Sampler.REAL, 9.0, 10.0, "m/s^2"),
    ),
    UnitSystem(("m", "s")),
)


def assert_round_trip(forest: Forest, primitives: PrimitiveSet) -> None:
    texts = [[to_text(tree, primitives) for tree in individual] for individual in forest]
    assert Forest.of([[parse(text, primitives) for text in individual] for individual in texts]) == forest, texts


@pytest.mark.parametrize("primitives", ALL_SETS, ids=lambda p: p.name)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_forests_survive_writing_and_reading(primitives: PrimitiveSet, seed: int) -> None:
    assert_round_trip(awkward_forest(primitives, seed), primitives)


@pytest.mark.slow
@pytest.mark.parametrize("primitives", ALL_SETS, ids=lambda p: p.name)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=10_000 // len(ALL_SETS), deadline=None)
def test_ten_thousand_forests_survive_writing_and_reading(primitives: PrimitiveSet, seed: int) -> None:
    assert_round_trip(awkward_forest(primitives, seed), primitives)


@given(value=st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=300, deadline=None)
def test_every_number_survives(value: float) -> None:
    for primitives in (APPOINTMENT, ONE_UNIT, MECHANICS):
        for code in (code for code in range(primitives.literal + 1) if primitives.is_number(code)):
            tree = Tree(np.array([code], np.int32), np.array([value]))
            again = parse(to_text(tree, primitives), primitives)
            assert again == tree
            assert np.signbit(again.values[0]) == np.signbit(value)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a + b", "a + b"),
        ("(a+b)+c", "a + b + c"),
        ("a+(b+c)", "a + (b + c)"),
        ("a-(b-c)", "a - (b - c)"),
        ("a-b-c", "a - b - c"),
        ("a/(b*c)", "a / (b * c)"),
        ("a/b*c", "a / b * c"),
        ("a*(b/c)", "a * (b / c)"),
        ("(a+b)*c", "(a + b) * c"),
        ("a+b*c", "a + b * c"),
        ("-a", "0 - a"),
        ("-a*b", "(0 - a) * b"),
        ("a - -b", "a - (0 - b)"),
        ("a*-b", "a * (0 - b)"),
        ("--a", "0 - (0 - a)"),
        ("((a))", "a"),
        ("max(a,b+c)", "max(a, b + c)"),
        ("sub(a, b) * c", "(a - b) * c"),
        (" if ( a , b\n, c ) ", "if(a, b, c)"),
        ("1.50", "1.5"),
        (".5", "0.5"),
        ("2.", "2"),
        ("1e-07", "1e-07"),
        ("1E3", "1000"),
        ("1e300", "1e+300"),
        ("[ - 0.5 ]", "[-0.5]"),
        ("[3]", "3"),
        ("[-0.0]", "[-0.0]"),
        ("[9.81 m/s^2] * t", "[9.81 m/s^2] * t"),
        ("[981 cm/s^2] * t", "[9.81 m/s^2] * t"),
        ("[7 whole]", "[7 whole]"),
        ("[7 number]", "[7 number]"),
        ("7", "7"),
    ],
)
def test_what_is_written(text: str, written: str) -> None:
    assert to_text(parse(text, LETTERS), LETTERS) == written


def test_a_set_may_name_its_functions_as_it_likes() -> None:
    assert to_text(parse("plus(u, u) + u", OWN_FUNCTIONS), OWN_FUNCTIONS) == "plus(u, u) + u"
    assert to_text(parse("pick(expn(u), v, -v)", OWN_FUNCTIONS), OWN_FUNCTIONS) == "pick(expn(u), v, 0 - v)"


def test_a_number_becomes_the_constant_that_could_have_drawn_it() -> None:
    codes = [parse(text, APPOINTMENT).codes[0] for text in ("2", "0.25", "3", "1.5", "[-1]")]
    names = [APPOINTMENT.name_of(code) for code in codes]
    assert names == ["alpha", "beta", "number", "number", "number"]


def test_texts_of_all_nodes() -> None:
    texts = node_texts(parse("(i - CR) * M", APPOINTMENT), APPOINTMENT)
    assert texts == ["(i - CR) * M", "i - CR", "i", "CR", "M"]


def test_numbers_that_are_not_finite_cannot_be_written() -> None:
    with pytest.raises(InputError, match=r"^number inf: only finite numbers can be written$"):
        to_text(Tree(np.array([APPOINTMENT.literal], np.int32), np.array([np.inf])), APPOINTMENT)


APPOINTMENT_NAMES = "max, min, sqrt, if, P, i, PN, PW, CR, M, V, alpha, beta"
OPERAND = "expected a number, a name, - or ("
CHARACTER = "expected a number, a name or one of + - * / , ( )"
MALFORMED = [
    ("", f"expression '', position 1: {OPERAND}, got the end"),
    ("   ", f"expression '   ', position 1: {OPERAND}, got the end"),
    ("i +", f"expression 'i +', position 4: {OPERAND}, got the end"),
    ("+i", f"expression '+i', position 1: {OPERAND}, got +"),
    ("i * / M", f"expression 'i * / M', position 5: {OPERAND}, got /"),
    ("()", f"expression '()', position 2: {OPERAND}, got )"),
    ("(i", "expression '(i', position 3: expected an operator (+ - * /) or ), got the end"),
    ("i)", "expression 'i)', position 2: expected an operator (+ - * /) or the end, got )"),
    ("(i, M)", "expression '(i, M)', position 3: expected an operator (+ - * /) or ), got ,"),
    ("0,5 * M", "expression '0,5 * M', position 2: expected an operator (+ - * /) or the end, got ,"),
    ("i M", "expression 'i M', position 3: expected an operator (+ - * /) or the end, got M; write * to multiply"),
    ("2M", "expression '2M', position 2: expected an operator (+ - * /) or the end, got M; write * to multiply"),
    ("M(1)", "expression 'M(1)', position 2: expected an operator (+ - * /) or the end, got (; write * to multiply"),
    ("max(i", "expression 'max(i', position 6: expected an operator (+ - * /), a comma or ), got the end"),
    ("max(i)", "expression 'max(i)', position 1: max takes 2 inputs, got 1"),
    ("sqrt(i, M)", "expression 'sqrt(i, M)', position 1: sqrt takes 1 input, got 2"),
    ("if(i, M)", "expression 'if(i, M)', position 1: if takes 3 inputs, got 2"),
    ("max()", f"expression 'max()', position 5: {OPERAND}, got )"),
    ("max(i,)", f"expression 'max(i,)', position 7: {OPERAND}, got )"),
    ("max i", "expression 'max i', position 5: expected ( after max, got i"),
    ("max", "expression 'max', position 4: expected ( after max, got the end"),
    ("m", f"expression 'm', position 1: unknown name 'm': choose one of {APPOINTMENT_NAMES}"),
    (
        "Sqrt(i)",
        f"expression 'Sqrt(i)', position 1: unknown name 'Sqrt': choose one of {APPOINTMENT_NAMES}; did you mean sqrt?",
    ),
    ("M + beta", "expression 'M + beta', position 5: beta is a random constant, expected its value, as in [0.5 beta]"),
    (
        "i^2",
        f"expression 'i^2', position 2: {CHARACTER}, got ^; write sq(a) or a * a for a power",
    ),
    ("i**2", f"expression 'i**2', position 3: {OPERAND}, got *"),
    (
        "if(i > 1, M, V)",
        f"expression 'if(i > 1, M, V)', position 6: {CHARACTER}, got >;"
        " if(a, b, c) is b where a > 0: write if(a - x, b, c)",
    ),
    (
        "i \u2212 1",
        f"expression 'i \u2212 1', position 3: {CHARACTER}, got \u2212; write - for minus",
    ),
    ("i \x00", f"expression 'i \\x00', position 3: {CHARACTER}, got '\\x00'"),
    (
        "__import__(os)",
        f"expression '__import__(os)', position 1: unknown name '__import__': choose one of {APPOINTMENT_NAMES}",
    ),
    ("1e999", "expression '1e999', position 1: number 1e999 is too large, expected at most 1.8e308"),
    ("1.2.3", "expression '1.2.3', position 4: expected an operator (+ - * /) or the end, got .3; write * to multiply"),
    ("[x]", "expression '[x]', position 1: expected a number in brackets such as [-0.5] or [9.81 m/s^2], got [x]"),
    ("[1", "expression '[1', position 1: expected a number in brackets such as [-0.5] or [9.81 m/s^2], got [1"),
    (
        "[5 min]",
        "expression '[5 min]', position 1: primitive set 'appointment' has no constant of unit min that may be 5",
    ),
    (
        "[5 apples]",
        "expression '[5 apples]', position 1: unit 'apples': 'apples' is not known (base units: min)",
    ),
    ("(" * 300, f"expression '{'(' * 59}…', position 201: nested too deeply, expected at most 200 levels"),
    ("-" * 300 + "i", f"expression '{'-' * 59}…', position 101: nested too deeply, expected at most 200 levels"),
    ("i" + "+i" * 300, f"expression 'i{'+i' * 29}…', position 400: nested too deeply, expected at most 200 levels"),
    ("i" * 100_001, "expression of 100001 characters: expected at most 100000"),
]


@pytest.mark.parametrize(("text", "message"), MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_expressions(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse(text, APPOINTMENT)
    assert str(error.value) == message


def test_too_many_nodes() -> None:
    balanced = "i"
    for _ in range(15):
        balanced = f"({balanced}+{balanced})" if len(balanced) < 45_000 else balanced
    while balanced.count("i") * 2 - 1 <= 20_000:
        balanced = f"{balanced}*{balanced}"
    with pytest.raises(InputError, match=r"position \d+: expected an expression of at most 20000 nodes$"):
        parse(balanced, APPOINTMENT)


def test_what_is_no_text() -> None:
    with pytest.raises(InputError, match=r"^expression: expected a text, got int$"):
        parse(3, APPOINTMENT)  # type: ignore[arg-type]


def test_operators_need_their_function() -> None:
    few = PrimitiveSet("few", (MUL,), (Terminal("a"), Terminal("b")), APPOINTMENT.units)
    with pytest.raises(InputError) as error:
        parse("a * -b", few)
    assert str(error.value) == (
        "expression 'a * -b', position 5: - needs function sub, which primitive set 'few' lacks"
    )


FRAGMENTS = st.sampled_from(
    [
        *"+-*/(),.[]^0123456789eE \t\n\x00éπ",
        *(
            "max",
            "min",
            "sqrt",
            "if",
            "i",
            "M",
            "PN",
            "alpha",
            "number",
            "1e9",
            "0.5",
            "[-1]",
            "[2 min]",
            "[",
            "min(",
            "if(",
        ),
    ]
)
ANYTHING = st.one_of(st.text(max_size=60), st.lists(FRAGMENTS, max_size=40).map("".join))


def refusal(text: str) -> str | None:
    """The error's text; None where the text is an expression, which then has to survive."""
    try:
        tree = parse(text, APPOINTMENT)
    except InputError as error:
        return str(error)
    assert parse(to_text(tree, APPOINTMENT), APPOINTMENT) == tree
    return None


def assert_read_or_refused(text: str) -> None:
    told = refusal(text) or ""
    assert "\n" not in told
    assert len(told) < 500


@given(text=ANYTHING)
@settings(max_examples=1500, deadline=None)
def test_anything_is_read_or_refused(text: str) -> None:
    assert_read_or_refused(text)


ALPHABET = [*"+-*/(),.[]^0123456789eE iMPNCRVmaxsqtfl\t\n\x00\u2212\u00e9", " max(", "[-", "if(", "1e-7"]


def noise(count: int, seed: int) -> Iterator[str]:
    """Half are trees with a few characters changed, which get further into the parser than the other half."""
    rng = np.random.default_rng(seed)
    trees = [to_text(tree, APPOINTMENT) for (tree,) in random_forest(APPOINTMENT, count // 2, seed, largest=5)]
    for text in trees:
        characters = list(text)
        for _ in range(rng.integers(1, 4)):
            at = rng.integers(len(characters) + 1)
            characters[at : at + rng.integers(0, 3)] = [ALPHABET[rng.integers(len(ALPHABET))]]
        yield "".join(characters)
        yield "".join(ALPHABET[k] for k in rng.integers(0, len(ALPHABET), rng.integers(1, 30)))


@pytest.mark.slow
@given(seed=st.integers(0, 2**32))
@settings(max_examples=2000, deadline=None)
def test_two_hundred_thousand_texts_are_read_or_refused(seed: int) -> None:
    for text in noise(100, seed):
        assert_read_or_refused(text)


LONG = [
    "[" + " " * 99_000,
    "[1" + " " * 90_000 + "x",
    "1" * 100_000,
    "max(" * 25_000,
    "i," * 50_000,
    "[1 " + "m*" * 49_000 + "]",
]


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_long_texts_are_refused_at_once(text: str) -> None:
    started = time.process_time()
    assert refusal(text)
    assert time.process_time() - started < 5
