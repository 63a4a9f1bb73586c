"""The published programme against the recursion, through each solver that is installed."""

from __future__ import annotations

import ctypes
import math
import os
import signal
from importlib.util import find_spec
from threading import Event, Timer
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpdr.consistency import reference, repair, repair_forest
from gpdr.consistency.milp import solve
from gpdr.consistency.milp.gurobi import Gurobi
from gpdr.consistency.milp.highs import Highs
from gpdr.consistency.milp.interruptible import interruptible
from gpdr.consistency.milp.model import Model, build_model
from gpdr.consistency.milp.solution import MilpSolver, _is_repair
from gpdr.consistency.replacements import replaced
from gpdr.consistency.weights import weights_of_nodes
from gpdr.errors import InputError
from gpdr.expressions import PrimitiveSet, Rule, Tree, parse
from gpdr.expressions.appointment import APPOINTMENT
from tests.consistency.cases import (
    MECHANICS,
    MOTION,
    PRODUCTS,
    ROOTS,
    SETS,
    TIME,
    forest_of,
    random_target,
    random_tree,
)

MINUTES = APPOINTMENT.units.dimension("min")
GUROBI: list[MilpSolver] = ["gurobi"] if find_spec("gurobipy") else []
SOLVERS: list[MilpSolver] = ["highs", *GUROBI]
SEED = np.random.SeedSequence(1)


def compare(primitives: PrimitiveSet, solver: MilpSolver, sizes: list[int], seed: int) -> None:
    """On random trees: the same feasibility and cost, and the solver's own choice is a repair."""
    random = np.random.default_rng(seed)
    for nodes in sizes:
        tree, target = random_tree(primitives, nodes, random), random_target(primitives, random)
        forest = forest_of([tree])
        prices = weights_of_nodes(forest, primitives, "depth", "none")
        exact = float(repair_forest(forest, primitives, (target,), SEED).cost[0])
        solution = solve(tree, primitives, prices, target, solver)
        assert solution.cost == pytest.approx(exact, abs=1e-9), (tree.codes.tolist(), target)
        if solution.choice is not None:
            after, _ = replaced(tree, primitives, solution.choice, SEED)
            assert reference.gap(after, primitives, target) == 0


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("primitives", SETS, ids=lambda s: s.name)
def test_solvers_agree_with_the_recursion(primitives: PrimitiveSet, solver: MilpSolver) -> None:
    compare(primitives, solver, [2, 3, 5, 7, 9, 12, 15, 18] if solver == "highs" else [4, 11, 19, 25], seed=6)


def sizes(count: int, largest: int, seed: int) -> list[int]:
    """From 2 nodes on, small trees more often: as likely between 2 and 4 as between 50 and 100."""
    drawn = np.exp(np.random.default_rng(seed).uniform(np.log(2), np.log(largest + 1), count))
    return [int(size) for size in drawn]


