"""Runs on the workers of a Dask scheduler, wherever they are: SLURM, Kubernetes, SSH."""

from __future__ import annotations

import json
import logging
import queue
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from gpdr.errors import InputError
from gpdr.study.errors import ExecutorLostError
from gpdr.study.executors.attempt import attempt, reason_of
from gpdr.study.executors.base import Lost, Outcome, Raised, Returned, Runner
from gpdr.study.job import Job

# distributed leaves its own names half typed, so they are not used as types here.
Client = Any
Future = Any

_CONNECT_SECONDS = 10.0
_LOOK_AGAIN_SECONDS = 1.0
_ADDRESS = re.compile(r"[a-z]+://\S+:\d+")
_EXPECTED = "an address such as tcp://10.0.0.5:8786, or the file that `dask scheduler --scheduler-file` writes"
# So that a worker's next run is there before it asks for it.
_JOBS_PER_THREAD = 2


def _scheduler_address(given: str) -> str:
    """The address given, or that in the file given."""
    file = Path(given)
    if not file.is_file():
        if not _ADDRESS.fullmatch(given):
            raise InputError(f"--dask: expected {_EXPECTED}, got {given!r}")
        return given
    try:
        address = json.loads(file.read_text("utf-8"))["address"]
    except (ValueError, KeyError, TypeError):
        address = None
    if not isinstance(address, str) or not _ADDRESS.fullmatch(address):
        raise InputError(f"--dask {given}: expected {_EXPECTED}; this file names no address")
    return address


class DaskExecutor:
    """A client of a Dask scheduler, found by its address or by the file it writes.

    Dask itself does the runs of a lost worker again; workers may come and go.
    """

    def __init__(self, run: Runner, address: str) -> None:
        self._run = run
        self._address = _scheduler_address(address)
        self._client: Client = None
        self._held: dict[Future, Job] = {}
        self._finished: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._threads = 1
        self._counted = 0.0

    @property
    def workers(self) -> int:
        self._count_threads()
        return self._threads

    @property
    def capacity(self) -> int:
        self._count_threads()
        return _JOBS_PER_THREAD * self._threads

    def __enter__(self) -> Self:
        try:
            import distributed
        except ImportError:
            raise InputError("--dask: Dask is not installed; pip install distributed") from None
        try:
            connect: Any = distributed.Client
            self._client = connect(self._address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ExecutorLostError(
                f"no Dask scheduler answers at {self._address}: is it running, and reachable from here?"
            ) from error
        # The driver says in one line that the scheduler went away; its client would print the traceback of every try.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        return self

    def __exit__(self, *_: object) -> None:
        if self._client is None:
            return
        if self._client.status == "running":
            self._client.cancel(list(self._held), force=True)
        self._held.clear()
        self._client.close(timeout=_CONNECT_SECONDS)

    def _connected(self) -> Client:
        if self._client is None or self._client.status != "running":
            raise ExecutorLostError(
                f"the Dask scheduler at {self._address} went away; what was done is in the store: "
                "start a scheduler and run the same command again"
            )
        return self._client

    def _count_threads(self) -> None:
        """Looks now and then how many threads there are: clusters grow and shrink."""
        now = time.monotonic()
        if self._counted and now - self._counted < _LOOK_AGAIN_SECONDS:
            return
        client = self._connected()
        self._threads = max(1, sum(self._asked(client.nthreads).values()))
        self._counted = now

    def _asked(self, question: Callable[[], dict[str, int]]) -> dict[str, int]:
        try:
            return question()
        except (OSError, TimeoutError):
            self._connected()
            return {}

    def submit(self, job: Job) -> None:
        cell, seed = job.identity
        future = self._connected().submit(
            attempt, self._run, job, key=f"gpdr-{cell}-{seed}-{time.time_ns()}", pure=False
        )
        self._held[future] = job
        future.add_done_callback(self._finished.put)

    def wait(self) -> list[Outcome]:
        while True:
            try:
                finished = [self._finished.get(timeout=_LOOK_AGAIN_SECONDS)]
                break
            except queue.Empty:
                self._connected()
        while not self._finished.empty():
            finished.append(self._finished.get())
        return [self._outcome(future) for future in finished]

    def _outcome(self, future: Future) -> Outcome:
        from distributed.scheduler import KilledWorker

        if future.status in ("cancelled", "lost"):
            self._connected()
        job = self._held.pop(future)
        try:
            value, reason = future.result()
        except KilledWorker:
            return Lost(job)
        except Exception as error:  # what Dask itself could not do, such as importing the runner
            self._connected()
            return Raised(job, reason_of(error))
        finally:
            future.release()
        return Returned(job, value) if reason is None else Raised(job, reason)
