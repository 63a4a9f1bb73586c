"""A table, and how it is written: Markdown, LaTeX, and CSV with every figure at full length."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field

from gpdr.study.keys import Json

# Where there is no figure.
NOTHING = "–"

# In LaTeX, words of so many letters are set in a column of a fixed width.
_LONG = 60
_TEX_WIDTH = r"0.35\linewidth"


@dataclass
class ReportTable:
    """Rows of short texts for people, and records of plain figures for programs.

    The first column and those of `words` are aligned to the left, figures to the right.
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: list[list[str]] = field(default_factory=list)
    records: list[Json] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    words: Sequence[str] = ()

    def add_shares(self, name: str, figures: Json) -> None:
        """A row of counts (whole numbers) and shares."""
        texts = [NOTHING if x is None else f"{x:.1%}" if isinstance(x, float) else f"{x:,}" for x in figures.values()]
        self.rows.append([name, *texts])
        self.records.append({self.columns[0]: name.strip("`"), **figures})

    def markdown(self) -> str:
        """How to read it first, then the table."""
        lines = [f"### {self.title}", ""]
        lines += [line for note in self.notes for line in (note, "")]
        lines += [_pipes(self.columns), "|" + "|".join("---" if left else "---:" for left in self._left()) + "|"]
        lines += [_pipes(row) for row in self.rows]
        return "\n".join(lines) + "\n"

    def latex(self) -> str:
        """A tabular for the package booktabs."""
        body = [" & ".join(map(_tex, row)) + r" \\" for row in self.rows]
        lines = [
            *(f"% {_tex(note)}" for note in (self.title, *self.notes)),
            rf"\begin{{tabular}}{{{''.join(self._tex_columns())}}}",
            r"\toprule",
            " & ".join(map(_tex, self.columns)) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
        ]
        return "\n".join(lines) + "\n"

    def _left(self) -> list[bool]:
        return [number == 0 or column in self.words for number, column in enumerate(self.columns)]

    def _tex_columns(self) -> list[str]:
        """Long texts are broken into lines."""
        longest = [max((len(row[number]) for row in self.rows), default=0) for number in range(len(self.columns))]
        return [
            f"p{{{_TEX_WIDTH}}}" if left and length > _LONG else "l" if left else "r"
            for left, length in zip(self._left(), longest, strict=True)
        ]

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
    "[": "{[}", "]": "{]}",  # else one that begins a row is taken as an argument of the line break before it
}  # fmt: skip


def _tex(text: str) -> str:
    """Text between backticks is code."""
    pieces = ["".join(_TEX.get(letter, letter) for letter in piece) for piece in text.split("`")]
    return "".join(rf"\texttt{{{piece}}}" if number % 2 else piece for number, piece in enumerate(pieces))
