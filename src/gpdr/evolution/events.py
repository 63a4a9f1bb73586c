"""What a run tells while it goes on, and what it leaves behind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gpdr.evolution.population import Population


@dataclass(frozen=True)
class Generation:
    """One generation is judged."""

    generation: int
    generations: int
    best: float  # cost of the individual with the best score
    mean: float  # of all finite costs
    size: int  # of the best
    gap: float  # of the best
    archive: int  # individuals that live on
    distinct: int  # behaviours judged
    state: dict[str, float] = field(default_factory=dict)  # what adapts, such as alpha
    seconds: float = field(default=0.0, compare=False)  # since the start

    def as_dict(self) -> dict[str, Any]:
        """For the history: all but the time it took."""
        names = ("generation", "best", "mean", "size", "gap", "archive", "distinct")
        return {**{name: getattr(self, name) for name in names}, **self.state}


@dataclass(frozen=True)
class Outcome:
    """What a run found."""

    best: Population  # the one individual named, with its cost on the last comparison
    archive: Population  # of the last generation, whoever nobody dominates on cost and size
    history: tuple[Generation, ...]
    seconds: dict[str, float]
    interrupted: bool
