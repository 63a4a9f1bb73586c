"""What can go wrong outside a study: its store and the scheduler of its workers."""

from __future__ import annotations


class StoreError(OSError):
    """The store cannot be used: one line with the file, the trouble and the way on."""


class ExecutorLostError(ConnectionError):
    """All workers are out of reach; what was done is in the store."""
