"""Primitive sets and random trees that the tests of this room share."""

from __future__ import annotations

import itertools

import numpy as np

from gpdr.dimensions import Dimension, UnitSystem
from gpdr.expressions import (
    ADD,
    DIV,
    IF,
    MAX,
    MUL,
    SQ,
    SQRT,
    SUB,
    Constant,
    Forest,
    Function,
    PrimitiveSet,
    Rule,
    Sampler,
    Terminal,
    Tree,
)
from gpdr.expressions.appointment import APPOINTMENT

SHARE = Constant("share", Sampler.REAL, 0.0, 1.0)
EXP = Function("exp", Rule.PURE, compute=lambda x: x)

TIME = PrimitiveSet(
    "time", (ADD, SUB, MUL, DIV, SQ, SQRT, IF), (Terminal("t", "s"), Terminal("n"), SHARE), UnitSystem(("s",))
)
MOTION = PrimitiveSet(
    "motion",
    (ADD, MAX, MUL, DIV, SQRT, IF),
    (Terminal("x", "m"), Terminal("t", "s"), Terminal("v", "m/s"), SHARE),
    UnitSystem(("m", "s")),
)
MECHANICS = PrimitiveSet(
    "mechanics",
    (ADD, SUB, MUL, DIV, SQ, SQRT),
    (Terminal("x", "m"), Terminal("t", "s"), Terminal("w", "kg"), Terminal("g", "m/s^2"), SHARE),
    UnitSystem(("m", "s", "kg")),
)
PRODUCTS = PrimitiveSet("products", (ADD, MUL, EXP), (Terminal("t", "s^(1/3)"), Terminal("n")), UnitSystem(("s",)))
ROOTS = PrimitiveSet("roots", (SQRT, SQ), (Terminal("t", "s"),), UnitSystem(("s",)))
SETS = (APPOINTMENT, TIME, MOTION, MECHANICS, PRODUCTS)


def random_tree(primitives: PrimitiveSet, nodes: int, random: np.random.Generator) -> Tree:
    """A tree of exactly this size where the set's arities allow it, else of one node less."""
    functions: dict[int, list[int]] = {}
    for code, function in enumerate(primitives.functions):
        functions.setdefault(function.arity, []).append(code)
    codes: list[int] = []

    def grow(size: int) -> None:
        possible = [code for arity, members in functions.items() if arity < size for code in members]
        if size <= 1 or not possible:
            codes.append(int(random.integers(len(primitives.functions), primitives.literal + 1)))
            return
        code = int(random.choice(possible))
        arity = primitives.functions[code].arity
        cuts = sorted(random.choice(size - 2, arity - 1, replace=False) + 1) if arity > 1 else []
        codes.append(code)
        for low, high in itertools.pairwise([0, *cuts, size - 1]):
            grow(int(high - low))

    grow(nodes)
    values = [0.5 if primitives.is_number(code) else 0.0 for code in codes]
    return Tree(np.array(codes, np.int32), np.array(values))


def random_target(primitives: PrimitiveSet, random: np.random.Generator) -> Dimension:
    """Mostly the dimension of a terminal, sometimes one that few trees can have."""
    known = [d for d in primitives.dimensions if d is not None]
    target = known[int(random.integers(len(known)))]
    if random.random() < 0.2:
        return target**2 / known[int(random.integers(len(known)))]
    return target


def forest_of(trees: list[Tree]) -> Forest:
    return Forest.of([(tree,) for tree in trees])
