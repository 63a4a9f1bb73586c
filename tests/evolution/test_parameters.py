"""Parameters: what is wrong is told in one line."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from gpdr.errors import InputError
from gpdr.evolution.methods import METHODS, recipe
from gpdr.evolution.parameters import Parameters


def test_defaults_are_the_published_ones() -> None:
    p = Parameters()
    assert (p.population, p.generations, p.tournament, p.crossover) == (256, 50, 7, 0.9)
    assert (p.initial_smallest, p.initial_largest, p.deepest) == (2, 6, 8)


@pytest.mark.parametrize("method", METHODS)
def test_every_parameter_says_what_it_is(method: str) -> None:
    for parameter in fields(recipe(method).parameters):
        assert parameter.metadata["help"], parameter.name


@pytest.mark.parametrize("method", METHODS)
def test_every_method_reads_its_own_parameters_back(method: str) -> None:
    made = recipe(method).parameters.from_dict({"tournament": 3})
    assert recipe(method).parameters.from_dict(made.as_dict()) == made


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"population": 1}, "parameter population: expected a whole number from 2 to 1000000, got 1"),
        ({"population": 2.5}, "parameter population: expected a whole number from 2 to 1000000, got 2.5"),
        ({"population": True}, "parameter population: expected a whole number from 2 to 1000000, got True"),
        ({"crossover": 1.5}, "parameter crossover: expected a number from 0.0 to 1.0, got 1.5"),
        ({"crossover": float("nan")}, "parameter crossover: expected a number from 0.0 to 1.0, got nan"),
        ({"crossover": "much"}, "parameter crossover: expected a number from 0.0 to 1.0, got 'much'"),
        ({"rejudge_archive": 1}, "parameter rejudge_archive: expected true or false, got 1"),
        (
            {"initial_largest": 9},
            "parameters initial_smallest, initial_largest, deepest: expected them to grow, got 2, 9, 8",
        ),
    ],
)
def test_wrong_parameters(given: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError) as error:
        recipe("gpdr").parameters.from_dict(given)
    assert str(error.value) == text


@pytest.mark.parametrize("method", ["gp", "cugp", "cdagp", "stgp", "cfggp"])
def test_elites_leave_room_for_children(method: str) -> None:
    with pytest.raises(InputError) as error:
        recipe(method).parameters.from_dict({"population": 2})
    assert str(error.value) == (
        "parameter elites: expected fewer than the population of 2, got 2; lower elites or raise population"
    )
    assert recipe(method).parameters.from_dict({"population": 2, "elites": 1})


def test_unknown_names_list_the_choices() -> None:
    with pytest.raises(
        InputError, match=r"^unknown parameter 'tournamnet': choose one of population, .*mean tournament\?$"
    ):
        recipe("gpdr").parameters.from_dict({"tournamnet": 3})
    with pytest.raises(InputError, match=r"^unknown method 'gprd': choose one of gpdr, gp, cugp, .*mean gpdr\?$"):
        recipe("gprd")
