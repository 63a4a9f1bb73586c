"""Do the units fit? The dimension of every node, the gap, and the repair."""

from gpdr.consistency.exact import Repaired, repair_forest
from gpdr.consistency.gap import dimensions_of_nodes, gaps
from gpdr.consistency.reachable import ensure_reachable, reachable
from gpdr.consistency.report import Report, check
from gpdr.consistency.single import Change, RepairResult, best_repairs, repair

__all__ = [
    "Change",
    "RepairResult",
    "Repaired",
    "Report",
    "best_repairs",
    "check",
    "dimensions_of_nodes",
    "ensure_reachable",
    "gaps",
    "reachable",
    "repair",
    "repair_forest",
]
