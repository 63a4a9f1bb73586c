"""The seven methods, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpdr.errors import unknown_name
from gpdr.evolution.methods import cdagp, cfggp, cugp, gp, gpdr, mogp, stgp
from gpdr.evolution.parameters import Parameters
from gpdr.evolution.parts import Method
from gpdr.evolution.problem import Problem


@dataclass(frozen=True)
class Recipe:
    """How to make a method: its parameters' class, and what puts the parts together."""

    parameters: type[Parameters]
    build: Callable[[Problem, Any, int], Method]


METHODS: Mapping[str, Recipe] = {
    "gpdr": Recipe(gpdr.Parameters, gpdr.build),
    "gp": Recipe(gp.Parameters, gp.build),
    "cugp": Recipe(cugp.Parameters, cugp.build),
    "cdagp": Recipe(cdagp.Parameters, cdagp.build),
    "mogp": Recipe(mogp.Parameters, mogp.build),
    "stgp": Recipe(stgp.Parameters, stgp.build),
    "cfggp": Recipe(cfggp.Parameters, cfggp.build),
}


def recipe(name: str) -> Recipe:
    """The recipe of a method, whatever the case of its name."""
    if not isinstance(name, str) or name.lower() not in METHODS:
        raise unknown_name("method", str(name), METHODS)
    return METHODS[name.lower()]
