"""HiGHS as the solver."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpdr.consistency.milp.model import Model
from gpdr.consistency.milp.outcome import Outcome, has_optimum


class Highs:
    """A model handed to HiGHS."""

    def __init__(self, model: Model) -> None:
        import highspy

        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(model.cost), len(model.row_low)
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = (np.array(part) for part in (model.cost, model.low, model.high))
        lp.row_lower_, lp.row_upper_ = np.array(model.row_low), np.array(model.row_high)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_, lp.a_matrix_.index_ = np.array(model.starts), np.array(model.index)
        lp.a_matrix_.value_ = np.array(model.value)
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        lp.integrality_ = [kinds[binary] for binary in model.binary]
        self.solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self.solver.setOptionValue("output_flag", False)
        self.solver.setOptionValue("threads", 1)
        # Tolerances stay as they are at first: tighter ones made version 1.15 cut off optima of trees of 90 nodes.
        self.solver.setOptionValue("mip_rel_gap", 0.0)
        self.solver.setOptionValue("mip_abs_gap", 1e-10)
        self.solver.HandleUserInterrupt = True
        self.solver.passModel(lp)
        status = highspy.HighsModelStatus
        self.trouble = status.kSolveError
        self.outcomes = {
            status.kOptimal: Outcome.OPTIMAL,
            status.kInfeasible: Outcome.INFEASIBLE,
            status.kUnboundedOrInfeasible: Outcome.INFEASIBLE,  # costs are never below 0
            status.kInterrupt: Outcome.INTERRUPTED,
        }

    def solve(self) -> NDArray[np.float64] | None:
        """The values of all columns at an optimum; None where there is none."""
        self.solver.run()
        if self.solver.getModelStatus() == self.trouble:  # presolving fails on a few models, small ones among them
            self.solver.setOptionValue("presolve", "off")
            self.solver.clearSolver()
            self.solver.run()
        status = self.solver.getModelStatus()
        if not has_optimum(self.outcomes.get(status, Outcome.STOPPED), "highs", status.name):
            return None
        return np.array(self.solver.getSolution().col_value)

    def tighten(self) -> None:
        """Solve more strictly from now on."""
        self.solver.setOptionValue("mip_feasibility_tolerance", 1e-9)
        self.solver.clearSolver()

    def cancel(self) -> None:
        self.solver.cancelSolve()
