"""Plain text: what separates blocks, list items and cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keep_visible import Clean, Render

from dehusk import TextOptions


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", ""),
        ("<p> </p><div></div>", ""),
        ("<p>one</p>", "one\n"),
        ("<p>one</p><p>two</p>", "one\n\ntwo\n"),
        ("<title>Name</title><h1>Head</h1><p>text", "Name\n\nHead\n\ntext\n"),
        ("<p> a  <b> b </b>c\n d </p>", "a b c d\n"),
        ("<p>a<br>b<br><br>c</p>", "a\nb\n\nc\n"),
        ("<div>a<hr>b</div>", "a\n\nb\n"),
        ("<pre>a\n  b\n\n c</pre><p>d", "a\n  b\n\n c\n\nd\n"),
        ("<p>a</p>\n   <pre>b</pre>\n <div>\n  <pre><b>c</b></pre>", "a\n\nb\n\nc\n"),
        ("<pre>  <b>a</b>\n  b</pre>", "  a\n  b\n"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "a\n\nb\n"),
        ("<p>a&nbsp;b &amp; &lt;c&gt;</p>", "a b & <c>\n"),
    ],
)
def test_separators(text: Render, html: str, expected: str) -> None:
    assert text(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b\n"),
        ("<p>x</p><ul><li>a</ul><p>y</p>", "x\n\n- a\n\ny\n"),
        ("<ul><li>a<ol><li>b<li>c<ul><li>d</ul></ol><li>e</ul>", "- a\n  - b\n  - c\n    - d\n- e\n"),
        ("<ul><li>a<br>b</ul>", "- a\n  b\n"),
        ("<ul><li>a<ul><li>b<br>c</ul></ul>", "- a\n  - b\n    c\n"),
        ("<ul><li><p>a</p></li><li><div>b</div></li></ul>", "- a\n- b\n"),
        ("<ul><li>a</ul><ol><li>b</ol>", "- a\n- b\n"),
    ],
)
def test_lists(text: Render, html: str, expected: str) -> None:
    assert text(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li><p>a</p><p>b</p><li>c</ul>", "- a\n  b\n- c\n"),
        ("<ul><li>a<ul><li>b</ul>c<li>d</ul>", "- a\n  - b\n  c\n- d\n"),
        ("<ul><li>a<br><br>b</ul>", "- a\n  b\n"),
    ],
)
def test_a_list_item_has_one_bullet(text: Render, html: str, expected: str) -> None:
    """Its further paragraphs stand below its text; a bullet of their own would make them items."""
    assert text(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table><tr><th>A<th>B<tr><td>1<td>2</table>", "A\tB\n1\t2\n"),
        ("<p>x</p><table><tr><td>1<td>2<tr><td>3<td>4</table><p>y", "x\n\n1\t2\n3\t4\n\ny\n"),
        ("<table><caption>C</caption><tr><td>1<td>2<tr><td>3<td>4</table>", "C\n\n1\t2\n3\t4\n"),
        ("<table><tr><td><p>a</p><p>b</p><td>c<br>d<tr><td>3<td>4</table>", "a b\tc d\n3\t4\n"),
        ("<table><tr><td><pre>a\n  b</pre><td>c<tr><td>3<td>4</table>", "a b\tc\n3\t4\n"),
        ("<table role=presentation><tr><td>1<td>2<tr><td>3<td>4</table>", "1\n\n2\n\n3\n\n4\n"),
        ("<table><tr><td>1<tr><td>2</table>", "1\n\n2\n"),
        ("<table><tr><td>1<td>2</table>", "1\n\n2\n"),
    ],
)
def test_tables(text: Render, html: str, expected: str) -> None:
    assert text(html) == expected


def test_a_list_in_a_cell_stays_on_the_line_of_its_row(text: Render) -> None:
    html = "<table><tr><td>a<td><ul><li>b<br>c<li>d</ul><tr><td>1<td>2</table>"
    assert [line.split("\t")[0] for line in text(html).splitlines()] == ["a", "1"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table><tr><td><td>B<td>C<tr><td>1<td><td>3</table>", "\tB\tC\n1\t\t3\n"),
        ("<table><tr><th colspan=2>A<th>B<tr><td>1<td>2<td>3</table>", "A\t\tB\n1\t2\t3\n"),
        # Columns without any text count nothing, or one attribute could write a thousand tabs.
        ("<table><tr><th colspan=900>A<th>B<tr><td>1<td>2</table>", "A\t\tB\n1\t2\n"),
    ],
)
def test_values_stay_in_their_column(text: Render, html: str, expected: str) -> None:
    """An empty cell before a value must not move it below another heading."""
    assert text(html) == expected


def test_code_lines_of_one_element_stay_together(text: Render) -> None:
    assert text("<pre><div>a</div><div>b</div></pre>") == "a\nb\n"


def test_options(text: Render) -> None:
    html = "<ul><li>a<ul><li>b</ul></ul><table><tr><td>1<td>2<tr><td>3<td>4</table>"
    assert text(html, TextOptions(bullet="* ", cell_separator=" | ")) == "* a\n  * b\n\n1 | 2\n3 | 4\n"


def test_dropped_and_hidden_blocks_leave_no_trace(text: Render) -> None:
    assert text("<p>a</p><p>noise</p><p hidden>x</p><p>b</p>", drop="noise") == "a\n\nb\n"


def test_doubt_keeps(text: Render) -> None:
    assert text("<p>a</p><p>who knows</p>", doubt="who knows") == "a\n\nwho knows\n"


def test_hidden_text_inside_a_sentence_leaves_nothing(text: Render) -> None:
    """Browsers show `noon, or later`; a blank for the hidden part would stand before the comma."""
    assert text("<p>noon<span hidden>x</span>, or later") == "noon, or later\n"


def test_a_separator_hidden_from_screen_readers_still_separates(text: Render) -> None:
    """Browsers show it; only its sign is no content."""
    assert text("<p>Home<span aria-hidden=true>·</span>About") == "Home About\n"


def test_an_icon_with_a_title_does_not_split_a_sentence(text: Render) -> None:
    assert text("<p>Write <svg><title>Letter</title></svg> to us") == "Write to us\n"


@pytest.mark.parametrize("html", ["<p>a&#27;[31mb</p>", "<pre>a&#27;[31mb</pre>", "<p>a\x07\x08[31mb</p>"])
def test_no_character_can_command_a_terminal(text: Render, html: str) -> None:
    assert text(html) == "a[31mb\n"


def test_characters_that_show_nothing_make_no_block(text: Render) -> None:
    assert text("<p>a</p><p>&#7;</p><p>b</p>") == "a\n\nb\n"


def test_options_change_no_kept_block(clean: Clean) -> None:
    page = clean("<ul><li>a<li>b</ul><table><tr><td>1<td>2<tr><td>3<td>4</table>")
    before = [block.kept for block in page]
    page.render("text", TextOptions(bullet="", cell_separator=""))
    assert [block.kept for block in page] == before == [True] * 6


_words = st.text("abc äß中\u200e", min_size=1).filter(str.strip)


@given(st.lists(st.tuples(st.sampled_from(["p", "h2", "li", "div", "blockquote", "pre"]), _words)))
def test_every_word_is_there_once_in_order(text: Render, blocks: list[tuple[str, str]]) -> None:
    html = "".join(f"<{tag}>{words}</{tag}>" for tag, words in blocks)
    shown = [word for line in text(html).splitlines() for word in line.removeprefix("- ").split()]
    assert shown == [word for _, words in blocks for word in words.split()]
