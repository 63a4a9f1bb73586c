"""What people read of checks and repairs."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from gpdr import check, repair
from gpdr.consistency import best_repairs, gaps
from gpdr.consistency.marking import parts
from gpdr.dimensions import UnitSystem
from gpdr.errors import InputError
from gpdr.expressions import ADD, Forest, PrimitiveSet, Terminal, Tree, parse, to_text
from gpdr.expressions.appointment import APPOINTMENT
from tests.consistency.cases import EXP, MOTION, SETS, TIME, random_tree


def test_the_report_of_the_contract() -> None:
    assert check("M + 1", "min").as_dict() == {
        "expression": "M + 1",
        "dimension": "min^(1/2)",
        "gap": 1.5,
        "consistent": False,
        "nodes": [
            {"text": "M + 1", "dimension": "min^(1/2)", "gap": 1.0},
            {"text": "M", "dimension": "min", "gap": 0.0},
            {"text": "1", "dimension": "1", "gap": 0.0},
        ],
    }


@pytest.mark.parametrize(
    ("text", "target", "problems"),
    [
        ("(i - CR) * M", "min", ()),
        ("M + 1", "min", ("adds min and 1 at 'M + 1'", "gives min^(1/2) where min is wanted")),
        ("max(M, P) * 0 * M", "min", ("compares min and 1 at 'max(M, P)'", "gives min^(3/2) where min is wanted")),
        ("M * V - V", "min", ("subtracts min^2 and min at 'M * V - V'", "gives min^(3/2) where min is wanted")),
        ("if(P, M, i)", "1", ("chooses between min and 1 at 'if(P, M, i)'", "gives min^(1/2) where 1 is wanted")),
        ("sq(M)", "min", ("gives min^2 where min is wanted",)),
    ],
)
def test_problems_in_words(text: str, target: str, problems: tuple[str, ...]) -> None:
    report = check(text, target)
    assert report.problems == problems
    assert report.consistent == (not problems)


def test_what_follows_from_a_fault_is_no_reason() -> None:
    report = check("M + 1 + M", "min")
    assert report.problems == ("adds min and 1 at 'M + 1'", "gives min^(3/4) where min is wanted")
    assert [node.follows for node in report.nodes] == [True, False, False, False, False]
    assert report.nodes[0].problem == "adds min^(1/2) and min at 'M + 1 + M'"
    assert len(check("(M + 1) * (V + P)", "min^2").problems) == 3


def test_gaps_beyond_all_floats_are_infinite() -> None:
    square, t = TIME.code("sq"), TIME.code("t")
    tree = Tree(np.array([*[square] * 1100, t], np.int32), np.zeros(1101))
    assert check(tree, "s", TIME).gap == np.inf


def test_a_tree_of_another_set_is_refused() -> None:
    with pytest.raises(InputError, match=r"^forest: tree 0 is not made of primitive set 'appointment'; give the set"):
        check(Tree(np.array([99], np.int32), np.zeros(1)), "min")


@pytest.mark.parametrize(
    ("target", "remark"),
    [
        ("min", ""),
        (" h", "h is 60 min: checked is the dimension, results are in min"),
        ("Gyr^50", "Gyr^50 is no min^50: checked is the dimension, results are in min^50"),
    ],
)
def test_remarks_on_size(target: str, remark: str) -> None:
    assert check("M", target).remark == remark


def test_functions_of_numbers_in_words() -> None:
    primitives = PrimitiveSet("own", (ADD, EXP), (Terminal("t", "s"), Terminal("n")), UnitSystem(("s",)))
    assert check("exp(t)", "1", primitives).problems == ("takes s where a plain number is due at 'exp(t)'",)


def test_the_repair_of_the_contract() -> None:
    result = repair("M + 1", "min", seed=3)
    assert result.as_dict() == {
        "expression": "M + 1",
        "feasible": True,
        "cost": 0.5,
        "repaired": result.repaired,
        "changed": 1,
        "solver": "exact",
    }
    assert result.repaired in ("M + M", "M + V")
    assert [str(change) for change in result.changes] == [f"1 -> {result.repaired[-1]}: adds min and 1 at 'M + 1'"]
    assert repair("M", "min^7").as_dict()["repaired"] is None
    assert repair("M", "min^7").as_dict()["cost"] is None


@pytest.mark.parametrize("solver", ["exact", "highs", *(["gurobi"] if find_spec("gurobipy") else [])])
def test_every_solver_repairs(solver: str) -> None:
    result = repair("max(i, M) * (sqrt(M) + 1) - P", "min", solver=solver)  # type: ignore[arg-type]
    assert result.solver == solver
    assert result.cost == pytest.approx(1 / 2 + 1 / 4 + 1 / 5)
    assert result.changed == 3
    assert check(result.repaired or "", "min").consistent


def test_the_same_seed_gives_the_same_repair() -> None:
    text = "(M + 1) * (V + P) + max(i, M)"
    first = [repair(text, "min", seed=seed).repaired for seed in range(30)]
    assert first == [repair(text, "min", seed=seed).repaired for seed in range(30)]
    assert len(set(first)) > 5


def test_the_best_repairs_come_in_order_and_differ() -> None:
    results = best_repairs("(M + i) * P", "min", 12)
    costs = [result.cost for result in results]
    assert len(results) == 12
    assert costs == sorted(costs)
    assert costs[0] == repair("(M + i) * P", "min").cost
    forest = Forest.of([(result.after,) for result in results if result.after is not None])
    assert not gaps(forest, APPOINTMENT, (APPOINTMENT.units.dimension("min"),)).any()
    table = APPOINTMENT.table
    kinds = {
        (*table.rule[r.after.codes].tolist(), *table.dimension_class[r.after.codes].tolist())
        for r in results
        if r.after is not None
    }
    assert len(kinds) == 12


@pytest.mark.parametrize("solver", ["exact", "highs"])
def test_a_limit_on_the_number_of_changes(solver: str) -> None:
    text, weights = "(M + i) * P", np.array([9.0, 1.0, 0.25, 0.25, 0.25])
    free = repair(text, "min^2", weights=weights)
    assert (free.cost, free.changed) == (0.5, 2)
    limited = repair(text, "min^2", weights=weights, most_changes=1, solver=solver)  # type: ignore[arg-type]
    assert not limited.feasible
    assert repair(text, "min", most_changes=1, solver=solver).changed == 1  # type: ignore[arg-type]
    assert repair("M", "min", most_changes=0).feasible


def test_wrong_arguments() -> None:
    with pytest.raises(InputError, match=r"^unknown solver 'simplex': choose one of exact, highs, gurobi$"):
        repair("M", "min", solver="simplex")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^count: expected at least 1 repair, got 0$"):
        best_repairs("M + 1", "min", 0)
    with pytest.raises(InputError, match=r"^most_changes: expected a whole number from 0, got -1$"):
        repair("M + 1", "min", most_changes=-1)
    with pytest.raises(InputError, match=r"^target: expected a dimension over 1 base units, got one over 2$"):
        check("M", MOTION.units.dimension("m"))


def test_functions_of_a_set_of_ones_own_stay_its_own() -> None:
    with pytest.raises(InputError, match=r"^expression 'sq\(x\)', position 1: unknown name 'sq'"):
        check("sq(x)", "m", MOTION)


def test_parts_join_to_the_text() -> None:
    random = np.random.default_rng(8)
    for primitives in SETS:
        for _ in range(20):
            tree = random_tree(primitives, int(random.integers(1, 30)), random)
            pieces = parts(tree, primitives)
            assert "".join(text for text, _ in pieces) == to_text(tree, primitives)
            assert {node for _, node in pieces} == set(range(len(tree)))


def test_parts_know_their_node() -> None:
    assert parts(parse("M * (i + 1)", APPOINTMENT), APPOINTMENT) == [
        ("M", 1),
        (" * (", 0),
        ("i", 3),
        (" + ", 2),
        ("1", 4),
        (")", 0),
    ]
