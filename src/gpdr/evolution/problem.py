"""What evolution must know of a problem, and nothing more: a problem, and one draw of its chance."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gpdr.dimensions import Dimension
from gpdr.expressions.forest import Forest
from gpdr.expressions.primitives import PrimitiveSet

Costs = NDArray[np.float64]  # (individuals,), lower is better
Behaviour = NDArray[np.float64]  # (individuals, what the problem likes)


class Trial(Protocol):
    """One draw of everything that is random in a problem: individuals judged on it meet the same conditions."""

    @property
    def reference_cost(self) -> float:
        """What a sensible solution costs here; methods that add costs and gaps scale costs by it."""

    def costs(self, forest: Forest, behaviour: Behaviour) -> Costs:
        """The cost of each individual; not finite where it cannot be judged."""


class Problem(Protocol):
    """What expressions are made of, what dimension each tree must have, and how good individuals are."""

    @property
    def primitives(self) -> PrimitiveSet: ...

    @property
    def targets(self) -> tuple[Dimension, ...]:
        """The dimension of each tree of an individual."""

    def behaviour(self, forest: Forest) -> Behaviour:
        """What individuals do, nothing random in it: those with equal rows are duplicates, and judged once."""

    def draw(self, seed: np.random.SeedSequence, effort: int = 1) -> Trial:
        """Draw what is random; `effort` times as much of it as a generation gets."""
