"""An evolution's progress on a terminal: a bar on stderr with what the best rule costs so far."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from gpdr.evolution.events import Generation

_ROOM_FOR_WORDS = 75  # columns


class EvolutionProgress:
    """Shows every generation as it is judged."""

    def __init__(self, console: Console) -> None:
        columns: list[ProgressColumn] = [MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn()]
        if console.width >= _ROOM_FOR_WORDS:
            columns = [TextColumn("generation"), columns[0], BarColumn(), *columns[1:], TextColumn("left")]
        self._bar = Progress(*columns, console=console, disable=console.quiet)
        self._task = self._bar.add_task("warming up", total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def listen(self, event: Generation) -> None:
        state = "".join(f" {name} {value:.3f}" for name, value in event.state.items())
        text = f"cost {event.best:.2f} gap {event.gap:g} size {event.size} kept {event.archive}{state}"
        self._bar.update(self._task, description=text, total=event.generations, completed=event.generation)
