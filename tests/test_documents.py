"""README and docs keep their word: what they show runs, what they link to exists, what they state is short enough."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import gpdr
from gpdr.clinic import compare, paper_clinic, schedule
from gpdr.clinic.problem import AppointmentProblem
from gpdr.evolution.methods import METHODS, recipe
from tests.documents import ROOT, blocks, carry_out, commands, missing, pages

PAGES = pages()
EVERY_PAGE = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/**/*.md"))]
_LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_a_page_shows_can_be_done(page: Path, tmp_path: Path) -> None:
    carry_out(page, tmp_path)


@pytest.mark.parametrize("page", EVERY_PAGE, ids=name)
def test_a_link_within_the_project_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for found in _LINK.finditer(text):
        target = found[1] or found[2]
        if target.startswith(("https://", "http://", "mailto:", "#")):
            assert not target.startswith("http://"), f"{target}: plain http"
            continue
        file, _, anchor = target.partition("#")
        there = (page.parent / file).resolve()
        assert there.exists(), f"{name(page)} links to {target}, which is not there"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), f"{name(page)} links to {target}: no such heading"


def anchors(page: Path) -> set[str]:
    """The anchors that headings of a page get."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_the_table_of_methods_names_the_parts_they_are_made_of() -> None:
    page = (ROOT / "docs" / "explanation" / "methods.md").read_text(encoding="utf-8")
    problem = AppointmentProblem(paper_clinic(1), replications=2)
    for method in METHODS:
        made = recipe(method).build(problem, recipe(method).parameters())
        parts = [
            type(part).__name__ for part in (made.generator, made.fitness, made.survival, made.breeder, made.naming)
        ]
        row = re.search(rf"^\| {method.upper()} \| `.*$", page, flags=re.M)
        assert row is not None, method
        assert re.findall(r"\| `(\w+)`", row[0]) == parts


def test_the_readme_fits_a_reader() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 140


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_block_is_run_or_to_be_looked_at_or_says_why_not(page: Path) -> None:
    for block in blocks(page.read_text(encoding="utf-8")):
        where = f"{name(page)}:{block.line}: {block.language}"
        assert block.title or block.language in ("python", "console", "text"), where


@pytest.mark.parametrize("page", EVERY_PAGE, ids=name)
def test_what_a_sentence_names_is_there(page: Path) -> None:
    whole = page.read_text(encoding="utf-8")
    sentences = re.sub(r"^ *```.*?^ *```$", "", whole, flags=re.M | re.S)
    scripts = "".join(re.findall(r"^```bash\n(.*?)^```$", whole, flags=re.M | re.S))
    for code in [*re.findall(r"(?<!`)`([^`]+)`(?!`)", sentences), *re.findall(r"^gpdr [^&\n]+", scripts, flags=re.M)]:
        assert missing(code) is None, f"{name(page)}: `{code}`: there is no {missing(code)}"


@pytest.mark.parametrize(
    ("code", "gone"),
    [
        ("gpdr study run FILE --store s.db", None),
        ("gpdr COMMAND --help", None),
        ("gpdr evolv", "evolv"),
        ("gpdr evolve --speed 3", "--speed"),
        ("make run", None),
        ("make money", "money"),
        ("python -m bench.nothing", "bench.nothing"),
        ("examples/none.py", "examples/none.py"),
    ],
)
def test_what_is_not_there_is_noticed(code: str, gone: str | None) -> None:
    assert missing(code) == gone


def site_hooks() -> ModuleType:
    """What the site is given when it is built; no package holds it."""
    spec = spec_from_file_location("hooks", ROOT / "docs" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    hooks = module_from_spec(spec)
    spec.loader.exec_module(hooks)
    return hooks


def test_examples_of_commands_are_code() -> None:
    text = site_hooks().commands()
    assert "\nExample: `gpdr evolve --clinic paper:9 --out out`\n" in text
    assert "Example: gpdr" not in text
    assert "--install-completion" not in text


def test_results_are_in_the_navigation_once_they_are_made(tmp_path: Path) -> None:
    def nav() -> list[dict[str, object]]:
        results = [{"Made": "results/made.md"}, {"Not yet": "results/paper/report.md"}]
        config = {"docs_dir": str(tmp_path), "nav": [{"Start": "index.md"}, {"Results": results}]}
        return site_hooks().on_config(config)["nav"][1]["Results"]  # type: ignore[no-any-return]

    (tmp_path / "results" / "paper").mkdir(parents=True)
    (tmp_path / "results" / "made.md").touch()
    assert nav() == [{"Made": "results/made.md"}]
    (tmp_path / "results" / "paper" / "report.md").touch()
    assert len(nav()) == 2


@pytest.mark.parametrize(("source", "hidden"), [("results/optimum.md", {"hide": ["toc"]}), ("glossary.md", {})])
def test_tables_of_results_have_the_room_of_the_table_of_contents(source: str, hidden: dict[str, object]) -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri=source), meta={})
    assert site_hooks().on_page_markdown("text", page=page) == "text"
    assert page.meta == hidden


