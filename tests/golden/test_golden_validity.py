"""Every golden page is valid in every format, by parsers and schemas that are not ours."""

from __future__ import annotations

import re

import pytest
from generate import FOLDER, METHOD, SOURCE, slugs
from keep_visible import clean_visible
from valid_outputs import assert_all_valid, body_of

import dehusk


def cleaned(slug: str) -> dehusk.CleanedPage:
    return dehusk.clean((FOLDER / slug / SOURCE).read_bytes(), METHOD.fit(), url=f"https://golden.example/{slug}/")


@pytest.mark.parametrize("slug", slugs())
def test_golden_pages_are_valid(slug: str) -> None:
    assert_all_valid(cleaned(slug))


@pytest.mark.parametrize("slug", slugs())
def test_html_read_again_is_written_as_it_was(slug: str) -> None:
    written = cleaned(slug).render("html")
    # The title of a document is a block, too, and would be kept as a heading.
    without_title = re.sub("<title>.*</title>", "", written)
    again = clean_visible(without_title, url=f"https://golden.example/{slug}/").render("html")
    assert body_of(again) == body_of(written)
