"""Units in and out, and what is refused."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpdr.dimensions import Dimension, UnitSystem
from gpdr.errors import InputError

MINUTES = UnitSystem(("min",))
MECHANICS = UnitSystem(("m", "s", "kg"))


@pytest.mark.parametrize(
    ("text", "shown", "size"),
    [
        ("", "1", 1),
        ("1", "1", 1),
        ("dimensionless", "1", 1),
        ("%", "1", 0.01),
        ("rad", "1", 1),
        ("m", "m", 1),
        (" m / s^2 ", "m/s^2", 1),
        ("m/s/s", "m/s^2", 1),
        ("m s^-2", "m/s^2", 1),
        ("m·s**(-2)", "m/s^2", 1),
        ("m/s²", "m/s^2", 1),
        ("1/s", "1/s", 1),
        ("Hz", "1/s", 1),
        ("kg/(m*s)", "kg/m/s", 1),
        ("(m/s)^2", "m^2/s^2", 1),
        ("N", "m*kg/s^2", 1),
        ("J/kg", "m^2/s^2", 1),
        ("km/h", "m/s", 1 / 3.6),
        ("g", "kg", 0.001),
        ("m^(1/2)", "m^(1/2)", 1),
        ("m^0.5", "m^(1/2)", 1),
        ("s^(-1/3)", "1/s^(1/3)", 1),
        ("cm^(1/2)", "m^(1/2)", 0.1),
        ("m/m", "1", 1),
        ("m^0", "1", 1),
        ("µm", "m", 1e-6),
    ],
)
def test_units_that_are_read(text: str, shown: str, size: float) -> None:
    unit = MECHANICS.unit(text)
    assert MECHANICS.text(unit.dimension) == shown
    assert unit.size == pytest.approx(size, rel=1e-12)
    assert MECHANICS.unit(shown).dimension == unit.dimension
    assert MECHANICS.unit(shown).size == 1


EXAMPLE = "expected a unit such as min, m/s^2 or 1"
REFUSED = [
    ("min^9999999", "unit 'min^9999999': expected exponents of at most 100, fractions down to 1/100, got 9999999"),
    ("min^(1/101)", "unit 'min^(1/101)': expected exponents of at most 100, fractions down to 1/100, got 1/101"),
    ("(min^99)^99", "unit '(min^99)^99': expected exponents of at most 100, fractions down to 1/100, got 9801"),
    ("2*min", f"unit '2*min' contains the number 2; put the 2 into the data; {EXAMPLE}"),
    ("5 min", f"unit '5 min' contains the number 5; put the 5 into the data; {EXAMPLE}"),
    ("60 s", f"unit '60 s' contains the number 60; put the 60 into the data; {EXAMPLE}"),
    ("0", f"unit '0' contains the number 0; put the 0 into the data; {EXAMPLE}"),
    ("9**9**9**9", f"unit '9**9**9**9' contains the number 9; put the 9 into the data; {EXAMPLE}"),
    ("min^2^2", f"unit 'min^2^2' has ^2 where a name is due; {EXAMPLE}"),
    ("min^min", f"unit 'min^min' has ^ where a name is due; {EXAMPLE}"),
    ("min^(1/0)", f"unit 'min^(1/0)' divides by zero in an exponent; {EXAMPLE}"),
    ("min/", f"unit 'min/' ends too early; {EXAMPLE}"),
    ("/min", f"unit '/min' has / where a name is due; {EXAMPLE}"),
    ("(min", f"unit '(min' lacks a ); {EXAMPLE}"),
    ("min)", f"unit 'min)' has a ) too many; {EXAMPLE}"),
    ("-min", f"unit '-min' has - where a name is due; {EXAMPLE}"),
    ("min+min", f"unit 'min+min' has + where a name is due; {EXAMPLE}"),
    ("x.__class__", f"unit 'x.__class__' has . where a name is due; {EXAMPLE}"),
    ("min\x00", f"unit 'min\\x00' has '\\x00' where a name is due; {EXAMPLE}"),
    ("(" * 25 + "min" + ")" * 25, f"unit '{'(' * 25}min{')' * 25}' has too many parentheses in one another; {EXAMPLE}"),
    ("min" * 4000, "unit of 12000 characters: expected at most 200, such as min or m/s^2"),
    ("degC", "unit 'degC': 'degC' has a zero of its own or is logarithmic (base units: min)"),
    ("dB", "unit 'dB': 'dB' has a zero of its own or is logarithmic (base units: min)"),
    ("nan", "unit 'nan': 'nan' is not known (base units: min)"),
    ("patients", "unit 'patients': 'patients' is not known (base units: min)"),
    ("__import__", "unit '__import__': '__import__' is not known (base units: min)"),
    ("Min", "unit 'Min': 'Min' is not made of the base units (base units: min); did you mean min?"),
    ("m/min", "unit 'm/min': 'm' is not made of the base units (base units: min)"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=range(len(REFUSED)))
def test_units_that_are_refused(text: str, message: str) -> None:
    started = time.process_time()
    with pytest.raises(InputError) as error:
        MINUTES.dimension(text)
    assert str(error.value) == message
    assert time.process_time() - started < 3


@pytest.mark.parametrize("text", ["Gyr^50", "Gyr^-50", "Gyr^40*yr^10"])
def test_a_dimension_needs_no_size_that_a_float_holds(text: str) -> None:
    assert abs(MINUTES.dimension(text).exponents[0]) == 50
    with pytest.raises(InputError) as error:
        MINUTES.unit(text)
    assert str(error.value) == f"unit {text!r}: its size is beyond all floats; expected exponents nearer to 0"


def test_names_that_pint_does_not_know_are_units_of_their_own() -> None:
    clinic = UnitSystem(("EUR", "patients", "min"))
    assert clinic.text(clinic.dimension("EUR/patients/h")) == "EUR/patients/min"
    assert clinic.unit("EUR/h").size == pytest.approx(1 / 60)


def test_base_units_are_names_each_once() -> None:
    with pytest.raises(InputError, match=r"^base unit 'm/s': expected a name of letters, digits and _, such as min"):
        UnitSystem(("m/s",))
    with pytest.raises(InputError, match=r"^base units m, s, m: each may be named once only$"):
        UnitSystem(("m", "s", "m"))


def test_no_base_units() -> None:
    nothing = UnitSystem(())
    assert nothing.text(nothing.dimension("1")) == "1"
    with pytest.raises(InputError, match=r"^unit 'min': 'min' is not made of the base units \(base units: none\)$"):
        nothing.dimension("min")


EXPONENTS = st.fractions(min_value=-9, max_value=9, max_denominator=9)


@given(exponents=st.tuples(EXPONENTS, EXPONENTS, EXPONENTS))
def test_every_dimension_can_be_written_and_read(exponents: tuple[Fraction, ...]) -> None:
    dimension = Dimension(exponents)
    assert MECHANICS.dimension(MECHANICS.text(dimension)) == dimension


def refusal(text: str) -> str:
    try:
        unit = MECHANICS.unit(text)
    except InputError as error:
        return str(error)
    assert MECHANICS.dimension(MECHANICS.text(unit.dimension)) == unit.dimension
    return ""


@given(text=st.one_of(st.text(max_size=40), st.text("ms kgN/^*()-12.·²%", max_size=25)))
@settings(max_examples=500, deadline=None)
def test_anything_is_read_or_refused(text: str) -> None:
    assert "\n" not in refusal(text)
