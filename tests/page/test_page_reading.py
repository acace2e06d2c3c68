"""The columns of a Page, against a slow and obvious reading of the same parser events."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from all_columns import all_columns, same_page
from hypothesis import given
from hypothesis import strategies as st
from tag_soup import tag_soup
from turbohtml.saxparse import SaxHandler, sax_parse

import dehusk
from dehusk.errors import PageTooLarge
from dehusk.limits import Limits
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import LINE_SEPARATOR, read_page
from dehusk.page.tags import ATTRIBUTES
from dehusk.sources.raw_page import RawPage

RAW_TEXT_TAGS = {"script", "style", "iframe", "noembed", "noframes"}
HIDDEN_TAGS = set("noscript template svg datalist noembed noframes rp audio video canvas object".split())
HIDING_STYLES = ("display : none", "visibility:hidden")

ARTICLE = """<!doctype html><html lang=en><head><title>Tea &amp; paper</title><style>p { color: red }</style></head>
<body class="wide"><!-- top --><nav><ul><li><a href="/">Home</a><li><a href="/shop">Shop</a></ul></nav>
<article><h1>Tea</h1><p>One <b>two</b> three<br>four<p>five<hr>six</article>
<script>run()</script><svg viewBox="0 0 1 1"><path d="M0"/></svg><my-widget>seven</my-widget></body></html>"""
MISNESTED = "<b>1<p>2</b>3<table>4<tr><td>5<table><td>6</table>7</table><a href=1>8<a href=2>9<i>10<div>11</i>12"
FORMS = "<form><select><option>1<option>2<optgroup><option>3</select><textarea>\n<b>4</b></textarea><button>5<p>6"
FRAMES = "<title>t</title><frameset cols='*,*'><frame src=a><frame src=b><noframes><p>no frames</noframes></frameset>"
PAGES = {"article": ARTICLE, "misnested": MISNESTED, "forms": FORMS, "frames": FRAMES, "empty": "", "text": "no tags"}


@dataclass
class Node:
    """One row of the slow reading."""

    name: str
    ancestors: list[int]
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)


class SlowReader(SaxHandler):
    """Keeps every node with the list of its ancestors."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.open: list[int] = []

    def start_element(self, tag: str, attributes: tuple[tuple[str, str | None], ...]) -> None:
        self.nodes.append(Node(tag, self.open.copy(), attributes={name: value or "" for name, value in attributes}))
        self.open.append(len(self.nodes) - 1)
        if tag == "br":
            self.characters(LINE_SEPARATOR)

    def end_element(self, tag: str) -> None:
        self.open.pop()

    def characters(self, text: str) -> None:
        in_raw_text = self.nodes[self.open[-1]].name in RAW_TEXT_TAGS
        self.nodes.append(Node("#text", self.open.copy(), "" if in_raw_text else text))


def read_slowly(html: str) -> list[Node]:
    reader = SlowReader()
    sax_parse(html, reader)
    return reader.nodes


def subtree_of(nodes: list[Node], row: int) -> list[int]:
    return [other for other, node in enumerate(nodes) if other == row or row in node.ancestors]


def hides(node: Node) -> bool:
    style = node.attributes.get("style", "").lower()
    return (
        node.name in HIDDEN_TAGS
        or "hidden" in node.attributes
        or node.attributes.get("aria-hidden") == "true"
        or any(hiding in style for hiding in HIDING_STYLES)
    )


def assert_same_tree(page: Page, nodes: list[Node], depth_limit: int = 512) -> None:
    assert list(page.tag_names) == [node.name for node in nodes]
    lines = [node.ancestors[:depth_limit] for node in nodes]
    assert page.depth.tolist() == [len(line) for line in lines]
    assert page.parent.tolist() == [line[-1] if line else -1 for line in lines]
    for row in range(len(nodes)):
        subtree = subtree_of(nodes, row)
        assert range(row, page.subtree_end[row]) == range(subtree[0], subtree[-1] + 1)
        assert page.text[page.text_start[row] : page.text_end[row]] == "".join(nodes[other].text for other in subtree)


def assert_same_contents(page: Page, nodes: list[Node]) -> None:
    assert page.text_length.tolist() == [len(node.text.strip()) for node in nodes]
    assert page.is_text.tolist() == [node.name == "#text" for node in nodes]
    for row, node in enumerate(nodes):
        kept = {name: value for name, value in node.attributes.items() if name in ATTRIBUTES}
        assert page.attributes(row) == kept
        assert page.tag_name(row) == node.name
        assert page.hidden[row] == any(hides(nodes[other]) for other in [*node.ancestors, row])


