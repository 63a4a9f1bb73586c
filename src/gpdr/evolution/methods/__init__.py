"""The seven methods, one readable file each."""
