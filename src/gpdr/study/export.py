"""Results for other programs: a table of all runs, and the content that every repetition of a study reproduces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gpdr._files import whole_file
from gpdr.errors import InputError
from gpdr.study.connection import plain_errors
from gpdr.study.keys import canonical
from gpdr.study.store import Store

if TYPE_CHECKING:
    import pandas as pd

_RUNS = """
SELECT problem_name AS problem, method_name AS method, runs.seed, state, attempts, cost, size, gap, seconds,
       processor_seconds, finished, reason, cells.hash AS cell, cells.results_version
FROM study_cells JOIN studies ON studies.id = study_cells.study JOIN cells ON cells.id = study_cells.cell
JOIN runs ON runs.cell = study_cells.cell AND runs.seed BETWEEN first_seed AND first_seed + seeds - 1
WHERE studies.name = ? ORDER BY position, runs.seed
"""


def runs_table(store: Store, study: str | None = None) -> pd.DataFrame:
    """One row for each run of a study, in the order of its plan."""
    import pandas as pd

    with plain_errors(store.path):
        cursor = store.connection.execute(_RUNS, (store.study_name(study),))
        names = [column[0] for column in cursor.description]
        return pd.DataFrame(cursor.fetchall(), columns=names)


def reproducible_lines(store: Store, study: str | None = None) -> Iterator[str]:
    """One line of JSON for each run that is done, without times and places: equal for equal studies, byte by byte."""
    for _, _, document in store.documents(study):
        yield canonical({"key": document["key"], "result": document["result"]}) + "\n"


def export_runs(store: Store, target: str | Path, study: str | None = None) -> int:
    """Writes all runs as the file's name says: a table (.csv, .parquet) or their reproducible content (.jsonl)."""
    path = Path(target)
    if path.suffix not in (".csv", ".parquet", ".jsonl"):
        raise InputError(f"{path}: expected a name that ends in .csv, .parquet or .jsonl")
    with whole_file(path) as part:
        if path.suffix == ".jsonl":
            return _write_lines(part, reproducible_lines(store, study))
        table = runs_table(store, study)
        if path.suffix == ".csv":
            table.to_csv(part, index=False, lineterminator="\n")
        else:
            table.to_parquet(part, index=False)
        return len(table)


def _write_lines(part: Path, lines: Iterable[str]) -> int:
    count = 0
    with part.open("w", encoding="utf-8", newline="\n") as file:
        for line in lines:
            file.write(line)
            count += 1
    return count
