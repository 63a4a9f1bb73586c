"""`gpdr service`: mean and spread of services from past consultation times."""

from __future__ import annotations

from typing import Annotated

import typer

from gpdr.cli import output as out
from gpdr.cli.options import OutputOptions
from gpdr.errors import InputError


def service(
    output: OutputOptions,
    file: Annotated[str, typer.Argument(metavar="FILE.csv", help="Past consultation times, minutes.")],
    column: Annotated[str | None, typer.Option(metavar="NAME", help="The column, where there are several.")] = None,
) -> None:
    """Estimate the mean and the spread of service times from a CSV file.

    Example: gpdr service times.csv --column minutes
    """
    from gpdr.clinic.consultations import read_minutes
    from gpdr.clinic.estimate import estimate

    minutes = read_minutes(file, column)
    try:
        found = estimate(minutes)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    output.write_json(found.as_dict())
    people = output.people
    people.print(f"{found.count:,} consultation times", markup=False)
    people.print(f"mean  {out.interval(found.mean.mean, found.mean.ci95)} minutes", markup=False)
    people.print(f"cv    {out.interval(found.cv.mean, found.cv.ci95, 3)}", markup=False)
    people.print(f"{found.verdict} (distance {found.distance:.3f}, p = {found.p_value:.2g})", markup=False)
    people.print(f"Options for other commands: --mean {found.mean.mean:.4g} --cv {found.cv.mean:.3g}", markup=False)
