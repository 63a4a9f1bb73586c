"""Evolution of forests: operators, selection, archive, the loop, and seven methods."""
