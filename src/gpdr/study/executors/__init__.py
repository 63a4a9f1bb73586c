"""Where runs are carried out: behind one interface, so that results cannot depend on it."""

from __future__ import annotations

from gpdr.study.executors.base import Executor, Lost, Outcome, Raised, Returned, Runner

__all__ = ["Executor", "Lost", "Outcome", "Raised", "Returned", "Runner"]
