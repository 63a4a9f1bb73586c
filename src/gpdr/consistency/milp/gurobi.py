"""Gurobi as the solver, where it is installed; the licence that comes with it is enough for trees of usual sizes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpdr.consistency.milp.model import Model
from gpdr.consistency.milp.outcome import Outcome, has_optimum
from gpdr.errors import InputError

_TOO_LARGE = 10010  # GRB.Error.SIZE_LIMIT_EXCEEDED


@cache
def _environment() -> Any:
    """One for the process: starting it reads the licence."""
    try:
        import gurobipy
    except ImportError as error:
        raise InputError("solver 'gurobi': not installed; pip install gurobipy, or use exact or highs") from error
    environment = gurobipy.Env(empty=True)
    environment.setParam("OutputFlag", 0)
    environment.setParam("Threads", 1)
    environment.setParam("MIPGap", 0.0)
    environment.setParam("MIPGapAbs", 1e-10)
    environment.setParam("IntFeasTol", 1e-9)
    environment.setParam("FeasibilityTol", 1e-9)
    environment.start()
    return environment


class Gurobi:
    """A model handed to Gurobi."""

    def __init__(self, model: Model) -> None:
        environment = _environment()
        import gurobipy
        from scipy.sparse import csr_matrix

        self.solver: Any = gurobipy.Model(env=environment)
        kinds = np.where(model.binary, "B", "C")
        columns = self.solver.addMVar(
            len(model.cost), lb=np.array(model.low), ub=np.array(model.high), obj=np.array(model.cost), vtype=kinds
        )
        shape = (len(model.row_low), len(model.cost))
        rows: Any = csr_matrix((model.value, model.index, model.starts), shape=shape)
        low, high = np.array(model.row_low), np.array(model.row_high)
        kinds_of_rows: list[tuple[NDArray[np.bool_], str, NDArray[np.float64]]] = [
            (low == high, "=", high),
            ((low < high) & np.isfinite(high), "<", high),
            ((low < high) & np.isfinite(low), ">", low),
        ]
        for which, sense, side in kinds_of_rows:
            if np.any(which):
                self.solver.addMConstr(rows[which], columns, sense, side[which])
        status = gurobipy.GRB
        self.outcomes = {
            status.OPTIMAL: Outcome.OPTIMAL,
            status.INFEASIBLE: Outcome.INFEASIBLE,
            status.INF_OR_UNBD: Outcome.INFEASIBLE,  # costs are never below 0
            status.INTERRUPTED: Outcome.INTERRUPTED,
        }
        self.error: type[Exception] = gurobipy.GurobiError

    def solve(self) -> NDArray[np.float64] | None:
        """The values of all columns at an optimum; None where there is none."""
        try:
            self.solver.optimize()
        except self.error as error:
            if getattr(error, "errno", None) == _TOO_LARGE:
                raise InputError(
                    "solver 'gurobi': the tree is too large for the licence found; use exact or highs"
                ) from error
            raise
        status = self.solver.Status
        if not has_optimum(self.outcomes.get(status, Outcome.STOPPED), "gurobi", str(status)):
            return None
        return np.array(self.solver.getAttr("X", self.solver.getVars()))

    def tighten(self) -> None:
        """Solve more strictly from now on: tolerances are as tight as they can be already."""
        self.solver.setParam("IntegralityFocus", 1)
        self.solver.reset()

    def cancel(self) -> None:
        self.solver.terminate()
