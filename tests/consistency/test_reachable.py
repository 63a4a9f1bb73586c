"""Targets that no expression of a set can have are refused at the start, and only those."""

from __future__ import annotations

import numpy as np
import pytest

from gpdr.consistency import ensure_reachable, reachable
from gpdr.dimensions import Dimension, UnitSystem
from gpdr.errors import InputError
from gpdr.evolution.on_data import regression
from gpdr.evolution.solve import solve
from gpdr.expressions import ADD, DIV, MUL, SQ, SQRT, Function, PrimitiveSet, Terminal
from gpdr.expressions.appointment import APPOINTMENT

UNITS = UnitSystem(("m", "s"))


def primitives(functions: tuple[Function, ...], *units: str) -> PrimitiveSet:
    return PrimitiveSet("own", functions, tuple(Terminal(f"t{k}", u) for k, u in enumerate(units)), UNITS)


@pytest.mark.parametrize(
    ("functions", "units", "yes", "no"),
    [
        ((ADD,), ("m",), ("m",), ("m^2", "1")),
        ((SQ,), ("m",), ("m", "m^2", "m^8"), ("m^3", "1", "m^-2", "m^(1/2)")),
        ((SQRT,), ("m",), ("m^(1/2)", "m^(1/8)"), ("m^2", "m^(1/3)")),
        ((SQ, SQRT), ("m*s",), ("m^4*s^4", "m^(1/4)*s^(1/4)"), ("m^2*s", "m")),
        ((MUL,), ("m^2", "m^3"), ("m^2", "m^3", "m^5", "m^7"), ("m", "1", "m^-2")),
        ((MUL,), ("m", "1/m"), ("1", "m^-3"), ("s",)),
        ((MUL,), ("m^2*s", "s"), ("m^2*s^3", "m^4*s^2"), ("m^2", "m^4*s")),
        ((MUL, SQRT), ("m^3",), ("m^(3/2)", "m^(9/4)"), ("m", "1", "m^-3")),
        ((MUL, SQRT), ("m^3", "m^-1"), ("m", "1", "m^(5/2)"), ("s", "m^(1/3)")),
        ((MUL, SQRT), ("m^3", "m^2*s", "s"), ("m^2*s", "m*s^(1/2)", "m*s"), ("m", "m^(1/2)")),
        ((DIV,), ("m^2",), ("1", "m^4", "m^-2"), ("m", "s")),
        ((DIV,), ("m^2", "m^3"), ("m", "1"), ("s", "m^(1/2)")),
        ((DIV,), ("m^2*s", "m*s^2"), ("m^3*s^3", "m/s"), ("m", "s^2")),
        ((DIV, SQRT), ("m^3",), ("m^(3/2)", "m^3/m^(3/4)"), ("m", "m^2")),
    ],
)
def test_what_can_be_had(
    functions: tuple[Function, ...], units: tuple[str, ...], yes: tuple[str, ...], no: tuple[str, ...]
) -> None:
    own = primitives(functions, *units)
    assert [unit for unit in yes if not reachable(own, UNITS.dimension(unit))] == []
    assert [unit for unit in no if reachable(own, UNITS.dimension(unit))] == []


def test_small_sums_by_enumeration() -> None:
    """Products of up to 8 factors against the integer programme."""
    generators = ("m^2*s", "m/s", "s^2")
    own = primitives((MUL,), *generators)
    known = {UNITS.dimension(unit) for unit in generators}
    found = set(known)
    for _ in range(7):
        found |= {a * b for a in found for b in known}
    for m in range(-2, 4):
        for s in range(-3, 4):
            target = Dimension.of((m, s))
            # with m-exponent 2 a + b and s-exponent a - b + 2 c, no target here needs more than 8 factors
            assert reachable(own, target) == (target in found)


def test_the_refusal_says_why() -> None:
    ensure_reachable(APPOINTMENT, [APPOINTMENT.units.dimension(unit) for unit in ("1", "min", "min^(-3/4)")])
    with pytest.raises(InputError) as caught:
        ensure_reachable(APPOINTMENT, [APPOINTMENT.units.dimension("min^(1/3)")])
    assert str(caught.value) == (
        "target 'min^(1/3)': no consistent expression of primitive set 'appointment' has it; its terminals have 1, "
        "min, its functions are add, sub, mul, div, max, min, sqrt, if; add a terminal or a function"
    )


def test_evolution_with_repair_is_refused_before_it_starts() -> None:
    """Areas multiplied and added are never a volume: said at once, not after a thousand mutations."""
    problem = regression({"x": np.arange(9)}, {"x": "m^2"}, np.arange(9), "m^3", ["m"], functions=(ADD, MUL))
    with pytest.raises(InputError, match=r"^target 'm\^3': no consistent expression of primitive set 'regression' has"):
        solve(problem, "gpdr")
