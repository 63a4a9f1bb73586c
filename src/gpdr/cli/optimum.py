"""`gpdr optimum`: the best timetable found for a clinic."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gpdr.cli import output as out
from gpdr.cli.options import ClinicOptions, OutputOptions, RunOptions
from gpdr.cli.targets import check_targets


def optimum(
    clinic: ClinicOptions,
    run: RunOptions,
    output: OutputOptions,
    method: Annotated[Literal["gradient", "cma"], typer.Option(help="How to search.")] = "gradient",
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw intervals and waits: .svg, .pdf or .png.")
    ] = None,
) -> None:
    """Find the best timetable for a clinic: what no rule can beat there.

    Example: gpdr optimum --clinic paper:9
    """
    from gpdr.clinic import RuleOnClinic
    from gpdr.clinic import optimum as find
    from gpdr.clinic.figures import checked_format
    from gpdr.clinic.figures import plot as draw

    check_targets(output.json, plot=plot)
    if plot is not None:
        checked_format(plot)
    described = clinic.load()
    with output.remarks.status("Searching…"):
        found = find(described, run.replications, run.seed, run.threads, method)
    output.write_json(found.as_dict())
    if plot is not None:
        draw([RuleOnClinic("OPTIMUM", found.times, found.performance)], plot)
        output.remarks.print(f"Figure in {plot}", markup=False)
    figures = found.performance
    title = f"Best timetable for {described.label}"
    table = out.table("patient", "minutes", "interval", "expected wait", title=title, optional=("interval",))
    before = 0.0
    for place, (time, wait) in enumerate(zip(found.times, figures.wait_by_position, strict=True), start=1):
        waits = "" if wait is None else out.number(wait.mean, 1)
        table.add_row(str(place), out.number(time, 1), out.number(time - before, 1), waits)
        before = time
    output.people.print(table)
    output.people.print(
        f"Total cost {out.interval(figures.total_cost.mean, figures.total_cost.ci95)}: "
        f"wait {out.number(figures.wait.mean)}, idle {out.number(figures.idle.mean)}, "
        f"overtime {out.number(figures.overtime.mean)} minutes per patient. "
        f"Searches from different starts agree within {100 * found.spread:.2f} %.",
        markup=False,
    )
