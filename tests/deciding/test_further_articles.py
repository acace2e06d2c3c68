"""Pages that go on with other articles."""

from __future__ import annotations

from itertools import compress

import pytest
from single_rules import dropped_by

import dehusk
from dehusk.blocks.segmentation import segment
from dehusk.page.page_reading import read_page

TITLES = ["A morning at the old bindery", "Hard water and what it does to tea", "Four kettles on one shelf"]


def article(title: str, about: str = "paper", heading: str = "h1 class=title") -> str:
    text = f"<p>Nobody in the house had seen {about} of that kind before, and nobody has since that day in May.</p>"
    byline = "<p class=byline>By Ann Reed, 4 May 2011</p>"
    return f"<div class=story><{heading}>{title}</h1>{byline}<div class=text>{text * 4}</div></div>"


ENDINGS = ("We were surprised.", "“I never saw it again,” she said.", "The town has forgotten it.", "He wrote in June.")


def long_article(title: str, about: str) -> str:
    """An article of the length that articles have."""
    told = (
        "It was a quiet morning, and the rain that had fallen all night had stopped at last. She opened the windows, "
    )
    told += f"said nothing for a while, and then told us what had happened to the {about}."
    paragraphs = "".join(f"<p>{told} {ending}</p>" for ending in ENDINGS)
    return article(title, about).replace("</div></div>", f"{paragraphs}</div></div>")


def page(*articles: str, title: str = f"{TITLES[0]} | The Bindery") -> str:
    return f"<title>{title}</title><body class=single><main>{''.join(articles)}</main>"


def second(html: str) -> str | None:
    blocks = segment(read_page(html))
    further = dropped_by("further-articles", blocks, ~blocks.hidden, "article")
    return next(compress(blocks.texts, further), None)


def test_the_second_article_begins_with_its_heading() -> None:
    assert second(page(*map(article, TITLES))) == TITLES[1]


@pytest.mark.parametrize(
    "html",
    [
        page(article(TITLES[0])),
        page(*map(article, TITLES[:2])),
        page(*map(article, TITLES), title="The Bindery"),
        page(article(TITLES[0]), *(article(title, heading="h1") for title in TITLES[1:])),
        page(article(TITLES[0]), article(TITLES[0]), article(TITLES[0].upper())),
        page(article(TITLES[0]), article("Part one"), article("Part two")),
        page(*map(article, TITLES)).replace("<title>", "<p>"),
        "<title>x</title>",
        "",
    ],
    ids=["one", "two", "another title", "other elements", "the same", "too short", "no title", "no headings", "empty"],
)
def test_other_pages_have_one_article(html: str) -> None:
    assert second(html) is None


def test_only_the_first_is_kept() -> None:
    stories = [long_article(title, about) for title, about in zip(TITLES, ("paper", "water", "kettles"), strict=True)]
    cleaned = dehusk.clean(page(*stories))
    assert cleaned.page_type == "article"
    assert "seen paper" in cleaned.text
    assert "seen water" not in cleaned.text
    assert "seen water" in dehusk.clean(page(*stories), favour="recall").text
    reasons = [block.reasons[-1] for block in cleaned if "seen water" in block.text]
    assert reasons == ["dropped as part of another article (rule further-articles)"] * 4
