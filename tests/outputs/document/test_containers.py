# ruff: noqa: E501 - markup as tools write it
"""Lists, quotes and figures: what stands in what, and lists that stand where they should not."""

from __future__ import annotations

from typing import Any

import pytest
from document_nodes import (
    DefinitionList,
    Figure,
    Heading,
    ItemList,
    Node,
    Paragraph,
    Quote,
)
from keep_visible import clean_visible, document_of
from shown_spans import plain_spans

from dehusk.outputs.document.output_options import OutputOptions

MOST_CONTAINERS = 16
"""As in `native/src/document/containers.rs`."""


def shape(nodes: tuple[Node, ...]) -> list[Any]:
    """Nodes as nested lists of texts; a list is a tuple of its mark and its items."""
    return [_shape(node) for node in nodes]


def _shape(node: Node) -> Any:
    match node:
        case Paragraph(spans) | Heading(_, spans):
            return plain_spans(spans) or "image"
        case ItemList(items, is_ordered):
            return ("ol" if is_ordered else "ul", *[shape(item.children) for item in items])
        case Quote(children):
            return ("quote", *shape(children))
        case DefinitionList(definitions):
            pairs = [([*map(shape, one.terms)], [*map(shape, one.descriptions)]) for one in definitions]
            return ("dl", *pairs)
        case Figure(children, caption):
            return ("figure", shape(children), shape(caption))
    raise AssertionError(node)


LISTS = {
    "nested": ("<ul><li>a<ol><li>b</ol><li>c</ul>", [("ul", ["a", ("ol", ["b"])], ["c"])]),
    "list in a list, without an item": ("<ul><li>a<ul><li>b</ul><li>c</ul>", [("ul", ["a", ("ul", ["b"])], ["c"])]),
    "list beside an item": ("<ul><li>a</li><ul><li>b</ul><li>c</ul>", [("ul", ["a", ("ul", ["b"])], ["c"])]),
    "lists beside items, two deep": (
        "<ul><li>a</li><ol><li>b</li><ul><li>c</ul></ol></ul>",
        [("ul", ["a", ("ol", ["b", ("ul", ["c"])])])],
    ),
    "list beside no item": ("<ul><ul><li>a</ul><li>b</ul>", [("ul", ["a"]), ("ul", ["b"])]),
    "text after an inner list": ("<ul><li>a<ul><li>b</ul>c</ul>", [("ul", ["a", ("ul", ["b"]), "c"])]),
    "item without a list": ("<div><li>a<li>b</div>", [("ul", ["a"], ["b"])]),
    "two lists": ("<ul><li>a</ul><ul><li>b</ul>", [("ul", ["a"]), ("ul", ["b"])]),
    "quote in an item": ("<ul><li><blockquote>a</blockquote></ul>", [("ul", [("quote", "a")])]),
    "list in a quote": ("<blockquote><ol><li>a</ol>b</blockquote>", [("quote", ("ol", ["a"]), "b")]),
    "description beside an item": ("<ul><li>a</li><dd>b</dd></ul>", [("ul", ["a"], ["b"])]),
    "heading in an item": ("<ul><li><h3>a</h3>b</ul>", [("ul", ["a", "b"])]),
}


@pytest.mark.parametrize(("html", "expected"), LISTS.values(), ids=LISTS)
def test_lists_and_quotes(html: str, expected: list[Any]) -> None:
    assert shape(document_of(html).children) == expected


DEFINITIONS = {
    "pairs": ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", [("dl", ([["a"]], [["b"]]), ([["c"]], [["d"]]))]),
    "pairs in divisions": (
        "<dl><div><dt>a<dd>b</div><div><dt>c<dd>d</div></dl>",
        [("dl", ([["a"]], [["b"]]), ([["c"]], [["d"]]))],
    ),
    "two terms, two descriptions": ("<dl><dt>a<dt>b<dd>c<dd>d</dl>", [("dl", ([["a"], ["b"]], [["c"], ["d"]]))]),
    "no term": ("<dl class=x><dd>a</dl>", [("dl", ([], [["a"]]))]),
    "nothing but an indentation": ("<dl><dd>a</dl>", ["a"]),
    "no description": ("<dl><dt>a</dl>", [("dl", ([["a"]], []))]),
    "list in a description": ("<dl><dt>a<dd>b<ul><li>c</ul></dl>", [("dl", ([["a"]], [["b", ("ul", ["c"])]]))]),
}


