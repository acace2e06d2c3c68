"""Inline Markdown: escaping, emphasis, code, links and images within one block.

Pieces are gathered into runs of equal marks, so that `<b>a</b><b>b</b>` is one bold run; marks then go around runs, one
kind around the other, with blanks left outside. A run whose marks would not be read as such (`a**"b"**c` is not
emphasis to CommonMark) goes without: showing asterisks would be worse.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from dehusk.blocks.columns import Blocks
from dehusk.outputs.inline import Piece, inline_pieces
from dehusk.page.columns import Page, RowMask, Rows
from dehusk.page.links import base_url, safe_url
from dehusk.page.tags import TAG_CODES

LINE_BREAK = "\\\n"

_BLANKS = re.compile(r" {2,}")
_TICKS = re.compile(r"`+")
# Characters that mean something anywhere in a line. An underscore does unless letters or digits are on both sides.
_SPECIAL = re.compile(r"[\\`*\[\]<>~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")


class Marks(NamedTuple):
    """What distinguishes a run of text."""

    link: str = ""
    strong: bool = False
    emphasis: bool = False
    code: bool = False


class Run(NamedTuple):
    """Some text or ready markup under the same marks."""

    marks: Marks
    text: str
    is_markup: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class InlineStyles:
    """Which rows of a page are strong, emphasised, code, or in a link."""

    strong: RowMask
    emphasis: RowMask
    code: Rows
    """Row of the outermost code element around each row; -1 for none."""
    link: Rows
    base: str

    @classmethod
    def of(cls, page: Page) -> InlineStyles:
        every_row = np.arange(len(page), dtype=np.int32)
        is_code = _is_tag(page, "code", "tt", "kbd", "samp")
        return cls(
            strong=page.covered(_is_tag(page, "b", "strong")) > 0,
            emphasis=page.covered(_is_tag(page, "i", "em")) > 0,
            code=page.climb(every_row, is_code & (page.covered(is_code) == 1)),
            link=page.climb(every_row, _is_tag(page, "a")),
            base=base_url(page),
        )


class InlineWriter:
    """Renders the inline content of the blocks of one page."""

    def __init__(self, blocks: Blocks, *, emphasis: bool, links: bool, images: bool) -> None:
        self._blocks = blocks
        self._styles = InlineStyles.of(blocks.page)
        self._emphasis, self._links, self._images = emphasis, links, images

    def render(self, index: int) -> str:
        """One block as inline Markdown; hard line breaks are a backslash and a newline."""
        return LINE_BREAK.join(_lines(list(_gather(_steady_code(self._runs(index))))))

    def image(self, row: int) -> str:
        """One image, or the empty string if it has no address."""
        attributes = self._blocks.page.attributes(row)
        for name in ("src", "data-src", "data-original", "data-lazy-src"):
            if attributes.get(name, "").strip() and (source := safe_url(attributes[name], self._styles.base)):
                return f"![{escape(' '.join(attributes.get('alt', '').split()))}]({source})"
        return ""

    def _runs(self, index: int) -> Iterator[Run]:
        for piece, row, text in inline_pieces(self._blocks, index):
            if piece is Piece.TEXT:
                yield Run(self._marks(row), text)
            elif piece is Piece.LINE_BREAK:
                yield Run(Marks(), LINE_BREAK, is_markup=True)
            elif self._images and (image := self.image(row)):
                yield Run(Marks(link=self._marks(row).link), image, is_markup=True)

    def _marks(self, row: int) -> Marks:
        styles = self._styles
        link = self._link(int(styles.link[row])) if self._links else ""
        if not self._emphasis:
            return Marks(link)
        code = int(styles.code[row])
        row = code if code >= 0 else row  # code has no marks inside it, but may be inside some
        return Marks(link, bool(styles.strong[row]), bool(styles.emphasis[row]), code >= 0)

    def _link(self, row: int) -> str:
        address = self._blocks.page.attributes(row).get("href", "").strip() if row >= 0 else ""
        return safe_url(address, self._styles.base) if address else ""


def escape(text: str) -> str:
    """Text in which nothing is taken for inline markup."""
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)


def code_span(code: str) -> str:
    """Code on one line, between enough back-ticks."""
    longest = max(map(len, _TICKS.findall(code)), default=0)
    ticks = "`" * (longest + 1)
    blank = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{ticks}{blank}{code}{blank}{ticks}"


def _is_tag(page: Page, *tags: str) -> RowMask:
    return np.isin(page.tag, [TAG_CODES[tag] for tag in tags])


def _steady_code(runs: Iterator[Run]) -> Iterator[Run]:
    """Code directly after code has its marks: two code spans that touch would be read as one."""
    before = Run(Marks(), " ")
    for run in runs:
        if run.marks.code and before.marks.code and not before.text.endswith(" ") and not run.text.startswith(" "):
            run = run._replace(marks=before.marks)
        yield run
        before = run


def _gather(runs: Iterator[Run]) -> Iterator[Run]:
    """Neighbours of equal marks joined, and blanks folded over the borders of runs."""
    after_blank = True
    for (marks, is_markup), group in groupby(runs, key=lambda run: (run.marks, run.is_markup)):
        text = "".join(run.text for run in group)
        if not is_markup:
            text = _BLANKS.sub(" ", text)
            text = text.lstrip(" ") if after_blank else text
        if text:
            yield Run(marks, text, is_markup)
            after_blank = text.endswith((" ", "\n"))


def _lines(runs: Sequence[Run]) -> list[str]:
    """The lines between line breaks, without empty ones."""
    lines: list[list[Run]] = [[]]
    for run in runs:
        if run.is_markup and run.text.endswith("\n"):
            lines.append([])
        else:
            lines[-1].append(run)
    return [line for line in (_render(runs, _LEVELS).strip() for runs in lines) if line]


def _render(runs: Sequence[Run], levels: Sequence[Level], before: str = "", after: str = "") -> str:
    """Runs as Markdown, one level of marks around the other; `before` and `after` are what stands around them."""
    if not levels:
        return "".join(run.text if run.is_markup else escape(run.text) for run in runs)
    written = ""
    groups = [(mark, list(group)) for mark, group in groupby(runs, key=levels[0].mark_of)]
    for position, (mark, group) in enumerate(groups):
        follows = groups[position + 1][1][0].text if position + 1 < len(groups) else after
        inside = _code(group) if mark == _CODE else _render(group, levels[1:], written or before, follows)
        core = inside.strip()
        start, end = inside[: len(inside) - len(inside.lstrip())], inside[len(inside.rstrip()) :]
        is_read = mark not in _STARS or _is_read(core, (written or before) + start, end + follows)
        if not mark or not core or not is_read:
            written += inside
            continue
        if mark not in _STARS and written.endswith("!"):
            written = written[:-1] + "\\!"  # before a link it would make an image
        written += start + _wrap(core, mark) + end
    return written


@dataclass(frozen=True, slots=True)
class Level:
    """One kind of mark: what it is for a given run, or the empty string."""

    mark_of: Callable[[Run], str]


_CODE = "`"
_STARS = frozenset({"*", "**"})
_LEVELS = (
    Level(lambda run: run.marks.link),
    Level(lambda run: "**" if run.marks.strong else ""),
    Level(lambda run: "*" if run.marks.emphasis else ""),
    Level(lambda run: _CODE if run.marks.code and not run.is_markup else ""),
)


def _code(runs: Sequence[Run]) -> str:
    """Code as it is: no marks inside it."""
    return "".join(run.text for run in runs)


def _wrap(core: str, mark: str) -> str:
    if mark == _CODE:
        return code_span(core)
    return f"{mark}{core}{mark}" if mark in _STARS else f"[{core}]({mark})"


def _is_read(core: str, before: str, after: str) -> bool:
    """Whether CommonMark would read asterisks around the text as emphasis."""
    if before.endswith("*") or after.startswith("*"):
        return False  # asterisks side by side would be read as one
    inside = core.strip("*")
    opens = not _is_punctuation(inside[:1]) or _stands_apart(before[-1:])
    closes = not _is_punctuation(inside[-1:]) or _stands_apart(after[:1])
    return bool(inside) and opens and closes


def _stands_apart(character: str) -> bool:
    return not character or character.isspace() or _is_punctuation(character)


def _is_punctuation(character: str) -> bool:
    return bool(character) and unicodedata.category(character)[0] in "PS"
