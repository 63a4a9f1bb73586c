"""Studies: many runs, never lost, and the tables and figures made of them."""
