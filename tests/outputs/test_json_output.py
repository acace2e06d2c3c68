"""JSON: everything there is to say about a page and its blocks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keep_visible import PAGE_URL, Clean, Render

from dehusk import JsonOptions, RawPage

_PAGE = (
    "<title>T</title><h2>a</h2><ul><li>b<ul><li><a href=x>c</a> d</ul></ul><p hidden>e</p><pre>f</pre>"
    "<table><tr><td>1<td>2<tr><td>3<td>4</table><div class='post wide'>g</div>"
)


def blocks_of(document: str) -> list[dict[str, Any]]:
    found = json.loads(document)["blocks"]
    assert isinstance(found, list)
    return found


def test_what_it_says_of_the_page(json_output: Render) -> None:
    document = json.loads(json_output(b"<p>a"))
    assert document.pop("blocks")
    assert document.pop("paths") == [[None, "html"], [0, "body"], [1, "p"]]
    assert document == {
        "url": PAGE_URL,
        "name": "",
        "encoding": "utf-8",
        "encoding_reason": document["encoding_reason"],
        "damage": 0.0,
        "method": "keep-visible",
        "threshold": 0.5,
        "page_type": "",
        "confidence": None,
        "problem": "",
        "metadata": document["metadata"],
        "text": "a\n",
    }


def test_it_tells_the_metadata_with_where_each_was_found(clean: Clean) -> None:
    page = clean("<title>News</title><meta property=og:title content='A bridge'><p>a")
    metadata = json.loads(page.render("json"))["metadata"]
    assert metadata == page.metadata.to_dict()
    assert metadata["title"] == "A bridge"


def test_its_text_is_that_of_the_text_format(clean: Clean) -> None:
    page = clean(_PAGE)
    assert json.loads(page.render("json"))["text"] == page.text


def test_reasons_are_told_if_asked_for(json_output: Render) -> None:
    (block,) = blocks_of(json_output("<p>a"))
    assert "reasons" not in block
    (block,) = blocks_of(json_output("<p>a", JsonOptions(reasons=True)))
    assert block["reasons"] == ["shown"]


def test_a_page_given_as_text_has_no_encoding(json_output: Render) -> None:
    document = json.loads(json_output("<p>a"))
    assert (document["encoding"], document["encoding_reason"]) == ("", "given as text")


def test_damage_is_told_in_json_and_records(clean: Clean) -> None:
    page = clean(b"<p>caf\xc3\xa9\xff")
    told = {"encoding": "utf-8", "encoding_reason": "nearly valid UTF-8", "damage": 0.2}
    for document in (page.to_dict(), page.to_record()):
        assert {name: document[name] for name in told} == told


def test_name_and_url_of_a_raw_page(json_output: Render) -> None:
    raw = RawPage(b"<p>a", url="https://raw.example/", name="file.html")
    document = json.loads(json_output(raw, url=""))  # type: ignore[arg-type]
    assert (document["url"], document["name"]) == ("https://raw.example/", "file.html")


def test_what_it_says_of_a_block(json_output: Render) -> None:
    assert blocks_of(json_output("<div class='post wide'><p>a <a href=x>bcd</a>"))[0] == {
        "text": "a bcd",
        "label": "content",
        "comment": False,
        "score": 1.0,
        "kind": "paragraph",
        "level": 0,
        "table_row": -1,
        "table_column": -1,
        "path": 3,
        "link_share": 0.75,
        "hidden": False,
    }


def test_all_blocks_are_there(json_output: Render) -> None:
    found = [(block["text"], block["kind"], block["level"], block["label"]) for block in blocks_of(json_output(_PAGE))]
    assert found == [
        ("T", "title", 0, "content"),
        ("a", "heading", 2, "content"),
        ("b", "list item", 1, "content"),
        ("c d", "list item", 2, "content"),
        ("e", "paragraph", 0, "noise"),
        ("f", "code", 0, "content"),
        ("1", "cell", 0, "content"),
        ("2", "cell", 0, "content"),
        ("3", "cell", 0, "content"),
        ("4", "cell", 0, "content"),
        ("g", "other", 0, "content"),
    ]


def test_table_positions(json_output: Render) -> None:
    cells = [block for block in blocks_of(json_output(_PAGE)) if block["kind"] == "cell"]
    assert [(cell["table_row"], cell["table_column"]) for cell in cells] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_dropped_blocks_can_be_left_out(json_output: Render) -> None:
    html = "<p>a</p><p>noise</p><p hidden>b</p>"
    assert len(blocks_of(json_output(html, drop="noise"))) == 3
    assert [block["text"] for block in blocks_of(json_output(html, JsonOptions(dropped=False), drop="noise"))] == ["a"]


def test_no_opinion_is_null(json_output: Render) -> None:
    (block,) = blocks_of(json_output("<p>a", doubt="a"))
    assert block["score"] is None
    assert block["label"] == "content"


@pytest.mark.parametrize("indent", [None, 0, 2, 4])
def test_layout_changes_no_value(json_output: Render, indent: int | None) -> None:
    rendered = json_output(_PAGE, JsonOptions(indent=indent))
    assert rendered.endswith("}\n")
    assert json.loads(rendered) == json.loads(json_output(_PAGE))
    assert (rendered.count("\n") == 1) == (indent is None)


def test_no_blocks(json_output: Render) -> None:
    assert blocks_of(json_output("")) == []


def test_text_is_readable(json_output: Render) -> None:
    assert '"text": "Tür 中文"' in json_output("<p>Tür 中文")


def test_lone_surrogates_can_be_written(json_output: Render) -> None:
    """Those of the page are replaced when it is read; addresses are escaped."""
    written = json.loads(json_output("<p>a\udc80b", url="https://a.example/\udfff").encode())
    assert written["blocks"][0]["text"] == "a\ufffdb"
    assert written["url"] == "https://a.example/\udfff"


def test_paragraphs_of_a_layout_table_are_paragraphs(json_output: Render) -> None:
    (block,) = blocks_of(json_output("<table><tr><td><p>a</p></table>"))
    assert block["kind"] == "paragraph"


def test_options_change_no_kept_block(clean: Clean) -> None:
    page = clean(_PAGE)
    before = [block.kept for block in page]
    page.render("json", JsonOptions(indent=None, dropped=False))
    assert [block.kept for block in page] == before


@given(st.text(st.characters()), st.sampled_from("p li td pre h1 title".split()), st.booleans())
def test_any_text_survives(json_output: Render, clean: Clean, text: str, tag: str, compact: bool) -> None:
    html = f"<{tag}>{text}</{tag}>"
    rendered = json_output(html, JsonOptions(indent=None if compact else 2))
    assert [block["text"] for block in blocks_of(rendered.encode().decode())] == [block.text for block in clean(html)]


def spelled_out(document: dict[str, Any], block: dict[str, Any]) -> list[str]:
    """As docs/outputs.md says."""
    steps, number = [], block["path"]
    while number is not None:
        number, step = document["paths"][number]
        steps.append(step)
    return steps[::-1]


def test_paths_of_blocks_are_in_the_table(clean: Clean) -> None:
    page = clean(_PAGE)
    document = json.loads(page.render("json"))
    assert ["/".join(spelled_out(document, block)) for block in document["blocks"]] == [block.path for block in page]
    assert page.to_dict() == document


def test_only_paths_of_listed_blocks_are_there(json_output: Render) -> None:
    document = json.loads(json_output("<ul><li>noise</ul><p>a", JsonOptions(dropped=False), drop="noise"))
    assert [step for _, step in document["paths"]] == ["html", "body", "p"]


_DEEP = "".join(f"<div class={'x' * 40}{n}>" for n in range(40))
_REPEATING = {
    "one deep place": _DEEP + "<p>x" * 500,
    "many deep places": _DEEP + "".join(f"<p class=c{n}>x" for n in range(500)),
    "ever deeper": "".join(f"<div class={'y' * 30}{n}>x" for n in range(500)),
    "inside formatting": "".join(f"<b class={'z' * 40}{n}>" for n in range(20)) + "<p><button>x</button>" * 500,
}


@pytest.mark.parametrize("html", _REPEATING.values(), ids=_REPEATING)
def test_it_is_linear_in_the_page(clean: Clean, html: str) -> None:
    page = clean(html)
    # 200 characters say what there is to say of a block of one letter.
    most = 200 * len(page) + 3 * len(html) + 2_000
    assert len(page.render("json")) < most
    assert len(json.dumps(page.to_dict())) < most


def test_parts_are_small_and_make_the_whole(clean: Clean) -> None:
    page = clean(_DEEP + "<p>word" * 2_000)
    parts = list(page.render_parts("json"))
    assert "".join(parts) == page.render("json")
    # The first has the text of the page.
    assert max(map(len, parts[1:])) < 400
    assert len(parts) > 2_000
