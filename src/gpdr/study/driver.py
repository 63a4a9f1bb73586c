"""The driver: hands out what is missing, keeps what comes back, tries again what failed."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

from gpdr.study.events import Event, RunDone, RunFailed, Started, WorkerLost
from gpdr.study.executors.base import Executor, Lost, Outcome, Raised, Returned
from gpdr.study.job import Job
from gpdr.study.plan import Study
from gpdr.study.store import Failure, Store, Success

# A run that takes its worker down so often is to blame itself.
_LOSSES_AT_MOST = 5


@dataclass(frozen=True)
class Tally:
    """How a sitting ended."""

    total: int
    done: int
    failed: int


class Driver:
    """One sitting of a study. Only the driver writes the store."""

    def __init__(
        self, study: Study, store: Store, executor: Executor, listen: Callable[[Event], None] = lambda event: None
    ) -> None:
        self._study = study
        self._store = store
        self._executor = executor
        self._listen = listen
        self._queue: deque[Job] = deque()
        self._held = 0
        self._done = 0
        self._failed = 0
        self._attempts: Counter[tuple[str, int]] = Counter()
        self._losses: Counter[tuple[str, int]] = Counter()

    def work(self, retry_failed: bool = False) -> Tally:
        """Carries out all that is missing. Whatever ends it early, the next sitting goes on from there."""
        self._store.record(self._study)
        self._plan(retry_failed)
        total = self._done + self._failed + len(self._queue)
        self._listen(Started(self._study.name, total, self._done, self._failed, self._executor.workers))
        self._hand_out()
        while self._held:
            outcomes = self._executor.wait()
            self._held -= len(outcomes)
            kept = [kept for outcome in outcomes if (kept := self._judge(outcome)) is not None]
            self._hand_out()  # before the store is written: workers need not wait for it
            self._keep(kept)
        return Tally(total, self._done, self._failed)

    def _plan(self, retry_failed: bool) -> None:
        known = {planned.cell.hash: self._store.states(planned.cell) for planned in self._study.cells()}
        for job in self._study.jobs():
            state = known[job.cell.hash].get(job.seed)
            if state is not None and state.state == "done":
                self._done += 1
            elif state is not None and state.state == "failed" and not retry_failed:
                self._failed += 1
            else:
                self._queue.append(job)
                if state is not None and not retry_failed:
                    self._attempts[job.identity] = state.attempts

    def _hand_out(self) -> None:
        while self._queue and self._held < self._executor.capacity:
            self._executor.submit(self._queue.popleft())
            self._held += 1

    def _judge(self, outcome: Outcome) -> Success | Failure | None:
        """What of an outcome is to be kept; puts the run back into the queue if it is to be done again."""
        job = outcome.job
        match outcome:
            case Returned(value=value):
                return Success(job, value["result"], value["seconds"], value["provenance"])
            case Raised(reason=reason):
                self._attempts[job.identity] += 1
                final = self._attempts[job.identity] >= self._study.attempts
            case Lost():
                self._listen(WorkerLost(job))
                self._losses[job.identity] += 1
                final = self._losses[job.identity] >= _LOSSES_AT_MOST
                if not final:
                    self._queue.appendleft(job)
                    return None
                reason = f"its worker died {_LOSSES_AT_MOST} times: not enough memory, or a crash in compiled code?"
        if not final:
            self._queue.append(job)
        return Failure(job, reason, self._attempts[job.identity], final)

    def _keep(self, outcomes: list[Success | Failure]) -> None:
        if not outcomes:
            return
        self._store.save(outcomes)
        for outcome in outcomes:
            match outcome:
                case Success():
                    self._done += 1
                    self._listen(RunDone(outcome.job, outcome.seconds["total"]))
                case Failure():
                    self._failed += outcome.final
                    self._listen(RunFailed(outcome.job, outcome.reason, outcome.attempts, outcome.final))
