"""Runs in processes on this machine, each of one thread; a process that dies is replaced."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Self

from gpdr.study.errors import ExecutorLostError
from gpdr.study.executors.attempt import attempt
from gpdr.study.executors.base import Lost, Outcome, Raised, Returned, Runner
from gpdr.study.job import Job

# So many workers in a row that die before they are ready: the next would too.
_FAILED_STARTS_AT_MOST = 5
_READY = "ready"


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    job: Job | None = None
    ready: bool = False


class ProcessExecutor:
    """Workers forked from a clean server process that has loaded the modules `preload` once.

    So kernels are compiled, or read from the cache, a single time; a replacement starts in milliseconds; and no thread
    or file of the driver gets into a worker.
    """

    def __init__(self, run: Runner, workers: int, preload: Sequence[str] = ()) -> None:
        self._run = run
        self._count = workers
        method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
        self._context = multiprocessing.get_context(method)
        if method == "forkserver":
            self._context.set_forkserver_preload(list(preload))
        self._workers: list[_Worker] = []
        self._lost: deque[Job] = deque()
        self._failed_starts = 0

    @property
    def workers(self) -> int:
        return self._count

    @property
    def capacity(self) -> int:
        return self._count

    def __enter__(self) -> Self:
        self._workers = [self._start() for _ in range(self._count)]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()
        self._workers = []

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._run), daemon=True)  # type: ignore[attr-defined]
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def submit(self, job: Job) -> None:
        index = next(index for index, worker in enumerate(self._workers) if worker.job is None)
        worker = self._workers[index]
        if not worker.process.is_alive():
            worker = self._replace(index)
        worker.job = job
        try:
            worker.pipe.send(job)
        except OSError:  # died just now
            self._lost.append(job)
            self._replace(index)

    def wait(self) -> list[Outcome]:
        outcomes: list[Outcome] = [Lost(self._lost.popleft()) for _ in range(len(self._lost))]
        while not outcomes:
            busy = {worker.pipe: index for index, worker in enumerate(self._workers) if worker.job is not None}
            # The pipe alone tells both: an outcome, or the end of file that a death leaves.
            received = [self._receive(busy[pipe]) for pipe in wait(list(busy))]  # type: ignore[index]
            outcomes += [outcome for outcome in received if outcome is not None]
        return outcomes

    def _receive(self, index: int) -> Outcome | None:
        """What a busy worker has to say; nothing if it has only become ready."""
        worker = self._workers[index]
        job = worker.job
        assert job is not None
        try:
            answer = worker.pipe.recv()
        except (EOFError, OSError):
            self._replace(index)
            return Lost(job)
        if answer == _READY:
            worker.ready, self._failed_starts = True, 0
            return None
        worker.job = None
        value, reason = answer
        return Returned(job, value) if reason is None else Raised(job, reason)

    def _replace(self, index: int) -> _Worker:
        old = self._workers[index]
        self._failed_starts += not old.ready
        if self._failed_starts >= _FAILED_STARTS_AT_MOST:
            raise ExecutorLostError(
                "workers die as they start: is there memory for them? "
                "A script that starts a study needs `if __name__ == '__main__':` around what it does"
            )
        old.process.kill()
        old.process.join()
        old.pipe.close()
        self._workers[index] = self._start()
        return self._workers[index]


def _serve(pipe: Connection, run: Runner) -> None:
    """A worker's life: job in, outcome out, until the driver closes the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the driver decides
    threading.Thread(target=_die_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        pipe.send(_READY)
        while True:
            pipe.send(attempt(run, pipe.recv()))


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
