"""The cleaneval format: what becomes a header, a list item or a paragraph, and text that looks like a tag."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.lab.gold.gold_alignment import Segment, read_marked
from dehusk.methods.sequence_labels.text_runs import RunLabel

LONG = "Steep the leaves for three minutes and no longer than that, or the tea is bitter. " * 4


def rendered(html: str, options: dehusk.CleanEvalOptions | None = None) -> str:
    model = dehusk.SatisfiableSubtree().fit()  # a rule that stays, while the default is trained
    return dehusk.clean(html, model, url="https://a.example/tea").render("cleaneval", options)


def test_kinds_become_tags() -> None:
    html = f"""<title>Tea</title><h2>Green\n tea</h2><p>{LONG}</p><ul><li>leaves<li><p>water</ul>
    <table><tr><th>cups<td>2</table><pre>boil\n  steep</pre><blockquote>Drink.</blockquote>"""
    assert rendered(html).splitlines() == [
        "<h>Tea",
        "<h>Green tea",
        f"<p>{LONG.strip()}",
        "<l>leaves",
        "<l>water",
        "<p>cups",
        "<p>2",
        "<p>boil steep",
        "<p>Drink.",
    ]


def test_nothing_kept_is_nothing_written() -> None:
    assert rendered("") == ""


def test_the_address_is_written_if_asked_for_and_known() -> None:
    html = f"<p>{LONG}"
    with_address = dehusk.CleanEvalOptions(url=True)
    assert rendered(html, with_address) == f"URL: https://a.example/tea\n\n{rendered(html)}"
    model = dehusk.SatisfiableSubtree().fit()
    assert dehusk.clean(html, model).render("cleaneval", with_address) == rendered(html)
    assert read_marked(rendered(html, with_address)) == read_marked(rendered(html))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("&lt;p> and &lt;/P>", "< p> and < /P>"),
        ("&lt;h>&lt;l>", "< h>< l>"),
        ("&lt;br>, a &lt;p b, R&amp;D &amp;lt;", "<br>, a <p b, R&D &lt;"),
        ("&lt;h&lt;x", "<h<x"),
        ("URL: https://b.example", "URL: https://b.example"),
    ],
)
def test_text_is_not_mistaken_for_tags(text: str, written: str) -> None:
    assert rendered(f"<p>{LONG}</p><p>{text}</p>") == f"<p>{LONG.strip()}\n<p>{written}\n"
    assert read_marked(f"<p>{written}") == (Segment(RunLabel.PARAGRAPH, written),)


@given(st.lists(st.text(st.sampled_from("ab <>/hplHPL.\n&"), min_size=1), max_size=5))
def test_every_line_is_read_as_one_segment(texts: list[str]) -> None:
    escaped = (text.replace("&", "&amp;").replace("<", "&lt;") for text in texts)
    written = rendered(f"<p>{LONG}</p>" + "".join(f"<p>{text}</p>" for text in escaped))
    assert len(read_marked(written)) == len(written.splitlines())
