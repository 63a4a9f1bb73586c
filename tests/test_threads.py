"""Work in parts by several threads."""

from __future__ import annotations

from threading import Barrier, Event, get_ident
from time import sleep

import pytest

from gpdr._threads import map_parts


@pytest.mark.parametrize("threads", [1, 2, 3, 50])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 100])
def test_results_are_in_the_order_of_the_parts(count: int, threads: int) -> None:
    assert map_parts(lambda k: k * k, range(count), threads) == [k * k for k in range(count)]


def test_the_caller_and_others_work_at_the_same_time() -> None:
    meeting = Barrier(3)  # nobody passes before three are there

    def work(_part: int) -> int:
        meeting.wait(10)
        return get_ident()

    workers = map_parts(work, range(3), 3)
    assert len(set(workers)) == 3
    assert get_ident() in workers


def test_no_more_threads_than_asked_for() -> None:
    assert len(set(map_parts(lambda _: get_ident(), range(200), 3))) <= 3


@pytest.mark.parametrize("failing", ["the caller", "another"])
def test_an_error_ends_the_work(failing: str) -> None:
    """It is told once all have stopped; parts that had not begun are left out."""
    caller, failed, begun = get_ident(), Event(), []

    def work(part: int) -> None:
        begun.append(part)
        if (get_ident() == caller) == (failing == "the caller"):
            failed.set()
            raise ValueError(f"part {part} failed")
        assert failed.wait(10)
        sleep(0.05)  # until the one who failed has told

    with pytest.raises(ValueError, match=r"^part \d+ failed$"):
        map_parts(work, range(1000), 2)
    assert len(begun) <= 3


def test_parts_may_be_divided_again() -> None:
    """Inner work waits for no thread that the outer work keeps busy."""
    inner = lambda k: sum(map_parts(lambda j: j * k, range(5), 2))  # noqa: E731
    assert map_parts(inner, range(8), 2) == [10 * k for k in range(8)]
