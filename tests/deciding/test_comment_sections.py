"""Comments that a line announces."""

from __future__ import annotations

import pytest
from single_rules import dropped_by

import dehusk
from dehusk.blocks.segmentation import segment
from dehusk.page.page_reading import read_page

PARAGRAPH = "<p>Nobody in the house had seen paper of that kind before, and nobody has since that day in May.</p>"
COMMENT = "<div class=c><b>Maren</b><p>My grandmother had a whole drawer of it and never told us where from.</p></div>"
ARTICLE = f"<h1>A morning at the old bindery</h1>{PARAGRAPH * 4}"


def page(line: str, after: str = COMMENT * 3, article: str = ARTICLE) -> str:
    return (
        f"<title>Bindery</title><main><article>{article}</article><section>{line}{after}</section></main><p>{'x' * 99}"
    )


def found(html: str) -> list[str]:
    """The texts that are announced as comments, if everything is kept."""
    blocks = segment(read_page(html))
    announced = dropped_by("announced-comments", blocks, ~blocks.hidden, "article")
    return [text for text, is_comment in zip(blocks.texts, announced, strict=True) if is_comment]


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Comments",
            "12 Comments",
            "COMMENTS (12)",
            "1 comment:",
            "Reader Comments [3]",
            "3 thoughts on “The bindery”",
        ),
        *(
            "10 Responses to A morning",
            "Kommentare (4)",
            "2 commentaires",
            "Комментарии: 7",
            "评论",
            "3 条评论",
            "コメント",
        ),
    ],
)
def test_what_follows_the_line_in_its_element_is_comments(line: str) -> None:
    texts = found(page(f"<h3>{line}</h3>"))
    assert texts[0] == line
    assert len(texts) == 7
    assert all("Maren" in text or "grandmother" in text for text in texts[1:])


def test_the_element_around_a_line_alone_is_meant() -> None:
    assert len(found(page("<header><div><h3>12 Comments</h3></div></header>"))) == 7


@pytest.mark.parametrize(
    "html",
    [
        page("<h3>Comments (0)</h3>"),
        page("<h3>Comment</h3>"),
        page("<h3>Leave a comment</h3>"),
        page("<h3>Comments on this are welcome, but nobody made any in ten years.</h3>"),
        page("<a href=#c>12 Comments</a>"),
        page("<button>12 Comments</button>"),
        page("<ul><li>Article<li>12 Comments</ul>"),
        page("<h3 hidden>12 Comments</h3>"),
        page("<h3>12 Comments</h3>", article="<h1>A morning at the old bindery</h1>"),
        "<h3>Comments</h3>",
        "",
    ],
    ids="none one invited sentence linked button tab hidden nothing-above alone empty".split(),
)
def test_other_lines_announce_nothing(html: str) -> None:
    assert found(html) == []


def test_an_article_is_kept_without_them_unless_they_are_wanted() -> None:
    html = page("<h3>3 Comments</h3>", "".join(COMMENT.replace("Maren", name) for name in ("Maren", "Ole", "Ida")))
    cleaned = dehusk.clean(html)
    assert cleaned.page_type == "article"
    assert "seen paper" in cleaned.text
    assert "grandmother" not in cleaned.text


def test_answers_with_comments_of_their_own_are_not_comments() -> None:
    answer = f"<div class=answer>{PARAGRAPH * 2}<h3>Comments</h3></div>"
    assert found(f"<title>Bindery</title>{ARTICLE}{answer * 4}") == []


@pytest.mark.parametrize(("comments", "announced"), [(10, True), (11, False)])
def test_comments_that_outweigh_the_text_are_a_discussion(comments: int, announced: bool) -> None:
    blocks = segment(read_page(f"<main>{ARTICLE}<section><h3>Comments</h3>{COMMENT * comments}</section></main>"))
    texts = blocks.length[: blocks.texts.index("Comments")].sum()
    assert (blocks.length[blocks.texts.index("Comments") :].sum() > 2 * texts) == (not announced)
    assert dropped_by("announced-comments", blocks, ~blocks.hidden, "article").any() == announced


def test_ten_thousand_lines_take_no_time() -> None:
    assert found(page("<h3>Comments</h3>" * 10_000 + "<div>" * 200)) == []