@pytest.mark.parametrize(("html", "expected"), DEFINITIONS.values(), ids=DEFINITIONS)
def test_definition_lists(html: str, expected: list[Any]) -> None:
    assert shape(document_of(html).children) == expected


@pytest.mark.parametrize(
    ("html", "numbers"),
    [
        ("<ol><li>a<li>b</ol>", [1, 2]),
        ("<ol start=7><li>a<li>b</ol>", [7, 8]),
        ("<ol><li>a<li value=10>b<li>c</ol>", [1, 10, 11]),
        ("<ol><li>a<li>noise<li>c</ol>", [1, 3]),
        ("<ol start=0><li>a</ol>", [0]),
        ("<ol start=99999999><li>a</ol>", [1]),
        ("<ol><li>a<ol start=4><li>x</ol><li>b</ol>", [1, 2]),
    ],
)
def test_numbers(html: str, numbers: list[int]) -> None:
    (items,) = document_of(html, drop="noise").children
    assert isinstance(items, ItemList)
    assert [item.number for item in items.items] == numbers


def test_a_figure_has_an_image_and_a_caption() -> None:
    html = "<p>x</p><figure><img src=/i.png><figcaption>a</figcaption></figure>"
    document = document_of(html, OutputOptions(images=True))
    assert shape(document.children) == ["x", ("figure", ["image"], ["a"])]


def test_without_its_image_a_figure_is_its_text() -> None:
    html = "<p>x</p><figure><img src=/i.png><figcaption>a</figcaption></figure>"
    assert shape(document_of(html).children) == ["x", "a"]


def test_deeper_containers_are_left_out() -> None:
    nodes, depth = document_of("<blockquote>" * 100 + "a").children, 0
    while isinstance(nodes[0], Quote):
        nodes, depth = nodes[0].children, depth + 1
    assert depth == MOST_CONTAINERS
    assert shape(nodes) == ["a"]


TABS = {
    "Elementor": "<div role=tablist><div class=elementor-tab-desktop-title role=tab aria-controls=p1>npm</div><div role=tab "
    "class=elementor-tab-desktop-title aria-controls=p2>Yarn</div></div><div><div class=elementor-tab-mobile-title role=tab "
    "aria-controls=p1>npm</div><div id=p1 role=tabpanel><pre>npm i</pre></div><div class=elementor-tab-mobile-title role=tab "
    "aria-controls=p2>Yarn</div><div id=p2 role=tabpanel><pre>yarn</pre></div></div>",
    "Docusaurus": "<ul role=tablist><li role=tab>npm<li role=tab>Yarn</ul><div><div role=tabpanel><pre>npm i</pre></div><div "
    "role=tabpanel><pre>yarn</pre></div></div>",
    "Starlight": "<ul role=tablist><li role=presentation><a role=tab href=#p1 id=t1>npm</a><li role=presentation><a role=tab "
    "href=#p2 id=t2>Yarn</a></ul><div id=p1 aria-labelledby=t1 role=tabpanel><pre>npm i</pre></div><div id=p2 "
    "aria-labelledby=t2 role=tabpanel><pre>yarn</pre></div>",
    "Bootstrap 2": "<ul class='nav nav-tabs'><li class=active>\n<a data-toggle=tab href=#p1>npm</a><li><a data-toggle=tab href=#p2>Yarn</a></ul>"
    "<div class=tab-content><div class='tab-pane active' id=p1><pre>npm i</pre></div><div class=tab-pane id=p2><pre>yarn</pre></div></div>",
    "Bootstrap": "<ul><li><button role=tab aria-controls=p1>npm</button><li><button role=tab "
    "aria-controls=p2>Yarn</button></ul><div role=tabpanel id=p1><pre>npm i</pre></div><div role=tabpanel id=p2><pre>yarn</pre></div>",
}


@pytest.mark.parametrize("html", TABS.values(), ids=TABS)
def test_labels_of_tabs_are_above_their_panels(html: str) -> None:
    expected = "a\n\nnpm\n\n```\nnpm i\n```\n\nYarn\n\n```\nyarn\n```\n\nb\n"
    assert clean_visible(f"<p>a</p>{html}<p>b</p>").render("markdown") == expected


def test_nothing_of_tabs_in_tabs_is_lost() -> None:
    inner = "<div role=tab aria-controls=d>c</div><div role=tabpanel id=d>d</div>"
    html = f"<div role=tab aria-controls=b>a</div><div role=tabpanel id=b>{inner}</div><div role=tab aria-controls=e><i id=e>e</i></div>"
    assert clean_visible(html).render("markdown") == "a\n\nc\n\nd\n\n*e*\n"
