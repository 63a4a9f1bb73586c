"""Functions: name, number of inputs, what they do to dimensions, what they do to numbers."""

from __future__ import annotations

import keyword
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from gpdr.errors import InputError

# Protected division: the result where the denominator is smaller than this in absolute value.
DIVISION_BY_ZERO = 1e6
SMALLEST_DENOMINATOR = 1e-9


class Rule(IntEnum):
    """What a function asks of its inputs' dimensions, and the dimension it gives: the classes of repair."""

    TERMINAL = 0  # not a function
    SAME = 1  # d1 = d2, gives d1: add, sub, max, min
    PRODUCT = 2  # gives d1 + d2: mul
    QUOTIENT = 3  # gives d1 - d2: div
    SQUARE = 4  # gives 2 d1: sq
    ROOT = 5  # gives d1 / 2: sqrt
    CHOICE = 6  # d2 = d3, first free, gives d2: if
    PURE = 7  # a plain number in, a plain number out: for functions of users, such as exp

    @property
    def arity(self) -> int:
        return (0, 2, 2, 2, 1, 1, 3, 1)[self]


class Op(IntEnum):
    """What the evaluation kernel computes; from USER on, a function of the user's."""

    ADD = 0
    SUB = 1
    MUL = 2
    DIV = 3
    MAX = 4
    MIN = 5
    SQ = 6
    SQRT = 7
    IF = 8
    USER = 9

    @property
    def arity(self) -> int:
        """Inputs of a built-in operation."""
        return (2, 2, 2, 2, 2, 2, 1, 1, 3)[self]


@dataclass(frozen=True)
class Function:
    """A function: built in (`op`), or a user's own: plain Python on floats that Numba can compile (`compute`)."""

    name: str
    rule: Rule
    op: Op = Op.USER
    compute: Callable[..., float] | None = None

    def __post_init__(self) -> None:
        if self.rule is Rule.TERMINAL:
            raise InputError(f"function {self.name!r}: rule must be one of {', '.join(r.name for r in Rule if r)}")
        if (self.op is Op.USER) == (self.compute is None):
            raise InputError(f"function {self.name!r}: give either a built-in op or compute, a function of floats")
        if self.op is Op.USER and keyword.iskeyword(self.name):
            raise InputError(f"function {self.name!r}: this is a word of Python's own; choose another name")
        if self.op is not Op.USER and self.op.arity != self.arity:
            raise InputError(
                f"function {self.name!r}: op {self.op.name} has {self.op.arity} inputs, rule {self.rule.name}"
                f" {self.arity}; choose a rule with as many"
            )

    @property
    def arity(self) -> int:
        return self.rule.arity


ADD = Function("add", Rule.SAME, Op.ADD)
SUB = Function("sub", Rule.SAME, Op.SUB)
MUL = Function("mul", Rule.PRODUCT, Op.MUL)
DIV = Function("div", Rule.QUOTIENT, Op.DIV)
MAX = Function("max", Rule.SAME, Op.MAX)
MIN = Function("min", Rule.SAME, Op.MIN)
SQ = Function("sq", Rule.SQUARE, Op.SQ)
SQRT = Function("sqrt", Rule.ROOT, Op.SQRT)
IF = Function("if", Rule.CHOICE, Op.IF)
BUILT_IN = (ADD, SUB, MUL, DIV, MAX, MIN, SQ, SQRT, IF)
