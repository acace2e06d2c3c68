"""Results as markdown, and where they go: parts of a document that a person writes around."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dehusk.lab.evaluation.text_scores import WordScore


@dataclass(frozen=True, slots=True)
class Section:
    """What one part found, with the command that made it."""

    part: str
    command: str
    body: str

    @property
    def markdown(self) -> str:
        return f"    {self.command}\n\n{self.body.strip()}\n"


def markdown_table(headings: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> str:
    """The first columns are text, the others figures."""
    marks = ["---" if column < texts else "---:" for column in range(len(headings))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (headings, marks, *rows)) + "\n"


def score_cell(score: WordScore, best: bool = False) -> str:
    """F1 with precision and recall behind it."""
    f1 = f"**{score.f1:.3f}**" if best else f"{score.f1:.3f}"
    return f"{f1} ({score.precision:.2f}/{score.recall:.2f})"


def cell_text(text: str, most: int) -> str:
    """Text of a page in one cell: on one line, cut, and with nothing that markdown would take for its own."""
    line = " ".join(text.split())
    cut = line if len(line) <= most else line[: most - 1] + "…"
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", cut)


def update_document(path: Path, title: str, sections: Iterable[Section]) -> None:
    """Put each section where the last one of its part was, or at the end; all else in the document stays."""
    document = path.read_text("utf-8") if path.exists() else f"# {title}\n"
    for section in sections:
        begin, end = f"<!-- begin {section.part} -->", f"<!-- end {section.part} -->"
        text = f"{begin}\n\n{section.markdown}\n{end}"
        if begin in document and end in document:
            before, rest = document.split(begin, 1)
            document = before + text + rest.split(end, 1)[1]
        else:
            document += f"\n## {section.part.capitalize()}\n\n{text}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document, "utf-8")