# Solvers take minutes for the largest trees in several units, so these are few. To prove that a chain of roots and
# squares cannot be repaired takes them twice as long with each node: a second at 14 nodes, a minute and a half at 22.
LONGEST_CHAIN = 16
HIGHS_TREES = [
    *((primitives, count, 100) for primitives, count in ((APPOINTMENT, 4000), (TIME, 2500), (PRODUCTS, 3500))),
    (MOTION, 5000, 30),
    (MECHANICS, 4500, 20),
    (ROOTS, 500, LONGEST_CHAIN),
    (MOTION, 10, 100),
    (MECHANICS, 10, 50),  # of 81 nodes, in three units, one took HiGHS more than a quarter of an hour
]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize(("primitives", "count", "largest"), HIGHS_TREES)
def test_20000_random_trees_with_highs(primitives: PrimitiveSet, count: int, largest: int, part: int) -> None:
    seed = 1000 * largest + part
    compare(primitives, "highs", sizes(max(count // 10, 1), largest, seed), seed)


@pytest.mark.slow
@pytest.mark.parametrize("solver", GUROBI)
@pytest.mark.parametrize("primitives", [*SETS, ROOTS], ids=lambda s: s.name)
def test_thousands_of_random_trees_with_gurobi(primitives: PrimitiveSet, solver: MilpSolver) -> None:
    largest = {ROOTS: LONGEST_CHAIN, MECHANICS: 30}.get(primitives, 60)
    compare(primitives, solver, sizes(600, largest, 77), 77)


def test_the_model_has_what_the_publication_says() -> None:
    tree = parse("M + P", APPOINTMENT)
    model = build_model(tree, APPOINTMENT, [1.0, 0.5, 0.5], MINUTES)
    binary = sum(model.binary)
    assert binary == 3 + 3 + 2 + 2  # x of each node, y of the sum's three classes, z of each terminal
    assert len(model.cost) - binary == 3  # d of each node
    assert sum(model.cost) == 2.0
    assert [len(columns) for columns in model.choices] == [3, 2, 2]
    largest = max(abs(value) for value in model.value)
    assert largest == 3.0  # big M: |d - d1 - d2| <= 3 where inputs lie in 0 … 1 and the sum's node in -1 … 2


def test_at_most_so_many_changes() -> None:
    tree = parse("M + i * P", APPOINTMENT)
    prices = [1.0, 5.0, 0.1, 0.2, 0.2]
    for solver in SOLVERS:
        assert solve(tree, APPOINTMENT, prices, MINUTES, solver).cost == pytest.approx(0.2)
        assert solve(tree, APPOINTMENT, prices, MINUTES, solver, most_changes=1).cost == pytest.approx(0.2)
        assert math.isinf(solve(tree, APPOINTMENT, prices, MINUTES, solver, most_changes=0).cost)


def test_fixed_nodes_are_not_adjusted() -> None:
    tree = parse("M + P", APPOINTMENT)
    for solver in SOLVERS:
        solution = solve(tree, APPOINTMENT, [1.0, 0.5, math.inf], MINUTES, solver)
        assert solution.cost == 1.0
        assert solution.build_seconds > 0
        assert solution.solve_seconds > 0


def test_unknown_solvers_are_named() -> None:
    with pytest.raises(InputError, match=r"^unknown solver 'cplex': choose one of highs, gurobi$"):
        solve(parse("M", APPOINTMENT), APPOINTMENT, [1.0], MINUTES, "cplex")  # type: ignore[arg-type]


@pytest.mark.parametrize("solver", GUROBI)
def test_trees_too_large_for_the_licence(solver: MilpSolver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever licence is installed: the solver says that the model is too large for it."""
    import gurobipy

    def refuse(_model: object) -> None:
        raise gurobipy.GurobiError(10010, "Model too large for size-limited license")

    monkeypatch.setattr(gurobipy.Model, "optimize", refuse)
    with pytest.raises(InputError, match=r"^solver 'gurobi': the tree is too large for the licence found; use exact"):
        solve(parse("M + 1", APPOINTMENT), APPOINTMENT, [1.0, 0.5, 0.5], MINUTES, solver)


def ended(solver: MilpSolver, status: str) -> Highs | Gurobi:
    """A programme whose solver says that it ended so."""
    model = build_model(parse("M + 1", APPOINTMENT), APPOINTMENT, [1.0, 0.5, 0.5], MINUTES)
    programme: Highs | Gurobi
    if solver == "highs":
        import highspy

        programme, code = Highs(model), getattr(highspy.HighsModelStatus, status)
        programme.solver = SimpleNamespace(run=lambda: None, getModelStatus=lambda: code)
    else:
        import gurobipy

        programme, code = Gurobi(model), getattr(gurobipy.GRB, status)
        programme.solver = SimpleNamespace(optimize=lambda: None, Status=code)
    return programme


ENDINGS = {
    "highs": (("kInfeasible", "kUnboundedOrInfeasible"), "kInterrupt", (("kTimeLimit", "kTimeLimit"),)),
    "gurobi": (("INFEASIBLE", "INF_OR_UNBD"), "INTERRUPTED", (("TIME_LIMIT", "9"), ("NUMERIC", "12"))),
}


@pytest.mark.parametrize("solver", SOLVERS)
def test_only_a_proof_makes_a_tree_infeasible(solver: MilpSolver) -> None:
    infeasible, interrupted, stopped = ENDINGS[solver]
    for status in infeasible:
        assert ended(solver, status).solve() is None
    with pytest.raises(KeyboardInterrupt):
        ended(solver, interrupted).solve()
    for status, said in stopped:
        with pytest.raises(InputError) as caught:
            ended(solver, status).solve()
        assert str(caught.value) == (
            f"solver '{solver}': expected an optimum, it stopped with status {said}; use exact"
        )


def chain(marks: str) -> Tree:
    """Squares (^) and roots (v) around a time."""
    return parse("".join("sq(" if mark == "^" else "sqrt(" for mark in marks) + "t" + ")" * len(marks), ROOTS)


def test_an_answer_within_tolerances_only_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """HiGHS 1.15 takes this chain for consistent at first: its big M is 2^12, its tolerance 1e-6."""
    tree, answers = chain("^^^^vvvvvv^^v^v^vv^^v^^vv^^^"), []

    def note(*parts: Any) -> bool:
        answers.append(_is_repair(*parts))
        return answers[-1]

    monkeypatch.setattr("gpdr.consistency.milp.solution._is_repair", note)
    prices = weights_of_nodes(forest_of([tree]), ROOTS, "depth", "none")
    assert solve(tree, ROOTS, prices, ROOTS.units.dimension("s"), "highs").cost == pytest.approx(1 / 28, abs=1e-9)
    assert answers == [False, True]


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_choice_that_is_no_repair_is_refused(monkeypatch: pytest.MonkeyPatch, solver: MilpSolver) -> None:
    monkeypatch.setattr(Model, "choice", lambda *_: (int(Rule.SAME), -1, -1))  # as it was
    with pytest.raises(InputError) as caught:
        repair("M + 1", "min", solver=solver)
    assert str(caught.value) == f"solver '{solver}': its answer is no repair, as it keeps to tolerances; use exact"


def test_a_solver_that_takes_the_signal_is_cancelled_all_the_same() -> None:
    """The solver ignores Ctrl-C, as far as the operating system knows, and would never end."""
    cancelled = Event()

    def work() -> None:
        ctypes.pythonapi.PyOS_setsig(signal.SIGINT, ctypes.c_void_p(int(signal.SIG_IGN)))
        cancelled.wait(10)

    before = signal.getsignal(signal.SIGINT)
    timer = Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        interruptible(work, cancelled.set)
    assert cancelled.is_set()
    assert signal.getsignal(signal.SIGINT) is before


def test_highs_itself_is_cancelled() -> None:
    """It asks during its work whether to go on: an answer that comes before it starts ends it at once."""
    random = np.random.default_rng(3)
    tree = random_tree(MECHANICS, 60, random)
    prices = weights_of_nodes(forest_of([tree]), MECHANICS, "depth", "none").tolist()
    programme = Highs(build_model(tree, MECHANICS, prices, MECHANICS.units.dimension("m")))
    programme.cancel()
    with pytest.raises(KeyboardInterrupt):
        programme.solve()


def test_a_model_that_cannot_be_presolved_is_solved() -> None:
    """Presolving of HiGHS 1.15 ends with an error here."""
    tree = parse("x / if(v, sqrt([0.5 number]), sqrt(x))", MOTION)
    prices = weights_of_nodes(forest_of([tree]), MOTION, "depth", "none")
    assert solve(tree, MOTION, prices, MOTION.units.dimension("1"), "highs").cost == pytest.approx(0.75, abs=1e-9)
