"""Markdown, judged by what a CommonMark parser reads in it."""

from __future__ import annotations

import re
from html import escape

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from keep_visible import Clean, Render
from markdown_it import MarkdownIt
from markdown_it.token import Token

from dehusk import OutputOptions

_PARSER = MarkdownIt("commonmark").enable("table")
_TEXT_ONLY = OutputOptions(formatting=False)
_EVERYTHING = OutputOptions(links=True, images=True)


def parsed(markdown: str) -> str:
    """The HTML a parser makes of it; paragraphs of tight lists are shown as well, line ends after tags are not."""
    tokens = _PARSER.parse(markdown)
    for token in tokens:
        token.hidden = False
    return re.sub(r">\n", ">", _PARSER.renderer.render(tokens, _PARSER.options, {}))


def blocks_of(markdown: str) -> list[tuple[str, str]]:
    """(tag of the element around it, text) of every run of inline content, and of code."""
    tokens = _PARSER.parse(markdown)
    found = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "inline" and before is not None:
            found.append((before.tag, _folded(_inline_text(token))))
        elif token.type in {"fence", "code_block"}:
            found.append(("code", token.content))
    return found


def _inline_text(token: Token) -> str:
    """What a reader sees of it; anything but text, code and marks shows that the syntax was taken for markup."""
    return "".join(
        " " if "break" in child.type else child.content for child in token.children or () if child.tag != "img"
    )


def _folded(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", ""),
        ("<p>one</p><p>two</p>", "<p>one</p><p>two</p>"),
        ("<h1>a</h1><h3>b <i>c</i></h3><h6>d</h6>", "<h1>a</h1><h2>b <em>c</em></h2><h3>d</h3>"),
        ("<h2>a<br>b</h2>", "<h2>a b</h2>"),
        ("<title>T</title><p>a", "<h1>T</h1><p>a</p>"),
        ("<p>a<br>b</p>", "<p>a<br />b</p>"),
        ("<p>a<br>b<br><br>c</p>", "<p>a<br />b</p><p>c</p>"),
        ("<blockquote>a</blockquote><p>b", "<blockquote><p>a</p></blockquote><p>b</p>"),
        ("<div>a</div><section>b</section>", "<p>a</p><p>b</p>"),
    ],
)
def test_blocks(markdown: Render, html: str, expected: str) -> None:
    assert parsed(markdown(html)) == expected


