"""Quotations that hold links and emphasis are one quotation in every format, and not one for each piece."""

from __future__ import annotations

import pytest
from keep_visible import Render, clean_visible
from valid_outputs import EVERYTHING, assert_all_valid, body_of

LINK = '<a href="https://site.example/news/p" rel="noopener noreferrer">'


@pytest.mark.parametrize(
    ("html", "markdown", "body"),
    [
        (
            "<q>see <a href=p>this</a> now</q>",
            "“see [this](https://site.example/news/p) now”",
            f"<q>see {LINK}this</a> now</q>",
        ),
        ("a <q>see <b>this</b> now</q> b", "a “see **this** now” b", "a <q>see <strong>this</strong> now</q> b"),
        (
            "<a href=p>x <q>see <b>this</b></q></a> <q>y</q>",
            "[x “see **this**”](https://site.example/news/p) “y”",
            f"{LINK}x <q>see <strong>this</strong></q></a> <q>y</q>",
        ),
        ("<q>H<sub>2</sub>O <code>x</code></q>", "“H<sub>2</sub>O `x`”", "<q>H<sub>2</sub>O <code>x</code></q>"),
        ("<q>&<a href=p><</a></q>", "“&[\\<](https://site.example/news/p)”", f"<q>&amp;{LINK}&lt;</a></q>"),
    ],
    ids=["a link inside", "emphasis inside", "inside a link", "marks that go inside anyway", "text without letters"],
)
def test_a_quotation_is_written_once(html: str, markdown: str, body: str) -> None:
    page = clean_visible(f"<p>{html}")
    assert page.render("markdown", EVERYTHING) == f"{markdown}\n"
    assert body_of(page.render("html")) == f"<p>{body}</p>"
    assert page.render("xml").count("<q>") == page.render("tei").count("<q>") == body.count("<q>")
    assert_all_valid(page)


def test_pull_quotes_are_quotations() -> None:
    def markdown(html: str) -> str:
        return clean_visible(html).render("markdown")

    assert markdown("<p>a</p><div class=pull-quote>Said once.</div><p>b</p>") == "a\n\n> Said once.\n\nb\n"
    html = "<p>a</p><figure class=wp-block-pullquote><blockquote><p>Said once.</p></blockquote></figure>"
    assert markdown(html) == "a\n\n> Said once.\n"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        pytest.param(
            "<p>a</p><blockquote class=example><pre>b = 1</pre></blockquote>", "a\n\n```\nb = 1\n```\n", id="nginx"
        ),
        pytest.param(
            "<p>a</p><blockquote><div><ul><li>b<li>c</ul></div></blockquote>", "a\n\n- b\n- c\n", id="docutils"
        ),
        pytest.param(
            "<ul><li><p>a</p>\n<blockquote>\n<div><p>b</p><pre>c</pre></div></blockquote>\n</li></ul>",
            "- a\n\n  b\n\n  ```\n  c\n  ```\n",
            id="docutils, in an item",
        ),
        pytest.param(
            "<p>a</p><blockquote><p><a href=/b.c>b.c</a></p></blockquote>",
            "a\n\n[b.c](https://site.example/b.c)\n",
            id="a link",
        ),
        pytest.param("<blockquote><div><p>a</p></div></blockquote>", "> a\n", id="words are a quotation"),
        pytest.param("<ul><li>a<blockquote><p>b</p></blockquote></ul>", "- a\n\n  > b\n", id="also in an item"),
        pytest.param(
            "<blockquote><p>a</p><pre>b</pre></blockquote>", "> a\n>\n> ```\n> b\n> ```\n", id="code that is quoted"
        ),
    ],
)
def test_a_quotation_that_only_indents_is_none(html: str, markdown: str) -> None:
    assert clean_visible(html).render("markdown") == markdown


_PHPBB = """<span class=postbody>a</span><table width=90%><tr><td><span class=genmed><b>nora wrote:</b></span></td></tr>
<tr><td class=quote>Mind the gap.<br />And the door.</td></tr></table><span class=postbody><br />b</span>"""


def test_what_a_post_quotes_in_a_table() -> None:
    expected = "a\n\n**nora wrote:**\n\n> Mind the gap.\\\n> And the door.\n\nb\n"
    assert clean_visible(_PHPBB).render("markdown") == expected


@pytest.mark.parametrize("name", ["quotecontent", "quotemain", "bbcode_quote"])
def test_what_a_post_quotes(name: str) -> None:
    html = f"<p>a</p><div class={name}>b<div class={name}>c</div></div><p>d</p>"
    assert clean_visible(html).render("markdown") == "a\n\n> b\n>\n> > c\n\nd\n"
    assert clean_visible("<p>a</p><div class=quote>EUR 5</div>").render("markdown") == "a\n\nEUR 5\n"


_VBULLETIN = """a<div style="margin:20px; margin-top:5px;"><div class="smallfont">Quote:</div><table><tr>
<td class="alt2" style="border:1px inset"><div>Originally Posted by <strong>nora</strong></div>
<div style="font-style:italic">Mind the gap.</div></td></tr></table></div>b"""


