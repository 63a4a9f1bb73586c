"""The commands of `gpdr study`: run, status, report, export."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpdr.cli import output as out
from gpdr.cli.options import OutputOptions
from gpdr.errors import InputError

if TYPE_CHECKING:
    from gpdr.study.executors import Executor
    from gpdr.study.status import Status

StoreOption = Annotated[Path, typer.Option("--store", metavar="FILE.db", help="The store: one file with every run.")]
StudyOption = Annotated[
    str | None,
    typer.Option("--study", metavar="NAME", help="Which study of the store.", show_default="the last one run"),
]
STORE = Path("study.db")
_FAILURES_SHOWN = 10


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The study: problems, methods, seeds, test.")],
    output: OutputOptions,
    store: StoreOption = STORE,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes on this machine.", show_default="all cores")
    ] = None,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Use the workers of this Dask scheduler (or scheduler file).")
    ] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Try runs again that were given up.")] = False,
    check: Annotated[bool, typer.Option("--check", help="First test every stored run; do damaged ones again.")] = False,
) -> None:
    """Carry out what is missing of a study. Stop it when you like: the same command goes on.

    Example: gpdr study run studies/smoke.toml --store smoke.db
    """
    from gpdr.cli.study_progress import StudyProgress
    from gpdr.study.sitting import sit
    from gpdr.study.study_file import load_study

    study = load_study(file)
    executor = _executor(workers, dask)
    signal.signal(signal.SIGTERM, _interrupt)  # a batch system's "time is up" is as good as Ctrl-C
    try:
        with StudyProgress(output.remarks) as progress:
            found = sit(study, store, executor, progress.listen, retry_failed, check)
    except KeyboardInterrupt:
        output.remarks.print(f"All runs that ended are in {store}; the same command goes on.")
        raise
    output.write_json(found.as_dict())
    _show(found, store, output)
    raise typer.Exit(1 if found.failed else 0)


def status(output: OutputOptions, store: StoreOption = STORE, study: StudyOption = None) -> None:
    """Tell what is done, missing and failed, and how long the rest will take."""
    from gpdr.study.status import status as status_of
    from gpdr.study.store import Store

    with Store.reading(store) as opened:
        found = status_of(opened, study)
    output.write_json(found.as_dict())
    _show(found, store, output)
    raise typer.Exit(1 if found.failed else 0)


def report(
    output: OutputOptions,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where tables and figures go.")] = Path("report"),
    store: StoreOption = STORE,
    study: StudyOption = None,
    correction: Annotated[
        str, typer.Option(metavar="holm|none", help="Correction of p values for many comparisons.")
    ] = "none",
) -> None:
    """Write tables and figures from the store alone; the same store gives the same bytes.

    Example: gpdr study report --store smoke.db --out report
    """
    from gpdr.study.report import write_report
    from gpdr.study.store import Store

    with Store.reading(store) as opened:
        files = write_report(opened, out, study, correction)
    output.write_json({"files": [str(file) for file in files]})
    output.people.print(f"{len(files)} files in {out}; begin with {out / 'report.md'}", soft_wrap=True)


def export(
    target: Annotated[
        Path, typer.Argument(metavar="FILE", help=".csv or .parquet: a row a run; .jsonl: the results in full.")
    ],
    output: OutputOptions,
    store: StoreOption = STORE,
    study: StudyOption = None,
) -> None:
    """Write all runs as a table for other programs, or in full without times and places.

    Two stores of equal results give equal .jsonl files, byte by byte.
    """
    from gpdr.study.export import export_runs
    from gpdr.study.store import Store

    with Store.reading(store) as opened:
        count = export_runs(opened, target, study)
    output.write_json({"file": str(target), "runs": count})
    output.people.print(f"{count:,} runs in {target}", soft_wrap=True)


def _executor(workers: int | None, dask: str | None) -> Executor:
    """Processes on this machine, unless a scheduler is named."""
    from gpdr._threads import available_threads
    from gpdr.study.runner import run_appointment

    if dask is None:
        from gpdr.study.executors.processes import ProcessExecutor

        return ProcessExecutor(run_appointment, workers or available_threads(), preload=["gpdr.study.warm"])
    if workers is not None:
        raise InputError("--dask and --workers cannot be given together: the scheduler knows its workers")
    from gpdr.study.executors.cluster import DaskExecutor

    return DaskExecutor(run_appointment, dask)


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def _show(found: Status, store: Path, output: OutputOptions) -> None:
    """A status for people."""
    people = output.people
    table = out.table("method", "runs", "done", "missing", "failed", "s a run", title=f"Study {found.study} in {store}")
    for method in found.methods:
        seconds = "" if method.mean_seconds is None else out.number(method.mean_seconds)
        counts = (f"{count:,}" for count in (method.total, method.done, method.missing, method.failed))
        table.add_row(method.method, *counts, seconds)
    people.print(table)
    if found.outdated:
        people.print(
            f"Recorded with results version {found.results_version}, not this gpdr's: run it again to renew it."
        )
    for version, runs in found.other_versions.items():
        people.print(f"{runs:,} runs of results version {version} are in the store too; they are not counted.")
    for failure in found.failures[:_FAILURES_SHOWN]:
        verdict = "given up" if failure.final else "will be tried again"
        where = f"{failure.method} on {failure.problem}, seed {failure.seed}"
        people.print(f"{where}: {failure.summary} ({failure.attempts} attempts, {verdict})", markup=False)
    if len(found.failures) > _FAILURES_SHOWN:
        people.print(f"… and {len(found.failures) - _FAILURES_SHOWN:,} more: --json - lists them all.")
    people.print(_summary(found))


def _summary(found: Status) -> str:
    left = ""
    if found.missing and found.seconds_left is not None:
        workers = "1 worker" if found.workers == 1 else f"{found.workers} workers"
        left = f"; {_duration(found.seconds_left)} left with {workers}"
    return f"{found.done:,} of {found.total:,} done, {found.missing:,} missing, {found.failed:,} failed{left}"


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    return f"about {minutes} min" if minutes < 120 else f"about {minutes // 60} h {minutes % 60} min"