def test_ends_with_one_newline(markdown: Render) -> None:
    assert markdown("<p>b</p><h1>a</h1>") == "b\n\n# a\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li>a<li>b</ul>", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"),
        ("<ol><li>a<li>b</ol>", "<ol><li><p>a</p></li><li><p>b</p></li></ol>"),
        ("<ol start=7><li>a<li>b</ol>", '<ol start="7"><li><p>a</p></li><li><p>b</p></li></ol>'),
        ("<ol start=x><li>a</ol>", "<ol><li><p>a</p></li></ol>"),
        ("<ol start=-3><li>a</ol>", "<ol><li><p>a</p></li></ol>"),
        ("<ol start=99><li>a<li>b</ol>", '<ol start="99"><li><p>a</p></li><li><p>b</p></li></ol>'),
        ("<ol start=1986><li>a<li>b</ol>", '<ol start="1986"><li><p>a</p></li><li><p>b</p></li></ol>'),
        (
            "<ul><li>a<ul><li>b<ul><li>c</ul></ul><li>d</ul>",
            "<ul><li><p>a</p><ul><li><p>b</p><ul><li><p>c</p></li></ul></li></ul></li><li><p>d</p></li></ul>",
        ),
        (
            "<ol><li>a<ul><li>b<ol><li>c<li>d</ol></ul><li>e</ol>",
            "<ol><li><p>a</p><ul><li><p>b</p><ol><li><p>c</p></li><li><p>d</p></li></ol></li></ul></li>"
            "<li><p>e</p></li></ol>",
        ),
        ("<ul><li>a<br>b</ul>", "<ul><li><p>a<br />b</p></li></ul>"),
        ("<ul><li><p>a</p><p>b</p><li>c</ul>", "<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>"),
        (
            "<ul><li>a<ul><li><p>b</p><p>c</p></ul></ul>",
            "<ul><li><p>a</p><ul><li><p>b</p><p>c</p></li></ul></li></ul>",
        ),
        ("<ul><li>a</ul><p>b</p><ul><li>c</ul>", "<ul><li><p>a</p></li></ul><p>b</p><ul><li><p>c</p></li></ul>"),
        ("<ul><li>a</ul><ol><li>b</ol>", "<ul><li><p>a</p></li></ul><ol><li><p>b</p></li></ol>"),
    ],
)
def test_lists(markdown: Render, html: str, expected: str) -> None:
    assert parsed(markdown(html)) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(
            "<ul><li>a<ul><li>b</ul>c<li>d</ul>",
            "<ul><li><p>a</p><ul><li><p>b</p></li></ul><p>c</p></li><li><p>d</p></li></ul>",
            id="paragraph after an inner list",
        ),
        pytest.param(
            "<ol><li>a<pre>b</pre>c<li>d</ol>",
            "<ol><li><p>a</p><pre><code>b\n</code></pre><p>c</p></li><li><p>d</p></li></ol>",
            id="code",
        ),
        pytest.param(
            "<ul><li>a<blockquote>b</blockquote><li>c</ul>",
            "<ul><li><p>a</p><blockquote><p>b</p></blockquote></li><li><p>c</p></li></ul>",
            id="quote",
        ),
        pytest.param(
            "<ul><li><h3>a</h3>b<li>c</ul>",
            "<ul><li><h3>a</h3><p>b</p></li><li><p>c</p></li></ul>",
            id="heading",
        ),
        pytest.param(
            "<ul><li>a<ol start=3><li>b</ol></ul>",
            '<ul><li><p>a</p><ol start="3"><li><p>b</p></li></ol></li></ul>',
            id="inner list that starts at 3",
        ),
        pytest.param(
            "<ul><li>a<table><tr><th>b<th>c<tr><td>d<td>e</table><li>f</ul>",
            "<ul><li><p>a</p><table><thead><tr><th>b</th><th>c</th></tr></thead>"
            "<tbody><tr><td>d</td><td>e</td></tr></tbody></table></li><li><p>f</p></li></ul>",
            id="table",
        ),
        pytest.param(
            "<ul><li>a<li><img src=i.png>b</ul>",
            '<ul><li><p>a</p></li><li><p><img src="https://site.example/news/i.png" alt="" />b</p></li></ul>',
            id="image",
        ),
    ],
)
def test_what_is_inside_an_item_stays_inside(markdown: Render, html: str, expected: str) -> None:
    found = parsed(markdown(html, _EVERYTHING))
    # Whether an image stands beside the text or above it is a matter of taste.
    assert found.replace("></p><p>", ">") == expected


@pytest.mark.parametrize(
    "html",
    [
        "<p>x</p><ul><li><ul><li>a</ul></ul>",
        "<p>x</p><ul><ul><li>a</ul></ul>",
        "<p>x</p><ul><li><h3>y</h3><ul><li>a</ul></ul>",
        "<p>x</p><ul><li>noise<ul><li>a</ul></ul>",
    ],
)
def test_an_inner_list_without_an_outer_item_is_no_code(markdown: Render, html: str) -> None:
    """Four blanks before its marker, and nothing above to belong to, would make it an indented code block."""
    found = parsed(markdown(html, drop="noise"))
    assert "<code>" not in found
    assert "<li><p>a</p></li>" in found


