"""Text in JSON-LD that the page does not show."""

from __future__ import annotations

import json
from html import escape

import numpy as np
import pytest
from all_columns import same_page
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.page import json_ld
from dehusk.page.page_reading import read_page

SENTENCES = [
    f"Sentence number {number} of the story says that the {thing} of the old mill was mended in spring {1900 + number}."
    for number, thing in enumerate("wheel roof door shaft floor stone sluice gear ladder bell".split())
]
STORY = " ".join(SENTENCES)
HEAD = "<!doctype html><html><head><title>The mill</title>{script}</head>"
BODY = """<body class="wide">{article}<nav><a href="/">Home</a> <a href="/news">News</a></nav>{shown}
<p>Sign in to read on.</body></html>"""


def script_with(**told: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(told)}</script>'


def page_with(shown: str = "", article: str = "", **told: object) -> str:
    return HEAD.format(script=script_with(**told)) + BODY.format(shown=shown, article=article)


def test_an_article_that_is_not_shown_is_text_of_the_page() -> None:
    assert STORY in dehusk.clean(page_with(**{"@type": "NewsArticle", "articleBody": STORY})).text


@pytest.mark.parametrize("paragraphs", [[STORY], [STORY, SENTENCES[0].replace("story", "tale")], SENTENCES])
def test_it_is_read_as_if_it_stood_where_the_body_begins(paragraphs: list[str]) -> None:
    told = {"@type": "NewsArticle", "articleBody": "\n\n".join(paragraphs)}
    article = "".join(f"<p>{escape(one)}</p>" for one in paragraphs)
    # Shown, so it is not added once more.
    by_hand = page_with(article=f"<article>{article}</article>", **told)
    assert same_page(read_page(page_with(**told)), read_page(by_hand))


@pytest.mark.parametrize(
    "html",
    [
        "<title>x</title>{script}<p>Sign in",
        "{script}",
        "{script}<frameset><frame src=a></frameset>",
        "<body>{script}",
        "<b>1<p>2</b>{script}<table><td>3",
        "<template><body></template>{script}<p>4",
    ],
)
def test_wherever_the_script_stands(html: str) -> None:
    page = read_page(html.format(script=script_with(articleBody=STORY)))
    assert STORY in page.text
    rows = np.arange(len(page))
    assert (page.parent < rows).all()
    assert (page.subtree_end > rows).all()
    assert (page.subtree_end <= page.subtree_end[np.maximum(page.parent, 0)]).all()


def test_a_page_that_shows_its_article_stays_as_it_is() -> None:
    shown = "".join(f"<p>{sentence.replace(' of ', '  of<i> </i>')}</p>" for sentence in SENTENCES)
    assert json_ld.unshown_paragraphs(read_page(page_with(shown, articleBody=STORY))) == []
    assert read_page(page_with(shown, articleBody=STORY)).text.count("wheel") == 1


def test_only_what_is_missing_is_added() -> None:
    shown = f"<p>{' '.join(SENTENCES[:3])}</p>"
    page = read_page(page_with(shown, articleBody=STORY))
    assert all(page.text.count(sentence) == 1 for sentence in SENTENCES)


def test_a_page_that_shows_most_of_it_stays_as_it_is() -> None:
    page = read_page(page_with(f"<p>{' '.join(SENTENCES[:7])}</p>", articleBody=STORY))
    assert SENTENCES[8] not in page.text


def test_markup_and_entities_are_not_text() -> None:
    told = "".join(f"&lt;p class='a'&gt;{sentence} &amp;amp; &amp;nbsp;more&lt;/p&gt;" for sentence in SENTENCES)
    page = read_page(page_with(articleBody=told))
    assert f"{SENTENCES[0]} & \xa0more" in page.text
    assert "class" not in page.text


def test_products_are_described() -> None:
    about = {"@type": ["Thing", "https://schema.org/Product"], "description": STORY}
    assert STORY in read_page(page_with(**about)).text
    assert STORY not in read_page(page_with(**{"@type": "WebPage", "description": STORY})).text


@pytest.mark.parametrize("told", [SENTENCES[0], "", None, 7, [STORY], {"@value": STORY}])
def test_little_or_nothing_told_adds_nothing(told: object) -> None:
    assert "mill was" not in read_page(page_with(articleBody=told)).text


def test_what_cannot_be_text_is_left_out() -> None:
    text = read_page(page_with(articleBody=f"\ud800{STORY}\0{STORY[::-1]}")).text
    assert "\ufffd" in text
    assert "\0" not in text
    text.encode()


def test_chinese_has_sentences_without_blanks() -> None:
    sentences = [f"第{number}句话说老磨坊的水轮在春天修好了并且转得很快。" * 2 for number in range(10)]
    page = read_page(page_with(f"<p>{sentences[0]}", articleBody="".join(sentences)))
    assert page.text.count(sentences[0][: len(sentences[0]) // 2]) == 2
    assert sentences[9] in page.text


@given(st.lists(st.text(max_size=60), max_size=8), st.text(max_size=300))
def test_any_text_gives_a_page(paragraphs: list[str], shown: str) -> None:
    told = "\n".join((STORY, *paragraphs))
    page = read_page(page_with(escape(shown), articleBody=told))
    assert len(dehusk.clean(page).text) >= 0
    assert page.text_end[0] == len(page.text)


def test_time_does_not_grow_with_the_number_of_sentences() -> None:
    """Each is looked for in all that is shown, so only a thousand are; the rest is treated like the last of them."""
    sentences = [f"In the year {number} the old mill was mended." for number in range(10_000, 12_000)]
    stored = " ".join(sentences)
    page = read_page(page_with(f"<p>{' '.join(sentences[:1000])}", articleBody=stored))
    assert json_ld.unshown_paragraphs(page) == []
    page = read_page(page_with(f"<p>{' '.join(sentences[:900] + sentences[1000:])}", articleBody=stored))
    assert page.text.count(sentences[-1]) == 2
