"""Readers' comments that are kept stand apart from the text in every format that can say so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from keep_visible import clean_visible
from valid_outputs import assert_all_valid

import dehusk
from dehusk import OutputOptions

PAGE = "<h1>Story</h1><p>Text.</p><ul><li>First comment</li><li>Second comment</li></ul><p>More text.</p>"


def page_with_comments(html: str = PAGE) -> dehusk.CleanedPage:
    """Blocks that say `comment` are comments; the model of these tests knows none itself."""
    labelled = clean_visible(html).labelled
    comments = np.array(["comment" in text for text in labelled.blocks.texts])
    return dehusk.CleanedPage(replace(labelled, comments=comments))


APART = {
    "markdown": "Text.\n\n---\n\n- First comment\n- Second comment\n\n---\n\nMore text.",
    "html": "<aside>\n<ul>\n<li>First comment</li>\n<li>Second comment</li>\n</ul>\n</aside>",
    "xml": "<comments>\n<list",
    "tei": '<div type="comments">',
    "text": "Text.\n\n- First comment\n- Second comment\n\nMore text.",
}


@pytest.mark.parametrize("format_name", APART)
def test_comments_stand_apart(format_name: str) -> None:
    assert APART[format_name] in page_with_comments().render(format_name)


@pytest.mark.parametrize("format_name", ["markdown", "html", "xml", "tei"])
def test_they_can_stand_where_they_are(format_name: str) -> None:
    options = OutputOptions(comments=False)
    assert page_with_comments().render(format_name, options) == clean_visible(PAGE).render(format_name, options)


@pytest.mark.parametrize(
    "html",
    [
        PAGE,
        "<p>a comment</p>",
        "<h2>a comment</h2><p>Text</p><h1>a comment</h1>",
        "<p>Text</p><blockquote><h3>a comment</h3><p>a comment</p></blockquote>",
        "<ul><li>Text<li>a comment<li>Text</ul>",
        "<table><tr><th>A<th>a comment<tr><td>B<td>C</table>",
    ],
)
def test_documents_with_comments_are_valid(html: str) -> None:
    assert_all_valid(page_with_comments(html))
