"""Where the time of a run goes: seconds by name, inner work not counted with the outer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter


@dataclass(eq=False)
class Clock:
    """Stop watches by name; of nested ones only the innermost runs."""

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    _running: list[str] = field(default_factory=list)
    _since: float = field(default_factory=perf_counter)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        self._switch()
        self._running.append(name)
        try:
            yield
        finally:
            self._switch()
            self._running.pop()

    def _switch(self) -> None:
        now = perf_counter()
        if self._running:
            self.seconds[self._running[-1]] += now - self._since
        self._since = now