def row_of(page: Page, tag: str) -> int:
    return page.tag_names.index(tag)


def hidden_texts(page: Page) -> str:
    rows = np.flatnonzero(page.is_text & page.hidden)
    return "".join(page.text[page.text_start[row] : page.text_end[row]] for row in rows)


class TestColumns:
    @pytest.mark.parametrize("html", PAGES.values(), ids=PAGES.keys())
    def test_are_those_of_the_slow_reading(self, html: str) -> None:
        page, nodes = read_page(html), read_slowly(html)
        assert_same_tree(page, nodes)
        assert_same_contents(page, nodes)

    @given(tag_soup)
    def test_are_those_of_the_slow_reading_on_tag_soup(self, html: str) -> None:
        page, nodes = read_page(html), read_slowly(html)
        assert_same_tree(page, nodes)
        assert_same_contents(page, nodes)

    @given(tag_soup)
    def test_cannot_be_written_to(self, html: str) -> None:
        page = read_page(html)
        arrays = all_columns(page)
        assert {"tag", "parent", "attribute_name", "text_start"} <= arrays.keys()
        assert not any(array.flags.writeable for array in [*arrays.values(), page.style, page.is_text])

    def test_have_the_types_their_docstrings_promise(self) -> None:
        page = read_page(ARTICLE)
        columns = [page.tag, page.parent, page.subtree_end, page.depth, page.text_length, page.attribute_start]
        assert {column.dtype for column in columns} == {np.dtype(np.int32)}
        assert (page.text_start.dtype, page.text_end.dtype) == (np.int64, np.int64)
        assert (page.flags.dtype, page.attribute_name.dtype, page.hidden.dtype) == (np.uint16, np.uint8, np.bool_)
        assert len(page.attribute_start) == len(page) + 1

    def test_a_line_break_contains_a_line_separator(self) -> None:
        page = read_page("<p>one<br>two")
        row = row_of(page, "br")
        assert page.text == f"one{LINE_SEPARATOR}two"
        assert page.text[page.text_start[row] : page.text_end[row]] == LINE_SEPARATOR

    def test_tags_outside_the_table_keep_their_names(self) -> None:
        page = read_page("<my-widget><other-thing>x</other-thing></my-widget><my-widget>y")
        assert page.other_tags == ("my-widget", "other-thing")
        assert page.tag_names.count("my-widget") == 2

    def test_characters_outside_the_basic_plane_count_once(self) -> None:
        page = read_page("<p>𝒳</p><p>y</p>")
        assert (page.text, page.text_length.sum()) == ("𝒳y", 2)


class TestPageWithoutTheUsualParts:
    @pytest.mark.parametrize("html", ["", " ", "<!-- only -->", "<!doctype html>", "</p>"])
    def test_an_empty_one_has_an_empty_body(self, html: str) -> None:
        assert read_page(html).tag_names[:3] == ("html", "head", "body")

    def test_one_without_body_gets_one(self) -> None:
        page = read_page("<title>t</title>text")
        assert page.tag_name(int(page.parent[len(page) - 1])) == "body"

    def test_a_frameset_has_no_body(self) -> None:
        page = read_page(FRAMES)
        assert "body" not in page.tag_names
        assert page.tag_names.count("frame") == 2
        assert page.text == "t"

    def test_bytes_text_and_raw_page_read_alike(self) -> None:
        pages = [read_page(ARTICLE), read_page(ARTICLE.encode()), read_page(RawPage(ARTICLE.encode()))]
        assert len({page.text for page in pages}) == 1
        assert len({page.tag.tobytes() for page in pages}) == 1


class TestAttributes:
    KEPT = "class id style href src alt lang dir datetime rel itemprop title role aria-label".split()

    @pytest.mark.parametrize("name", KEPT)
    def test_that_mean_something_are_kept(self, name: str) -> None:
        page = read_page(f'<div {name}="a &amp; b">x</div>')
        assert page.attributes(row_of(page, "div")) == {name: "a & b"}
        assert list(page.with_attribute(name)) == [(row_of(page, "div"), "a & b")]

    @pytest.mark.parametrize("name", ["onclick", "ONLOAD", "onerror", "data-tracking", "srcdoc", "formaction"])
    def test_that_only_run_or_track_are_left_behind(self, name: str) -> None:
        page = read_page(f"<div {name}='run()' id=x>y</div>")
        assert page.attributes(row_of(page, "div")) == {"id": "x"}
        assert "run()" not in page.attribute_value

    def test_without_value_have_the_empty_one(self) -> None:
        page = read_page("<div hidden itemscope>x")
        assert page.attributes(row_of(page, "div")) == {"hidden": "", "itemscope": ""}

    def test_written_twice_count_once(self) -> None:
        page = read_page("<div id=a ID=b>x")
        assert page.attributes(row_of(page, "div")) == {"id": "a"}

    def test_are_found_on_every_element_in_document_order(self) -> None:
        page = read_page("<p>x<a href=1>y</a><b>z</b><a href=2></a>w<a name=n href=3>")
        anchors = [row for row, name in enumerate(page.tag_names) if name == "a"]
        assert list(page.with_attribute("href")) == list(zip(anchors, "123", strict=True))
        assert list(page.with_attribute("src")) == []


