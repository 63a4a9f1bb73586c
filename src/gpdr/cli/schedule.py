"""`gpdr schedule`: a timetable in clock times, for the door and the calendar."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from gpdr.cli import output as out
from gpdr.cli.options import ClinicOptions, OutputOptions, RunOptions
from gpdr.errors import InputError

if TYPE_CHECKING:
    from gpdr.clinic import Rule
    from gpdr.clinic.schedule import Schedule


def schedule(
    clinic: ClinicOptions,
    run: RunOptions,
    output: OutputOptions,
    rule: Annotated[str | None, typer.Option(metavar="NAME", help="A rule by name.")] = None,
    rule_file: Annotated[str | None, typer.Option(metavar="FILE", help="A rule file.")] = None,
    optimum: Annotated[bool, typer.Option("--optimum", help="The best timetable there is.")] = False,
    start: Annotated[str, typer.Option(metavar="HH:MM", help="When the session starts.")] = "09:00",
    round_to: Annotated[float, typer.Option("--round", min=0, help="Grid of the times, minutes; 0: none.")] = 5.0,
    day: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="Day for --ics.", show_default="today")
    ] = None,
    csv: Annotated[str | None, typer.Option(metavar="FILE", help="Write a table for spreadsheets.")] = None,
    ics: Annotated[str | None, typer.Option(metavar="FILE", help="Write calendar entries.")] = None,
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write a page to print.")] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw intervals and waits: .svg, .pdf or .png.")
    ] = None,
) -> None:
    """Make a timetable in clock times, rounded to a grid at the least cost.

    Example: gpdr schedule --clinic paper:9 --optimum --start 08:30 --ics monday.ics
    """
    from gpdr.clinic import exports
    from gpdr.clinic.figures import checked_format
    from gpdr.clinic.figures import plot as draw
    from gpdr.clinic.schedule import schedule as make

    if plot is not None:
        checked_format(plot)
    on = exports.parsed_date(day) if day is not None else date.today()
    chosen, described = _rule(rule, rule_file, optimum), clinic.load()
    with output.remarks.status("Simulating…"):
        made = make(described, chosen, start, round_to, run.replications, run.seed, run.threads)
    texts = {csv: exports.to_csv, ics: lambda one: exports.to_ics(one, on), html: exports.to_html}
    for target, written in texts.items():
        if target is not None:
            with out.whole_file(target) as file:
                file.write(written(made))
            output.remarks.print(f"Written: {target}", markup=False)
    if plot is not None:
        draw([made.chosen], plot)
        output.remarks.print(f"Figure in {plot}", markup=False)
    output.write_json(made.as_dict())
    _show(made, output)


def _rule(name: str | None, file: str | None, optimum: bool) -> Rule | str:
    """Exactly one of the three ways to say which timetable."""
    from gpdr.clinic import RULE_NAMES, Rule

    if [name is not None, file is not None, optimum].count(True) != 1:
        raise InputError(f"expected one of --rule NAME, --rule-file FILE, --optimum; rules are {', '.join(RULE_NAMES)}")
    if file is not None:
        return Rule.from_file(file)
    return "OPTIMUM" if name is None else name


def _show(made: Schedule, output: OutputOptions) -> None:
    table = out.table("time", "patients", "places", "expected wait", title=f"{made.exact.name}: {made.clinic.label}")
    waits = made.chosen.performance.wait_by_position
    for slot in made.slots:
        here = [waits[place - 1] for place in slot.patients]
        expected = [wait.mean for wait in here if wait is not None]
        mean = out.number(sum(expected) / len(expected), 0) if expected else ""
        table.add_row(slot.clock, str(len(slot.patients)), ", ".join(map(str, slot.patients)), mean)
    output.people.print(table)
    exact, nearest, chosen = (one.performance.total_cost.mean for one in (made.exact, made.nearest, made.chosen))
    output.people.print(
        f"Total cost {out.number(exact)} before rounding to {made.round:g} minutes, {out.number(chosen)} after "
        f"(each time rounded for itself: {out.number(nearest)}).",
        markup=False,
    )
