"""The mixed-integer programme of the publication, as arrays that any solver takes.

Binary x_n: node n is adjusted. Binary y_{n,f}: function n has class f. Binary z_{n,t}: terminal n has dimension class
t. Free d_n: the exponents of node n. The sum of w_n x_n is to be least.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gpdr.consistency import reference
from gpdr.consistency.milp.intervals import Interval, classes, intervals
from gpdr.dimensions import Dimension
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Rule
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.reference import inputs_of

Terms = Mapping[int, float]  # column -> coefficient


@dataclass
class Model:
    """Columns and rows as they are added; rows are low <= sum of terms <= high."""

    cost: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    binary: list[bool] = field(default_factory=list)
    row_low: list[float] = field(default_factory=list)
    row_high: list[float] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    index: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    choices: list[dict[int, int]] = field(default_factory=list)  # of each node: column -> the choice it stands for

    def add_binary(self, cost: float = 0.0, high: float = 1.0) -> int:
        return self._add(cost, 0.0, high, True)

    def add_free(self, low: float = -np.inf, high: float = np.inf) -> int:
        return self._add(0.0, low, high, False)

    def _add(self, cost: float, low: float, high: float, binary: bool) -> int:
        self.cost.append(cost)
        self.low.append(low)
        self.high.append(high)
        self.binary.append(binary)
        return len(self.cost) - 1

    def add_row(self, terms: Terms, low: float, high: float) -> None:
        self.index += terms.keys()
        self.value += terms.values()
        self.starts.append(len(self.index))
        self.row_low.append(low)
        self.row_high.append(high)

    def add_switched(self, terms: Terms, switch: int, big_m: float) -> None:
        """The sum of terms is 0 if the switch is 1, else anything up to big M on both sides."""
        self.add_row({**terms, switch: big_m}, -np.inf, big_m)
        self.add_row({**terms, switch: -big_m}, -big_m, np.inf)

    def choice(self, solution: Sequence[float] | NDArray[np.float64]) -> tuple[int, ...]:
        """What a solution chose for each node: the column of those that stand for it which is nearest to 1."""
        return tuple(columns[max(columns, key=lambda c: solution[c])] for columns in self.choices)


def build_model(
    tree: Tree,
    primitives: PrimitiveSet,
    weights: Sequence[float],
    target: Dimension,
    most_changes: int | None = None,
) -> Model:
    """The programme of one tree. Nodes with infinite weight are not adjusted."""
    model, inputs = Model(choices=[{} for _ in tree.codes]), inputs_of(tree, primitives)
    rules, reach = reference.rules(tree, primitives), intervals(tree, primitives, weights, inputs)
    wanted = primitives.scaled(target)
    adjusted, d = [], []
    for n, rule in enumerate(rules):
        fixed = weights[n] == np.inf
        adjusted.append(model.add_binary(0.0 if fixed else weights[n], 0.0 if fixed else 1.0))
        d.append([model.add_free(w, w) if n == 0 else model.add_free() for w in wanted])
        if rule is Rule.TERMINAL:
            _add_terminal(model, tree, primitives, weights, n, adjusted[n], d[n])
    for n, rule in enumerate(rules):
        if rule is not Rule.TERMINAL:
            columns = {model.add_binary(): new for new in classes(n, rule, primitives, weights)}
            model.choices[n] = {column: int(new) for column, new in columns.items()}
            _one_of(model, columns, next(c for c, new in columns.items() if new is rule), adjusted[n])
            for column, new in columns.items():
                _switch_on(model, column, new, n, inputs[n], d, reach)
    if most_changes is not None:
        model.add_row(dict.fromkeys(adjusted, 1.0), 0.0, most_changes)
    return model


def _one_of(model: Model, columns: Mapping[int, object], old: int, adjusted: int) -> None:
    """Exactly one choice, and the node is adjusted unless it is the old one."""
    model.add_row(dict.fromkeys(columns, 1.0), 1.0, 1.0)
    model.add_row({adjusted: 1.0, old: 1.0}, 1.0, np.inf)


def _add_terminal(
    model: Model,
    tree: Tree,
    primitives: PrimitiveSet,
    weights: Sequence[float],
    n: int,
    adjusted: int,
    d: Sequence[int],
) -> None:
    table, code = primitives.table, int(tree.codes[n])
    groups = [-1, *(g for g in range(len(table.class_starts) - 1) if g != table.dimension_class[code])]
    listed = list(reference.terminal_choices(code, primitives, weights[n]))
    columns = {model.add_binary(): group for group in groups[: len(listed)]}
    model.choices[n] = columns
    _one_of(model, columns, next(iter(columns)), adjusted)
    exponents = [primitives.scaled(dimension) for dimension, _ in listed]
    for unit, column in enumerate(d):
        terms = {z: -float(e[unit]) for z, e in zip(columns, exponents, strict=True) if e[unit]}
        model.add_row({column: 1.0, **terms}, 0.0, 0.0)


def _switch_on(
    model: Model,
    switch: int,
    rule: Rule,
    n: int,
    inputs: Sequence[int],
    d: Sequence[Sequence[int]],
    reach: Sequence[Interval],
) -> None:
    """The equalities of a class, for each base unit: sums of (node, coefficient) that are to be 0."""
    a, b = inputs[0], inputs[-1]
    equalities: dict[Rule, list[list[tuple[int, float]]]] = {
        Rule.SAME: [[(a, 1.0), (b, -1.0)], [(n, 1.0), (a, -1.0)]],
        Rule.PRODUCT: [[(n, 1.0), (a, -1.0), (b, -1.0)]],
        Rule.QUOTIENT: [[(n, 1.0), (a, -1.0), (b, 1.0)]],
        Rule.SQUARE: [[(n, 1.0), (a, -2.0)]],
        Rule.ROOT: [[(n, 2.0), (a, -1.0)]],
        Rule.CHOICE: [[(inputs[len(inputs) // 2], 1.0), (b, -1.0)], [(n, 1.0), (b, -1.0)]],
        Rule.PURE: [[(a, 1.0)], [(n, 1.0)]],
    }
    for equality in equalities[rule]:
        for unit in range(len(d[n])):
            terms = {d[node][unit]: factor for node, factor in equality}
            high = sum(max(f * reach[k].low[unit], f * reach[k].high[unit]) for k, f in equality)
            low = sum(min(f * reach[k].low[unit], f * reach[k].high[unit]) for k, f in equality)
            model.add_switched(terms, switch, float(max(high, -low)))
