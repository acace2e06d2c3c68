"""Markdown (CommonMark with tables): headings, nested lists, tables, fenced code, quotes, emphasis, links, images."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from dehusk.blocks.columns import Blocks, Kind
from dehusk.labels import LabelledBlocks
from dehusk.outputs.images import kept_images
from dehusk.outputs.inline import Event, inline_events
from dehusk.page.columns import Page, Rows
from dehusk.page.links import base_url, safe_url
from dehusk.page.tags import TAG_CODES, TagSet


@dataclass(frozen=True, slots=True)
class MarkdownOptions:
    """What Markdown shows beyond the text. No option changes which blocks are kept."""

    emphasis: bool = True
    links: bool = False
    images: bool = False


_EMPHASIS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "tt": "`", "kbd": "`", "samp": "`"}
_LONGEST_TICKS = re.compile(r"`+")
_LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?-|brush:\s*|highlight-(?:source-)?)([\w+#.-]+)")

# Characters that mean something anywhere in a line, and what means something only at its start.
_SPECIAL = re.compile(r"[\\`*\[\]<>~]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|!(?=\[)")
_LINE_START = re.compile(r"^(\s*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=|:][-=|:\s]*$|(?=\d{1,9}[.)](?:\s|$)))")
_NUMBER_START = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")


def render_markdown(labelled: LabelledBlocks, options: MarkdownOptions | None = None) -> str:
    """The kept blocks as Markdown; ends with a newline unless it is empty."""
    writer = _Writer(labelled, options or MarkdownOptions())
    return writer.document()


@dataclass(frozen=True, slots=True)
class _Piece:
    """Some lines of Markdown, and what they belong to: pieces of one list stand close together."""

    text: str
    list_row: int = -1


class _Writer:
    """Renders one page; holds what every block needs."""

    def __init__(self, labelled: LabelledBlocks, options: MarkdownOptions) -> None:
        self.labelled = labelled
        self.blocks = labelled.blocks
        self.page = labelled.blocks.page
        self.options = options
        self.base = base_url(self.page)
        self.quote_depth: Rows = self.page.covered(self.page.tag == TAG_CODES["blockquote"])
        self.outer_list = _outer_lists(self.blocks)
        self.ordinal = _item_ordinals(self.page)
        self.images = kept_images(labelled) if options.images else {}

    def document(self) -> str:
        pieces: list[_Piece] = []
        for table, indexes in groupby(self.labelled.kept, key=lambda index: int(self.blocks.table.table[index])):
            if table >= 0:
                pieces.append(_Piece(self._table(list(indexes))))
            else:
                pieces += self._flow(list(indexes))
        return _join(pieces)

    def _flow(self, indexes: Sequence[int]) -> Iterator[_Piece]:
        item_before = -1
        for index in indexes:
            yield from (_Piece(self._image(row)) for row in self.images.get(index, ()))
            item = int(self.blocks.kind_row[index]) if self.blocks.kind[index] == Kind.LIST_ITEM else -1
            text = self._item(index, item == item_before) if item >= 0 else self._block(index)
            item_before = item
            if text:
                yield _Piece(_quoted(text, int(self.quote_depth[self.blocks.owner[index]])), self.outer_list[index])

    def _block(self, index: int) -> str:
        kind = Kind(self.blocks.kind[index])
        if kind is Kind.CODE:
            return self._code(index)
        text = self._inline(index)
        if kind is Kind.HEADING:
            return "#" * int(self.blocks.level[index]) + " " + _one_line(text)
        return f"# {_one_line(text)}" if kind is Kind.TITLE else _guard_lines(text)

    def _item(self, index: int, continues: bool) -> str:
        """A list item, indented to its depth; a further paragraph of the same item has no marker."""
        level = int(self.blocks.level[index])
        indent = "    " * (level - 1)
        text = _guard_lines(self._inline(index))
        marker = "    " if continues else self._marker(index).ljust(4)
        lines = text.split("\n")
        body = "\n".join([indent + marker + lines[0], *(f"{indent}    {line}" for line in lines[1:])])
        return f"\n{body}" if continues else body

    def _marker(self, index: int) -> str:
        item = int(self.blocks.kind_row[index])
        parent = int(self.page.parent[item])
        if self.page.tag[parent] != TAG_CODES["ol"]:
            return "-"
        start = self.page.attributes(parent).get("start", "1").strip()
        first = int(start) if start.isascii() and start.isdigit() and len(start) < 8 else 1
        return f"{first + self.ordinal.get(item, 0)}."

    def _code(self, index: int) -> str:
        code = self.blocks.texts[index]
        longest = max(map(len, _LONGEST_TICKS.findall(code)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{fence}{self._language(index)}\n{code}\n{fence}"

    def _language(self, index: int) -> str:
        """From class names like `language-python` on the `<pre>`, the `<code>` in it, or the element around it."""
        pre = int(self.blocks.kind_row[index])
        rows = [pre, int(self.page.parent[pre]), *range(pre + 1, min(pre + 2, len(self.page)))]
        for row in rows:
            attributes = self.page.attributes(row)
            match = _LANGUAGE.search(attributes.get("class", ""))
            language = match[1] if match else attributes.get("data-lang") or attributes.get("data-language")
            if language and language.isprintable() and "`" not in language and " " not in language:
                return language
        return ""

    def _table(self, indexes: Sequence[int]) -> str:
        table = self.blocks.table
        rows: dict[int, dict[int, list[str]]] = {}
        for index in indexes:
            cells = rows.setdefault(int(table.row[index]), {})
            text = _one_line(self._inline(index) if self.blocks.kind[index] != Kind.CODE else self._code_span(index))
            cells.setdefault(int(table.column[index]), []).append(text.replace("|", "\\|"))
        # Columns without any text are left out: a stray colspan must not make a table a thousand columns wide.
        columns = sorted({column for cells in rows.values() for column in cells})
        lines = ["| " + " | ".join(" ".join(cells.get(c, ())) for c in columns) + " |" for cells in rows.values()]
        lines.insert(1, "|" + " --- |" * len(columns))
        return "\n".join(lines)

    def _code_span(self, index: int) -> str:
        return _code_span(self.blocks.texts[index].replace("\n", " "))

    def _image(self, row: int) -> str:
        attributes = self.page.attributes(row)
        source = safe_url(attributes.get("src") or attributes.get("data-src", ""), self.base)
        return f"![{_escape(_one_line(attributes.get('alt', '')))}]({source})" if source else ""

    def _inline(self, index: int) -> str:
        line = _InlineLine()
        for event in inline_events(self.blocks, index):
            if event.event is Event.TEXT:
                line.text(event.text)
            elif event.event is Event.BREAK:
                line.line_break()
            elif event.event is Event.IMAGE:
                line.markup(self._image(event.row) if self.options.images else "")
            elif (mark := self._mark(event.row)) is not None:
                line.open(*mark) if event.event is Event.OPEN else line.close(mark)
        return line.finish()

    def _mark(self, row: int) -> tuple[str, str] | None:
        """What stands before and after the content of an inline element, if anything does."""
        name = self.page.tag_name(row)
        if self.options.emphasis and (mark := _EMPHASIS.get(name)):
            return mark, mark
        if self.options.links and name == "a":
            target = safe_url(self.page.attributes(row).get("href", ""), self.base)
            return ("[", f"]({target})") if target else None
        return None


class _InlineLine:
    """Puts inline content together: blanks go outside marks, empty marks vanish, code is left unescaped."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._waiting: list[tuple[str, str]] = []
        self._opened: list[tuple[str, str]] = []
        self._code: list[str] | None = None
        self._blank = False

    def text(self, text: str) -> None:
        if self._code is not None:
            self._code.append(text)
            return
        content = text.strip(" ")
        if not content:
            self._blank = self._blank or bool(text)
            return
        self._blank = self._blank or text.startswith(" ")
        self._flush()
        self._parts.append(_escape(content))
        self._blank = text.endswith(" ")

    def line_break(self) -> None:
        if self._code is not None:
            self._code.append(" ")
        elif self._parts:
            self._parts.append("\\\n")
            self._blank = False

    def markup(self, markup: str) -> None:
        if markup and self._code is None:
            self._flush()
            self._parts.append(markup)

    def open(self, before: str, after: str) -> None:
        if self._code is not None:
            return
        if before == "`":
            self._code = []
        elif (before, after) not in self._opened + self._waiting:
            self._waiting.append((before, after))

    def close(self, mark: tuple[str, str]) -> None:
        if self._code is not None:
            if mark[0] == "`":
                code, self._code = "".join(self._code).strip(), None
                self.markup(_code_span(code) if code else "")
        elif mark in self._waiting:
            self._waiting.remove(mark)
        elif self._opened and self._opened[-1] == mark:
            self._opened.pop()
            self._parts.append(mark[1])

    def finish(self) -> str:
        text = "".join(self._parts)
        return text.removesuffix("\\\n").strip()

    def _flush(self) -> None:
        if self._blank and self._parts and not self._parts[-1].endswith("\n"):
            self._parts.append(" ")
        self._blank = False
        for mark in self._waiting:
            self._parts.append(mark[0])
            self._opened.append(mark)
        self._waiting.clear()


