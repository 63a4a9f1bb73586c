"""Do the units fit? The dimension of every node, the gap, and the repair."""

from gpdr.consistency.gap import dimensions_of_nodes, gaps

__all__ = ["dimensions_of_nodes", "gaps"]
