"""Do the units fit? The dimension of every node, the gap, and the repair."""
