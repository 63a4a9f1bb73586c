"""`gpdr evolve`: evolves a rule for a clinic, with live progress, and shows what it found."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gpdr.cli import output as out
from gpdr.cli.errors import INTERRUPTED
from gpdr.cli.options import ClinicOptions, OutputOptions, RunOptions
from gpdr.errors import InputError

if TYPE_CHECKING:
    from gpdr.clinic.problem import Evolved

MethodName = Literal["gpdr", "gp", "cugp", "cdagp", "mogp", "stgp", "cfggp"]


def evolve(
    clinic: ClinicOptions,
    run: RunOptions,
    output: OutputOptions,
    method: Annotated[MethodName, typer.Option(help="How to evolve.")] = "gpdr",
    population: Annotated[int, typer.Option(min=2, metavar="N", help="Rules in a generation.")] = 256,
    generations: Annotated[int, typer.Option(min=0, metavar="N", help="Generations after the first.")] = 50,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Another parameter of the method. tolerance=0.01 takes the shortest rule within 1 % of the best.",
        ),
    ] = None,
    directory: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write rule.json, report.html and figures there.")
    ] = None,
) -> None:
    """Evolve an appointment rule for a clinic.

    Ctrl-C stops early and keeps the best rule so far.

    Example: gpdr evolve --clinic paper:9 --out out
    """
    from gpdr.cli.evolve_progress import EvolutionProgress
    from gpdr.clinic.problem import evolve as run_evolution
    from gpdr.evolution.methods import recipe

    described = clinic.load()
    given = {"population": population, "generations": generations, **_settings(setting or [])}
    parameters = recipe(method).parameters.from_dict(given).as_dict()  # what is wrong is told before any progress
    if directory is not None:
        directory.mkdir(parents=True, exist_ok=True)
    with EvolutionProgress(output.remarks) as progress:
        result = run_evolution(
            described, method, run.seed, run.threads, None, None, run.replications, parameters, progress.listen
        )
    if directory is not None:
        _forget_report(directory)
        result.rule.to_file(directory / "rule.json", result.provenance)
    output.write_json(result.as_dict())
    if not result.interrupted:
        with output.remarks.status("looking for the optimum, to compare"):
            _ = result.comparison
    _show(result, output)
    if result.interrupted:
        kept = "" if directory is None else f"; the best rule so far is in {directory / 'rule.json'}"
        output.remarks.print(f"Stopped early, after generation {result.history[-1]['generation']}{kept}.")
        raise typer.Exit(INTERRUPTED)
    if directory is not None:
        _write(result, directory, output)


def _settings(given: list[str]) -> dict[str, Any]:
    """NAME=VALUE as in TOML."""
    settings: dict[str, Any] = {}
    for text in given:
        try:
            settings |= tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            raise InputError(f"--set {text}: expected NAME=VALUE, such as tournament=5 or crossover=0.8") from None
        for name in settings.keys() & {"population", "generations"}:
            raise InputError(f"--set {text}: this has an option of its own; use --{name}")
    return settings


def _show(result: Evolved, output: OutputOptions) -> None:
    """The rule, what it does, what it costs beside others."""
    from gpdr.clinic.compare import OPTIMUM
    from gpdr.clinic.problem.words import in_words

    people, found = output.people, result.found
    people.print(f"{result.method.upper()} for {result.clinic.label}, seed {result.seed}", style="bold", markup=False)
    people.print(result.formula, markup=False, soft_wrap=True)
    people.print(f"{found.size} nodes; {_units(found.dimension_gap)}", markup=False)
    people.print(" ".join(filter(None, (in_words(found.times, result.clinic), result.conventions))), markup=False)
    people.print(f"LaTeX: {result.latex}", markup=False, soft_wrap=True)
    people.print()
    if result.interrupted:
        cost = result.test.performance.total_cost
        people.print(f"It costs {out.interval(cost.mean, cost.ci95)} on fresh sessions.", markup=False)
        return
    costs = ("wait", "idle", "overtime")
    table = out.table("rule", "cost", *costs, "above optimum", optional=costs)
    optimum = result.comparison[OPTIMUM].performance.total_cost.mean
    for rule in sorted(result.comparison.rules, key=lambda rule: rule.performance.total_cost.mean):
        p = rule.performance
        total = out.interval(p.total_cost.mean, p.total_cost.ci95)
        parts = [out.number(figure.mean) for figure in (p.wait, p.idle, p.overtime)]
        above = out.above(p.total_cost.mean - optimum, optimum)
        table.add_row(rule.name, total, *parts, above, style="bold" if rule.name == result.rule.name else None)
    people.print(table)


def _units(gap: float) -> str:
    return "all units fit" if gap == 0 else f"units do not fit (dimension gap {gap:g})"


def _forget_report(directory: Path) -> None:
    """Of a run before: a run that ends early leaves a rule alone, and no page may tell of another one."""
    from gpdr.clinic.problem.figures import FIGURE_FILES

    for name in ("report.html", *FIGURE_FILES):
        (directory / name).unlink(missing_ok=True)


def _write(result: Evolved, directory: Path, output: OutputOptions) -> None:
    from gpdr.clinic.problem.figures import draw_figures
    from gpdr.clinic.problem.report import report

    figures = draw_figures(result)
    for name, svg in figures.items():
        with out.whole_file(directory / f"{name}.svg") as file:
            file.write(svg)
    with out.whole_file(directory / "report.html") as file:
        file.write(report(result, figures))
    output.remarks.print(f"Written to {directory}: rule.json, {', '.join(f'{name}.svg' for name in figures)} and")
    output.remarks.print(f"{directory / 'report.html'}, a page about the rule to open in a browser")
