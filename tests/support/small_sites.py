"""Hypothesis strategies for small sites: pages of one template, each with its own words, links and odd parts."""

from __future__ import annotations

from hypothesis import strategies as st
from tag_soup import tag_soup

import dehusk
from dehusk.page.page_columns import Page

_MENU = "<nav><ul><li><a href=/a>Home page</a></li><li><a href=/b>Our shop</a></li></ul></nav>"
_PARTS = [
    _MENU,
    "<div class=notice>Free delivery!</div>",
    "<nav><p>Home page</p><p>Our shop</p></nav>",
    "<table><tr><td>Price</td><td>{0}</td></tr><tr><td>Colour</td><td>red</td></tr></table>",
    "<section><h2>Related</h2><p><a href=/{0}>{0}</a></p></section>",
    "<div><p>{0} and {1}</p><p>{1}!</p></div>",
    "<p hidden>{0}</p><p>***</p>",
    "<h1>{0}</h1>",
    "{0} beside <b>elements</b>",
    "<img src={0}.png>",
    "<footer><p>Imprint of <i>{1}</i></p></footer>",
]
_WORDS = ["tea", "Tea", "pot", "leaf of mint", "中文", "\ud800", "a\0b", "7", "é"]

bodies = st.builds(
    lambda parts, first, second: "".join(parts).replace("{0}", first).replace("{1}", second),
    st.lists(st.sampled_from(_PARTS), max_size=5),
    st.sampled_from(_WORDS),
    st.sampled_from(_WORDS),
)


def _read(body: str) -> Page:
    return dehusk.read_page(f"<title>A title</title><body>{body}")


pages = bodies.map(_read) | tag_soup.map(dehusk.read_page)
sites = st.lists(bodies.map(_read), max_size=6) | st.lists(pages, max_size=5)
"""Mostly pages of one template; now and then any nonsense between them."""
