"""Labelled blocks -> Document.

Every kept block becomes a leaf (heading, paragraph, code) with a path of containers (list items, quotes, figures). The
blocks of a container are consecutive, so the tree is built by grouping adjacent leaves, level by level.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Final, NamedTuple

import numpy as np

from dehusk.blocks.block_columns import Kind
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.document import nodes as tree
from dehusk.outputs.document.document_tables import table_of
from dehusk.outputs.document.footnotes import NO_NOTES, find_notes
from dehusk.outputs.document.formulas import find_formulas
from dehusk.outputs.document.images import kept_beside, visible_images
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.outputs.document.reshaping import without_mark
from dehusk.outputs.document.spans import MARKS, SpanReader
from dehusk.page.page_columns import Page
from dehusk.page.tags import TAG_CODES, TagSet

_LONGEST_LANGUAGE: Final = 40
"""Characters; anything longer is no name of a programming language."""
_NAME_OF_CODE: Final = re.compile(r"[\w+#.-]+")
_CODE_LANGUAGE: Final = re.compile(r"(?:^|\s)(?:lang(?:uage)?-|brush:\s*|highlight-(?:source-)?)([\w+#.-]+)")
_LANGUAGE: Final = re.compile(r"[A-Za-z]{1,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}")
_WAYS: Final = frozenset({"ltr", "rtl", "auto"})
_NUMBER: Final = re.compile(r"[0-9]{1,7}")
_DEFAULT: Final = OutputOptions()

MOST_CONTAINERS: Final = 16
"""Containers kept around a block. Deeper ones would only indent: hostile pages nest hundreds."""

Containers = tuple[int, ...]
"""Rows of list items, quotes and figures, outermost first."""

_CONTAINERS: Final = frozenset(TAG_CODES[tag] for tag in ("li", "dt", "dd", "blockquote", "figure"))


class _Leaf(NamedTuple):
    """A node and the containers around it; `is_caption` for the caption of a figure."""

    containers: Containers
    node: tree.Node
    is_caption: bool = False


def build_document(
    labelled: LabelledBlocks,
    options: OutputOptions = _DEFAULT,
    *,
    with_locales: bool = False,
    marks: frozenset[str] = MARKS,
) -> tree.Document:
    """Build a document from the kept blocks; `with_locales` adds languages and directions, `marks` are those shown."""
    return _Builder(labelled, options, with_locales, marks).document()


class _Builder:
    """Builds the document of one page."""

    def __init__(
        self, labelled: LabelledBlocks, options: OutputOptions, with_locales: bool, marks: frozenset[str]
    ) -> None:
        self._labelled, self._blocks, self._page = labelled, labelled.blocks, labelled.blocks.page
        self._options = options
        self._notes = find_notes(labelled) if options.footnotes else NO_NOTES
        formulas = find_formulas(self._page)
        self._formulas = formulas.latex
        self._reader = SpanReader(self._blocks, options, formulas, self._notes, marks)
        self._containers = _ContainersOfRows(self._page, self._reader.tags, self._reader.parents)
        self._formulas_apart = self._reader.formulas_apart
        self._beside = self._rows_beside()
        locales = _Locales.on(self._page) if with_locales else _Locales(tree.SAME_LOCALE, {})
        self._locale = locales.of_page
        self._locales = self._locales_of_blocks(locales.of_elements)
        self._numbers: dict[int, int] = {}
        self._tables = self._blocks.table.table.tolist() if options.tables else [-1] * len(self._blocks)
        self._captions = self._captions_of_tables()
        self._kinds: list[int] = self._blocks.kind.tolist()
        self._owners: list[int] = self._blocks.owner.tolist()
        self._code_rows: list[int] = np.where(self._blocks.kind == _CODE, self._blocks.kind_row, np.int32(-1)).tolist()

    def document(self) -> tree.Document:
        in_notes = frozenset(chain.from_iterable(self._notes.blocks.values()))
        kept = [index for index in self._labelled.kept if index not in in_notes]
        is_comment = self._labelled.comments.tolist() if self._options.comments else [False] * len(self._blocks)
        children: list[tree.Node] = []
        for apart, group in groupby(kept, key=is_comment.__getitem__):
            nodes = self._nodes(list(group))
            children += (tree.Comments(nodes),) if apart and nodes else nodes
        notes = tuple(self._note(label, indexes) for label, indexes in self._notes.blocks.items())
        return tree.Document(self._title(), self._locale, tuple(children), notes)

    def _title(self) -> str:
        titles = np.flatnonzero(self._blocks.kind == Kind.TITLE)[:1].tolist()
        return self._blocks.texts[titles[0]] if titles else ""

    def _note(self, label: str, indexes: Sequence[int]) -> tree.Note:
        """A footnote, without the list it is an item of."""
        containers = [self._containers.of(int(self._blocks.owner[index])) for index in indexes]
        shared = min(map(len, containers))
        while shared and len({line[:shared] for line in containers}) > 1:
            shared -= 1
        return tree.Note(label, without_mark(self._nodes(indexes, shared), self._notes.marks[label]))

    def _nodes(self, indexes: Sequence[int], depth: int = 0, in_table: bool = False) -> tuple[tree.Node, ...]:
        """The nodes of some blocks, without their first `depth` containers."""
        return tuple(self._assembled(list(self._leaves(indexes, in_table)), depth))

    def _leaves(self, indexes: Sequence[int], in_table: bool) -> Iterator[_Leaf]:
        if not in_table:
            for table, group in groupby(indexes, key=lambda index: self._captions.get(index, self._tables[index])):
                members = list(group)
                yield from self._table(table, members) if table >= 0 else self._leaves(members, in_table=True)
            return
        for code, group in groupby(indexes, key=self._code_rows.__getitem__):
            members = list(group)
            if code >= 0:
                yield from chain.from_iterable(map(self._images_before, members))
                text = "\n".join(map(self._blocks.texts.__getitem__, members))
                yield _Leaf(self._containers.of(code), tree.CodeBlock(text, _code_language(self._page, code)))
            else:
                for index in members:
                    yield from self._images_before(index)
                    if spans := self._reader.spans(index):
                        yield self._block(index, spans)
                    yield from self._images(self._beside.get(-1 - index, ()))

    def _block(self, index: int, spans: tree.Spans) -> _Leaf:
        kind, locale = self._kinds[index], self._locales.get(index, tree.SAME_LOCALE)
        containers = self._containers.of(self._owners[index])
        if kind in _HEADINGS:
            return _Leaf(containers, tree.Heading(max(int(self._blocks.level[index]), 1), spans, locale))
        node = tree.Paragraph(spans, locale)
        if kind == _READ_ITEM and self._page.tag[self._blocks.kind_row[index]] not in _ITEM_TAGS:
            return _Leaf(containers, tree.ItemList((tree.Item((node,)),)))  # an item by its label, not by its tag
        return _Leaf(containers, node, kind == _CAPTION)

    def _images_before(self, index: int) -> list[_Leaf]:
        return self._images(self._beside.get(index, ()))

    def _images(self, rows: Iterable[int]) -> list[_Leaf]:
        leaves = []
        for row in rows:
            is_image = self._page.tag[row] == TAG_CODES["img"] and row not in self._formulas_apart
            spans = self._reader.image(row) if is_image else (self._reader.formula(row),)
            if spans:
                leaves.append(_Leaf(self._containers.of(row), tree.Paragraph(spans)))
        return leaves

    def _rows_beside(self) -> dict[int, list[int]]:
        """Block index -> rows of images and formulas without text that are next to it."""
        images = visible_images(self._page) if self._options.images else []
        rows = {*images, *self._formulas_apart} - (self._formulas.keys() - self._formulas_apart)
        return kept_beside(self._labelled, sorted(rows)) if rows else {}

    def _captions_of_tables(self) -> dict[int, int]:
        """Index of a kept caption -> row of its table, if that is shown as one."""
        blocks, page = self._blocks, self._page
        shown = {self._tables[index] for index in self._labelled.kept} - {-1}
        if not shown:
            return {}
        captions = np.flatnonzero((blocks.kind == Kind.CAPTION) & self._labelled.keep)
        tables = page.climb(
            page.climb(blocks.owner[captions], page.tag == TAG_CODES["caption"]), page.tag == TAG_CODES["table"]
        )
        return {index: table for index, table in zip(captions.tolist(), tables.tolist(), strict=True) if table in shown}

    def _table(self, table: int, indexes: Sequence[int]) -> Iterator[_Leaf]:
        caption = [index for index in indexes if index in self._captions]
        cells = [index for index in indexes if index not in self._captions]
        containers = self._containers.of(table)
        above = self._nodes_within(caption, table)
        if not cells:
            yield from (_Leaf(containers, node) for node in above)
            return
        content = {
            cell: nodes
            for cell, group in groupby(cells, key=lambda index: int(self._blocks.table.cell[index]))
            if (nodes := self._nodes_within(list(group), cell))
        }
        if content:
            yield _Leaf(containers, table_of(self._page, table, content, above))

    def _nodes_within(self, indexes: Sequence[int], row: int) -> tuple[tree.Node, ...]:
        return self._nodes(indexes, len(self._containers.of(row)), in_table=True)

    def _locales_of_blocks(self, locales: Mapping[int, tree.Locale]) -> Mapping[int, tree.Locale]:
        """Block index -> locale, for blocks whose locale is not the page's."""
        if not locales:
            return {}
        says_so = np.zeros(len(self._page), dtype=bool)
        says_so[list(locales)] = True
        nearest = self._page.climb(self._page.parent[self._blocks.first_row], says_so).tolist()
        return {index: locales[row] for index, row in enumerate(nearest) if row >= 0}

    def _assembled(self, leaves: Sequence[_Leaf], depth: int) -> Iterator[tree.Node]:
        """The nodes of leaves that share their first `depth` containers."""
        if not any(len(leaf.containers) > depth for leaf in leaves):
            yield from _with_items_joined(leaf.node for leaf in leaves)
            return
        for key, group in groupby(leaves, key=lambda leaf: self._group_at(leaf, depth)):
            members = list(group)
            if key < 0:
                yield from _with_items_joined(leaf.node for leaf in members)
            elif self._page.tag[key] == TAG_CODES["blockquote"]:
                yield tree.Quote(tuple(self._assembled(members, depth + 1)))
            elif self._page.tag[key] == TAG_CODES["figure"]:
                yield from self._figure(members, depth)
            else:
                yield self._list(members, depth)

    def _group_at(self, leaf: _Leaf, depth: int) -> int:
        """Row of the list, quote or figure around a leaf at some depth; -1 for none."""
        containers = leaf.containers
        if len(containers) <= depth:
            return -1
        row = containers[depth]
        tag = self._page.tag[row]
        if tag in _ITEM_TAGS:
            parent = int(self._page.parent[row])
            # Terms and descriptions may be wrapped in pairs.
            return int(self._page.parent[parent]) if tag != _ITEM and self._page.tag[parent] == _DIVISION else parent
        return row

    def _figure(self, leaves: Sequence[_Leaf], depth: int) -> Iterator[tree.Node]:
        # Checked before assembling: doing that twice would double the work with every enclosing figure.
        if not any(len(leaf.containers) == depth + 1 and _shows_image(leaf.node) for leaf in leaves):
            yield from self._assembled(leaves, depth + 1)
            return
        children = tuple(self._assembled([leaf for leaf in leaves if not leaf.is_caption], depth + 1))
        caption = tuple(self._assembled([leaf for leaf in leaves if leaf.is_caption], depth + 1))
        yield tree.Figure(children, caption)

    def _list(self, leaves: Sequence[_Leaf], depth: int) -> tree.Node:
        members = [
            (row, tuple(self._assembled(list(group), depth + 1)))
            for row, group in groupby(leaves, key=lambda leaf: leaf.containers[depth])
        ]
        if self._page.tag[members[0][0]] != _ITEM:
            return tree.DefinitionList(tuple(self._definitions(members)))
        parent = int(self._page.parent[members[0][0]])
        items = tuple(tree.Item(children, self._number(row)) for row, children in members)
        return tree.ItemList(items, bool(self._page.tag[parent] == TAG_CODES["ol"]))

    def _definitions(self, members: Sequence[tuple[int, tuple[tree.Node, ...]]]) -> Iterator[tree.Definition]:
        terms: list[tuple[tree.Node, ...]] = []
        descriptions: list[tuple[tree.Node, ...]] = []
        for row, children in members:
            is_term = self._page.tag[row] == TAG_CODES["dt"]
            if is_term and descriptions:
                yield tree.Definition(tuple(terms), tuple(descriptions))
                terms, descriptions = [], []
            (terms if is_term else descriptions).append(children)
        yield tree.Definition(tuple(terms), tuple(descriptions))

    def _number(self, item: int) -> int:
        if not self._numbers:
            self._numbers = _item_numbers(self._page)
        return self._numbers[item]


