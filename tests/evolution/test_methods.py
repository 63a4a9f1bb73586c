"""The seven methods on a small problem: invariants after every generation, seeds, threads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpdr.errors import InputError
from gpdr.evolution import METHODS, Outcome, regression, solve
from gpdr.evolution.invariants import BrokenInvariantError, verify, verify_archive
from gpdr.evolution.methods import recipe
from gpdr.evolution.on_data import DataProblem
from gpdr.evolution.parts import Mating
from gpdr.expressions import ADD, DIV, MUL, SQ, SUB, to_text

from .fakes import FakeProblem, population

SMALL = {"population": 40, "generations": 6}


def falling() -> DataProblem:
    """Distance from speed, time and acceleration."""
    rng = np.random.default_rng(0)
    v, t, g = rng.uniform(-5, 20, 40), rng.uniform(0, 10, 40), rng.uniform(1, 25, 40)
    units = {"v": "m/s", "t": "s", "g": "m/s^2"}
    return regression({"v": v, "t": t, "g": g}, units, v * t + g * t**2 / 2, "m", ("m", "s"), (ADD, SUB, MUL, DIV, SQ))


def told(outcome: Outcome) -> list[object]:
    """All that must not depend on time and threads."""
    forests = [outcome.best.forest, outcome.archive.forest]
    texts = [[to_text(tree, falling().primitives) for tree in trees] for forest in forests for trees in forest]
    return [texts, outcome.best.costs.tolist(), [event.as_dict() for event in outcome.history]]


@pytest.mark.parametrize("method", METHODS)
def test_invariants_hold_and_threads_change_nothing(method: str) -> None:
    small = SMALL | ({"exponents": 2} if method == "stgp" else {})  # g is in m/s^2
    alone = solve(falling(), method, seed=3, parameters=small, check_invariants=True)
    assert told(alone) == told(solve(falling(), method, seed=np.int64(3), threads=2, parameters=small))
    assert told(alone) != told(solve(falling(), method, seed=4, parameters=small))
    assert len(alone.history) == 7
    assert len(alone.best) == 1
    verify_archive(alone.archive, alone.archive.costs)
    if method in ("gpdr", "stgp", "cfggp"):
        assert not any(event.gap for event in alone.history)


def test_repair_rediscovers_a_law_of_physics() -> None:
    outcome = solve(falling(), "gpdr", seed=1, parameters={"generations": 30})
    assert outcome.best.costs[0] < 1e-9, to_text(outcome.best.forest[0][0], falling().primitives)
    assert outcome.best.gaps[0] == 0


def test_a_broken_invariant_is_found() -> None:
    method = recipe("gp").build(FakeProblem(), recipe("gp").parameters(), 1)
    good = population(["i + P", "P"], [1.0, 2.0], behaviour=[3.0, 1.0])
    parameters = recipe("gp").parameters()
    verify(FakeProblem(), method, parameters, good, Mating(good, good.costs, good.take([0]), 2))
    wrong = population(["i + M", "P"], [1.0, 2.0], behaviour=[3.0, 1.0])  # gap 1, not 0 and half a minute at the root
    with pytest.raises(BrokenInvariantError, match="gaps belong to their individuals"):
        verify(FakeProblem(), method, parameters, wrong, Mating(wrong, wrong.costs, good, 2))
    lied = population(["i + P", "P"], [1.0, 2.0], behaviour=[3.0, 2.0])
    with pytest.raises(BrokenInvariantError, match="behaviour belongs to individuals"):
        verify(FakeProblem(), method, parameters, lied, Mating(lied, lied.costs, good, 2))
    with pytest.raises(BrokenInvariantError, match="a score for every parent"):
        verify(FakeProblem(), method, parameters, good, Mating(good, good.costs[:1], good, 2))
    deep = population(["i" + " + (i" * 8 + ")" * 8], [1.0], behaviour=[17.0])
    with pytest.raises(BrokenInvariantError, match="whole trees of depth at most 8, got 9"):
        verify(FakeProblem(), method, parameters, deep, Mating(deep, deep.costs, good, 2))
    with pytest.raises(BrokenInvariantError, match="no member of the archive dominates another"):
        verify_archive(population(["i + P", "P"], [2.0, 1.0]), np.array([2.0, 1.0]))
    with pytest.raises(BrokenInvariantError, match="no duplicates in the archive"):
        verify_archive(population(["i + P", "P"], [1.0, 2.0], behaviour=[1.0, 1.0]), np.array([1.0, 2.0]))


def test_a_broken_archive_is_found_in_any_generation() -> None:
    parameters = recipe("gpdr").parameters()
    method = recipe("gpdr").build(FakeProblem(), parameters, 1)
    good = population(["i + P", "P"], [1.0, 2.0], behaviour=[3.0, 1.0])
    verify(FakeProblem(), method, parameters, good, Mating(good, good.costs, good, 2))
    with pytest.raises(BrokenInvariantError, match="no member of the archive dominates another"):
        verify(FakeProblem(), method, parameters, good, Mating(good, good.costs[::-1], good, 2))


def test_a_broken_type_is_found() -> None:
    parameters = recipe("stgp").parameters()
    method = recipe("stgp").build(FakeProblem(), parameters, 1)
    typed = population(["i + M / V"], [1.0], behaviour=[5.0])
    verify(FakeProblem(), method, parameters, typed, Mating(typed, typed.costs, typed.take([]), 2))
    too_high = population(["M * V / (M * V)"], [1.0], behaviour=[7.0])  # squares of minutes are no type of STGP's
    with pytest.raises(BrokenInvariantError, match="a type of the grammar for every node"):
        verify(FakeProblem(), method, parameters, too_high, Mating(too_high, too_high.costs, too_high.take([]), 2))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"seed": -1}, "seed: expected a whole number from 0, got -1"),
        ({"threads": 0}, "threads: expected a whole number from 1, got 0"),
        ({"method": "ga"}, "unknown method 'ga': choose one of gpdr, gp, cugp, cdagp, mogp, stgp, cfggp"),
        ({"method": None}, "unknown method 'None': choose one of gpdr, gp, cugp, cdagp, mogp, stgp, cfggp"),
        (
            {"parameters": recipe("gp").parameters()},
            "parameters: expected names and values, or gpdr.evolution.methods.gpdr.Parameters, "
            "got gpdr.evolution.methods.gp.Parameters",
        ),
        (
            {"method": "stgp"},
            "terminal g in m/s^2: not among the types of this grammar, which have whole exponents; raise the "
            "parameter exponents, or leave the terminal out",
        ),
        ({"parameters": {"candidates": 3}}, "unknown parameter 'candidates': choose one of population, generations,"),
    ],
)
def test_wrong_arguments(arguments: dict[str, object], text: str) -> None:
    with pytest.raises(InputError) as error:
        solve(falling(), **arguments)  # type: ignore[arg-type]
    assert str(error.value).startswith(text)


@pytest.mark.parametrize(
    ("columns", "target", "text"),
    [
        ({"v": [1.0, 2.0]}, [1.0, 1.0], "target: expected a column of finite numbers that differ, got shape (2,)"),
        ({"v": [1.0, 2.0, 3.0]}, [1.0, 2.0], "column v: expected 2 numbers, got shape (3,)"),
        ({"w": [1.0, 2.0]}, [1.0, 2.0], "units: expected one for each column, 'w' has none"),
        ({"v": ["fast", 2.0]}, [1.0, 2.0], "column v: expected a column of numbers, got ['fast', 2.0]"),
        ({"v": [1.0, 2.0]}, ["near", "far"], "target: expected a column of numbers, got ['near', 'far']"),
        ({"v": []}, [], "target: expected a column of finite numbers that differ, got shape (0,)"),
    ],
)
def test_wrong_data(columns: dict[str, list[Any]], target: list[Any], text: str) -> None:
    with pytest.raises(InputError) as error:
        regression(columns, {"v": "m"}, target, "m", ("m",))
    assert str(error.value) == text


@pytest.mark.parametrize("seed", range(3))
def test_two_objectives_name_nobody_who_could_not_be_judged(seed: int) -> None:
    problem = falling()

    def cost(values: np.ndarray) -> np.ndarray:
        errors = problem.cost(values)
        return np.where(errors < 1.0, errors, np.where(errors < 2.0, np.inf, np.nan))

    outcome = solve(replace(problem, cost=cost), "mogp", seed, parameters={"population": 40, "generations": 3})
    assert np.isfinite(outcome.best.costs).all()


def test_a_cost_of_the_wrong_shape_is_told() -> None:
    problem = falling()
    wrong = DataProblem(problem.primitives, ("m",), problem.data, lambda values: values[0])
    with pytest.raises(InputError, match=r"^cost: expected one number an individual"):
        solve(wrong, "gp", parameters=SMALL)
