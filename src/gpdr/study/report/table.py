"""A table, and how it is written: Markdown, LaTeX, and CSV with every figure at full length."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field

from gpdr.study.keys import Json


@dataclass
class ReportTable:
    """Rows of short texts for people, and records of plain figures for programs."""

    name: str
    title: str
    columns: Sequence[str]
    rows: list[list[str]] = field(default_factory=list)
    records: list[Json] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def markdown(self) -> str:
        lines = [f"### {self.title}", "", _pipes(self.columns)]
        lines.append("|---|" + "---:|" * (len(self.columns) - 1))
        lines += [_pipes(row) for row in self.rows]
        lines += [line for note in self.notes for line in ("", note)]
        return "\n".join(lines) + "\n"

    def latex(self) -> str:
        """A tabular for the package booktabs."""
        body = [" & ".join(map(_tex, row)) + r" \\" for row in self.rows]
        notes = [f"% {_tex(note)}" for note in self.notes]
        lines = [
            *notes,
            rf"\begin{{tabular}}{{l{'r' * (len(self.columns) - 1)}}}",
            r"\toprule",
            " & ".join(map(_tex, self.columns)) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
        ]
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        names = list(dict.fromkeys(name for record in self.records for name in record))
        text = io.StringIO()
        writer = csv.DictWriter(text, names, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(self.records)
        return text.getvalue()


def _pipes(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


_TEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "$": r"\$", "{": r"\{", "}": r"\}",
    "^": r"\^{}", "~": r"\~{}", "±": r"$\pm$", "−": "$-$", "≤": r"$\le$", "–": "--", "×": r"$\times$",
}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(_TEX.get(letter, letter) for letter in text)