class _ContainersOfRows:
    """Finds the containers of rows, the row itself included, at most MOST_CONTAINERS.

    Visits each element once, and only ancestors of the rows looked up.
    """

    def __init__(self, page: Page, tags: Sequence[int], parents: Sequence[int]) -> None:
        self._tags, self._parents = tags, parents
        self._item_before = _items_before_stray_lists(page)
        self._found: dict[int, Containers] = {-1: ()}

    def of(self, row: int) -> Containers:
        """The containers of one row."""
        path = []
        while row not in self._found:
            path.append(row)
            row = self._item_before.get(row) or self._parents[row]
        around = self._found[row]
        for element in reversed(path):
            if self._tags[element] in _CONTAINERS and len(around) < MOST_CONTAINERS:
                around = (*around, element)
            self._found[element] = around
        return around


def _items_before_stray_lists(page: Page) -> dict[int, int]:
    """Row of each list directly inside a list -> the item before it, as browsers show it as part of that item."""
    is_list = page.tagged(TagSet.LIST)
    lists = np.flatnonzero(is_list)
    stray = lists[is_list[page.parent[lists]]]
    if not len(stray):
        return {}
    found: dict[int, int] = {}
    last_item: dict[int, int] = {}
    rows = np.union1d(np.flatnonzero(page.tag == TAG_CODES["li"]), stray)
    for row, parent, is_stray in zip(rows.tolist(), page.parent[rows].tolist(), is_list[rows].tolist(), strict=True):
        if not is_stray:
            last_item[parent] = row
        elif parent in last_item:
            found[row] = last_item[parent]
    return found


