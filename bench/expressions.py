"""Evaluation of a population beside DEAP: the same trees, the same values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from deap import gp

from bench.case import Case
from gpdr.expressions import Forest, Op, PrimitiveSet, Tree, evaluate, ramped_half_and_half
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.functions import DIVISION_BY_ZERO, SMALLEST_DENOMINATOR
from gpdr.expressions.reference import MEANING

INDIVIDUALS, TREES, MEAN_NODES = 256, 2, 35
FEW, MANY = 20, 2000  # patients of a session; cases of a regression


def population(seed: int = 1) -> Forest:
    """Random individuals of the mean size that evolution arrives at: a draw's first 256 that average it."""
    drawn = ramped_half_and_half(APPOINTMENT, 4 * INDIVIDUALS, TREES, np.random.SeedSequence(seed))
    order = np.argsort(drawn.sizes)
    first = min(
        range(len(order) - INDIVIDUALS),
        key=lambda k: abs(drawn.sizes[order[k : k + INDIVIDUALS]].mean() - MEAN_NODES),
    )
    return drawn.take(order[first : first + INDIVIDUALS])


def on_columns() -> dict[Op, Callable[..., Any]]:
    """The same functions on NumPy columns."""

    def quotient(a: Any, b: Any) -> Any:
        tiny = np.abs(b) < SMALLEST_DENOMINATOR
        return np.where(tiny, DIVISION_BY_ZERO, a / np.where(tiny, 1.0, b))

    return {
        Op.ADD: operator.add,
        Op.SUB: operator.sub,
        Op.MUL: operator.mul,
        Op.DIV: quotient,
        Op.MAX: np.maximum,
        Op.MIN: np.minimum,
        Op.SQ: np.square,
        Op.SQRT: lambda a: np.sqrt(np.abs(a)),
        Op.IF: lambda a, b, c: np.where(a > 0, b, c),
    }


class Deap:
    """The same trees in DEAP's hands: lists of its primitives, compiled to Python functions."""

    def __init__(self, forest: Forest, primitives: PrimitiveSet, meaning: Mapping[Op, Callable[..., Any]]) -> None:
        self.pset = gp.PrimitiveSet("MAIN", len(primitives.columns))
        self.pset.renameArguments(**{f"ARG{k}": name for k, name in enumerate(primitives.columns)})
        for function in primitives.functions:
            self.pset.addPrimitive(meaning[function.op], function.arity, f"p_{function.name}")
        self.trees = [self._tree(tree, primitives) for individual in forest for tree in individual]
        self.functions = self.compiled()

    def compiled(self) -> list[Callable[..., Any]]:
        return [gp.compile(tree, self.pset) for tree in self.trees]

    def _tree(self, tree: Tree, primitives: PrimitiveSet) -> Any:
        arguments = {terminal.value: terminal for terminal in self.pset.terminals[object]}
        nodes = []
        for code, value in zip(tree.codes.tolist(), tree.values.tolist(), strict=True):
            name = primitives.name_of(code)
            if primitives.is_function(code):
                nodes.append(self.pset.mapping[f"p_{name}"])
            else:
                nodes.append(gp.Terminal(value, False, object) if primitives.is_number(code) else arguments[name])
        return gp.PrimitiveTree(nodes)


def cases() -> list[Case]:
    forest = population()
    rng = np.random.default_rng(2)
    few, many = (rng.uniform(0.1, 20.0, (rows, len(APPOINTMENT.columns))) for rows in (FEW, MANY))
    by_number, by_column = Deap(forest, APPOINTMENT, MEANING), Deap(forest, APPOINTMENT, on_columns())
    nodes = len(forest.codes)

    def ours(data: Any, repeats: int) -> Callable[[], object]:
        return lambda: [evaluate(forest, APPOINTMENT, data) for _ in range(repeats)]

    def numbers(functions: list[Callable[..., Any]]) -> list[list[float]]:
        return [[function(*row) for row in few.tolist()] for function in functions]

    def columns(data: Any) -> list[Any]:
        arguments = list(np.ascontiguousarray(data.T))
        return [np.broadcast_to(function(*arguments), len(data)) for function in by_column.functions]

    expected = evaluate(forest, APPOINTMENT, few).values.reshape(len(forest) * TREES, FEW)
    np.testing.assert_allclose(numbers(by_number.functions), expected)  # the same job, or no comparison
    np.testing.assert_allclose(columns(few), expected)

    job = f"{INDIVIDUALS} individuals of {MEAN_NODES} nodes, {FEW} rows"
    floats, vectors = "DEAP, compiled lambdas on floats", "DEAP, compiled lambdas on NumPy columns"
    return [
        Case(job, ours(few, 50), floats, lambda: numbers(by_number.functions), our_units=50),
        Case(job, ours(few, 50), f"{floats}, compiling too", lambda: numbers(by_number.compiled()), our_units=50),
        Case(job, ours(few, 50), vectors, lambda: columns(few), our_units=50),
        *(
            Case(
                f"one node on one row, of {len(data)}",
                ours(data, repeats),
                peer,
                theirs,
                our_units=repeats * nodes * len(data),
                their_units=nodes * len(data),
                unit="node evaluations",
            )
            for data, repeats, peer, theirs in (
                (few, 50, floats, lambda: numbers(by_number.functions)),
                (few, 50, vectors, partial(columns, few)),
                (many, 5, vectors, partial(columns, many)),
            )
        ),
    ]
