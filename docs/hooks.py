"""What the site is given when it is built: the reference of the commands, made from their help."""

from __future__ import annotations

import re
from typing import Any

import typer
from typer.cli import get_docs_for_click

from gpdr.cli.app import app

PLACE = "<!-- commands -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the commands where a page wants them."""
    return markdown.replace(PLACE, commands()) if PLACE in markdown else markdown


def commands() -> str:
    """Every command and option as Markdown, without the options of typer itself."""
    command = typer.main.get_command(app)
    text = get_docs_for_click(obj=command, ctx=typer.Context(command), name="gpdr")
    text = text.partition("## `")[2]
    text = re.sub(r"^\* `(--help|-h, --help|--install-completion|--show-completion).*\n", "", "## `" + text, flags=re.M)
    return re.sub(r"^(#+) `gpdr ", r"\1 `gpdr ", text, flags=re.M)
