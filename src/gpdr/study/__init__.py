"""Studies: many runs, never lost, and the tables and figures made of them."""

from gpdr.study.errors import ExecutorLostError, StoreError
from gpdr.study.executors.cluster import DaskExecutor
from gpdr.study.executors.processes import ProcessExecutor
from gpdr.study.plan import Method, Problem, Study
from gpdr.study.runner import run_appointment
from gpdr.study.sitting import sit
from gpdr.study.status import Status, status
from gpdr.study.store import Store
from gpdr.study.study_file import load_study

__all__ = [
    "DaskExecutor",
    "ExecutorLostError",
    "Method",
    "Problem",
    "ProcessExecutor",
    "Status",
    "Store",
    "StoreError",
    "Study",
    "load_study",
    "run_appointment",
    "sit",
    "status",
]
