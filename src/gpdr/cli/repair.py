"""The command `gpdr repair`: the cheapest changes that make units fit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gpdr.cli.options import OutputOptions
from gpdr.errors import InputError

if TYPE_CHECKING:
    from rich.text import Text

    from gpdr.consistency import RepairResult
    from gpdr.expressions import PrimitiveSet, Tree


def repair(
    output: OutputOptions,
    target: Annotated[str, typer.Option(metavar="UNIT", help="The unit wanted: min, or 1 for a number.")],
    expression: Annotated[
        str | None,
        typer.Argument(metavar="[EXPR]", help="An expression: 'max(i, M) + 1'; after -- if it begins with a minus."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Expressions from a file, one on each line.")
    ] = None,
    solver: Annotated[Literal["exact", "highs", "gurobi"], typer.Option(help="How it is solved.")] = "exact",
    seed: Annotated[int, typer.Option(min=0, help="Decides among repairs that cost the same.")] = 1,
    weights: Annotated[
        Literal["depth", "uniform", "size"],
        typer.Option(help="Price of a change: 1/k at depth k, 1 anywhere, or the share of nodes at and below it."),
    ] = "depth",
    keep: Annotated[
        Literal["functions", "terminals"] | None, typer.Option(help="What must stay as it is.", show_default=False)
    ] = None,
    most_changes: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Change no more nodes than this.", show_default=False)
    ] = None,
    best: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="List the K cheapest repairs.", show_default=False)
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Draw the trees before and after, as SVG files.")
    ] = None,
) -> None:
    """Repair the units of an expression by the cheapest changes of functions and terminals.

    The structure stays. Unless --weights says otherwise, a change costs 1 at the root, 1/2 below it, 1/3 below that.

    Example: gpdr repair 'max(i, M) + 1' --target min
    """
    from gpdr.consistency import best_repairs
    from gpdr.consistency import repair as repair_expression
    from gpdr.expressions.appointment import APPOINTMENT

    if best is not None and solver != "exact":
        raise InputError(f"--best lists what the exact solver finds: leave out --solver {solver}")
    wanted, fixed = APPOINTMENT.units.dimension(target), keep or "none"

    def repairs(text: str) -> list[RepairResult]:
        found = best and best_repairs(text, wanted, best, None, seed, weights, fixed, most_changes)
        return found or [repair_expression(text, wanted, None, solver, seed, None, weights, fixed, most_changes)]

    results = [result for place, text in _texts(expression, source) for result in _at(place, repairs, text)]
    output.write_json([result.as_dict() for result in results])
    for number, result in enumerate(results, start=1):
        if picture is not None:
            _draw(result, picture, number)
        for line in _lines(result):
            output.people.print(line, soft_wrap=True)


def _texts(expression: str | None, source: Path | None) -> list[tuple[str, str]]:
    """The expressions asked for, each with its place in a file; lines that are empty or start with # are skipped."""
    if (expression is None) == (source is None):
        raise InputError("give either an expression or --from FILE with one on each line")
    if expression is not None:
        return [("", expression)]
    assert source is not None
    try:
        lines = source.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: expected a text file in UTF-8") from error
    stripped = ((f"{source}, line {number}: ", line.strip()) for number, line in enumerate(lines, start=1))
    texts = [(place, line) for place, line in stripped if line and not line.startswith("#")]
    if not texts:
        raise InputError(f"{source}: no expression found; write one on each line")
    return texts


def _at(place: str, repairs: Callable[[str], list[RepairResult]], text: str) -> list[RepairResult]:
    """The repairs of an expression; what is wrong with it is said with its place."""
    try:
        return repairs(text)
    except InputError as error:
        raise InputError(f"{place}{error}") from error


def _lines(result: RepairResult) -> list[Text]:
    """What a person reads of one repair: before, after, and each change with its reason."""
    from rich.text import Text

    if result.after is None:
        return [
            Text.assemble("before  ", result.expression),
            Text(
                f"        cannot be repaired: no choice of functions and terminals gives {result.report.target}", "red"
            ),
        ]
    changed = {change.node for change in result.changes}
    lines = [Text.assemble("before  ", _coloured(result.before, result.primitives, changed, "red"))]
    if not changed:
        return [*lines, Text("        consistent already", "green")]
    lines.append(Text.assemble("after   ", _coloured(result.after, result.primitives, changed, "green")))
    lines.append(Text(f"cost    {result.cost:.4g}, {result.changed} changed", "dim"))
    return [*lines, *(Text(f"        {change}") for change in result.changes)]


def _coloured(tree: Tree, primitives: PrimitiveSet, marked: set[int], colour: str) -> Text:
    """The expression's text with the changed nodes in colour."""
    from rich.text import Text

    from gpdr.consistency.marking import parts

    style = f"bold {colour}"
    return Text.assemble(*((part, style if node in marked else "") for part, node in parts(tree, primitives)))


def _draw(result: RepairResult, directory: Path, number: int) -> None:
    from gpdr.cli.output import whole_file
    from gpdr.consistency import dimensions_of_nodes
    from gpdr.expressions.picture import to_svg

    directory.mkdir(parents=True, exist_ok=True)
    marked = [change.node for change in result.changes]
    for name, tree in (("before", result.before), ("after", result.after)):
        if tree is not None:
            units = [result.primitives.units.text(d) for d in dimensions_of_nodes(tree, result.primitives)]
            with whole_file(directory / f"{number}-{name}.svg") as file:
                file.write(to_svg(tree, result.primitives, units, marked=marked))