class TestHidden:
    @pytest.mark.parametrize(
        "attribute",
        [
            "hidden",
            "hidden=hidden",
            'hidden=""',
            "style=display:none",
            'style="display: none"',
            'style="DISPLAY : NONE;"',
            'style="color:red; display:none !important"',
            'style="display:\n\tnone"',
            'style="visibility: hidden"',
            "aria-hidden=true",
            'aria-hidden=" TRUE "',
        ],
    )
    def test_text_is_marked_and_not_lost(self, attribute: str) -> None:
        page = read_page(f"<p>seen<span {attribute}>un<b>seen</b></span>again")
        assert page.text == "seenunseenagain"
        assert hidden_texts(page) == "unseen"

    @pytest.mark.parametrize(
        "attribute",
        [
            "aria-hidden=false",
            "aria-hidden",
            'style="display:block"',
            'style="visibility: visible"',
            'style="overflow: hidden"',
            "class=hidden",
            "data-hidden=true",
            'style="backface-visibility: hidden"',
            'style="-webkit-backface-visibility:hidden; color: red"',
        ],
    )
    def test_is_not_what_only_looks_like_it(self, attribute: str) -> None:
        assert hidden_texts(read_page(f"<p {attribute}>text")) == ""

    @pytest.mark.parametrize("tag", ["noscript", "template", "svg", "datalist", "object", "video", "audio", "canvas"])
    def test_are_the_contents_of_some_tags(self, tag: str) -> None:
        page = read_page(f"<body><p>seen</p><div><{tag}>unseen</{tag}></div>")
        assert page.text == "seenunseen"
        assert hidden_texts(page) == "unseen"

    def test_reaches_down_through_every_generation(self) -> None:
        page = read_page("<div hidden><ul><li><a href=x><b>one</b></a><li aria-hidden=false>two</ul></div>three")
        assert hidden_texts(page) == "onetwo"

    def test_ends_with_the_element(self) -> None:
        page = read_page("<p hidden>one</p>two<p>three</p>")
        assert hidden_texts(page) == "one"

    @pytest.mark.parametrize("levels", [1, 2, 3, 4, 5])
    def test_stays_so_below_the_depth_limit(self, levels: int) -> None:
        # There the text is no longer a child of the element that hides it.
        html = "<div>" * levels + "<p hidden>unseen</p><section>seen</section>"
        assert hidden_texts(read_page(html, limits=Limits(depth=4))) == "unseen"


class TestEmbeddedText:
    def test_of_scripts_is_gone(self) -> None:
        page = read_page("<head><script>one()</script></head><p>two<script type=text/javascript>three()</script>")
        assert page.text == "two"
        assert page.embedded == ()

    @pytest.mark.parametrize("tag", sorted(RAW_TEXT_TAGS))
    def test_an_empty_one_does_not_swallow_what_follows(self, tag: str) -> None:
        page = read_page(f"<body><{tag} src=x></{tag}>Text of the <b>page</b>.")
        assert page.text == "Text of the page."
        assert page.embedded == ()

    @pytest.mark.parametrize("kind", ["application/ld+json", " Application/LD+JSON "])
    def test_of_json_ld_is_kept_apart(self, kind: str) -> None:
        page = read_page(f'<script type="{kind}">{{"name": "<b>"}}</script><p>text')
        assert page.embedded == ((row_of(page, "script"), '{"name": "<b>"}'),)
        assert page.text == "text"

    def test_of_style_sheets_is_kept_apart(self) -> None:
        page = read_page("<style>p > a {}</style><body><style></style><p>text<style>b {}</style>")
        assert [text for _, text in page.embedded] == ["p > a {}", "b {}"]
        assert {page.tag_name(row) for row, _ in page.embedded} == {"style"}
        assert page.text == "text"

    @pytest.mark.parametrize("tag", ["iframe", "noembed", "noframes"])
    def test_of_old_alternatives_is_gone(self, tag: str) -> None:
        page = read_page(f"<body>one<{tag}><p>alternative</p></{tag}>two")
        assert page.text == "onetwo"

    def test_of_comments_and_instructions_never_comes_in(self) -> None:
        assert read_page("<!-- one -->two<?php three ?>four<![CDATA[five]]>").text == "twofour"