def test_lists_that_follow_each_other_stay_two(markdown: Render) -> None:
    assert parsed(markdown("<ol><li>a</ol><ol><li>b</ol>")).count("<ol>") == 2
    assert parsed(markdown("<ul><li>a</ul><ul><li>b</ul>")).count("<ul>") == 2


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(
            "<blockquote><p>a</p><p>b</p></blockquote>",
            "<blockquote><p>a</p><p>b</p></blockquote>",
            id="two paragraphs",
        ),
        pytest.param(
            "<blockquote>a<blockquote>b</blockquote>c</blockquote>",
            "<blockquote><p>a</p><blockquote><p>b</p></blockquote><p>c</p></blockquote>",
            id="quote in quote",
        ),
        pytest.param(
            "<blockquote>a<ul><li>b<li>c</ul></blockquote>",
            "<blockquote><p>a</p><ul><li><p>b</p></li><li><p>c</p></li></ul></blockquote>",
            id="list",
        ),
        pytest.param(
            "<blockquote><h2>a</h2><pre>b\n\nc</pre></blockquote>",
            "<blockquote><h2>a</h2><pre><code>b\n\nc\n</code></pre></blockquote>",
            id="heading and code",
        ),
        pytest.param(
            "<blockquote>a</blockquote><blockquote>b</blockquote>",
            "<blockquote><p>a</p></blockquote><blockquote><p>b</p></blockquote>",
            id="two quotes",
        ),
        pytest.param(
            "<blockquote>x<table><tr><th>a<th>b<tr><td>c<td>d</table></blockquote>",
            "<blockquote><p>x</p><table><thead><tr><th>a</th><th>b</th></tr></thead>"
            "<tbody><tr><td>c</td><td>d</td></tr></tbody></table></blockquote>",
            id="table",
        ),
        pytest.param(
            "<blockquote>a<p><img src=/i.png>b</blockquote>",
            '<blockquote><p>a</p><p><img src="https://site.example/i.png" alt="" />b</p></blockquote>',
            id="image",
        ),
    ],
)
def test_quotes(markdown: Render, html: str, expected: str) -> None:
    assert parsed(markdown(html, _EVERYTHING)).replace("/></p><p>", "/>") == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("<tr><th>A<th>B<tr><td>1<td>2", [["A", "B"], ["1", "2"]]),
        ("<tr><td>1<td>2<tr><td>3<td>4", [["1", "2"], ["3", "4"]]),
        ("<tr><th colspan=2>A<th>B<tr><td>1<td>2<td>3", [["A", "", "B"], ["1", "2", "3"]]),
        ("<tr><th>A<th>B<tr><td colspan=2>wide", [["A", "B"], ["wide", ""]]),
        ("<tr><td><td>B<tr><td>1<td>2", [["", "B"], ["1", "2"]]),
        ("<tr><th>A<th>B<tr><td colspan=900>1<td>2", [["A", "B", ""], ["1", "", "2"]]),
        (r"<tr><td>a|b<td>\|<tr><td>||<td><code>c|d</code>", [["a|b", r"\|"], ["||", "c|d"]]),
        (
            "<tr><td><p>a</p><p>b</p><td>c<br>d<tr><td><ul><li>e<li>f</ul><td>g",
            [["a<br>b", "c<br>d"], ["- e<br>- f", "g"]],
        ),
        ("<tr><td><pre>a\n b|c</pre><td>d<tr><td>e<td>f", [["a<br> b|c", "d"], ["e", "f"]]),
        ("<tr><td># a<td>- b<tr><td>1. c<td>---", [["# a", "- b"], ["1. c", "---"]]),
    ],
)
def test_tables(markdown: Render, rows: str, expected: list[list[str]]) -> None:
    found = parsed(markdown(f"<table>{rows}</table>"))
    cells = [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", found)]
    assert [[re.sub("</?code>", "", cell) for cell in row] for row in cells] == expected


def test_a_caption_stands_above_its_table(markdown: Render) -> None:
    found = parsed(markdown("<table><caption>C</caption><tr><td>1<td>2<tr><td>3<td>4</table><p>x"))
    assert found.startswith("<p>C</p><table>")
    assert found.endswith("</table><p>x</p>")


def test_an_image_in_a_cell_stays_there(markdown: Render) -> None:
    html = "<p>x<table><tr><td>a<td><img src=/i.png alt=i>b<tr><td>c<td>d</table>"
    assert '<th><img src="https://site.example/i.png" alt="i" />' in parsed(markdown(html, _EVERYTHING))


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<pre>x</pre>", ""),
        ("<pre><code class='language-python'>x</code></pre>", "python"),
        ("<pre class='lang-c++ wide'>x</pre>", "c++"),
        ("<div class='highlight highlight-source-shell'><pre>x</pre></div>", "shell"),
        ("<pre class='brush: ruby'>x</pre>", "ruby"),
        ("<pre data-lang=go>x</pre>", "go"),
        ("<pre data-lang='a`b'>x</pre>", ""),
        ("<pre data-lang='a b'>x</pre>", ""),
        ("<pre>\n  <code class=language-css>x</code></pre>", "css"),
    ],
)
def test_language_of_code(markdown: Render, html: str, language: str) -> None:
    (token,) = _PARSER.parse(markdown(html))
    assert (token.type, token.info, token.content.strip()) == ("fence", language, "x")


