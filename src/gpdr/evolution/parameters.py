"""Parameters shared by all methods; each method adds its own. Checked when made, loadable from TOML tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self, cast

from gpdr.errors import InputError, unknown_name


def between(default: float, low: float, high: float, help: str) -> Any:
    """A number and its bounds; whole where the default is an int."""
    return field(default=default, metadata={"low": low, "high": high, "help": help})


def whether(default: bool, help: str) -> Any:
    """True or false."""
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True)
class Parameters:
    """What every method needs to know."""

    population: int = between(256, 2, 1_000_000, "individuals in a generation")
    generations: int = between(50, 0, 1_000_000, "generations after the first")
    initial_smallest: int = between(2, 1, 12, "depth of the smallest first trees; a root alone has depth 1")
    initial_largest: int = between(6, 1, 12, "depth of the largest first trees")
    deepest: int = between(8, 1, 30, "depth that crossover and mutation do not go beyond")
    tournament: int = between(7, 1, 1_000, "individuals of which the best becomes a parent")
    crossover: float = between(0.9, 0.0, 1.0, "share of children made by crossover; the rest is made by mutation")
    function_nodes: float = between(0.9, 0.0, 1.0, "share of functions among the nodes chosen to be replaced")
    mutation_depth: int = between(5, 1, 12, "depth of the largest subtrees that mutation grows")
    distinct_parents: bool = whether(True, "of individuals that behave alike only the smallest can win")
    attempts: int = between(3, 1, 1_000, "to make a child that is not too deep; after them its parent takes its place")
    finalists: int = between(16, 1, 100_000, "individuals compared once more before one is named")
    final_effort: int = between(10, 0, 10_000, "draws of that comparison, times a generation's; 0: no comparison")
    tolerance: float = between(0.0, 0.0, 1.0, "named is the smallest whose score is within this share of the best")

    def __post_init__(self) -> None:
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            _check(parameter.name, value, parameter.default, parameter.metadata)
        if self.initial_smallest > self.initial_largest or self.initial_largest > self.deepest:
            raise InputError(
                f"parameters initial_smallest, initial_largest, deepest: expected them to grow, "
                f"got {self.initial_smallest}, {self.initial_largest}, {self.deepest}"
            )

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        """Parameters as a TOML table gives them; what is not named keeps its default."""
        known = [parameter.name for parameter in fields(cls)]
        for name in given:
            if name not in known:
                raise unknown_name("parameter", name, known)
        return cls(**given)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def _check(name: str, value: object, default: object, bounds: Mapping[str, Any]) -> None:
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise InputError(f"parameter {name}: expected true or false, got {value!r}")
        return
    kinds = (int,) if isinstance(default, int) else (int, float)
    if "low" not in bounds:
        return
    low, high = bounds["low"], bounds["high"]
    right = isinstance(value, kinds) and not isinstance(value, bool)
    if not right or not low <= cast(float, value) <= high:
        kind = "a whole number" if kinds == (int,) else "a number"
        raise InputError(f"parameter {name}: expected {kind} from {low} to {high}, got {value!r}")
