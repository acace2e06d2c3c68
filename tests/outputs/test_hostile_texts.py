"""Texts that look like markup, in every place where a page has text: every format stays valid and says them all."""

from __future__ import annotations

from html import escape
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from keep_visible import clean_visible
from tag_soup import tag_soup
from thoroughness import examples
from valid_outputs import (
    assert_all_valid,
    assert_html_passes_a_sanitiser,
    assert_markdown_says_the_same,
    assert_records_are_readable,
    assert_tei_is_valid,
    assert_xml_is_valid,
)

import dehusk

SNIPPETS = (
    *r"\`*_{}[]()<>#+-.!|~&:=^$%@'" + '"',
    *("**", "__", "~~~", "```", "---", "===", "| a |", "|-|", ":-:", "- ", "+ ", "> ", "# ", "1. ", "12) "),
    *("&amp;", "&#42;", "&#0;", "&x", "[a](b)", "![a](b)", "[a]: b", "[^1]", "[^1]: b", "<b>", "</p>", "<br>"),
    *(
        "<!--",
        "-->",
        "--!>",
        "]]>",
        "<![CDATA[",
        "<?xml",
        "?>",
        "</pre>",
        "</code>",
        "<a@b.example>",
        "$$",
        r"\(",
        "\\]",
    ),
    *("\x00", "\x01", "\x1b[2J", "\x7f", "\x85", "\x9f", "\u2028", "\u200b", "\u202e", "\ufdd0", "\ufffe", "\uffff"),
    *("\ud800", "\udfff", "\U0001fffe", "\xad", "\xa0", " ", " ", "\t", "\n", "\r", "\f"),
    *("a", "b1", "é", "中", "。", "“", "http://a.example/", "w" * 3000, "__init__", "snake_case", "0", "-1"),
)
hostile = st.lists(st.sampled_from(SNIPPETS), min_size=1, max_size=8).map("".join)

PLACES = {
    "paragraph": "<p>{}</p>",
    "paragraph of lines": "<p>{0}<br>{0}</p>",
    "heading": "<h2>{}</h2>",
    "list item": "<ul><li>{}<li>x</ul>",
    "inner list item": "<ol start=3><li>{0}<ul><li>{0}</ul>{0}</ol>",
    "definition": "<dl><dt>{0}<dd>{0}<dd>x</dl>",
    "cells": "<table><tr><th>{0}<th>x<tr><td>{0}<td><p>{0}<p>{0}</table>",
    "caption": "<table><caption>{}</caption><tr><td>a<td>b<tr><td>c<td>d</table>",
    "figure": "<p>x</p><figure><img src=/i.png alt='{0}'><figcaption>{0}</figcaption></figure>",
    "preformatted": "<pre>\n{}</pre>",
    "preformatted in an item": "<ul><li>x<pre>\n{}</pre></ul>",
    "preformatted in a quote": "<blockquote><pre>\n{}</pre></blockquote>",
    "preformatted in a cell": "<table><tr><td><pre>\n{}</pre><td>b<tr><td>c<td>d</table>",
    "code": "<p>a <code>{}</code> b</p>",
    "quote": "<blockquote>{0}<p>{0}</blockquote>",
    "link": "<p>a <a href='{0}' title='{0}'>{0}</a> b</p>",
    "bold and italic": "<p>a<b>{0}</b><i>{0}</i>b <q>{0}</q></p>",
    "raised and lowered": "<p>a<sup>{0}</sup><sub>{0}</sub> <del>{0}</del></p>",
    "ruby": "<p><ruby>x<rt>{}</rt></ruby></p>",
    "footnote": "<p>a<sup><a href=#n>1</a></sup> b</p><p id=n>{}</p>",
    "image": "<p>a <img src='{0}' alt='{0}' title='{0}'> b</p>",
    "language and direction": "<p lang='{0}' dir='{0}' class='{0}' id='{0}'>x</p>",
    "language of code": "<pre data-lang='{0}' class='language-{0}'>x</pre>",
    "numbers": "<ol start='{0}'><li value='{0}'>x<li>y</ol>",
    "spans of cells": "<table><tr><td colspan='{0}' rowspan='{0}'>a<td>b<tr><td>c<td>d</table>",
    "formula": "<p>a <math><mi>x</mi><annotation encoding=application/x-tex>{}</annotation></math> b</p>",
    "formula behind an image": "<p>a <img class=latex src=/i.png alt='^{}'> b</p>",
    "title": "<title>{}</title><p>x</p>",
    "metadata": (
        "<html lang='{0}'><meta property=og:title content='{0}'><meta name=author content='{0}'>"
        "<meta name=description content='{0}'><meta name=keywords content='{0}'><meta property=og:image content='{0}'>"
        "<meta property=og:site_name content='{0}'><meta property=article:published_time content='{0}'>"
        "<link rel=canonical href='{0}'><link rel=license href='{0}'><p>x</p>"
    ),
}
CHECKS = {
    "markdown": assert_markdown_says_the_same,
    "html": assert_html_passes_a_sanitiser,
    "xml": assert_xml_is_valid,
    "tei": assert_tei_is_valid,
    "records": assert_records_are_readable,
}


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: ascii(snippet[:20]))
def test_every_snippet_in_every_place_at_once(snippet: str) -> None:
    assert_all_valid(clean_visible("".join(place.format(escape(snippet)) for place in reversed(PLACES.values()))))