_CODE = (
    "a\n  b\n\n\nc",
    "```\ninner\n```",
    "`````",
    "~~~",
    "# a\n* b\n<b>&amp;",
    "    indented\n\ttab",
    "a\\\nb|c",
    "trailing  ",
)


@pytest.mark.parametrize("code", _CODE)
def test_code_is_exact(markdown: Render, code: str) -> None:
    (token,) = _PARSER.parse(markdown(f"<pre>\n{escape(code)}</pre>"))
    assert token.content == f"{code}\n"


def test_code_lines_of_one_element_are_one_block(markdown: Render) -> None:
    (token,) = _PARSER.parse(markdown("<pre><code><div>a</div><div>b</div></code></pre>"))
    assert token.content == "a\nb\n"


@pytest.mark.parametrize(
    "code", ["x", "a`b", "`", "``", "`a", "a``b`c", "a*b*_c_", "a\\", "<b>", "&amp;", "a|b", "a ` b"]
)
def test_code_in_a_sentence_is_exact(markdown: Render, code: str) -> None:
    found = _PARSER.parse(markdown(f"<p>see <code>{escape(code)}</code> there"))
    assert [child.content for child in found[1].children or () if child.type == "code_inline"] == [code]


def marked(markdown: str) -> list[tuple[str, set[str]]]:
    """(text without blanks, tags around it) of one paragraph.

    Which of two marks is the outer one does not matter, nor whether a line break ends a mark and starts it anew.
    """
    found: list[tuple[str, set[str]]] = []
    tags: list[str] = []
    for token in _PARSER.parse(markdown)[1].children or ():
        if token.nesting:
            tags.append(token.tag) if token.nesting > 0 else tags.pop()
        elif text := "".join(token.content.split()):
            around = {*tags, *["code"] * (token.type == "code_inline")}
            before = found.pop() if found and found[-1][1] == around else ("", around)
            found.append((before[0] + text, around))
    return found


_STRONG, _EM, _CODE_TAG, _LINK = {"strong"}, {"em"}, {"code"}, {"a"}
_MARKS = {
    "blanks go outside": ("a<b> x </b>y", [("a", set()), ("x", _STRONG), ("y", set())]),
    "inside a word": ("a<b>x</b>y", [("a", set()), ("x", _STRONG), ("y", set())]),
    "nested": ("<b>a <i>b</i></b> c", [("a", _STRONG), ("b", _STRONG | _EM), ("c", set())]),
    "misnested": ("<b>a <i>b</b> c</i>", [("a", _STRONG), ("b", _STRONG | _EM), ("c", _EM)]),
    "empty": ("a<b> </b>b <i></i>c", [("abc", set())]),
    "code in bold": ("<b><code>a</code></b>", [("a", _STRONG | _CODE_TAG)]),
    "bold in code": ("<code>a<b>b</b></code>", [("ab", _CODE_TAG)]),
    "kbd and samp": (
        "<kbd>a</kbd>, <samp>b</samp>, <tt>c</tt>",
        [("a", _CODE_TAG), (",", set()), ("b", _CODE_TAG), (",", set()), ("c", _CODE_TAG)],
    ),
    "break inside": ("<b>a<br>b</b>", [("ab", _STRONG)]),
    "bold link": ("<b><a href=/x>a</a></b>", [("a", _STRONG | _LINK)]),
    "link with bold": ("<a href=/x>a <b>b</b></a>", [("a", _LINK), ("b", _STRONG | _LINK)]),
    "bold in bold": ("<b>a <strong>b</strong> c</b> d", [("abc", _STRONG), ("d", set())]),
    "code in code": ("<code>a <kbd>b</kbd> c</code>", [("abc", _CODE_TAG)]),
}