# Plain numbers: comparing enumeration members would take longer than all other work on a block.
_CODE: Final = int(Kind.CODE)
_CAPTION: Final = int(Kind.CAPTION)
_READ_ITEM: Final = int(Kind.LIST_ITEM)
_HEADINGS: Final = frozenset({int(Kind.HEADING), int(Kind.TITLE)})
_ITEM: Final = TAG_CODES["li"]
_DIVISION: Final = TAG_CODES["div"]
_ITEM_TAGS: Final = frozenset({_ITEM, TAG_CODES["dt"], TAG_CODES["dd"]})


def _shows_image(node: tree.Node) -> bool:
    return isinstance(node, tree.Paragraph) and any(span.kind is tree.SpanKind.IMAGE for span in node.spans)


def _item_numbers(page: Page) -> dict[int, int]:
    """The number of each `<li>`: its `value`, or the next in its list; dropped items count."""
    numbers = {}
    items = np.flatnonzero(page.tag == _ITEM)
    following, given = _whole_numbers(page, "start"), _whole_numbers(page, "value")
    for item, parent in zip(items.tolist(), page.parent[items].tolist(), strict=True):
        numbers[item] = given.get(item, following.get(parent, 1))
        following[parent] = numbers[item] + 1
    return numbers


def _whole_numbers(page: Page, attribute: str) -> dict[int, int]:
    """Row -> value of a numeric attribute."""
    values = page.with_attribute(attribute)
    return {row: int(digits) for row, value in values if _NUMBER.fullmatch(digits := value.strip())}


