"""Addresses from feeds."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.sites.feeds import feed_entries, is_feed

RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>Tea</title><link>https://tea.example/</link>
<item><title>One</title><link>https://tea.example/1?a=b&amp;c=d</link></item>
<item><link><![CDATA[ https://tea.example/2 ]]></link></item><item><title>none</title></item>
<item><atom:link rel="self" href="/self"/><link>/3</link></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="/feed"/>
<entry><link rel="edit" href="/edit/1"/><link href="/1"/></entry>
<entry><link rel='alternate' type='text/html' href='https://tea.example/2'/></entry><entry/></feed>"""
AS_JSON = json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "/1"}, {"id": "2"}, "x"]})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (RSS, ["https://tea.example/1?a=b&c=d", "https://tea.example/2", "https://tea.example/3"]),
        (ATOM, ["https://tea.example/1", "https://tea.example/2"]),
        (AS_JSON, ["https://tea.example/1"]),
    ],
    ids=["rss", "atom", "json"],
)
def test_entries(text: str, found: list[str]) -> None:
    assert is_feed(text)
    assert feed_entries(text, "https://tea.example/feed") == found


@pytest.mark.parametrize("text", ["", "<html><p>tea", "{", "[]", '{"items": 3}', "<urlset><loc>x"])
def test_what_is_no_feed(text: str) -> None:
    assert not is_feed(text)
    assert feed_entries(text) == []


@given(st.text(alphabet='<item>link/"= hrefntry:[]{}&;x\n'))
def test_any_text_is_read(text: str) -> None:
    assert all(isinstance(address, str) for address in feed_entries(text))