@pytest.mark.parametrize(("html", "expected"), _MARKS.values(), ids=_MARKS)
def test_emphasis(markdown: Render, html: str, expected: list[tuple[str, set[str]]]) -> None:
    found = marked(markdown(f"<p>{html}</p>", _EVERYTHING))
    assert found == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<b>注意：</b>正文", "注意：正文", id="punctuation before a letter"),
        pytest.param("a<b>“b”</b>c", "a“b”c", id="quotation marks inside a word"),
        pytest.param("<b>Note:&nbsp;</b>text", "Note: text", id="no-break space at the end"),
        pytest.param("<b>&nbsp;a</b> b", "a b", id="no-break space at the start"),
        pytest.param("<b>Note:<br></b>text", "Note: text", id="line break at the end"),
        pytest.param("x<b><br>a</b> b", "x a b", id="line break at the start"),
        pytest.param("<b>a</b><b>b</b>", "ab", id="bold beside bold"),
        pytest.param("<i>a</i><b>b</b>", "ab", id="bold beside italic"),
        pytest.param("<i>a</i><i>b</i>", "ab", id="italic beside italic"),
        pytest.param("a<b><code>b</code></b>c", "abc", id="code inside a word"),
        pytest.param("<b>*</b>", "*", id="star in bold"),
        pytest.param("<code>a</code><code>b</code>", "ab", id="code beside code"),
        pytest.param("<b><code>a</code></b><code>b</code>", "ab", id="code beside bold code"),
    ],
)
def test_marks_never_show(markdown: Render, html: str, expected: str) -> None:
    """Where Markdown cannot say it, the text comes first and emphasis second."""
    assert blocks_of(markdown(f"<p>{html}</p>")) == [("p", expected)]


@pytest.mark.parametrize(
    ("attributes", "target"),
    [
        ("href='b.html'", "https://site.example/news/b.html"),
        ("href='../c'", "https://site.example/c"),
        ("href='http://other.example/?a=1&amp;b=2#c'", "http://other.example/?a=1&amp;b=2#c"),
        ("href='a b(1).html'", "https://site.example/news/a%20b(1).html"),
        ("href='a)b'", "https://site.example/news/a%29b"),
        ("href='&lt;a&gt;\"'", "https://site.example/news/%3Ca%3E%22"),
        ("href='mailto:a@site.example'", "mailto:a@site.example"),
        ("href='javascript:alert(1)'", ""),
        ("href='data:text/html,x'", ""),
        ("name=top", ""),
        ("", ""),
    ],
)
def test_links(markdown: Render, attributes: str, target: str) -> None:
    expected = f'<p>go <a href="{target}">there</a> now</p>' if target else "<p>go there now</p>"
    assert parsed(markdown(f"<p>go <a {attributes}>there</a> now", _EVERYTHING)) == expected


def test_base_address(markdown: Render) -> None:
    found = markdown("<base href='https://cdn.example/d/'><p><a href=x>a</a>", _EVERYTHING)
    assert parsed(found) == '<p><a href="https://cdn.example/d/x">a</a></p>'


def test_brackets_in_link_text(markdown: Render) -> None:
    found = markdown("<p><a href=/x>a ] [b](c)</a></p>", _EVERYTHING)
    assert parsed(found) == '<p><a href="https://site.example/x">a ] [b](c)</a></p>'


def test_an_exclamation_mark_before_a_link_makes_no_image(markdown: Render) -> None:
    found = parsed(markdown("<p>Look!<a href=/x>here</a>", _EVERYTHING))
    assert found == '<p>Look!<a href="https://site.example/x">here</a></p>'


def test_a_link_around_a_heading(markdown: Render) -> None:
    found = parsed(markdown("<a href=/x><h2>a</h2></a>", _EVERYTHING))
    assert found == '<h2><a href="https://site.example/x">a</a></h2>'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a</p><img src=/i.png alt='x ] y'><p>b</p>", '<p>a</p><p><img src="{0}/i.png" alt="x ] y" /></p><p>b</p>'),
        ("<p>a <img src=/i.png> b</p>", '<p>a <img src="{0}/i.png" alt="" /> b</p>'),
        ("<p>a <a href=/l><img src=/i.png></a> b</p>", '<p>a <a href="{0}/l"><img src="{0}/i.png" alt="" /></a> b</p>'),
        ("<p>a <img src='javascript:x'> b</p>", "<p>a b</p>"),
        ("<p>a <img src='data:image/gif;base64,R0'> b</p>", "<p>a b</p>"),
        ("<p>a <img alt=none> b</p>", "<p>a b</p>"),
        ("<p>a <img src='' alt=none> b</p>", "<p>a b</p>"),
        ("<p>a <img data-src=/lazy.png> b</p>", '<p>a <img src="{0}/lazy.png" alt="" /> b</p>'),
        (
            "<p>a <img src='data:image/gif;base64,R0' data-src=/i.png> b</p>",
            '<p>a <img src="{0}/i.png" alt="" /> b</p>',
        ),
        ("<img src=/logo.png><p>a</p><img src=/pixel.png>", "<p>a</p>"),
    ],
)
def test_images(markdown: Render, html: str, expected: str) -> None:
    assert parsed(markdown(html, _EVERYTHING)) == expected.format("https://site.example")


