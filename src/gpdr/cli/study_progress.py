"""A study's progress on stderr: a bar on a terminal, a line a minute elsewhere, and one for whatever goes wrong."""

from __future__ import annotations

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from gpdr.study.events import Checked, Event, RunDone, RunFailed, Started, WorkerLost

# Between two lines in a log.
_SECONDS = 60.0


class StudyProgress:
    """Shows a driver's events."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._in_log = not console.is_terminal
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        times = (TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
        # A speed over many runs: they come in all lengths.
        self._bar = Progress(*columns, *times, console=console, disable=self._in_log, speed_estimate_period=300.0)
        self._task = self._bar.add_task("runs", total=None)
        self._told = 0.0

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def listen(self, event: Event) -> None:
        match event:
            case Started(study=study, total=total, done=done, failed=failed, workers=workers):
                text = f"{study} ({workers} {'worker' if workers == 1 else 'workers'})"
                self._bar.update(self._task, description=text, total=total, completed=done + failed)
                self._tell()
            case Checked(damaged=damaged):
                self._console.print(f"every stored run tested: {damaged} damaged, to be done again")
            case RunDone():
                self._bar.advance(self._task)
                self._tell()
            case RunFailed(job=job, reason=reason, attempts=attempts, final=final):
                verdict = "given up" if final else "will be tried again"
                last = reason.splitlines()[-1]
                self._console.print(f"{job} failed, attempt {attempts}: {last}; {verdict}", markup=False)
                self._bar.advance(self._task, final)
            case WorkerLost(job=job):
                self._console.print(f"a worker died; its run is done again: {job}", markup=False)

    def _tell(self) -> None:
        """Now and then a line, where no bar can be seen."""
        now = time.monotonic()
        if not self._in_log or (self._told and now - self._told < _SECONDS):
            return
        self._told = now
        task = self._bar.tasks[0]
        self._console.print(
            f"{task.description}: {task.completed:,.0f} of {task.total or 0:,.0f} ended", soft_wrap=True
        )
