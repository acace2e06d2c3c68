"""Characters: plain in text and Markdown, as they are where markup can tell them apart."""

from __future__ import annotations

import json

import pytest
from keep_visible import Render

from dehusk import OutputOptions
from dehusk.outputs.text import TextOptions


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("45\xa0km", "45 km"),
        ("a\u2009b\u202fc\u3000d", "a b c d"),
        ("a \xa0 b", "a b"),
        ("re\xadcord", "record"),
        ("a\u200bb\u2060c\ufeff", "abc"),
        ("a\u200db", "ab"),
        ("\N{WOMAN}\u200d\N{PERSONAL COMPUTER}", "\N{WOMAN}\u200d\N{PERSONAL COMPUTER}"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("cafe\u0301", "caf\xe9"),
    ],
)
@pytest.mark.parametrize("place", ["<p>{}</p>", "<p><b>{}</b></p>", "<ul><li>{}</ul>"])
def test_text_and_markdown_have_plain_characters(
    markdown: Render, text: Render, html_output: Render, place: str, written: str, plain: str
) -> None:
    html = place.format(written)
    assert text(html).strip("- \n") == plain
    assert markdown(html).strip("*- \n") == plain
    assert written.strip("\ufeff") in html_output(html)


def test_code_has_plain_characters(markdown: Render) -> None:
    assert markdown("<pre>if\xa0x:\n\xa0\xa0y\u200b</pre>") == "```\nif x:\n  y\n```\n"


def test_records_have_plain_characters(json_output: Render) -> None:
    assert json.loads(json_output("<p>45\xa0km"))["text"] == "45 km\n"


def test_characters_can_stay_as_they_are(markdown: Render, text: Render) -> None:
    html = "<p>45\xa0km re\xadcord cafe\u0301"
    expected = "45\xa0km re\xadcord cafe\u0301\n"
    assert markdown(html, OutputOptions(raw_characters=True)) == expected
    assert text(html, TextOptions(raw_characters=True)) == expected


def test_a_paragraph_of_nothing_to_see_is_none(markdown: Render) -> None:
    assert markdown("<p>a</p><p>\u200b</p><p>b</p>") == "a\n\nb\n"