def test_what_a_post_of_vbulletin_3_quotes() -> None:
    expected = "a\n\nQuote:\n\n> Originally Posted by **nora**\n>\n> Mind the gap.\n\nb\n"
    assert clean_visible(_VBULLETIN).render("markdown") == expected
    assert ">" not in clean_visible(_VBULLETIN.replace("inset", "solid")).render("markdown")


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<div class=quoteheader>Quote from: nora</div><div class=quote>{0}</div>", id="SMF 1"),
        pytest.param("<div class=ubbcode-block><div class=ubbcode-body>{0}</div></div>", id="UBB.threads"),
        pytest.param("<div class=Quote><div class=QuoteText><p>{0}</p></div></div>", id="Vanilla"),
        pytest.param("<div class=blockquote><p>{0}</p></div>", id="Bootstrap"),
        pytest.param("<blockquote><div class=blockquote>{0}</div></blockquote>", id="marked up twice"),
        pytest.param("<div class=pull-quote_pullQuote__g89pR><p>{0}</p></div>", id="CSS modules"),
        pytest.param("<aside class=PullQuoteEmbedWrapper-sc-EoV><div>{0}</div></aside>", id="styled components"),
        pytest.param("<div class=Pullquote-pullquote><div class=Pullquote-quote>{0}</div></div>", id="React"),
    ],
)
def test_quotations_of_tools(html: str) -> None:
    markdown = clean_visible(f"<p>a</p>{html.format('Mind the gap.')}<p>b</p>").render("markdown")
    assert markdown.endswith("\n\n> Mind the gap.\n\nb\n")


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(
            '<article><blockquote class="messageText SelectQuoteContainer ugc baseHtml">'
            '<div class="bbCodeBlock bbCodeQuote"><aside><blockquote class="quoteContainer"><div class="quote">'
            "Mind the gap.</div></blockquote></aside></div>I do.</blockquote></article>",
            id="XenForo 1",
        ),
        pytest.param(
            '<div class="content"><blockquote class="postcontent restore"><div class="bbcode_quote">Mind the gap.'
            "</div>I do.</blockquote></div>",
            id="vBulletin 4",
        ),
        pytest.param(
            '<div class="usertext-body"><div class="md"><blockquote><p>Mind the gap.</p></blockquote><p>I do.</p>'
            "</div></div>",
            id="old Reddit",
        ),
        pytest.param(
            '<shreddit-comment><div slot="comment"><blockquote><p>Mind the gap.</p></blockquote><p>I do.</p></div>'
            "</shreddit-comment>",
            id="Reddit",
        ),
    ],
)
def test_posts_are_no_quotations_but_have_some(html: str) -> None:
    assert clean_visible(f"<p>a</p>{html}").render("markdown") == "a\n\n> Mind the gap.\n\nI do.\n"


def test_an_aside_that_is_a_quotation() -> None:
    html = "<p>a</p><aside id=x><q>Mind the gap.</q></aside><p>b</p>"
    assert clean_visible(html).render("markdown") == "a\n\n> “Mind the gap.”\n\nb\n"
    with_more = html.replace("<q>", "They say: <q>")
    assert ">" not in clean_visible(with_more).render("markdown")


_LONG = "Mind the gap between the train and the edge of the platform."


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<div class=quote>{0}</div>", id="Slashdot, Fandom"),
        pytest.param("<div class='paragraph paragraph--type--quote'><p>{0}</p></div>", id="Drupal"),
        pytest.param("<div class=article__blockquote><p>{0}</p></div>", id="news"),
        pytest.param("<p class=Quote_root__x1>{0}</p>", id="CSS modules"),
        pytest.param("<div class=elementor-testimonial-content>{0}</div>", id="Elementor"),
        pytest.param("<div class=et_pb_testimonial><div class=et_pb_testimonial_content>{0}</div></div>", id="Divi"),
    ],
)
def test_quotations_that_sites_name_themselves(html: str) -> None:
    page = clean_visible(f"<p>a</p>{html.format(_LONG)}<p>b</p>")
    assert page.render("markdown") == f"a\n\n> {_LONG}\n\nb\n"


@pytest.mark.parametrize(
    "html",
    [
        "<div class=get-quote>{0}</div>",
        "<div class=quote-author>{0}</div>",
        "<div class=quote>EUR 5</div>",
        "<div class=quote>{0} <a href=/x>Ask for yours</a></div>",
        "<div class=prose-blockquote:pl-10>{0}</div>",
        "<div class=testimonial-name>{0}</div>",
    ],
)
def test_other_names_are_no_quotations(html: str) -> None:
    assert ">" not in clean_visible(f"<p>a</p>{html.format(_LONG)}").render("markdown")


def test_the_name_above_what_phpbb_quotes_is_a_line(markdown: Render) -> None:
    name = "<cite><a href=/u>ida</a> wrote: <span>Mon Jan 01</span></cite>"
    quote = f"<blockquote><div>{name}The clock stops.</div></blockquote>"
    assert markdown(quote) == "> [ida](https://site.example/u) wrote: Mon Jan 01\\\n> The clock stops.\n"
    assert markdown("<blockquote><p>The clock stops. <cite>ida</cite></p></blockquote>") == "> The clock stops. ida\n"
    assert markdown("<p><cite>Clocks</cite> is a book.</p>") == "Clocks is a book.\n"