def _outer_lists(blocks: Blocks) -> list[int]:
    """Per block: the outermost list around a list item; -1 for other blocks."""
    is_list = blocks.page.tagged(TagSet.LIST)
    outermost = is_list & (blocks.page.covered(is_list) == 1)
    items = np.where(blocks.kind == Kind.LIST_ITEM, blocks.kind_row, np.int32(-1))
    found: list[int] = blocks.page.climb(items, outermost).tolist()
    return found


def _item_ordinals(page: Page) -> dict[int, int]:
    """How many items of the same list come before each `<li>`."""
    seen: Counter[int] = Counter()
    ordinal = {}
    items = np.flatnonzero(page.tag == TAG_CODES["li"])
    for item, parent in zip(items.tolist(), page.parent[items].tolist(), strict=True):
        ordinal[item] = seen[parent]
        seen[parent] += 1
    return ordinal


def _code_span(code: str) -> str:
    longest = max(map(len, _LONGEST_TICKS.findall(code)), default=0)
    ticks = "`" * (longest + 1)
    blank = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{ticks}{blank}{code}{blank}{ticks}"


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)


def _guard_lines(text: str) -> str:
    """Escape what would make a line a heading, list item, rule or table."""
    return "\n".join(map(_guard_line, text.split("\n")))


def _guard_line(line: str) -> str:
    numbered = _NUMBER_START.sub(r"\1\\\2", line)
    return numbered if numbered != line else _LINE_START.sub(r"\1\\\2", line)


def _one_line(text: str) -> str:
    return " ".join(text.replace("\\\n", " ").split())


def _quoted(text: str, depth: int) -> str:
    if not depth:
        return text
    mark = ">" * depth
    return "\n".join(f"{mark} {line}".rstrip() for line in text.split("\n"))


def _join(pieces: Sequence[_Piece]) -> str:
    parts: list[str] = []
    list_before = -1
    for piece in pieces:
        if not piece.text:
            continue
        if parts:
            parts.append("\n" if piece.list_row >= 0 and piece.list_row == list_before else "\n\n")
        parts.append(piece.text)
        list_before = piece.list_row
    return "".join(parts) + "\n" if parts else ""
