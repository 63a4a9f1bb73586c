"""One attempt at a run, in a worker: whatever comes of it is an answer."""

from __future__ import annotations

import traceback

from gpdr.study.executors.base import Runner
from gpdr.study.job import Job
from gpdr.study.keys import RESULTS_VERSION, Json

_LINES = 12

# The value, or why there is none.
Answer = tuple[Json, None] | tuple[None, str]


def attempt(run: Runner, job: Job) -> Answer:
    """Carries a run out; a worker whose code is not the driver's declines."""
    if job.cell.results_version != RESULTS_VERSION:
        theirs, ours = job.cell.results_version, RESULTS_VERSION
        return (
            None,
            f"the driver asks for results version {theirs}, this worker gives {ours}: install the same gpdr on both",
        )
    try:
        return run(job), None
    except Exception as error:  # whatever a run raises is its outcome
        return None, reason_of(error)


def reason_of(error: BaseException) -> str:
    """The end of the traceback, short enough for a table; its last line says what it was."""
    lines = "".join(traceback.format_exception(error)).rstrip().splitlines()
    return "\n".join(lines[-_LINES:])
