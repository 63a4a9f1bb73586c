"""The driver, with an executor that follows a script."""

from __future__ import annotations

from pathlib import Path
from typing import Self

import pytest

from gpdr.study.driver import Driver, Tally
from gpdr.study.events import Event, RunDone, RunFailed, Started, WorkerLost
from gpdr.study.executors import Lost, Outcome, Raised, Returned
from gpdr.study.job import Job
from gpdr.study.plan import Study
from gpdr.study.status import status
from gpdr.study.store import Store
from tests.study.fakes import fake_run, fake_study


class Scripted:
    """Carries jobs out at once, but for those that the script gives another outcome, by seed and attempt."""

    def __init__(self, script: dict[int, list[type[Raised] | type[Lost]]], capacity: int = 2) -> None:
        self.script = {seed: list(outcomes) for seed, outcomes in script.items()}
        self.capacity = capacity
        self.workers = capacity
        self.held: list[Job] = []
        self.most_held = 0
        self.order: list[int] = []

    def submit(self, job: Job) -> None:
        self.held.append(job)
        self.order.append(job.seed)
        self.most_held = max(self.most_held, len(self.held))

    def wait(self) -> list[Outcome]:
        job = self.held.pop(0)
        kind = self.script[job.seed].pop(0) if self.script.get(job.seed) else Returned
        if kind is Raised:
            return [Raised(job, "Traceback ...\nValueError: no")]
        return [Lost(job)] if kind is Lost else [Returned(job, fake_run(job))]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.held = []


def sit(
    path: Path, executor: Scripted, study: Study | None = None, retry_failed: bool = False
) -> tuple[Tally, list[Event]]:
    events: list[Event] = []
    with Store.driving(path) as store, executor:
        tally = Driver(study or fake_study(1, 1, 5), store, executor, events.append).work(retry_failed)
    return tally, events


def test_every_run_is_done_once_and_told(path: Path) -> None:
    executor = Scripted({})
    tally, events = sit(path, executor)
    assert tally == Tally(total=5, done=5, failed=0)
    assert executor.order == [1, 2, 3, 4, 5]
    assert executor.most_held == 2
    assert events[0] == Started("fake", 5, 0, 0, 2)
    assert [event.job.seed for event in events if isinstance(event, RunDone)] == [1, 2, 3, 4, 5]


def test_a_second_sitting_finds_nothing_to_do(path: Path) -> None:
    sit(path, Scripted({}))
    executor = Scripted({})
    tally, events = sit(path, executor)
    assert executor.order == []
    assert tally == Tally(5, 5, 0)
    assert events == [Started("fake", 5, 5, 0, 2)]


def test_a_failed_run_is_tried_again_and_may_succeed(path: Path) -> None:
    executor = Scripted({2: [Raised, Raised]})
    tally, events = sit(path, executor)
    assert tally == Tally(5, 5, 0)
    assert executor.order == [1, 2, 3, 4, 5, 2, 2]
    assert [(e.attempts, e.final) for e in events if isinstance(e, RunFailed)] == [(1, False), (2, False)]


def test_a_run_that_always_fails_is_given_up_and_reported(path: Path) -> None:
    tally, events = sit(path, Scripted({2: [Raised] * 9}))
    assert tally == Tally(5, 4, 1)
    assert [(e.attempts, e.final) for e in events if isinstance(e, RunFailed)] == [(1, False), (2, False), (3, True)]
    with Store.reading(path) as store:
        (failure,) = status(store).failures
    assert (failure.problem, failure.method, failure.seed, failure.attempts) == ("problem 1", "M1", 2, 3)
    assert failure.final
    assert failure.summary == "ValueError: no"


def test_a_given_up_run_is_left_alone_until_asked_for(path: Path) -> None:
    sit(path, Scripted({2: [Raised] * 3}))
    executor = Scripted({})
    assert sit(path, executor)[0] == Tally(5, 4, 1)
    assert executor.order == []
    assert sit(path, executor, retry_failed=True)[0] == Tally(5, 5, 0)
    assert executor.order == [2]


def test_attempts_are_counted_across_sittings(path: Path) -> None:
    class StopsAfterFirstFailure(Scripted):
        def wait(self) -> list[Outcome]:
            if self.order[-1] == 2 and len(self.held) == 1 and not self.script[2]:
                raise KeyboardInterrupt
            return super().wait()

    study = fake_study(1, 1, 2, attempts=2)
    executor = StopsAfterFirstFailure({2: [Raised]}, capacity=1)
    with pytest.raises(KeyboardInterrupt):
        sit(path, executor, study)
    with Store.reading(path) as store:
        assert [(failure.attempts, failure.final) for failure in status(store).failures] == [(1, False)]
        assert status(store).missing == 1
    assert sit(path, Scripted({2: [Raised] * 9}), study)[0] == Tally(2, 1, 1)


def test_a_lost_run_is_done_again_and_is_no_failure(path: Path) -> None:
    executor = Scripted({2: [Lost, Lost]})
    tally, events = sit(path, executor)
    assert tally == Tally(5, 5, 0)
    assert sum(isinstance(event, WorkerLost) for event in events) == 2
    assert not any(isinstance(event, RunFailed) for event in events)


def test_a_run_that_takes_every_worker_down_is_given_up(path: Path) -> None:
    tally, events = sit(path, Scripted({2: [Lost] * 99}))
    assert tally == Tally(5, 4, 1)
    (failed,) = [event for event in events if isinstance(event, RunFailed)]
    assert failed.reason == "its worker died 5 times: not enough memory, or a crash in compiled code?"


def test_runs_go_round_all_cells_before_more_seeds() -> None:
    jobs = list(fake_study(problems=2, methods=2, seeds=7).jobs())
    assert len(jobs) == 28
    assert {job.seed for job in jobs[:20]} == {1, 2, 3, 4, 5}
    assert {job.seed for job in jobs[20:]} == {6, 7}
    assert len({job.identity for job in jobs}) == 28