def _code_language(page: Page, element: int) -> str:
    """The language in class names like `language-python`, on the `<pre>`, the `<code>` in it, or its parent."""
    inside = np.flatnonzero(~page.is_text[element + 1 : page.subtree_end[element]])[:1] + element + 1
    for row in (element, *inside.tolist(), int(page.parent[element])):
        attributes = page.attributes(row)
        match = _CODE_LANGUAGE.search(attributes.get("class", ""))
        language = match[1] if match else attributes.get("data-lang") or attributes.get("data-language") or ""
        if len(language) <= _LONGEST_LANGUAGE and _NAME_OF_CODE.fullmatch(language):
            return language
    return ""


class _Locales(NamedTuple):
    """The locale of a page, and by row those of elements that differ."""

    of_page: tree.Locale
    of_elements: dict[int, tree.Locale]

    @classmethod
    def on(cls, page: Page) -> _Locales:
        languages = {
            row: text for row, value in page.with_attribute("lang") if _LANGUAGE.fullmatch(text := value.strip())
        }
        directions = {
            row: text for row, value in page.with_attribute("dir") if (text := value.strip().lower()) in _WAYS
        }
        roots = [*np.flatnonzero(page.tag == TAG_CODES["body"])[:1].tolist(), 0]  # `<body>` and `<html>`
        own = tree.Locale(
            next((languages[row] for row in roots if row in languages), ""),
            next((directions[row] for row in roots if row in directions), ""),
        )
        found = {}
        for row in (languages.keys() | directions.keys()) - set(roots):
            pairs = zip((languages.get(row, ""), directions.get(row, "")), own, strict=True)
            found[row] = tree.Locale(*("" if value == of_page else value for value, of_page in pairs))
        return cls(own, found)


def _with_items_joined(nodes: Iterable[tree.Node]) -> Iterator[tree.Node]:
    """Join consecutive one-item lists, which come from labels, into one list."""
    items: list[tree.Item] = []
    for node in nodes:
        if isinstance(node, tree.ItemList):
            items += node.items
            continue
        if items:
            yield tree.ItemList(tuple(items))
            items = []
        yield node
    if items:
        yield tree.ItemList(tuple(items))
