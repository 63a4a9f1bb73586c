"""Primitive sets and random forests that the tests of this room share."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from gpdr.dimensions import UnitSystem
from gpdr.expressions import (
    ADD,
    BUILT_IN,
    DIV,
    MUL,
    SQRT,
    SUB,
    Constant,
    Forest,
    Function,
    PrimitiveSet,
    Rule,
    Sampler,
    Terminal,
    ramped_half_and_half,
)
from gpdr.expressions.appointment import APPOINTMENT

ONE_UNIT = PrimitiveSet(
    "one unit",
    BUILT_IN,
    (
        Terminal("n"),
        Terminal("t", "min"),
        Terminal("w", "min^-1"),
        Constant("k", Sampler.INTEGER, -3, 3),
        Constant("r", Sampler.REAL, -1.0, 2.0),
        Constant("d", Sampler.REAL, 0.0, 60.0, "min"),
    ),
    UnitSystem(("min",)),
)

MECHANICS = PrimitiveSet(
    "mechanics",
    BUILT_IN,
    (
        Terminal("x_0", "m"),
        Terminal("time", "s"),
        Terminal("mass", "kg"),
        Terminal("area", "m^2"),
        Terminal("rate", "s^(-1/2)"),
        Constant("g", Sampler.REAL, 9.0, 10.0, "m/s^2"),
        Constant("c", Sampler.INTEGER, 0, 9),
        Constant("e", Sampler.INTEGER, 5, 12),  # shares values with c: texts must tell them apart
    ),
    UnitSystem(("m", "s", "kg")),
)

OWN_FUNCTIONS = PrimitiveSet(
    "own functions",
    (
        ADD,
        SUB,
        MUL,
        DIV,
        SQRT,
        Function("plus", Rule.SAME, ADD.op),
        Function("expn", Rule.PURE, compute=lambda a: math.exp(-abs(a))),
        Function("hypot2", Rule.SAME, compute=lambda a, b: math.sqrt(a * a + b * b)),
        Function("pick", Rule.CHOICE, compute=lambda a, b, c: b if a < 1.0 else c),
    ),
    (Terminal("u"), Terminal("v", "min"), Constant("q", Sampler.REAL, 0.0, 1.0)),
    UnitSystem(("min",)),
)

HALF_BOUNDED = replace(
    ONE_UNIT,
    name="half bounded",
    terminals=(
        Terminal("n", low=0.0),
        Terminal("t", "min", low=1e-3),
        Terminal("w", "min^-1", high=-2.0),
        *ONE_UNIT.terminals[3:],
    ),
)

ALL_SETS = (APPOINTMENT, ONE_UNIT, MECHANICS, OWN_FUNCTIONS)
BUILT_IN_SETS = ALL_SETS[:3]


def random_forest(primitives: PrimitiveSet, individuals: int, seed: int, trees: int = 1, largest: int = 6) -> Forest:
    return ramped_half_and_half(primitives, individuals, trees, np.random.SeedSequence(seed), 1, largest)


def awkward(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Ordinary, zero, tiny and huge numbers of either sign."""
    huge = rng.choice([-1.0, 1.0], shape) * 10.0 ** rng.uniform(-12, 150, shape)
    kind = rng.integers(0, 4, shape)
    return np.select([kind == 0, kind == 1, kind == 2], [rng.uniform(-3, 3, shape), np.zeros(shape), huge], 7.0)


def awkward_rows(primitives: PrimitiveSet, rows: int, seed: int) -> np.ndarray:
    """Data in which numbers of all kinds meet."""
    return awkward(np.random.default_rng(seed), rows, len(primitives.columns))


def awkward_forest(primitives: PrimitiveSet, seed: int) -> Forest:
    """Two individuals of two random trees, half of its constants with values that no sampler would draw."""
    forest = random_forest(primitives, 2, seed, trees=2, largest=7)
    rng = np.random.default_rng(seed)
    is_number = np.array([primitives.is_number(code) for code in range(primitives.literal + 1)])[forest.codes]
    changed = is_number & (rng.random(len(forest.codes)) < 0.5)
    return replace(forest, values=np.where(changed, awkward(rng, len(forest.codes)), forest.values))


def rows_within(primitives: PrimitiveSet, rows: int, seed: int) -> np.ndarray:
    """Data that keep to the terminals' ranges: zeros and ends, numbers near 0 and of many sizes."""
    rng = np.random.default_rng(seed)
    columns = []
    for terminal in primitives.terminals:
        if isinstance(terminal, Terminal):
            sizes = rng.choice([-1.0, 1.0], rows) * 10.0 ** rng.uniform(-2, 3, rows)
            drawn = np.where(rng.random(rows) < 0.1, 0.0, sizes)
            folded = np.where(drawn < terminal.low, terminal.low + abs(drawn), drawn)
            folded = np.where(folded > terminal.high, terminal.high - abs(drawn), folded)
            columns.append(np.clip(folded, terminal.low, terminal.high))
    return np.column_stack(columns)
