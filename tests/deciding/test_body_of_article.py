"""What the page itself calls the body of its article is kept, if the scores drop it."""

from __future__ import annotations

import json

import pytest
from test_kept_together import kept, labelled

import dehusk

TEXTS = [
    "The kettle is filled with fresh water every morning, before anybody else in the house is up.",
    "Then the leaves are weighed, and the pot is warmed with the first of the hot water.",
    "After four minutes the tea is poured through a sieve, and is drunk without any milk.",
]
NOTICE = "Subscribe to our letter, and get news about kettles, cups and pots once a week."


def page(body: object, texts: list[str] = TEXTS) -> str:
    stored = json.dumps({"@type": "NewsArticle", "articleBody": body})
    return f"<script type=application/ld+json>{stored}</script><p>{NOTICE}<p>" + "<p>".join(texts)


@pytest.mark.parametrize("page_type", dehusk.PAGE_TYPES)
def test_a_body_that_the_scores_drop_is_kept(page_type: str) -> None:
    assert kept(page(" ".join(TEXTS)), [0.9, 0.2, 0.2, 0.2], page_type=page_type)[1:] == "+++"


@pytest.mark.parametrize("separator", ["\n", '</p>\n<p class="x">', "&lt;br&gt;", " \u2026 ", "\u00a0"])
def test_however_it_is_stored(separator: str) -> None:
    assert kept(page(separator.join(TEXTS).upper()), [0.2] * 4) == "-+++"


def test_if_most_of_it_is_kept_the_scores_decide() -> None:
    kinds = ("green", "black", "white", "yellow", "smoked", "pressed", "scented", "powdered")
    teas = [
        f"Of {kind} tea, a {kind} leaf is put into a {kind} pot, until the {kind} water is sweet." for kind in kinds
    ]
    assert kept(page(" ".join(teas), teas), [0.1, 0.9, 0.1, *[0.9] * 6]) == "-+-++++++"
    assert kept(page(" ".join(teas), teas), [0.1, 0.9, *[0.2] * 4, *[0.9] * 3]) == "-++++++++"


@pytest.mark.parametrize("body", ["", TEXTS[0], ["a list"], None, {"of": "more"}])
def test_what_is_no_body_of_this_page_says_nothing(body: object) -> None:
    assert kept(page(body), [0.9, 0.2, 0.2, 0.2]) == "+---"


def test_a_page_with_a_body_is_not_empty() -> None:
    texts = [f"{text} So it is in part {number} of the story." for number, text in enumerate(TEXTS * 2)]
    links = "".join(f"<li><a href=/{number}>{text}</a>" for number, text in enumerate(texts))
    body = json.dumps({"articleBody": " ".join(texts)})
    html = f"<script type=application/ld+json>{body}</script><title>Tea</title><ul class=menu>{links}</ul>"
    assert kept(html, [0.9, *[0.3] * 6], page_type="empty") == "+++++++"
    assert kept(html.replace("articleBody", "body"), [0.9, *[0.3] * 6], page_type="empty") == "+------"


def test_what_is_surely_no_content_is_left_out() -> None:
    assert kept(page(" ".join(TEXTS)), [0.9, 0.1, 0.1, 0.1]) == "+---"


def test_a_second_copy_and_hidden_text_are_left_out() -> None:
    html = page(" ".join(TEXTS), [*TEXTS, TEXTS[0]]) + f"<p hidden>{TEXTS[1]}"
    assert kept(html, [0.2] * 6) == "-+++--"


def test_the_reason_is_told() -> None:
    reasons = labelled(page(" ".join(TEXTS)), [0.2] * 4).reasons
    assert [reason[-1] for reason in reasons[1:]] == [
        "kept as the page's own data call it the text of the article (rule body-of-article)"
    ] * 3
