"""`gpdr schedule`: a timetable in clock times, for the door and the calendar."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from gpdr.cli import output as out
from gpdr.cli.options import ClinicOptions, OutputOptions, RunOptions
from gpdr.cli.targets import check_targets
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
    round_to: Annotated[int, typer.Option("--round", min=0, help="Grid of the times, whole minutes.")] = 5,
    day: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="Day for --ics.", show_default="today")
    ] = None,
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="Whose timetable this is, in calendar and page.", show_default=False)
    ] = "",
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

    check_targets(output.json, csv=csv, ics=ics, html=html, plot=plot)
    if plot is not None:
        checked_format(plot)
    on = exports.parsed_date(day) if day is not None else date.today()
    chosen, described = _rule(rule, rule_file, optimum), clinic.load()
    with output.remarks.status("Simulating…"):
        made = make(described, chosen, start, round_to, run.replications, run.seed, run.threads)
    texts = {csv: exports.to_csv(made), ics: exports.to_ics(made, on, title), html: exports.to_html(made, title)}
    for target, text in texts.items():
        if target is not None:
            with out.whole_file(target) as file:
                file.write(text)
            output.remarks.print(f"Written: {target}", markup=False)
    if plot is not None:
        draw([made.chosen], plot)
        output.remarks.print(f"Figure in {plot}", markup=False)
    output.write_json(made.as_dict())
    _show(made, output)


def _rule(name: str | None, file: str | None, optimum: bool) -> Rule | str:
    """Exactly one of the three ways to say which timetable."""
    from gpdr.clinic import RULE_NAMES, Rule

    ways = {"--rule": name is not None, "--rule-file": file is not None, "--optimum": optimum}
    given = [option for option, is_given in ways.items() if is_given]
    if len(given) != 1:
        came = f"got {' and '.join(given)}" if given else f"got none; rules are {', '.join(RULE_NAMES)}"
        raise InputError(f"expected one of --rule NAME, --rule-file FILE, --optimum, {came}")
    if file is not None:
        return Rule.from_file(file)
    return "OPTIMUM" if name is None else name


def _show(made: Schedule, output: OutputOptions) -> None:
    columns, title = ("time", "patients", "places", "expected wait"), f"{made.exact.name}: {made.clinic.label}"
    table = out.table(*columns, title=title, optional=("patients",))
    waits = made.chosen.performance.wait_by_position
    for slot in made.slots:
        here = [waits[place - 1] for place in slot.patients]
        expected = [wait.mean for wait in here if wait is not None]
        mean = out.number(sum(expected) / len(expected), 0) if expected else ""
        table.add_row(slot.clock, str(len(slot.patients)), ", ".join(map(str, slot.patients)), mean)
    output.people.print(table)
    output.people.print(_told_of_cost(made), markup=False)


def _told_of_cost(made: Schedule) -> str:
    """What the timetable costs; where rounding moved a time by more than clocks show, also what it would without."""
    exact, nearest, chosen = (
        out.number(x.performance.total_cost.mean) for x in (made.exact, made.nearest, made.chosen)
    )
    if made.round <= 1 or made.exact.times.tolist() == made.chosen.times.tolist():
        return f"Total cost {chosen}."
    told = f"Total cost {exact} before rounding to {made.round} minutes, {chosen} after"
    if made.nearest.times.tolist() == made.chosen.times.tolist():
        return f"{told}."
    return f"{told} ({nearest} if each time went to the nearest {made.round} minutes)."