_LONE = "a\ud800b\udfff"
_OPTIONS: dict[str, list[Any]] = {
    "text": [dehusk.TextOptions(links=True, images=True)],
    "markdown": [dehusk.OutputOptions(links=True, images=True)],
    "json": [dehusk.JsonOptions(indent=None, reasons=True)],
    "jsonl": [dehusk.RecordOptions(content="html")],
    "csv": [dehusk.RecordOptions(content="markdown")],
    "cleaneval": [dehusk.CleanEvalOptions(url=True)],
}


@pytest.mark.parametrize("format_name", dehusk.OUTPUTS)
@pytest.mark.parametrize("url", [f"https://a.example/{_LONE}", _LONE])
@pytest.mark.parametrize("model", [None, dehusk.SequenceLabels().fit()], ids=["blocks", "pieces"])
def test_lone_surrogates_anywhere_can_be_written(format_name: str, url: str, model: Any) -> None:
    html = "".join(place.format(_LONE) for place in reversed(PLACES.values())) + f"<{_LONE}>x"
    page = dehusk.clean(html, model, url=url) if model else clean_visible(html, url=url)
    for options in [None, *_OPTIONS.get(format_name, [])]:
        assert page.render(format_name, options).encode()


@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=examples(20))
@given(hostile)
@example("\u2028*_\ufffd")
def test_any_text_in_every_place(place: str, text: str) -> None:
    assert_all_valid(clean_visible(PLACES[place].format(escape(text))))


@settings(max_examples=examples(60))
@given(st.lists(st.tuples(st.sampled_from(sorted(PLACES)), hostile), min_size=2, max_size=5))
def test_any_texts_one_after_the_other(parts: list[tuple[str, str]]) -> None:
    html = "".join(PLACES[place].format(escape(text)) for place, text in parts)
    assert_all_valid(clean_visible(html))


@settings(max_examples=examples(60))
@given(hostile, st.sampled_from(sorted(CHECKS)))
@example("</a></p><script>x</script>", "html")
def test_any_markup(text: str, check: str) -> None:
    """Not escaped: whatever a parser makes of it is a page."""
    CHECKS[check](clean_visible(f"<p>a {text} b</p><ul><li>{text}</ul><table><tr><td>{text}<td>x<tr><td>y<td>z"))


@settings(max_examples=examples(60))
@given(tag_soup)
def test_any_tag_soup(html: str) -> None:
    assert_all_valid(clean_visible(html))