UNCLOSED_FORMATTING = [
    "<b id={}>",
    "<B ID={}>",
    "<b\nid={}>",
    "<b/id={}>",
    "<b id={}></i>",
    "<b id={}><!-- </b> -->",
    "<b id={} title='</b>'>",
    "<b title='>' id={}>",
]
"""Different each time; some with an end tag that closes nothing, or with what looks like the end of the tag."""

LOOKS_LIKE_FORMATTING = [
    "<!-- <b -->one",
    "<p title='<b '>one</p><p title='>'>two</p>",
    "<b title='>'>one</b>",
    "<textarea><i class=x>one</i></textarea>",
    "<title>the <b class=x> tag</title>",
    "<xmp><u>one</u></xmp>",
    "<script>'<b '</script>one",
    "one <ſ class=x> two",
]
"""Markup in which removing whatever looks like a formatting tag would remove, or add, text."""


class TestLimits:
    @pytest.mark.parametrize("depth", [2, 3, 4, 5, 8])
    @pytest.mark.parametrize("html", PAGES.values(), ids=PAGES.keys())
    def test_deeper_nodes_become_siblings(self, html: str, depth: int) -> None:
        assert_same_tree(read_page(html, limits=Limits(depth=depth)), read_slowly(html), depth)

    @given(html=tag_soup, depth=st.integers(1, 6))
    def test_deeper_nodes_of_tag_soup_become_siblings(self, html: str, depth: int) -> None:
        page, nodes = read_page(html, limits=Limits(depth=depth)), read_slowly(html)
        assert_same_tree(page, nodes, depth)
        assert_same_contents(page, nodes)

    def test_the_default_depth_is_that_of_browsers(self) -> None:
        page = read_page("<div>" * 2000 + "text")
        assert page.depth.max() <= 512
        assert page.text == "text"

    def test_too_many_bytes(self) -> None:
        body = b"<p>" + b"x" * 100
        assert read_page(body, limits=Limits(bytes=103)).text == "x" * 100
        with pytest.raises(PageTooLarge, match=r"103 bytes, 102 allowed; raise Limits.bytes") as caught:
            read_page(RawPage(body, name="big.html"), limits=Limits(bytes=102))
        assert caught.value.subject == "big.html"

    def test_too_many_tags(self) -> None:
        html = "<p>x</p>" * 10
        assert read_page(html, limits=Limits(tags=20)).text == "x" * 10
        for source in (html, html.encode()):
            with pytest.raises(PageTooLarge, match=r"20 tags, 19 allowed; raise Limits.tags") as caught:
                read_page(source, url="https://a.example/", limits=Limits(tags=19))
            assert caught.value.subject == "https://a.example/"

    @pytest.mark.parametrize("formatting", UNCLOSED_FORMATTING)
    @pytest.mark.parametrize("nodes", [5_000, 20_000])
    def test_formatting_that_is_never_closed_does_not_multiply(self, formatting: str, nodes: int) -> None:
        # By the standard each of the paragraphs opens all of the <b> again.
        html = "<p>" + "".join(map(formatting.format, range(100))) + "</p>" + "<p>x</p>" * 500
        page = read_page(html, limits=Limits(nodes=nodes))
        assert len(page) <= nodes + 4 * html.count("<")
        assert page.text.count("x") == 500

    @pytest.mark.parametrize("formatting", UNCLOSED_FORMATTING)
    def test_elements_are_a_few_times_the_tags_at_most(self, formatting: str) -> None:
        # Without a bound relative to the page, 26 KB become 1.5 million elements, within `Limits.nodes`.
        html = "<p>" + "".join(map(formatting.format, range(250))) + "<p>x" * 6_000
        page = read_page(html)
        assert len(page) - int(page.is_text.sum()) <= 4 * html.count("<") + 1_000
        assert page.text == "x" * 6_000

    def test_formatting_that_some_paragraphs_open_again_is_read_as_the_standard_says(self) -> None:
        page = read_page("<p><b><i>one<p>two<p>three" + "<p>x</p>" * 400)
        assert page.tag_names.count("b") == page.tag_names.count("i") == 403

    @pytest.mark.parametrize("start", LOOKS_LIKE_FORMATTING)
    @pytest.mark.parametrize("nodes", [100, 1_000])
    def test_keeping_formatting_from_multiplying_changes_no_text(self, start: str, nodes: int) -> None:
        # Few enough to be opened again if the limit is not set.
        html = start + "<p>" + "".join(f"<b id={i}>" for i in range(20)) + "</p>" + "<p>x</p>" * 20
        assert read_page(html).tag_names.count("b") >= 400
        assert read_page(html, limits=Limits(nodes=nodes)).text == read_page(html).text

    @pytest.mark.parametrize("nodes", [100, 1_000])
    def test_keeping_formatting_from_multiplying_shows_nothing_hidden(self, nodes: int) -> None:
        html = (
            "<i hidden>one</i><b style=display:none>two</b>" + "".join(f"<b id={i}>" for i in range(60)) + "<p>x" * 50
        )
        assert hidden_texts(read_page(html, limits=Limits(nodes=nodes))) == "onetwo"

    def test_formatting_opened_again_does_not_repeat_long_attributes(self) -> None:
        # A thousand times this attribute would be 300 MB.
        html = f"<p><b title={'x' * 300_000}></p>" + "<p>y</p>" * 1_000
        characters = sum({id(value): len(value) for value in read_page(html).attribute_value}.values())
        assert characters <= 10 * len(html)

    def test_formatting_that_is_closed_stays(self) -> None:
        page = read_page("<p><b class=x>y</b></p>" * 5_000)
        assert page.tag_names.count("b") == 5_000
        assert page.attributes(row_of(page, "b")) == {"class": "x"}

    def test_a_page_without_name_still_has_a_subject(self) -> None:
        with pytest.raises(PageTooLarge, match=r"^<page>: "):
            read_page("xx", limits=Limits(bytes=1))


