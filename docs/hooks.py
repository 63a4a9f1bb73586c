"""What the site is given when it is built: commands and parameters in the words of the code, room for results."""

from __future__ import annotations

import re
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

import typer
from typer.cli import get_docs_for_click

from gpdr.cli.app import app
from gpdr.evolution.methods import METHODS, recipe
from gpdr.evolution.parameters import Parameters


def on_config(config: Any) -> Any:
    """Leave out of the navigation those results that have not been made."""
    (results,) = (part["Results"] for part in config["nav"] if "Results" in part)
    results[:] = [page for page in results if all((Path(config["docs_dir"]) / file).exists() for file in page.values())]
    return config


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put what is made where a page wants it; wide tables of results take the room of the table of contents."""
    if page.file.src_uri.startswith("results/"):
        page.meta["hide"] = ["toc"]
    for place, made in {"<!-- commands -->": commands, "<!-- parameters -->": parameters}.items():
        if place in markdown:
            markdown = markdown.replace(place, made())
    return markdown


def commands() -> str:
    """Every command and option as Markdown, examples as code, without the options of typer itself."""
    command = typer.main.get_command(app)
    text = get_docs_for_click(obj=command, ctx=typer.Context(command), name="gpdr")
    text = text.partition("## `")[2]
    text = re.sub(r"^(Example|Start with): (gpdr .+)$", r"\1: `\2`", "## `" + text, flags=re.M)
    return re.sub(r"^\* `(--help|-h, --help|--install-completion|--show-completion).*\n", "", text, flags=re.M)


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
