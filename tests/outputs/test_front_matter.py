"""Front matter that every parser of YAML reads as it is meant, and documents without their title."""

from __future__ import annotations

from html import escape

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from keep_visible import clean_visible
from thoroughness import examples

import dehusk
from dehusk.outputs import OUTPUTS
from dehusk.outputs.front_matter import _yaml

WITH_ALL = (
    """<html lang=de><head><title>Tee: "heiß" | Kettle</title>
<meta property="og:site_name" content="Kettle &amp; Quill"><meta name="author" content="Maren Holt">
<meta property="article:published_time" content="2025-03-14"></head>
<body><article><h1>Tee: "heiß"</h1><p>"""
    + "Die Blätter ziehen drei Minuten lang im heißen Wasser. " * 9
)
ODD = ["no", "1e3", "a: b", "- x", "# y", "'", '"', "\\", "~", "[a", "{b", "&c", "*d", "!e", "%f", "@g", "`h", "", " "]
SHOWN = dehusk.MarkdownOptions(front_matter=True)


def test_everything_known_is_there() -> None:
    page = dehusk.clean(WITH_ALL, url="https://a.example/tee")
    markdown = page.render("markdown", SHOWN)
    above, _, text = markdown.removeprefix("---\n").partition("---\n\n")
    assert text == page.markdown
    assert yaml.safe_load(above) == {
        "title": 'Tee: "heiß"',
        "author": "Maren Holt",
        "published": "2025-03-14",
        "language": "de",
        "site": "Kettle & Quill",
        "address": "https://a.example/tee",
        "type": page.page_type,
        "confidence": round(page.confidence or 0, 4),
    }


def test_several_authors_are_a_list_and_what_is_unknown_is_left_out() -> None:
    page = clean_visible("<meta name=author content='A. Holt'><meta name=author content='B. Reed'><p>Tea.")
    above = yaml.safe_load(page.render("markdown", SHOWN).split("---\n")[1])
    assert above["author"] == ["A. Holt", "B. Reed"]
    assert "published" not in above
    assert "confidence" not in above
    assert dehusk.extract("", front_matter=True, model=dehusk.SatisfiableSubtree().fit()) == ""


@pytest.mark.parametrize("title", ODD)
def test_odd_titles_are_texts(title: str) -> None:
    assert yaml.safe_load(f"title: {_yaml(title)}") == {"title": title}
    assert yaml.safe_load(_yaml([title, "b"])) == [title, "b"]


@settings(max_examples=examples(500), deadline=None)
@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    assert yaml.safe_load(f"a: {_yaml(text)}\nb: 1.0\n") == {"a": text, "b": 1.0}


def test_half_characters_do_not_break_it() -> None:
    assert yaml.safe_load(_yaml("a\ud800b")) == "a\ufffdb"


TITLES = {
    "heading and title": ("<title>Green tea leaves</title><h1>Green tea leaves</h1><p>Steep.", "Steep."),
    "second level": ("<title>Green tea leaves | Shop</title><h2>Green tea leaves</h2><p>Steep.", "Steep."),
    "another title": ("<title>Shop</title><h1>Green tea leaves</h1><p>Steep.", "Steep."),
    "after text": ("<title>Tea</title><p>News<h1>Tea</h1><p>Steep.", "News\n\nSteep."),
    "sections": (
        "<title>Green tea leaves</title><p>Steep.<h2>How to do it well</h2><p>So.",
        "Steep.\n\nHow to do it well\n\nSo.",
    ),
    "sections of level 1": (
        "<title>Green tea leaves</title><p>A.<h1>How to do it well</h1><p>B.",
        "A.\n\nHow to do it well\n\nB.",
    ),
    "none": ("<p>Steep.", "Steep."),
}


@pytest.mark.parametrize(("html", "text"), TITLES.values(), ids=TITLES)
def test_the_title_is_left_out(html: str, text: str) -> None:
    page = clean_visible(html)
    assert page.render("text", dehusk.TextOptions(title=False)).strip() == text
    for format_name in ("markdown", "html", "xml", "tei"):
        options = OUTPUTS[format_name].options
        shown = page.render(format_name, type(options)(title=False))
        assert escape(text.split("\n")[-1]) in shown


def test_one_call() -> None:
    page = dehusk.clean(WITH_ALL, url="https://a.example/tee", favour="recall")
    assert dehusk.extract(WITH_ALL, url="https://a.example/tee", favour="recall") == page.markdown
    assert dehusk.extract(WITH_ALL.encode(), "text", "https://a.example/tee") == dehusk.clean(WITH_ALL).text
    assert dehusk.extract(WITH_ALL, "html") == dehusk.clean(WITH_ALL).html
    assert dehusk.extract(WITH_ALL, front_matter=True).startswith("---\ntitle: ")
    assert dehusk.extract(WITH_ALL, title=False).startswith("Die Blätter")
    assert '"text": "# Tee' in dehusk.extract(WITH_ALL, "jsonl", content="markdown")
    assert '"text": "Die Bl' in dehusk.extract(WITH_ALL, "jsonl", content="markdown", title=False)
    assert len(dehusk.extract(WITH_ALL, "chunks", max_words=20, title=False).splitlines()) > 2
    assert dehusk.extract("<p>Tea.", model=dehusk.SatisfiableSubtree().fit(), drop=["p"]) == ""


def test_what_is_wrong_in_one_call_is_named() -> None:
    with pytest.raises(dehusk.UnknownName, match="choose one of text, markdown"):
        dehusk.extract("<p>Tea", "pdf")
    with pytest.raises(dehusk.InvalidSetting, match="colour: no such option; choose from links, images"):
        dehusk.extract("<p>Tea", colour="red")
    with pytest.raises(dehusk.InvalidSetting, match="colour"):
        dehusk.extract("<p>Tea", "jsonl", colour="red")
    with pytest.raises(dehusk.InvalidSetting, match="front_matter: no such option"):
        dehusk.extract("<p>Tea", "text", front_matter=True)
    with pytest.raises(dehusk.NotHtml):
        dehusk.extract(b"%PDF-1.7")
