"""Primitive sets: what expressions are made of, by code, and the tables that kernels read."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpdr.dimensions import Dimension, UnitSystem
from gpdr.errors import InputError, unknown_name
from gpdr.expressions.functions import Function, Op, Rule
from gpdr.expressions.terminals import Constant, Sampler, Terminal

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_LITERAL = "number"  # what [7 number] names
_IN_PYTHON = {f"_{op.name.lower()}" for op in Op}  # source.py's helpers


class PrimitiveTable(NamedTuple):
    """A primitive set as arrays; row c describes the primitive of code c.

    Codes 0 … functions-1 are functions, then terminals and constants in the order declared, last the literal number.
    `dims` are exponents times the set's common denominator: whole numbers, so sums and halves are exact in float64.
    """

    arity: NDArray[np.int64]
    rule: NDArray[np.int64]
    op: NDArray[np.int64]  # functions: what to compute (Op); user functions Op.USER + their index
    column: NDArray[np.int64]  # terminals: column of the data, -1 for constants
    sampler: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    dims: NDArray[np.float64]  # (codes, base units)
    dimension_class: NDArray[np.int64]  # terminals: index into class_dims; -1 for a literal no terminal agrees with
    class_dims: NDArray[np.float64]  # (classes, base units): dimensions that terminals may be drawn with
    class_starts: NDArray[np.int64]  # members of class k: class_codes[class_starts[k] : class_starts[k + 1]]
    class_codes: NDArray[np.int64]
    functions: int
    drawable: int  # codes functions … drawable-1 are the terminals that may be drawn


@dataclass(frozen=True)
class PrimitiveSet:
    """Functions, terminals and random constants over base units."""

    name: str
    functions: tuple[Function, ...]
    terminals: tuple[Terminal | Constant, ...]
    units: UnitSystem

    def __post_init__(self) -> None:
        names = [primitive.name for primitive in (*self.functions, *self.terminals)]
        for name in names:
            if not _NAME.fullmatch(name):
                raise InputError(f"primitive {name!r}: expected a name of letters, digits and _")
            if names.count(name) > 1:
                raise InputError(f"primitive {name!r}: declared twice; give each its own name")
            if name in _IN_PYTHON:
                raise InputError(f"primitive {name!r}: exported Python calls a function of its own so; rename it")
        if not self.terminals:
            raise InputError(f"primitive set {self.name!r}: needs at least one terminal or constant")
        for terminal in self.terminals:  # an unknown unit is found here, not in the middle of a run
            kind, given = ("constant", "bounds") if isinstance(terminal, Constant) else ("terminal", "data")
            if kind == "constant" and terminal.name == _LITERAL:
                raise InputError(f"constant {_LITERAL!r}: texts call plain numbers so; choose another name")
            unit = self.units.unit(terminal.unit)
            if unit.size != 1.0:
                base = self.units.text(unit.dimension)
                raise InputError(
                    f"{kind} {terminal.name!r}: {terminal.unit} is {unit.size:g} {base}; give its {given} in {base}"
                )

    # -- codes ---------------------------------------------------------------------------------------------------

    @property
    def literal(self) -> int:
        """The code of a number that no constant of the set could have drawn."""
        return len(self.functions) + len(self.terminals)

    @cached_property
    def codes(self) -> dict[str, int]:
        """Code by name."""
        return {p.name: code for code, p in enumerate((*self.functions, *self.terminals))}

    def code(self, name: str) -> int:
        if name not in self.codes:
            raise unknown_name("primitive", name, self.codes)
        return self.codes[name]

    def name_of(self, code: int) -> str:
        primitives = (*self.functions, *self.terminals)
        return primitives[code].name if code < self.literal else _LITERAL

    def is_function(self, code: int) -> bool:
        return code < len(self.functions)

    def function_of(self, op: Op) -> Function | None:
        """The first function that computes this built-in operation, which is the one that operators of texts mean."""
        return self._function_by_op.get(op)

    @cached_property
    def _function_by_op(self) -> dict[Op, Function]:
        return {f.op: f for f in reversed(self.functions) if f.op is not Op.USER}

    def is_number(self, code: int) -> bool:
        """Whether nodes of this code carry their own value: constants and literals."""
        return code == self.literal or (
            not self.is_function(code) and isinstance(self.terminals[code - len(self.functions)], Constant)
        )

    def constant_code(self, value: float, dimension: Dimension | None = None) -> int | None:
        """The first constant of this dimension that could have this value, for plain numbers else the literal."""
        wanted = dimension or Dimension.none(len(self.units))
        for code in range(len(self.functions), self.literal):
            terminal = self.terminals[code - len(self.functions)]
            if isinstance(terminal, Constant) and self.dimensions[code] == wanted and terminal.could_be(value):
                return code
        return None if wanted else self.literal

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the data's columns, in the order that evaluation expects."""
        return tuple(t.name for t in self.terminals if isinstance(t, Terminal))

    # -- dimensions ----------------------------------------------------------------------------------------------

    @cached_property
    def dimensions(self) -> tuple[Dimension | None, ...]:
        """Dimension by code; None for functions."""
        read = [self.units.dimension(terminal.unit) for terminal in self.terminals]
        return (*(None for _ in self.functions), *read, Dimension.none(len(self.units)))

    @cached_property
    def denominator(self) -> int:
        """The common denominator of all exponents: the kernels count in units of its inverse."""
        exponents = (e for d in self.dimensions if d is not None for e in d.exponents)
        return math.lcm(1, *(e.denominator for e in exponents))

    def scaled(self, dimension: Dimension) -> NDArray[np.float64]:
        """A dimension as kernels know it."""
        return np.array([float(e * self.denominator) for e in dimension.exponents])

    def scaled_targets(self, targets: Sequence[Dimension]) -> NDArray[np.float64]:
        """Targets of an individual's trees as kernels know them: (trees, base units)."""
        return np.array([self.scaled(target) for target in targets]).reshape(len(targets), len(self.units))

    # -- what kernels read ---------------------------------------------------------------------------------------

    @cached_property
    def table(self) -> PrimitiveTable:
        count, functions = self.literal + 1, len(self.functions)
        dims = np.zeros((count, len(self.units)))
        sampler, column = np.zeros(count, np.int64), np.full(count, -1)
        low, high = np.zeros(count), np.zeros(count)
        for code, dimension in enumerate(self.dimensions):
            if dimension is not None:
                dims[code] = self.scaled(dimension)
        for code, terminal in enumerate(self.terminals, start=functions):
            if isinstance(terminal, Constant):
                sampler[code], low[code], high[code] = terminal.sampler, terminal.low, terminal.high
            else:
                column[code] = self.columns.index(terminal.name)
        own = [f for f in self.functions if f.op is Op.USER]
        ops = [f.op + (own.index(f) if f.op is Op.USER else 0) for f in self.functions]
        padding = [0] * (count - functions)
        classes = list(dict.fromkeys(self.dimensions[functions : self.literal]))
        class_of = [classes.index(d) if d in classes else -1 for d in self.dimensions[functions:]]
        members = [[functions + t for t, k in enumerate(class_of[:-1]) if k == c] for c in range(len(classes))]
        return PrimitiveTable(
            arity=np.array([*(f.arity for f in self.functions), *padding], np.int64),
            rule=np.array([*(f.rule for f in self.functions), *padding], np.int64),
            op=np.array([*ops, *padding], np.int64),
            column=column.astype(np.int64),
            sampler=sampler,
            low=low,
            high=high,
            dims=dims,
            dimension_class=np.array([*(-1 for _ in self.functions), *class_of], np.int64),
            class_dims=dims[[m[0] for m in members]],
            class_starts=np.cumsum([0, *(len(m) for m in members)]).astype(np.int64),
            class_codes=np.array([code for m in members for code in m], np.int64),
            functions=functions,
            drawable=self.literal,
        )


__all__ = ["Constant", "Function", "PrimitiveSet", "PrimitiveTable", "Rule", "Sampler", "Terminal"]