class TestQuestionsAboutSubtrees:
    """Each against the answer that walks the tree."""

    @given(html=tag_soup, seed=st.integers(0, 99))
    def test_covered_counts_the_masked_rows_at_or_above(self, html: str, seed: int) -> None:
        page, nodes = read_page(html), read_slowly(html)
        mask = np.random.default_rng(seed).random(len(page)) < 0.3
        expected = [int(mask[[row, *node.ancestors]].sum()) for row, node in enumerate(nodes)]
        assert page.covered(mask).tolist() == expected

    @given(html=tag_soup, seed=st.integers(0, 99))
    def test_climb_and_closest_find_the_closest_masked_row(self, html: str, seed: int) -> None:
        page, nodes = read_page(html), read_slowly(html)
        mask = np.random.default_rng(seed).random(len(page)) < 0.2
        lines = [[row, *reversed(node.ancestors)] for row, node in enumerate(nodes)]
        expected = [next((row for row in line if mask[row]), -1) for line in lines]
        rows = np.arange(-1, len(page), dtype=np.int32)
        assert page.climb(rows, mask).tolist() == [-1, *expected]
        assert page.closest(mask).tolist() == [*expected, -1]
        assert rows.tolist() == list(range(-1, len(page)))

    @given(html=tag_soup, seed=st.integers(0, 99))
    def test_subtree_sums_add_up_every_row_below(self, html: str, seed: int) -> None:
        page, nodes = read_page(html), read_slowly(html)
        values = np.random.default_rng(seed).integers(-5, 100, len(page))
        expected = [int(values[subtree_of(nodes, row)].sum()) for row in range(len(page))]
        assert page.subtree_sums(values).tolist() == expected

    @pytest.mark.parametrize("html", ["<p \ud800=x>one", "<p a\udfff>one", "<x\ud800>one", "<p>one</x\ud800>"])
    def test_names_with_lone_surrogates_are_read(self, html: str) -> None:
        assert read_page(html).text == "one"
        assert read_page(html, limits=Limits(nodes=0)).text == "one"

    def test_a_page_is_a_function_of_its_source(self) -> None:
        assert same_page(read_page(ARTICLE), read_page(ARTICLE))
        assert not same_page(read_page(ARTICLE), read_page(f"{ARTICLE}<p>"))


@pytest.mark.parametrize(
    "wrong", [5, None, 1.5, ["<p>x"], Path("page.html"), object()], ids=lambda wrong: type(wrong).__name__
)
def test_what_is_no_page_at_all_is_refused_with_the_types_that_are_taken(wrong: object) -> None:
    for take in (dehusk.clean, dehusk.read_page):
        with pytest.raises(dehusk.WrongType, match=rf"{type(wrong).__name__} is not a page; pass bytes, str, RawPage"):
            take(wrong)  # type: ignore[operator]
    for pages in (wrong, [wrong]):
        with pytest.raises(TypeError, match=r"cannot learn from \w+; pass an iterable of Page"):
            dehusk.learn(pages)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_whatever_holds_bytes_is_read(kind: type) -> None:
    assert dehusk.read_page(kind(b"<p>Tea")).text == "Tea"
