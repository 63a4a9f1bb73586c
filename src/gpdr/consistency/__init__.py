"""Do the units fit? The dimension of every node, the gap, and the repair."""

from gpdr.consistency.exact import Repaired, repair_forest
from gpdr.consistency.gap import dimensions_of_nodes, gaps

__all__ = ["Repaired", "dimensions_of_nodes", "gaps", "repair_forest"]
