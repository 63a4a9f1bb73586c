"""What the site is given when it is built: commands and parameters, in the words of the code."""

from __future__ import annotations

import re
from dataclasses import Field, fields
from typing import Any

import typer
from typer.cli import get_docs_for_click

from gpdr.cli.app import app
from gpdr.evolution.methods import METHODS, recipe
from gpdr.evolution.parameters import Parameters


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put what is made where a page wants it."""
    for place, made in {"<!-- commands -->": commands, "<!-- parameters -->": parameters}.items():
        if place in markdown:
            markdown = markdown.replace(place, made())
    return markdown


def commands() -> str:
    """Every command and option as Markdown, without the options of typer itself."""
    command = typer.main.get_command(app)
    text = get_docs_for_click(obj=command, ctx=typer.Context(command), name="gpdr")
    text = text.partition("## `")[2]
    text = re.sub(r"^\* `(--help|-h, --help|--install-completion|--show-completion).*\n", "", "## `" + text, flags=re.M)
    return re.sub(r"^(#+) `gpdr ", r"\1 `gpdr ", text, flags=re.M)


def parameters() -> str:
    """A table of the parameters that all methods share, and one of what each adds."""
    shared = {parameter.name for parameter in fields(Parameters)}
    parts = {"All methods": _rows(Parameters, set())}
    parts |= {method.upper(): _rows(recipe(method).parameters, shared) for method in METHODS}
    head = "| name | default | from … to | |\n|---|---:|---|---|\n"
    return "\n\n".join(f"## {title}\n\n{head}{rows}" for title, rows in parts.items() if rows)


def _rows(described: type[Parameters], known: set[str]) -> str:
    return "\n".join(_row(parameter) for parameter in fields(described) if parameter.name not in known)


def _row(parameter: Field[Any]) -> str:
    told = parameter.metadata
    values = f"{told['low']:,} … {told['high']:,}" if "low" in told else "true, false"
    default = str(parameter.default).lower()
    return f"| `{parameter.name}` | {default} | {values} | {told['help']} |"
