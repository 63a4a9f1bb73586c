"""The repair of one expression: by the recursion or as a mixed-integer programme, with what changed and why."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gpdr._checks import whole
from gpdr.consistency.alternatives import any_cheapest_way, cheapest_ways
from gpdr.consistency.exact import Fixed, Status, repair_forest
from gpdr.consistency.reading import read_expression, read_target
from gpdr.consistency.replacements import replaced
from gpdr.consistency.report import Report, check
from gpdr.consistency.weights import Weights, scaled_weights
from gpdr.dimensions import Dimension
from gpdr.errors import InputError, unknown_name
from gpdr.expressions.forest import Forest, Tree
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.reference import inputs_of
from gpdr.expressions.writer import to_text

Solver = Literal["exact", "highs", "gurobi"]


@dataclass(frozen=True)
class Change:
    """A node that changed: its place in prefix order, its primitive before and after, and the reason in words."""

    node: int
    before: str
    after: str
    reason: str

    def __str__(self) -> str:
        return f"{self.before} -> {self.after}: {self.reason}"


@dataclass(frozen=True)
class RepairResult:
    """One expression before and after; an expression that cannot be repaired has no after."""

    expression: str
    feasible: bool
    cost: float  # infinite where infeasible
    repaired: str | None
    changes: tuple[Change, ...]
    solver: Solver
    report: Report  # on the expression as it was
    before: Tree
    after: Tree | None
    primitives: PrimitiveSet

    @property
    def changed(self) -> int:
        return len(self.changes)

    def as_dict(self) -> dict[str, Any]:
        return {
            "expression": self.expression,
            "feasible": self.feasible,
            "cost": self.cost if self.feasible else None,
            "repaired": self.repaired,
            "changed": self.changed,
            "solver": self.solver,
        }


def repair(
    expression: str | Tree,
    target: str | Dimension,
    primitives: PrimitiveSet | None = None,
    solver: Solver = "exact",
    seed: int | np.random.SeedSequence = 1,
    terminal_weights: NDArray[np.float64] | None = None,
    weights: Weights = "depth",
    fixed: Fixed | NDArray[np.bool_] = "none",
    most_changes: int | None = None,
) -> RepairResult:
    """Change nodes of least total weight so that the units fit and the root has the target's.

    `weights` is the price of changing a node: "depth" (1/k at depth k), "uniform", "size", or one number a node.
    `fixed` keeps "functions", "terminals" or marked nodes as they are; `most_changes` limits how many change.
    """
    if solver not in get_args(Solver):
        raise unknown_name("solver", solver, get_args(Solver))
    text, tree, primitives = read_expression(expression, primitives)
    wanted = read_target(target, primitives)
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(whole("seed", seed, 0))
    most = None if most_changes is None else whole("most_changes", most_changes, 0)
    forest = Forest.of([(tree,)])
    if check(tree, wanted, primitives).consistent:
        return _result(text, tree, wanted, primitives, solver, 0.0, tree)
    if solver == "exact" and most is None:
        found = repair_forest(forest, primitives, (wanted,), root, terminal_weights, weights, fixed)
        if found.status[0, 0] == Status.GIVEN_UP:
            raise InputError(
                f"repair: gave up on a tree of {len(tree)} nodes, whose nodes can have too many dimensions; "
                f"repair smaller trees, or keep more nodes fixed"
            )
        return _result(text, tree, wanted, primitives, solver, float(found.cost[0]), found.forest.tree(0))
    prices, scales = scaled_weights(forest, primitives, weights, fixed)
    if solver == "exact":
        assert most is not None
        for_choice, root = root.spawn(2)
        ways = any_cheapest_way(tree, primitives, prices.tolist(), wanted, most, for_choice)
        cost, choice = (ways[0].cost, ways[0].choice) if ways else (math.inf, None)
    else:
        from gpdr.consistency.milp import solve

        solution = solve(tree, primitives, prices, wanted, solver, most)
        cost, choice = solution.cost, solution.choice
    after = tree if choice is None else replaced(tree, primitives, choice, root, terminal_weights)[0]
    return _result(text, tree, wanted, primitives, solver, cost * float(scales[0]), after)


def best_repairs(
    expression: str | Tree,
    target: str | Dimension,
    count: int,
    primitives: PrimitiveSet | None = None,
    seed: int | np.random.SeedSequence = 1,
    weights: Weights = "depth",
    fixed: Fixed | NDArray[np.bool_] = "none",
    most_changes: int | None = None,
) -> list[RepairResult]:
    """The `count` cheapest repairs of an expression, each with other classes, in order of cost; fewer if there are."""
    text, tree, primitives = read_expression(expression, primitives)
    wanted = read_target(target, primitives)
    if count < 1:
        raise InputError(f"count: expected at least 1 repair, got {count}")
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(whole("seed", seed, 0))
    most = None if most_changes is None else whole("most_changes", most_changes, 0)
    prices, scales = scaled_weights(Forest.of([(tree,)]), primitives, weights, fixed)
    ways = cheapest_ways(tree, primitives, prices.tolist(), wanted, count, most)
    seeds = root.spawn(len(ways))
    after = [replaced(tree, primitives, way.choice, own)[0] for way, own in zip(ways, seeds, strict=True)]
    return [
        _result(text, tree, wanted, primitives, "exact", way.cost * float(scales[0]), new)
        for way, new in zip(ways, after, strict=True)
    ]


def _result(
    text: str,
    before: Tree,
    wanted: Dimension,
    primitives: PrimitiveSet,
    solver: Solver,
    cost: float,
    after: Tree,
) -> RepairResult:
    report = check(before, wanted, primitives)
    feasible = cost < math.inf
    return RepairResult(
        expression=text,
        feasible=feasible,
        cost=cost,
        repaired=to_text(after, primitives) if feasible else None,
        changes=_changes(before, after, primitives, report) if feasible else (),
        solver=solver,
        report=report,
        before=before,
        after=after if feasible else None,
        primitives=primitives,
    )


def _changes(before: Tree, after: Tree, primitives: PrimitiveSet, report: Report) -> tuple[Change, ...]:
    """What changed and why: the nearest fault at the node or above it, else any."""
    parent = {child: k for k, below in enumerate(inputs_of(before, primitives)) for child in below}
    found = []
    for k in range(len(before)):
        old, new = int(before.codes[k]), int(after.codes[k])
        if old == new:
            continue
        at: int | None = k
        while at is not None and not report.nodes[at].problem:
            at = parent.get(at)
        reason = report.nodes[at].problem if at is not None else report.off_target or report.problems[0]
        found.append(Change(k, _name(before, k, primitives), _name(after, k, primitives), reason))
    return tuple(found)


def _name(tree: Tree, k: int, primitives: PrimitiveSet) -> str:
    code = int(tree.codes[k])
    return f"{tree.values[k]:.6g}" if primitives.is_number(code) else primitives.name_of(code)
