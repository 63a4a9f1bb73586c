"""The published form of the repair: a mixed-integer programme, built once for any solver."""

from gpdr.consistency.milp.solution import Solution, solve

__all__ = ["Solution", "solve"]