def test_links_and_images_are_on_by_default(markdown: Render) -> None:
    html, site = "<p>a <a href=x>b</a> <img src=c alt=d> e", "https://site.example/news"
    assert markdown(html) == f"a [b]({site}/x) ![d]({site}/c) e\n"
    assert markdown(html, OutputOptions()) == "a b e\n"


@pytest.mark.parametrize(
    ("link", "is_kept"),
    [
        ("<a href=#kept>b</a>", True),
        ("<a href=#mark>b</a>", True),
        ("<a href=https://site.example/news/today.html#kept>b</a>", True),
        ("<a href=#dropped>b</a>", False),
        ("<a href=#missing>b</a>", False),
        ("<a href=#>b</a>", False),
        ("<a href=#own>b</a>", False),
        ("<a href=https://site.example/news/today.html#dropped>b</a>", False),
        ("<a href=other.html#missing>b</a>", True),
        ("<a href='javascript:x'>b</a>", False),
        ("<a>b</a>", False),
    ],
)
def test_links_within_the_page_lead_to_kept_text(markdown: Render, link: str, is_kept: bool) -> None:
    html = f"<p id=own>a {link}</p><p id=kept>c<p id=dropped>No.</p><a name=mark></a><p>d"
    assert markdown(html, drop="No.").startswith("a [b](http" if is_kept else "a b\n")


def test_no_white_space_at_the_start_of_a_paragraph(markdown: Render) -> None:
    """Chinese pages indent with ideographic spaces; the blocks' texts are without them."""
    assert markdown("<p>\u3000\u3000中文</p><p>\u3000<b>中</b>文</p><p>&nbsp;a</p>") == "中文\n\n**中**文\n\na\n"


def test_emphasis_can_be_off(markdown: Render) -> None:
    assert markdown("<p>a <b>b</b> <code>c</code>", _TEXT_ONLY) == "a b c\n"


def test_no_character_can_command_a_terminal(markdown: Render) -> None:
    assert "\x1b" not in markdown("<p>a&#27;[31mb</p><pre>&#27;[2J</pre><p><a href=x>b&#7;</a>", _EVERYTHING)


_PAGE = "<h1>a</h1><p>b <a href=x>c</a> <b>d</b><p hidden>e</p><img src=f><ul><li>g</ul><pre>h</pre>"


@pytest.mark.parametrize("formatting", [True, False])
@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("images", [True, False])
def test_options_change_no_kept_block(clean: Clean, formatting: bool, links: bool, images: bool) -> None:
    page = clean(_PAGE)
    before = [block.kept for block in page]
    rendered = page.render("markdown", OutputOptions(links, images, formatting=formatting))
    assert [text for _, text in blocks_of(rendered) if text] == ["a", "b c d", "g", "h\n"]
    assert [block.kept for block in page] == before


# Texts made of what means something in Markdown, alone and in the company that gives it its meaning.
_SNIPPETS = (
    *r"\`*_{}[]()<>#+-.!|~&:=^$%@'",
    *("**", "__", "***", "~~~", "```", "---", "===", "| a |", "|-|", ":-:", "- ", "+ ", "* ", "> ", "# ", "## "),
    *("1. ", "12) ", "&amp;", "&#42;", "&x", "[a](b)", "![a](b)", "[a]: b", "<b>", "<!--", "<a@b.example>", "\\\\"),
    *("__init__", "snake_case", "http://a.example", "a", "b1", "é", "中", "。", "“", " ", " ", "\t", "\xa0", "\n"),
)
_meta_text = st.lists(st.sampled_from(_SNIPPETS), min_size=1, max_size=12).map("".join).filter(str.strip)


def _without_edges(text: str) -> str:
    return " ".join(text.split())


@given(st.lists(_meta_text, min_size=1, max_size=3))
@example(["__init__"])
@example(["a", "==="])
@example(["a|b", "-|-"])
def test_a_paragraph_of_any_text_is_that_paragraph(markdown: Render, lines: list[str]) -> None:
    found = blocks_of(markdown("<p>" + "<br>".join(map(escape, lines)), _TEXT_ONLY))
    assert found == [("p", _without_edges(" ".join(lines)))]


