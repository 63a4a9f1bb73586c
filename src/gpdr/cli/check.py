"""The command `gpdr check`: do the units of an expression fit?"""

from __future__ import annotations

from typing import Annotated

import typer

from gpdr.cli.options import OutputOptions
from gpdr.cli.output import table


def check(
    expression: Annotated[
        str,
        typer.Argument(
            metavar="EXPR", help="An expression, such as '(i - CR) * M'; before one that starts with - write --."
        ),
    ],
    output: OutputOptions,
    target: Annotated[str, typer.Option(metavar="UNIT", help="The unit it should have: min, or 1 for a number.")],
) -> None:
    """Show the unit of every node of an expression, and where units do not fit.

    Terminals: M and V are minutes; P, i, PN, PW and CR are plain numbers.

    Example: gpdr check 'M + 1' --target min
    """
    from gpdr.consistency import check as check_expression

    report = check_expression(expression, target)
    output.write_json(report.as_dict())
    rows = table("part of the expression", "unit", "gap")
    for node in report.nodes:
        style = "red" if node.problem and not node.follows else None
        rows.add_row(
            _short(node.text, 70), _short(node.dimension, 40), f"{node.gap:g}" if node.gap else "", style=style
        )
    output.people.print(rows)
    for problem in report.problems:
        output.people.print(f"It {problem}.", markup=False)
    if report.consistent:
        output.people.print(f"Consistent: gives {report.target}.", style="green", markup=False)
    else:
        output.people.print(f"Not consistent: gap {report.gap:g}.", style="red", markup=False)
    if report.remark:
        output.people.print(f"{report.remark}.", markup=False)


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
