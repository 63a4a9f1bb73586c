"""What README and docs promise, as something that can be carried out.

The rules, which hold for every Markdown file of the project:

- A block ` ```python ` is run; the blocks of a page share their names, as a reader who types them all would have it.
- A block ` ```console ` holds commands after `$ ` (a line ending in `\\` goes on); what stands between is what they
  print, for the reader. `gpdr` commands are run with small budgets (BUDGETS below); of `make` it is checked that the
  target exists.
- A block with `title="name"` is a file of that name, there for the blocks that follow.
- A block ` ```text ` is something to look at.
- `<!-- not run: reason -->` on the line before a block exempts it.
- What a sentence names in `code` exists: commands of `gpdr` with their options, targets of `make`, modules after
  `python -m`, files of the project.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import typer

from gpdr.cli.app import app

ROOT = Path(__file__).parents[1]

# Options that come last win: the same commands, on a fraction of the work.
BUDGETS = {
    "gpdr evolve": "--population 24 --generations 2 --replications 400",
    "gpdr compare": "--replications 1000",
    "gpdr schedule": "--replications 1000",
    "gpdr optimum": "--replications 1000",
}

_BLOCK = re.compile(
    r"(?:^ *<!-- not run: (?P<exempt>.+?) -->\n+)?"
    r"^(?P<indent> *)```(?P<language>\w+)(?P<more>[^\n]*)\n(?P<body>.*?)^ *```$",
    re.M | re.S,
)
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True)
class Block:
    """A fenced block: where it stands, its language, the file it is, its text."""

    line: int
    language: str
    title: str | None
    body: str


def pages() -> list[Path]:
    """Every page whose blocks are run: README and docs, but not the records of results and decisions."""
    found = sorted(ROOT.glob("docs/**/*.md"))
    return [ROOT / "README.md", *(page for page in found if page.parent.name != "results" and page.stem != "decisions")]


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page that are to be carried out."""
    for found in _BLOCK.finditer(text):
        if found["exempt"]:
            continue
        title = _TITLE.search(found["more"])
        body = re.sub(f"^{found['indent']}", "", found["body"], flags=re.M)
        line = text.count("\n", 0, found.start("body"))
        yield Block(line, found["language"], title and title[1], body)


def commands(body: str) -> list[str]:
    """The commands of a console block, continued lines joined."""
    joined = re.sub(r"\s*\\\n\s*", " ", body)
    return [line[2:].strip() for line in joined.splitlines() if line.startswith("$ ")]


def carry_out(page: Path, where: Path) -> None:
    """Do what a page says, in its order, in a directory of its own."""
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.title:
            (where / block.title).parent.mkdir(parents=True, exist_ok=True)
            (where / block.title).write_text(block.body, encoding="utf-8")
        elif block.language == "python":
            code = compile("\n" * block.line + block.body, str(page), "exec")
            with chdir(where), importable(where):
                exec(code, names)
        elif block.language == "console":
            for command in commands(block.body):
                run(command, where, f"{page.name}:{block.line}")


def missing(code: str) -> str | None:
    """What there is not, of what a sentence names in code."""
    first, *rest = code.split()
    if first == "gpdr" and rest:
        return missing_of_command(shlex.split(code)[1:])
    if first == "make" and rest:
        known = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.M)
        return next((target for target in rest if target not in known), None)
    if code.startswith("python -m "):
        return None if find_spec(rest[1]) else rest[1]
    if re.fullmatch(r"[\w.-]+/[\w./-]+\.(py|toml|md|sql)", code):
        return None if (ROOT / code).exists() or any(ROOT.glob(f"src/**/{code}")) else code
    return None


def missing_of_command(words: list[str]) -> str | None:
    """The first word that is no command or option of `gpdr`; values and WORDS in capitals stand for anything."""
    command = typer.main.get_command(app)
    context = typer.Context(command)
    for word in words:
        subcommands = getattr(command, "commands", {})
        if word.startswith("-"):
            options = {option for parameter in command.get_params(context) for option in parameter.opts}
            if word.partition("=")[0] not in options:
                return word
        elif subcommands and not word.isupper():
            if word not in subcommands:
                return word
            command = subcommands[word]
    return None


@contextmanager
def importable(where: Path) -> Iterator[None]:
    """What a page wrote can be imported by it, as it could be by its reader."""
    sys.path.insert(0, str(where))
    try:
        yield
    finally:
        sys.path.remove(str(where))


def run(command: str, where: Path, source: str) -> None:
    """Run one command of a page; a failure shows what it printed."""
    if command.startswith("make"):
        command, where = command.replace("make", "make -n", 1), ROOT
    for start, options in BUDGETS.items():
        if command.startswith(start):
            head, bar, rest = command.partition(" | ")
            command = f"{head} {options}{bar}{rest}"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command, shell=True, cwd=where, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{source}: `{command}` ended with {done.returncode}\n{done.stdout}{done.stderr}"
