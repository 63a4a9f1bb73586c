"""The table of commands, and the program made of it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from shutil import get_terminal_size
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from gpdr._version import __version__
from gpdr.cli.options import flattened
from gpdr.errors import unknown_name

# A command's module must be quick to import: it enters the rooms inside its functions.
COMMANDS = {
    "evolve": "gpdr.cli.evolve:evolve",
    "compare": "gpdr.cli.compare:compare",
    "schedule": "gpdr.cli.schedule:schedule",
    "optimum": "gpdr.cli.optimum:optimum",
    "service": "gpdr.cli.service:service",
    "check": "gpdr.cli.check:check",
    "repair": "gpdr.cli.repair:repair",
    "rule export": "gpdr.cli.rule:export",
    "study run": "gpdr.cli.study:run",
    "study status": "gpdr.cli.study:status",
    "study report": "gpdr.cli.study:report",
    "study export": "gpdr.cli.study:export",
}
GROUPS = {
    "rule": "What to do with a rule file: export it to LaTeX, Python or a spreadsheet.",
    "study": "Many runs, resumable, and the tables and figures made of them.",
}

ROOM_FOR_TABLES = 70  # columns
WHOLE = 1_000  # characters: what a command does is never cut short

CONTEXT = {"help_option_names": ["-h", "--help"]}


class Commands(TyperGroup):
    """A group that answers an unknown command with the choices."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is None and not ctx.resilient_parsing:
            raise unknown_name("command", cmd_name, self.list_commands(ctx))
        return command

    def format_help(self, ctx: Any, formatter: Any) -> None:
        make_readable(self, ctx, formatter)
        super().format_help(ctx, formatter)

    def get_short_help_str(self, limit: int = WHOLE) -> str:
        return super().get_short_help_str(WHOLE)


class Command(TyperCommand):
    """A command whose help shows what is typed."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        make_readable(self, ctx, formatter)
        super().format_help(ctx, formatter)

    def get_short_help_str(self, limit: int = WHOLE) -> str:
        return super().get_short_help_str(WHOLE)


def make_readable(command: Commands | Command, ctx: Any, formatter: Any) -> None:
    """Help in which flags take no value, and plain text where a table would cut the names of options."""
    for parameter in command.get_params(ctx):
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
    columns = get_terminal_size().columns
    if columns < ROOM_FOR_TABLES:
        command.rich_markup_mode = None
        formatter.width = columns


def load(target: str) -> Callable[..., Any]:
    """The function that `module:function` names."""
    module, _, function = target.partition(":")
    command: Callable[..., Any] = getattr(import_module(module), function)
    return command


def version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gpdr {__version__}")
        raise typer.Exit


def top(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Evolve, judge and print appointment rules that a clinic can read and trust.

    Start with: gpdr compare --clinic paper:9 --optimum
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def build() -> typer.Typer:
    """The program with every command of the table."""
    program = typer.Typer(name="gpdr", cls=Commands, rich_markup_mode="rich", context_settings=CONTEXT)
    program.callback(invoke_without_command=True)(top)
    groups = {
        name: typer.Typer(cls=Commands, help=text, no_args_is_help=True, context_settings=CONTEXT)
        for name, text in GROUPS.items()
    }
    for name, target in COMMANDS.items():
        group, _, last = name.rpartition(" ")
        owner = groups[group] if group else program
        owner.command(last, cls=Command, context_settings=CONTEXT)(flattened(load(target)))
    for name, group_program in groups.items():
        program.add_typer(group_program, name=name)
    return program


app = build()
