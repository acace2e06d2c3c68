"""Markdown (CommonMark with tables): headings, nested lists, tables, fenced code, quotes, emphasis, links, images.

Every kept block stands in a line of containers (list items and quotes). Writing a block means opening the containers
that the block before was not in, and putting what stands for each container before every line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np

from dehusk.blocks.columns import Kind
from dehusk.labels import LabelledBlocks
from dehusk.outputs.grid import table_grid
from dehusk.outputs.images import kept_images
from dehusk.outputs.markdown_inline import LINE_BREAK, InlineWriter, code_span
from dehusk.page.columns import Page
from dehusk.page.tags import TAG_CODES


@dataclass(frozen=True, slots=True)
class MarkdownOptions:
    """What Markdown shows beyond the text. No option changes which blocks are kept."""

    emphasis: bool = True
    links: bool = False
    images: bool = False


MOST_CONTAINERS: Final = 16
"""Containers shown around a block. Deeper ones would only indent: hostile pages nest hundreds."""

_LONGEST_LANGUAGE: Final = 40
"""Characters of a language's name; anything longer is none."""

_LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?-|brush:\s*|highlight-(?:source-)?)([\w+#.-]+)")
_TICKS = re.compile(r"`+")
# What would make a line a heading, list item, rule, table or code fence.
_LINE_START = re.compile(r"^(#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=|:][-=|:\s]*$)")
_NUMBER_START = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_CLOSING_HASHES = re.compile(r"(?:(?<=\s)|^)(#+)$")

Containers = tuple[int, ...]
"""Rows of the list items and quotes around something, outermost first."""


def render_markdown(labelled: LabelledBlocks, options: MarkdownOptions | None = None) -> str:
    """The kept blocks as Markdown; ends with a newline unless it is empty."""
    writer = _Writer(labelled, options or MarkdownOptions())
    document = _Document(labelled.blocks.page)
    for containers, text in writer.pieces():
        document.add(containers, text)
    return document.text()


class _Writer:
    """Makes Markdown of blocks, each with the containers it stands in."""

    def __init__(self, labelled: LabelledBlocks, options: MarkdownOptions) -> None:
        self._kept = labelled.kept
        self._blocks = labelled.blocks
        self._page = labelled.blocks.page
        self._inline = InlineWriter(self._blocks, emphasis=options.emphasis, links=options.links, images=options.images)
        self._images = kept_images(labelled) if options.images else {}
        self._containers = _containers(self._page)

    def pieces(self) -> Iterator[tuple[Containers, str]]:
        """(containers, Markdown) of one block, table, run of code or image after the other."""
        for (table, code), group in groupby(self._kept, key=self._belongs_to):
            indexes = list(group)
            if table >= 0:
                yield self._containers_of(table), self._table(indexes)
            elif code >= 0:
                yield self._containers_of(code), self._code(indexes)
            else:
                for index in indexes:
                    yield from self._images_before(index)
                    yield self._containers_of(int(self._blocks.owner[index])), self._block(index)

    def _belongs_to(self, index: int) -> tuple[int, int]:
        table = int(self._blocks.table.table[index])
        is_code = table < 0 and self._blocks.kind[index] == Kind.CODE
        return table, int(self._blocks.kind_row[index]) if is_code else -1

    def _containers_of(self, row: int) -> Containers:
        return self._containers[row]

    def _images_before(self, index: int) -> Iterator[tuple[Containers, str]]:
        for row in self._images.get(index, ()):
            yield self._containers_of(row), self._inline.image(row)

    def _block(self, index: int) -> str:
        text = self._inline.render(index)
        kind = self._blocks.kind[index]
        if kind == Kind.HEADING:
            return "#" * int(self._blocks.level[index]) + " " + _heading(text)
        return f"# {_heading(text)}" if kind == Kind.TITLE else _guard_lines(text)

    def _code(self, indexes: Sequence[int]) -> str:
        code = "\n".join(self._blocks.texts[index] for index in indexes)
        longest = max(map(len, _TICKS.findall(code)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{fence}{self._language(indexes[0])}\n{code}\n{fence}"

    def _language(self, index: int) -> str:
        """From class names like `language-python` on the `<pre>`, the `<code>` in it, or the element around it."""
        pre = int(self._blocks.kind_row[index])
        inside = np.flatnonzero(~self._page.is_text[pre + 1 : self._page.subtree_end[pre]])[:1] + pre + 1
        for row in (pre, *inside.tolist(), int(self._page.parent[pre])):
            attributes = self._page.attributes(row)
            match = _LANGUAGE.search(attributes.get("class", ""))
            language = match[1] if match else attributes.get("data-lang") or attributes.get("data-language") or ""
            if language.isprintable() and 0 < len(language) <= _LONGEST_LANGUAGE and not set(language) & {"`", " "}:
                return language
        return ""

    def _table(self, indexes: Sequence[int]) -> str:
        rows = table_grid(self._blocks, indexes)
        lines = ["| " + " | ".join(map(self._cell, row)) + " |" for row in rows]
        # A parser takes no more cells from a row than there are in the first.
        lines.insert(1, "|" + " --- |" * len(rows[0]))
        return "\n".join(lines)

    def _cell(self, indexes: Sequence[int]) -> str:
        pieces = [text for index in indexes for _, text in self._images_before(index)]
        return " ".join([*pieces, *map(self._cell_text, indexes)])

    def _cell_text(self, index: int) -> str:
        is_code = self._blocks.kind[index] == Kind.CODE
        text = code_span(" ".join(self._blocks.texts[index].split())) if is_code else self._inline.render(index)
        return _one_line(text).replace("|", "\\|")


class _Document:
    """Puts pieces together, line by line, under the marks of their containers."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._lines: list[str] = []
        self._before: Containers = ()
        self._ordinals = _item_ordinals(page)
        self._bullets: dict[int, str] = {}

    def add(self, containers: Containers, text: str) -> None:
        if not text:
            return
        shared = _shared(self._before, containers)
        self._choose_bullets(containers, shared)
        if self._lines and not self._is_tight(containers, shared, text):
            self._lines.append("".join(map(self._mark_after, self._before[:shared])).rstrip())
        first = [self._mark_after(row) for row in containers[:shared]]
        first += [self._mark(row) for row in containers[shared:]]
        later = "".join(map(self._mark_after, containers))
        head, *tail = text.split("\n")
        self._lines.append("".join(first) + head)
        self._lines += [(later + line).rstrip() if not line else later + line for line in tail]
        self._before = containers

    def text(self) -> str:
        return "\n".join(self._lines) + "\n" if self._lines else ""

    def _is_tight(self, containers: Containers, shared: int, text: str) -> bool:
        """List items follow each other without an empty line, unless that would change what they are."""
        if shared == len(containers) or not self._is_item(containers[shared]):
            return False
        opened = containers[shared]
        if len(self._before) > shared:  # the item before ends here
            return self._list_of(opened) == self._list_of(self._before[shared])
        # An inner list may follow the text of its item directly, if it starts with 1.
        return shared > 0 and self._is_item(self._before[-1]) and self._marker(opened) in {"-", "*", "1.", "1)"}

    def _mark(self, row: int) -> str:
        return f"{self._marker(row)} " if self._is_item(row) else "> "

    def _mark_after(self, row: int) -> str:
        return " " * len(self._mark(row)) if self._is_item(row) else "> "

    def _marker(self, item: int) -> str:
        parent = self._list_of(item)
        bullet = self._bullets.get(parent, "-")
        if self._page.tag[parent] != TAG_CODES["ol"]:
            return bullet
        start = self._page.attributes(parent).get("start", "1").strip()
        first = int(start) if start.isascii() and start.isdigit() and len(start) < 8 else 1
        return f"{first + self._ordinals.get(item, 0)}{'.' if bullet == '-' else ')'}"

    def _choose_bullets(self, containers: Containers, shared: int) -> None:
        """A list that directly follows another takes the other bullet, or they would be read as one."""
        for depth, row in enumerate(containers[shared:], start=shared):
            if not self._is_item(row) or self._list_of(row) in self._bullets:
                continue
            beside = self._before[depth] if depth == shared and depth < len(self._before) else -1
            follows = beside >= 0 and self._is_item(beside)
            taken = self._bullets.get(self._list_of(beside)) if follows else None
            self._bullets[self._list_of(row)] = "*" if taken == "-" else "-"

    def _list_of(self, item: int) -> int:
        return int(self._page.parent[item])

    def _is_item(self, row: int) -> bool:
        return bool(self._page.tag[row] != TAG_CODES["blockquote"])


def _containers(page: Page) -> list[Containers]:
    """Per row: the list items and quotes it is in, itself included, no more than MOST_CONTAINERS."""
    is_container = np.isin(page.tag, [TAG_CODES[tag] for tag in ("li", "dt", "dd", "blockquote")])
    nearest = page.climb(np.arange(len(page), dtype=np.int32), is_container).tolist()
    lines: dict[int, Containers] = {-1: ()}
    for row in np.flatnonzero(is_container).tolist():
        around = lines[nearest[page.parent[row]]] if page.parent[row] >= 0 else ()
        lines[row] = (*around, row) if len(around) < MOST_CONTAINERS else around
    return [lines[row] for row in nearest]


def _item_ordinals(page: Page) -> dict[int, int]:
    """How many items of the same list come before each `<li>`."""
    seen: Counter[int] = Counter()
    ordinal = {}
    items = np.flatnonzero(page.tag == TAG_CODES["li"])
    for item, parent in zip(items.tolist(), page.parent[items].tolist(), strict=True):
        ordinal[item] = seen[parent]
        seen[parent] += 1
    return ordinal


def _shared(before: Containers, now: Containers) -> int:
    """How many containers, from the outermost, are the same."""
    count = 0
    for old, new in zip(before, now, strict=False):
        if old != new:
            break
        count += 1
    return count


def _guard_lines(text: str) -> str:
    return "\n".join(map(_guard_line, text.split("\n")))


def _guard_line(line: str) -> str:
    """A line that is not taken for the start of another kind of block."""
    numbered = _NUMBER_START.sub(r"\1\\\2", line)
    return numbered if numbered != line else _LINE_START.sub(r"\\\1", line)


def _heading(text: str) -> str:
    """Hashes at the end would be taken for a closing mark."""
    return _CLOSING_HASHES.sub(r"\\\1", _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.replace(LINE_BREAK, " ").split(" "))
