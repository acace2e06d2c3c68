"""Quotations that hold links and emphasis are one quotation in every format, and not one for each piece."""

from __future__ import annotations

import pytest
from keep_visible import clean_visible
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
