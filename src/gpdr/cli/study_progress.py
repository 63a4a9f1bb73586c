"""A study's progress on a terminal: a bar on stderr, and a line for whatever goes wrong."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from gpdr.study.events import Event, RunDone, RunFailed, Started, WorkerLost


class StudyProgress:
    """Shows a driver's events."""

    def __init__(self, console: Console) -> None:
        self._console = console
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        times = (TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
        # A speed over many runs: they come in all lengths.
        self._bar = Progress(*columns, *times, console=console, disable=console.quiet, speed_estimate_period=300.0)
        self._task = self._bar.add_task("runs", total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def listen(self, event: Event) -> None:
        match event:
            case Started(study=study, total=total, done=done, failed=failed, workers=workers):
                text = f"{study} ({workers} workers)"
                self._bar.update(self._task, description=text, total=total, completed=done + failed)
            case RunDone():
                self._bar.advance(self._task)
            case RunFailed(job=job, reason=reason, attempts=attempts, final=final):
                verdict = "given up" if final else "will be tried again"
                last = reason.splitlines()[-1]
                self._console.print(f"{job} failed, attempt {attempts}: {last}; {verdict}", markup=False)
                self._bar.advance(self._task, final)
            case WorkerLost(job=job):
                self._console.print(f"a worker died; its run is done again: {job}", markup=False)
