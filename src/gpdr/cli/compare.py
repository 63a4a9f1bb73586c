"""`gpdr compare`: rules side by side on the same random numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gpdr.cli import output as out
from gpdr.cli.options import ClinicOptions, OutputOptions, RunOptions
from gpdr.cli.targets import check_targets

if TYPE_CHECKING:
    from gpdr.clinic import Comparison


def compare(
    clinic: ClinicOptions,
    run: RunOptions,
    output: OutputOptions,
    rules: Annotated[
        str | None, typer.Option(metavar="NAME,NAME,…", help="Rules by name.", show_default="all that are known")
    ] = None,
    rule_file: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="A rule file; may be given again and again.")
    ] = None,
    optimum: Annotated[bool, typer.Option("--optimum", help="Add the best timetable there is.")] = False,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw intervals and waits: .svg, .pdf or .png.")
    ] = None,
) -> None:
    """Compare appointment rules for a clinic on the same random numbers.

    Example: gpdr compare --clinic paper:9 --optimum
    """
    from gpdr.clinic import RULE_NAMES, Rule
    from gpdr.clinic import compare as compare_rules
    from gpdr.clinic.figures import checked_format
    from gpdr.clinic.figures import plot as draw

    check_targets(output.json, plot=plot)
    if plot is not None:
        checked_format(plot)
    names = RULE_NAMES if rules is None else tuple(name for name in rules.split(",") if name.strip())
    chosen: list[Rule | str] = [*names, *(Rule.from_file(file) for file in rule_file or ())]
    described = clinic.load()
    with output.remarks.status("Simulating…"):
        comparison = compare_rules(described, chosen, optimum, run.replications, run.seed, run.threads)
    output.write_json(comparison.as_dict())
    if plot is not None:
        draw(comparison.rules, plot)
        output.remarks.print(f"Figure in {plot}", markup=False)
    _show(comparison, output)


def _show(comparison: Comparison, output: OutputOptions) -> None:
    title = f"{comparison.clinic.label}: minutes per patient, {comparison.replications:,} sessions"
    costs = ("wait", "idle", "overtime")
    table = out.table("rule", "total cost", "above best", *costs, title=title, optional=costs)
    best = comparison.best
    for rule in comparison.rules:
        figures, above = rule.performance, comparison.difference(rule.name, best.name).mean
        table.add_row(
            rule.name,
            out.interval(figures.total_cost.mean, figures.total_cost.ci95),
            "best" if above <= 0 else out.above(above, best.performance.total_cost.mean),
            *(out.number(figure.mean) for figure in (figures.wait, figures.idle, figures.overtime)),
        )
    output.people.print(table)
