"""Threads that run compiled kernels side by side: work in fixed parts, results in the order of the parts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


def available_threads() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool(process: int, threads: int) -> ThreadPoolExecutor:
    """One pool a process and size: a forked child must not inherit its parent's threads."""
    return ThreadPoolExecutor(threads, thread_name_prefix="gpdr")


def map_parts(work: Callable[[Part], Result], parts: Iterable[Part], threads: int) -> list[Result]:
    """The results of `work` for each part, in order. How many threads there are changes nothing but the time.

    The calling thread is one of them: it begins at once, while the others still wake up.
    """
    items = list(parts)
    if threads <= 1 or len(items) <= 1:
        return [work(item) for item in items]
    results: dict[int, Result] = {}
    numbers = iter(range(len(items)))  # shared: each thread takes the next number as soon as it is free

    def take_parts() -> None:
        try:
            for number in numbers:
                results[number] = work(items[number])
        except BaseException:
            for _ in numbers:  # nobody begins another part
                pass
            raise

    helpers = min(threads, len(items)) - 1
    helping = [_pool(os.getpid(), helpers).submit(take_parts) for _ in range(helpers)]
    try:
        take_parts()
    finally:
        for helper in helping:
            if not helper.cancel():  # one that has not begun need not
                helper.result()
    return [results[number] for number in range(len(items))]