@given(_meta_text, st.integers(1, 6))
@example("a #", 2)
@example("#", 1)
def test_a_heading_of_any_text_is_that_heading(markdown: Render, text: str, level: int) -> None:
    above = "".join(f"<h{outer}>x</h{outer}>" for outer in range(1, level))
    *_, found = blocks_of(markdown(f"{above}<h{level}>{escape(text)}</h{level}>", _TEXT_ONLY))
    assert found == (f"h{level}", _without_edges(text))


@given(st.lists(_meta_text, min_size=1, max_size=4), st.sampled_from(["ul", "ol"]))
def test_list_items_of_any_text_are_those_items(markdown: Render, items: list[str], kind: str) -> None:
    html = "".join(f"<li>{escape(item)}" for item in items)
    found = markdown(f"<{kind}>{html}</{kind}>", _TEXT_ONLY)
    assert blocks_of(found) == [("p", _without_edges(item)) for item in items]
    tags = [token.tag for token in _PARSER.parse(found) if token.nesting == 1]
    assert tags == [kind, *["li", "p"] * len(items)]


@given(st.lists(_meta_text, min_size=4, max_size=4))
@example(["a\\", "|", "\\|", "b"])
def test_cells_of_any_text_are_those_cells(markdown: Render, texts: list[str]) -> None:
    cells = [escape(text) for text in texts]
    html = f"<table><tr><th>{cells[0]}<th>{cells[1]}<tr><td>{cells[2]}<td>{cells[3]}</table>"
    expected = list(zip(["th", "th", "td", "td"], map(_without_edges, texts), strict=True))
    assert blocks_of(markdown(html, _TEXT_ONLY)) == expected


_inline = st.recursive(
    st.one_of(
        st.sampled_from(["a", "b ", " c", "d.", "(", "“", "注：", "*", "_", "!", "&nbsp;", "`"]), st.just("<br>")
    ),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag.split()[0]}>",
        st.sampled_from(["b", "i", "strong", "em", "code", "a href=/x", "span"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@given(st.lists(_inline, min_size=1, max_size=4).map("".join))
def test_any_inline_markup_keeps_the_text(clean: Clean, html: str) -> None:
    page = clean(f"<p>{html}</p>")
    assume(len(page) == 1)
    (block,) = page
    rendered = page.render("markdown", OutputOptions(links=True))
    # Blanks around marks may move, as they do in "<b>a </b>b"; nothing else may.
    assert ["".join(text.split()) for _, text in blocks_of(rendered)] == ["".join(block.text.split())]


@given(st.text(min_size=1).filter(lambda text: "\r" not in text))
def test_code_of_any_text_is_exact(clean: Clean, code: str) -> None:
    page = clean(f"<pre>\n{escape(code)}</pre>")
    assume(len(page) == 1)
    (block,) = page
    assume(block.text)
    (token,) = _PARSER.parse(page.render("markdown", OutputOptions(raw_characters=True)))
    assert token.content == f"{block.text}\n"


@pytest.mark.parametrize("drop", ["", "Run"])
@pytest.mark.parametrize(("after", "expected"), [(" to see it.", "Press Run to see it.\n"), (".", "Press Run.\n")])
def test_a_button_does_not_split_its_sentence(markdown: Render, drop: str, after: str, expected: str) -> None:
    assert markdown(f"<p>Press <button type=button>Run</button>{after}</p>", drop=drop) == expected


def test_a_button_beside_paragraphs_stays_apart(markdown: Render) -> None:
    assert markdown("<p>Above.</p><button>Run</button><p>Below.</p>") == "Above.\n\nRun\n\nBelow.\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Between $5 and $10.", r"Between \$5 and \$10."),
        ("<p><b>$5</b> or $10.", r"**\$5** or \$10."),
        ("<p>From $5, for \\(x^2\\).", r"From \$5, for $x^2$."),
        ("<p>Only $5.", "Only $5."),
        ("<p>Set <code>$a</code> to <code>$b</code>, for $5.", "Set `$a` to `$b`, for $5."),
    ],
    ids=["prices", "marked", "beside a formula", "alone", "code"],
)
def test_prices_are_no_formula(markdown: Render, html: str, expected: str) -> None:
    assert markdown(html) == f"{expected}\n"
