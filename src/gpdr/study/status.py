"""Where a study stands: done, missing, failed with reasons, and the time it still takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gpdr.study.keys import RESULTS_VERSION, Json
from gpdr.study.store import Store


@dataclass(frozen=True)
class MethodStatus:
    """The runs of one method over all problems."""

    method: str
    total: int
    done: int
    failed: int
    mean_seconds: float | None

    @property
    def missing(self) -> int:
        return self.total - self.done - self.failed


@dataclass(frozen=True)
class FailedRun:
    """A run that failed; `final` when it is not tried again."""

    problem: str
    method: str
    seed: int
    attempts: int
    final: bool
    reason: str

    @property
    def summary(self) -> str:
        """The line that says what it was."""
        return self.reason.splitlines()[-1] if self.reason else ""


@dataclass(frozen=True)
class Status:
    """A study's state, read from its store alone."""

    study: str
    methods: tuple[MethodStatus, ...]
    failures: tuple[FailedRun, ...]
    workers: int
    seconds_left: float | None
    results_version: int
    other_versions: dict[int, int]

    @property
    def total(self) -> int:
        return sum(method.total for method in self.methods)

    @property
    def done(self) -> int:
        return sum(method.done for method in self.methods)

    @property
    def failed(self) -> int:
        return sum(method.failed for method in self.methods)

    @property
    def missing(self) -> int:
        return self.total - self.done - self.failed

    @property
    def outdated(self) -> bool:
        """Whether the study was recorded by code whose results this code does not vouch for."""
        return self.results_version != RESULTS_VERSION

    def as_dict(self) -> Json:
        return {
            "study": self.study,
            "total": self.total,
            "done": self.done,
            "missing": self.missing,
            "failed": self.failed,
            "seconds_left": self.seconds_left,
            "workers": self.workers,
            "results_version": self.results_version,
            "other_versions": {str(version): runs for version, runs in self.other_versions.items()},
            "methods": [{**vars(method), "missing": method.missing} for method in self.methods],
            "failures": [vars(failure) for failure in self.failures],
        }


@dataclass(frozen=True)
class _CellCount:
    method: str
    total: int
    done: int
    failed: int
    seconds: float

    @property
    def missing(self) -> int:
        return self.total - self.done - self.failed


def status(store: Store, study: str | None = None) -> Status:
    """Counts by SQL; no document is read."""
    with store.snapshot():
        name = store.study_name(study)
        cells = [_CellCount(*row) for row in store.connection.execute(_COUNTS, (name,))]
        failures = tuple(
            FailedRun(problem, method, seed, attempts, state == "failed", reason or "")
            for problem, method, seed, attempts, state, reason in store.connection.execute(_FAILURES, (name,))
        )
        (version,) = store.connection.execute("SELECT results_version FROM studies WHERE name = ?", (name,)).fetchone()
        others = dict(store.connection.execute(_OTHER_VERSIONS, (version,)).fetchall())
        driver = store.connection.execute("SELECT workers FROM driver").fetchone()
    workers = driver[0] if driver else 1
    methods = tuple(_method_status(method, cells) for method in dict.fromkeys(cell.method for cell in cells))
    return Status(name, methods, failures, workers, _seconds_left(cells, workers), version, others)


_COUNTS = """
SELECT method_name, seeds, coalesce(sum(state = 'done'), 0), coalesce(sum(state = 'failed'), 0),
       coalesce(sum(runs.seconds), 0.0)
FROM study_cells JOIN studies ON studies.id = study_cells.study
LEFT JOIN runs ON runs.cell = study_cells.cell AND runs.seed BETWEEN first_seed AND first_seed + seeds - 1
WHERE studies.name = ? GROUP BY study_cells.cell ORDER BY position
"""

_FAILURES = """
SELECT problem_name, method_name, runs.seed, attempts, state, reason
FROM study_cells JOIN studies ON studies.id = study_cells.study
JOIN runs ON runs.cell = study_cells.cell AND runs.seed BETWEEN first_seed AND first_seed + seeds - 1
WHERE studies.name = ? AND state != 'done' ORDER BY position, runs.seed
"""

_OTHER_VERSIONS = """
SELECT results_version, count(*) FROM runs JOIN cells ON cells.id = runs.cell
WHERE results_version != ? GROUP BY results_version
"""


def _method_status(method: str, cells: Iterable[_CellCount]) -> MethodStatus:
    own = [cell for cell in cells if cell.method == method]
    done = sum(cell.done for cell in own)
    seconds = sum(cell.seconds for cell in own)
    return MethodStatus(
        method,
        sum(cell.total for cell in own),
        done,
        sum(cell.failed for cell in own),
        seconds / done if done else None,
    )


def _seconds_left(cells: list[_CellCount], workers: int) -> float | None:
    """Missing runs take what others of their cell took, else of their method, else of the study."""
    if not any(cell.missing for cell in cells):
        return 0.0
    done = sum(cell.done for cell in cells)
    if not done:
        return None
    overall = sum(cell.seconds for cell in cells) / done
    by_method = {method: _method_status(method, cells).mean_seconds for method in {cell.method for cell in cells}}
    seconds = sum(
        cell.missing * (cell.seconds / cell.done if cell.done else by_method[cell.method] or overall) for cell in cells
    )
    return seconds / workers
