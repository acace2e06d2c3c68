"""The last step before a page is shown: whatever wrote the html, only harmless elements and attributes come out.

What is shown is written by `page_views` and `outputs.html` from our own columns, with everything escaped, and would be
harmless without. This is the second lock on the same door, and it is made by others: ammonia, by way of nh3.
"""

from __future__ import annotations

from typing import Final

import nh3

TAGS: Final = frozenset(
    (
        "div section article nav aside header footer main address h1 h2 h3 h4 h5 h6 p blockquote pre figure "
        "figcaption hr ul ol li dl dt dd table caption thead tbody tfoot tr td th "
        "a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q rp rt ruby s samp small span strong sub sup "
        "time u var wbr"
    ).split()
)
"""What is let through; of other elements the text is. None of them runs, loads (but img), styles or sends."""
_ATTRIBUTES: Final = {
    "*": {"lang", "dir", "title", "class", "data-block"},
    "a": {"data-href"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start"},
    "li": {"value"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
_WITH_CONTENT: Final = frozenset("script style template noscript iframe object svg math title textarea xmp".split())
"""Elements that take their content with them."""
_IMAGE_SCHEMES: Final = frozenset({"http", "https", "data"})
RASTER_IMAGES: Final = tuple(f"data:image/{kind};base64," for kind in ("png", "jpeg", "gif", "webp"))
"""Images in the page itself. Drawings are not among them: they may hold anything."""


def sanitised(html: str, images: bool) -> str:
    """A fragment for the body of a page."""
    return nh3.clean(
        html,
        tags=set(TAGS) if images else set(TAGS - {"img"}),
        clean_content_tags=set(_WITH_CONTENT),
        attributes=_ATTRIBUTES,
        attribute_filter=_filter,
        url_schemes=set(_IMAGE_SCHEMES),
        link_rel=None,
        strip_comments=True,
    )


def _filter(tag: str, name: str, value: str) -> str | None:
    """Only our own classes and numbers, and images from elsewhere: a relative address would ask this server."""
    if name == "class":
        return " ".join(word for word in value.split() if word.startswith("dehusk-")) or None
    if name == "data-block":
        return value if value.isascii() and value.isdigit() else None
    if name == "src":
        return value if value.startswith(("http://", "https://", *RASTER_IMAGES)) else None
    return value
