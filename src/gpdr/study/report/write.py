"""Writes a report: one page that reads from top to bottom, and its tables and figures as files."""

from __future__ import annotations

from pathlib import Path

from gpdr._files import whole_file
from gpdr.errors import InputError, unknown_name
from gpdr.study.report.chapters import Gathered, chapters
from gpdr.study.report.figures import drawn
from gpdr.study.report.introduction import introduction
from gpdr.study.report.results import Results
from gpdr.study.statistics import CORRECTIONS
from gpdr.study.status import status
from gpdr.study.store import Store


def write_report(store: Store, out: str | Path, study: str | None = None, correction: str = "none") -> list[Path]:
    """Writes report.md, its tables (.csv .tex) and figures (.svg .pdf) into a folder; same store, same bytes."""
    if correction not in CORRECTIONS:
        raise unknown_name("correction", correction, CORRECTIONS)
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: expected a folder for the report, this is a file: name another by --out")
    gathered = Gathered()
    with store.snapshot():
        results, where = Results.load(store, study, gathered.of_methods, gathered.origins), status(store, study)
    page = [introduction(results, where)]
    files: dict[str, bytes] = {}
    for chapter in chapters(results, gathered, correction):
        page.append(f"## {chapter.title}\n")
        for table in chapter.tables:
            page += [table.markdown(), f"[CSV]({table.name}.csv) · [LaTeX]({table.name}.tex)\n"]
            files |= {f"{table.name}.csv": table.csv().encode(), f"{table.name}.tex": table.latex().encode()}
        for picture in chapter.pictures:
            made = drawn(picture.draw)
            files |= {f"{picture.name}.{ending}": content for ending, content in made.items()}
            if made:
                page.append(f"![{picture.caption}]({picture.name}.svg)\n\n*{picture.caption}*\n")
    files["report.md"] = "\n".join(page).encode()
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        with whole_file(folder / name) as part:
            part.write_bytes(content)
    return [folder / name for name in sorted(files)]