def test_the_python_reference_shows_things_not_modules() -> None:
    page = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    shown = re.findall(r"^::: (\S+)(?:\n    options: { heading: (\S+) })?$", page, flags=re.M)
    for path, _ in shown:
        owner, _, thing = path.rpartition(".")
        module = ROOT / "src" / path.replace(".", "/")
        assert not module.with_suffix(".py").exists(), f"{path} is a module: name what is in it"
        assert hasattr(import_module(owner), thing), path
    assert {f"gpdr.{name}" for name in gpdr.__all__ if name[0] != "_"} <= {heading for _, heading in shown}


def test_the_keys_of_json_are_those_that_the_reference_names() -> None:
    page = (ROOT / "docs" / "reference" / "files.md").read_text(encoding="utf-8")
    clinic = paper_clinic(1)
    made = {
        "compare": compare(clinic, ["IBFI"], replications=10).as_dict(),
        "schedule": schedule(clinic, "IBFI", replications=10).as_dict(),
    }
    for command, written in made.items():
        row = re.search(rf"^\| `{command}` \|.*$", page, flags=re.M)
        assert row is not None, command
        assert set(written) <= set(re.findall(r'"(\w+)"', row[0])), command


@pytest.mark.slow
def test_make_run_ends_as_the_readme_says() -> None:
    """Same rules, nearly the same costs; on another processor the last bits of a draw may differ, and then the rule."""
    shown = next(block.body for block in blocks((ROOT / "README.md").read_text()) if block.language == "text")
    made = re.search(r"gpdr (evolve .*) --out out", (ROOT / "Makefile").read_text())
    assert made is not None
    arguments = [sys.executable, "-m", "gpdr", *made[1].split(), "--quiet"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "200"})
    for start in ("A_i = (", "LaTeX: A_i = "):
        assert f"\n{start}" in f"\n{shown}"
        assert f"\n{start}" in done.stdout
    assert "nodes; all units fit" in shown
    assert "nodes; all units fit" in done.stdout
    promised, printed = costs(shown), costs(done.stdout)
    assert len(promised) > 4
    for name, cost in promised.items():
        assert printed[name] == pytest.approx(cost, rel=0.02 if name == "GPDR" else 0.01), name


def costs(printed: str) -> dict[str, float]:
    """The cost of each rule of a printed table."""
    return {name: float(cost) for name, cost in re.findall(r"^ (\w+) +([\d.]+) ± ", printed, flags=re.M)}


def test_every_exemption_gives_a_reason() -> None:
    for page in PAGES:
        for found in re.finditer(r"<!-- not run(.*?)-->", page.read_text(encoding="utf-8")):
            assert re.fullmatch(r": \S.{5,}", found[1].strip(" ") + " "), f"{name(page)}: {found[0]}"


def test_blocks_are_read_as_promised() -> None:
    text = (
        "# A\n```python\nx = 1\n```\n<!-- not run: needs a cluster -->\n```console\n$ no\n```\n"
        '```toml title="a.toml"\nk = 1\n```\n'
        "- item\n\n    ```console\n    $ one \\\n        two\n    printed\n    ```\n"
    )
    first, second, third = blocks(text)
    assert (first.line, first.language, first.body) == (2, "python", "x = 1\n")
    assert (second.title, second.body) == ("a.toml", "k = 1\n")
    assert commands(third.body) == ["one two"]


@pytest.mark.parametrize(
    "body",
    ["```python\nraise KeyError('gone')\n```\n", "```console\n$ gpdr nonsense\n```\n", "```console\n$ make no\n```\n"],
)
def test_a_page_that_does_not_keep_its_word_is_caught(body: str, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(body)
    with pytest.raises((KeyError, AssertionError)):
        carry_out(tmp_path / "page.md", tmp_path)
