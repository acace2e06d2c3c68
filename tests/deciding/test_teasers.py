"""What else the site has, below an article."""

from __future__ import annotations

import pytest
from single_rules import dropped_by

import dehusk
from dehusk.blocks.segmentation import segment
from dehusk.page.page_reading import read_page

TITLE = "A morning at the old bindery"
URL = "https://bindery.example/news/a-morning"
PARAGRAPH = "<p>Nobody in the house had seen paper of that kind before, and nobody has since that day in May.</p>"
OTHERS = [
    "Hard water and what it does",
    "Four kettles on one shelf",
    "The last ferry of the year",
    "Bread without salt",
]


def teaser(headline: str, address: str = "/news/{}", before: str = "") -> str:
    link = address.format(headline.replace(" ", "-"))
    return (
        f"<li class=item>{before}<h4><a href='{link}'>{headline}</a></h4>"
        f"<p class=lead>In short: {headline} is what the whole town talks about.</p></li>"
    )


def article(inside: str = "", heading: str = TITLE) -> str:
    return f"<article><h1>{heading}</h1>{PARAGRAPH * 4}{inside}</article>"


def page(*parts: str, title: str = f"{TITLE} | The Bindery") -> str:
    return f"<title>{title}</title><body>{''.join(parts)}"


def listed(*teasers: str) -> str:
    return f"<section><h2>Read on</h2><ul>{''.join(teasers)}</ul></section>"


def found(html: str, url: str = URL) -> list[str]:
    """The texts that are teasers, if everything is kept."""
    blocks = segment(read_page(html, url=url))
    teasers = dropped_by("teasers", blocks, ~blocks.hidden, "article")
    return [text for text, is_teaser in zip(blocks.texts, teasers, strict=True) if is_teaser]


@pytest.mark.parametrize("url", [URL, ""], ids=["known address", "no address"])
def test_headlines_go_with_their_texts(url: str) -> None:
    texts = found(page(article(), listed(*map(teaser, OTHERS))), url)
    assert texts[::2] == OTHERS
    assert all(text.startswith("In short") for text in texts[1::2])
    assert len(texts) == 2 * len(OTHERS)


def test_what_stands_between_teasers_belongs_to_them() -> None:
    dated = [teaser(other, before=f"<div>The Bindery, {hours} hours ago</div>") for hours, other in enumerate(OTHERS)]
    texts = found(page(article(), listed(*dated)))
    assert texts[0] == OTHERS[0]
    assert sum("hours ago" in text for text in texts) == len(OTHERS) - 1


@pytest.mark.parametrize(
    "html",
    [
        page(article(), listed(*map(teaser, OTHERS[:2]))),
        page(article("".join(map(teaser, OTHERS)))),
        page(listed(*map(teaser, OTHERS)), article()),
        page(article(), listed(*(teaser(other, "https://shop-{}.example/") for other in OTHERS))),
        page(article(), listed(*(teaser(other, "https://elsewhere.example/{}") for other in OTHERS))),
        page(article(), listed(*(teaser(other, "/news/the-same") for other in OTHERS))),
        page(article(heading="Other news"), listed(*map(teaser, OTHERS)), title="The Bindery"),
        page(f"<h1>{TITLE}</h1>", listed(*map(teaser, OTHERS))),
        page(article(), listed(*(f"<li><a href=/{n}>{other}</a></li>" for n, other in enumerate(OTHERS)))),
        page(listed(*map(teaser, OTHERS))),
        page(article()),
        "",
    ],
    ids=[
        *("too few", "a list of the article", "above it", "of many sites", "of another site", "one page"),
        *("no title", "no article", "no texts", "nothing else", "no list", "empty"),
    ],
)
def test_other_lists_are_none(html: str) -> None:
    assert found(html) == []


def test_text_between_two_lists_is_not_swallowed() -> None:
    """Teasers above and below the article look alike."""
    first, *others = OTHERS
    html = page(listed(teaser(first)), article(), listed(*map(teaser, others)))
    assert not any("seen paper" in text for text in found(html))


def test_an_article_is_kept_without_them() -> None:
    html = page(article(), listed(*map(teaser, OTHERS)))
    cleaned = dehusk.clean(html, url=URL)
    assert cleaned.page_type == "article"
    assert "seen paper" in cleaned.text
    assert "In short" not in cleaned.text


def test_ten_thousand_teasers_take_no_time() -> None:
    texts = found(page(article(), listed(*(teaser(f"Headline number {number}") for number in range(10_000)))))
    assert len(texts) == 20_000


@pytest.mark.parametrize("name", ["et_pb_posts et_pb_module", "kg-card kg-signup-card", "jp-relatedposts"])
def test_modules_amid_a_text_are_known_by_their_classes(name: str) -> None:
    module = f"<div class='{name}'><h2>More from the shed</h2><p>A letter each Friday.</p></div>"
    text = article(module + PARAGRAPH)
    assert found(page(text)) == ["More from the shed", "A letter each Friday."]
    assert found(page(text.replace(name, "et_pb_text"))) == []


def test_a_page_of_posts_keeps_its_module() -> None:
    posts = "".join(f"<article><h2>{other}</h2>{PARAGRAPH}</article>" for other in OTHERS)
    assert found(page(f"<h1>News</h1><div class='et_pb_posts'>{posts}</div>")) == []
