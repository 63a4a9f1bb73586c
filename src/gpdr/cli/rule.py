"""The commands of `gpdr rule`: export."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Annotated, Literal

import typer

from gpdr.cli.options import ClinicOptions, OutputOptions
from gpdr.cli.output import whole_file
from gpdr.cli.targets import check_targets


def export(
    file: Annotated[Path, typer.Argument(metavar="RULE.json", help="A rule file, as `gpdr evolve --out` writes it.")],
    where: ClinicOptions,
    output: OutputOptions,
    to: Annotated[Literal["latex", "python", "spreadsheet"], typer.Option(help="What to make of it.")] = "latex",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write it.", show_default="print it")
    ] = None,
    start: Annotated[str, typer.Option(metavar="HH:MM", help="Start of the session, in a spreadsheet.")] = "09:00",
) -> None:
    """Export a rule as a LaTeX formula, a Python module, or a spreadsheet (CSV with formulas).

    The clinic options are the numbers that a spreadsheet starts with.

    Example: gpdr rule export out/rule.json --to spreadsheet --patients 12 --mean 15 --out rule.csv
    """
    from gpdr.clinic import Rule
    from gpdr.clinic.rules.export import rule_latex, rule_python, rule_sheet

    check_targets(output.json, out=out)
    rule = Rule.from_file(file)
    if to == "latex":
        text = rule_latex(rule) + "\n"
    elif to == "python":
        text = rule_python(rule)
    else:
        sheet = io.StringIO()
        csv.writer(sheet, lineterminator="\n").writerows(rule_sheet(rule, where.load(), start))
        text = sheet.getvalue()
    output.write_json({"name": rule.name, "to": to, "text": text})
    if out is None:
        output.people.out(text, end="")
        return
    with whole_file(out) as target:
        target.write(text)
    output.remarks.print(f"Written to {out}")
