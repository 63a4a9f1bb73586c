"""Problems on rows of data: a cost of one's own, and symbolic regression with units."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import ArrayLike, NDArray

from gpdr.dimensions import Dimension, UnitSystem
from gpdr.errors import InputError
from gpdr.expressions.evaluate import Data, evaluate
from gpdr.expressions.forest import Forest
from gpdr.expressions.functions import ADD, DIV, MUL, SQ, SQRT, SUB, Function
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.terminals import Constant, Sampler, Terminal

Values = NDArray[np.float64]
SMALL_NUMBER = Constant("k", Sampler.INTEGER, 1, 4)


@dataclass(frozen=True)
class DataProblem:
    """Individuals are judged by what their trees yield on rows of data.

    `cost` takes the values of many individuals, (individuals, trees, rows), and gives a cost for each, lower is
    better. Nothing is random, so the problem is its own only trial.
    """

    primitives: PrimitiveSet
    units: Sequence[str]  # of each tree
    data: Data
    cost: Callable[[Values], Values] = field(compare=False)
    reference_cost: float = 1.0

    @cached_property
    def targets(self) -> tuple[Dimension, ...]:
        return tuple(self.primitives.units.dimension(unit) for unit in self.units)

    def behaviour(self, forest: Forest) -> Values:
        return evaluate(forest, self.primitives, self.data).values.reshape(len(forest), -1)

    def draw(self, seed: SeedSequence, effort: int = 1) -> DataProblem:
        return self

    def costs(self, forest: Forest, behaviour: Values) -> Values:
        with np.errstate(all="ignore"):  # values may be infinite; such individuals are worse than all others
            costs = np.asarray(self.cost(behaviour.reshape(len(forest), forest.trees, -1)), np.float64)
        if costs.shape != (len(forest),):
            raise InputError(f"cost: expected one number an individual, {len(forest)}, got an array of {costs.shape}")
        return costs


def regression(
    columns: Mapping[str, ArrayLike],
    units: Mapping[str, str],
    target: ArrayLike,
    target_unit: str,
    base_units: Sequence[str],
    functions: Sequence[Function] = (ADD, SUB, MUL, DIV, SQ, SQRT),
    constants: Sequence[Constant] = (SMALL_NUMBER,),
) -> DataProblem:
    """Find the formula behind data, its units minded.

    The cost is the root of the mean squared error over the target's standard deviation: 0 is exact, 1 no better than
    the target's mean.
    """
    if missing := [name for name in columns if name not in units]:
        raise InputError(f"units: expected one for each column, {missing[0]!r} has none")
    wanted = _numbers("target", target)
    spread = float(np.std(wanted)) if wanted.size else 0.0
    if wanted.ndim != 1 or not np.isfinite(wanted).all() or spread == 0.0:
        raise InputError(f"target: expected a column of finite numbers that differ, got shape {wanted.shape}")
    data = {name: _numbers(f"column {name}", column) for name, column in columns.items()}
    for name, column in data.items():
        if column.shape not in ((), wanted.shape):
            raise InputError(f"column {name}: expected {len(wanted)} numbers, got shape {column.shape}")
    terminals = [Terminal(name, units[name]) for name in columns]
    primitives = PrimitiveSet("regression", tuple(functions), (*terminals, *constants), UnitSystem(tuple(base_units)))

    def cost(values: Values) -> Values:
        errors: Values = np.sqrt(np.mean((values[:, 0] - wanted) ** 2, axis=1)) / spread
        return errors

    rows = {name: np.broadcast_to(column, wanted.shape) for name, column in data.items()}
    return DataProblem(primitives, (target_unit,), rows, cost)


def _numbers(name: str, given: ArrayLike) -> Values:
    try:
        return np.asarray(given, np.float64)
    except (TypeError, ValueError):
        cells = reprlib.repr(np.asarray(given, object).tolist())
        raise InputError(f"{name}: expected a column of numbers, got {cells}") from None
