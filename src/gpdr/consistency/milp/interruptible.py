"""A solver at work, and Ctrl-C: solvers hear of it late, or take it for themselves and print on stdout."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import current_thread, main_thread
from typing import TypeVar

T = TypeVar("T")
_LISTEN = 0.02  # seconds until a solver has set up what it does on Ctrl-C, and we set up ours again


def interruptible(solve: Callable[[], T], cancel: Callable[[], object]) -> T:
    """What `solve` returns, from a thread of its own: so this one can cancel it."""
    handler = signal.getsignal(signal.SIGINT) if current_thread() is main_thread() else None
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(solve)
        while True:
            try:
                return answer.result(_LISTEN)
            except TimeoutError:
                if handler is not None:
                    signal.signal(signal.SIGINT, handler)
            except KeyboardInterrupt:
                cancel()
                raise
