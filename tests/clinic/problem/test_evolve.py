"""evolve(): the result, its JSON, seeds and threads, and what the published rules cost."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.random import SeedSequence

from gpdr import Clinic, Rule, check, evolve, simulate
from gpdr.clinic import draw_scenarios, mean_costs, paper_clinic
from gpdr.clinic.problem import AppointmentProblem, Evolved
from gpdr.errors import InputError
from gpdr.evolution import METHODS
from gpdr.evolution.invariants import verify_archive
from gpdr.expressions import Forest, parse
from gpdr.expressions.appointment import APPOINTMENT

CLINIC = Clinic(patients=6, mean_service=20.0, cv=0.5, no_show=0.1, walk_in=0.2)
TINY: dict[str, Any] = {"population": 30, "generations": 4, "replications": 500}


def evolved(method: str = "gpdr", seed: int = 1, threads: int = 1, **changed: Any) -> Evolved:
    return evolve(CLINIC, method, seed, threads, **{**TINY, **changed})


def plain(result: Evolved) -> str:
    """All of the JSON but the times it took and the state of the checkout, which others may change meanwhile."""
    return json.dumps({**result.as_dict(), "seconds": None, "provenance": None})


@pytest.mark.parametrize("method", METHODS)
def test_every_method_solves_the_problem_under_its_invariants(method: str) -> None:
    result = evolved(method, check_invariants=True)
    verify_archive(result.outcome.archive, result.outcome.archive.costs)
    found = result.found
    assert np.array_equal(result.rule.times(CLINIC), found.times)
    assert np.array_equal(Rule.from_text(*found.trees).times(CLINIC), found.times), "the text is the rule"
    assert result.rule.name == method.upper()
    assert found.fitness > 0
    gap = sum(check(text, unit).gap for text, unit in zip(found.trees, ("1", "min"), strict=True))
    assert gap == pytest.approx(found.dimension_gap)
    if method in ("gpdr", "stgp", "cfggp"):
        assert found.dimension_gap == 0


@pytest.mark.parametrize("method", ["gpdr", "cdagp", "mogp"])
def test_threads_change_nothing_but_the_time(method: str) -> None:
    assert plain(evolved(method, threads=1)) == plain(evolved(method, threads=2))


def test_a_fresh_process_finds_the_same() -> None:
    program = (
        "import json; from gpdr import Clinic, evolve;"
        f"r = evolve(Clinic(**{CLINIC.as_dict()!r}), seed=1, threads=2, **{TINY!r});"
        "print(json.dumps({**r.as_dict(), 'seconds': None, 'provenance': None}))"
    )
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == plain(evolved())


def test_seeds_differ_and_the_test_is_the_same_for_all() -> None:
    one, other = evolved(seed=1), evolved(seed=2)
    assert one.found.trees != other.found.trees
    times = one.found.times
    assert one.test.performance.total_cost == simulate(CLINIC, times, 200_000, 20_200_202_020).total_cost
    assert one.comparison["GPDR"].performance.total_cost == one.test.performance.total_cost


def test_json_says_what_the_contract_says() -> None:
    result = evolved()
    told = json.loads(json.dumps(result.as_dict()))
    assert list(told) == [
        "clinic", "method", "seed", "rule", "test", "archive", "history", "interrupted", "seconds", "provenance"
    ]  # fmt: skip
    assert Clinic.from_dict(told["clinic"]) == CLINIC
    assert set(told["rule"]) == {"trees", "size", "dimension_gap"}
    assert {"name", "times", "total_cost", "wait", "idle", "overtime"} <= set(told["test"])
    assert all(set(member) == {"trees", "size", "fitness", "dimension_gap"} for member in told["archive"])
    assert [record["generation"] for record in told["history"]] == list(range(5))
    assert {"total", "evaluation", "repair", "breeding", "sampling"} <= set(told["seconds"])
    assert told["provenance"]["parameters"]["population"] == 30
    assert told["provenance"]["parameters"]["replications"] == 500
    sizes, costs = [m["size"] for m in told["archive"]], [m["fitness"] for m in told["archive"]]
    assert costs == sorted(costs)
    assert sizes == sorted(sizes, reverse=True)
    assert "test" not in result.as_dict(test=False)


def test_what_is_simplified_means_the_same() -> None:
    result = evolved(generations=8)
    times = Rule.from_text(*result.simplified).times(CLINIC)
    assert times == pytest.approx(result.found.times, abs=1e-6)


def test_ctrl_c_returns_the_best_so_far() -> None:
    def stop(event: object) -> None:
        raise KeyboardInterrupt

    result = evolved(on_event=stop)
    assert result.interrupted
    assert len(result.history) == 1
    assert result.as_dict()["interrupted"] is True


def test_behaviour_is_the_timetable_and_duplicates_are_judged_alike() -> None:
    problem = AppointmentProblem(CLINIC, 300)
    texts = [("i", "0 * M"), ("i - 0", "M - M"), ("P", "M"), ("0 - i", "M / 0 * M")]
    forest = Forest.of([[parse(text, APPOINTMENT) for text in pair] for pair in texts])
    behaviour = problem.behaviour(forest)
    assert behaviour[0].tolist() == [0, 20, 40, 60, 80, 100]
    assert np.array_equal(behaviour[0], behaviour[1])
    assert behaviour[2].tolist() == [0] * 6, "what lies past the session is cut"
    trial = problem.draw(SeedSequence(1))
    costs = trial.costs(forest, behaviour)
    assert costs[0] == costs[1] == trial.reference_cost, "i x M is IBFI"
    again = problem.draw(SeedSequence(1), effort=2).costs(forest, behaviour)
    assert costs[0] != again[0]


@pytest.mark.parametrize(
    ("clinic", "tree1", "tree2", "cost"),
    [
        (9, "i - CR", "(min(0.2 * CR * i * i, 0.8) - 0.2) * M", 23.39),
        (10, "i - 0.31003", "0.18 * min(PW * (i - PW - 1) / (V / M), 1) * i * V", 38.41),
        (14, "i", "0.43479 * min((0.43479 * i - 2) * sqrt(i), i) * V", 19.12),
    ],
)
def test_published_rules_are_consistent_and_cost_what_they_should(
    clinic: int, tree1: str, tree2: str, cost: float
) -> None:
    rule, place = Rule.from_text(tree1, tree2), paper_clinic(clinic)
    assert check(tree1, "1").consistent
    assert check(tree2, "min").consistent
    found = mean_costs(draw_scenarios(place, 60_000, 11), rule.times(place)[None])[0]
    assert found == pytest.approx(cost, rel=0.01)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"clinic": 9}, "clinic: expected a Clinic, such as Clinic(patients=10, mean_service=21.0, cv=0.4), got 9"),
        ({"seed": 1.5}, "seed: expected a whole number from 0, got 1.5"),
        ({"replications": 1}, "replications: expected a whole number from 2, got 1"),
        ({"threads": 0}, "threads: expected a whole number from 1, got 0"),
        ({"population": 1}, "parameter population: expected a whole number from 2 to 1000000, got 1"),
        (
            {"population": 9, "parameters": {"population": 10}},
            "parameters: population is given twice; leave it out here or as an argument of its own",
        ),
        ({"method": "ga"}, "unknown method 'ga': choose one of gpdr, gp, cugp, cdagp, mogp, stgp, cfggp"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError) as error:
        evolve(**{"clinic": CLINIC, **arguments})
    assert str(error.value).startswith(text)
