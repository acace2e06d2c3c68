"""bytes or str -> Page. The parsing is done by the compiled part, `native/src/html`."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any, Final, NamedTuple

from dehusk.errors import PageTooLarge, WrongType, enough_memory
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.native.calls import Lendable, Outcome, call
from dehusk.native.library import ffi, lib
from dehusk.page.characters import as_utf8
from dehusk.page.decoding import BYTES, Decoded, Utf8, decode
from dehusk.page.page_columns import Page
from dehusk.sources.file_types import not_html
from dehusk.sources.raw_page import RawPage

LINE_SEPARATOR: Final = "\v"
"""Stands for `<br>` in `Page.text`. A vertical tab is ASCII, so ASCII texts stay ASCII, and fast."""
MATH_SCRIPT: Final = "math/tex"
"""Prefix of the `type` of a script that holds a formula."""


def read_page(source: bytes | str | RawPage, url: str = "", *, limits: Limits = DEFAULT_LIMITS) -> Page:
    """Read one page: parse it into columns, which `clean`, `learn` and `segment` take.

    Arguments:
        source: undecoded bytes, decoded text, or a RawPage with its headers.
        url: the page's address; a RawPage brings its own.
        limits: bounds on what is read.

    Returns:
        The page. Empty bytes are a page without content.

    Raises:
        NotHtml: the bytes are in another format, such as a PDF or an image.
        PageTooLarge: the page has more bytes or tags than the limits allow.
        WrongType: the source is none of the above.

    >>> dehusk.read_page("<p>Tea".encode("utf-16")).encoding
    'utf-16le'
    """
    with enough_memory(label_of_source(source, url)):
        html = decoded_html(source, url, limits)
        return with_stored_text(_parsed(html, limits), html, limits)


def label_of_source(source: object, url: str) -> str:
    """What to call a page that is not read yet in a message."""
    return source.label if isinstance(source, RawPage) else url or _UNNAMED


_UNNAMED: Final = "<page>"


class Html(NamedTuple):
    """A page that is decoded, and not parsed yet."""

    decoded: Decoded
    utf8: Utf8
    """The text."""
    url: str
    name: str

    @property
    def label(self) -> str:
        """What to call this page in a message."""
        return self.name or self.url or _UNNAMED

    @property
    def lent(self) -> tuple[Any, int]:
        """Where the text begins, and how many bytes it has."""
        return ffi.from_buffer(BYTES, self.utf8), len(self.utf8)

    def page(self, native: Outcome) -> Page:
        """The page, once the compiled part has parsed it."""
        page = Page(self.url, self.name, self.decoded.encoding, self.decoded.reason, 0.0, native)
        return replace(page, damage=self.decoded.damage_in(page.text)) if self.decoded.damaged else page


def decoded_html(source: bytes | str | RawPage, url: str, limits: Limits) -> Html:
    """Decode a page, unless it is too large or no html."""
    if isinstance(source, str):
        _check_size(len(source), source.count("<"), url or _UNNAMED, limits)
        return Html(Decoded(source, "", "given as text"), as_utf8(source), url, "")
    raw = source if isinstance(source, RawPage) else RawPage(_bytes(source))
    body, url, name = raw.body, url or raw.url, raw.name
    if len(body) > limits.bytes or len(body) > limits.tags:
        _check_size(len(body), lib.dehusk_count_tags(body, len(body)), name or url or _UNNAMED, limits)
    if refusal := not_html(raw):
        raise refusal.about(name or url or _UNNAMED)
    decoded = decode(body, raw.header("content-type"))
    return Html(decoded, decoded.utf8, url, name)


def with_stored_text(page: Page, html: Html, limits: Limits) -> Page:
    """A page with the text that its scripts store, where it shows none of that."""
    if page.may_store_text and (unshown := _unshown_paragraphs(page)):
        return _parsed(html, limits, unshown)
    return page


def _unshown_paragraphs(page: Page) -> list[str]:
    from dehusk.page.json_ld import unshown_paragraphs  # most pages store no text

    return unshown_paragraphs(page)


def _bytes(source: object) -> bytes:
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    accepted = "pass bytes, str, RawPage or (to clean) Page; dehusk.open_source reads files"
    raise WrongType("a page", f"{type(source).__name__} is not a page", accepted)


def _check_size(size: int, tags: int, label: str, limits: Limits) -> None:
    if size > limits.bytes:
        raise PageTooLarge(label, f"{size:,} bytes, {limits.bytes:,} allowed", "raise Limits.bytes to read it")
    if tags > limits.tags:
        raise PageTooLarge(label, f"{tags:,} tags, {limits.tags:,} allowed", "raise Limits.tags to read it")


def _parsed(html: Html, limits: Limits, article: Sequence[str] = ()) -> Page:
    """Parse a page, with an `<article>` of these paragraphs inserted at the start of its body, if there are any."""
    read = partial(lib.dehusk_page_read, *html.lent, *bounds_of(limits))
    native = call(read, _paragraphs(article), html.label) if article else Outcome(read(ffi.NULL, 0), html.label)
    return html.page(native)


def bounds_of(limits: Limits) -> tuple[int, int, int]:
    """Most nodes, attributes and levels, for the compiled part."""
    return min(limits.nodes, _LARGEST), min(limits.attributes, _LARGEST), min(limits.depth, _LARGEST)


_LARGEST: Final = 2**31 - 1
"""No limit is larger to the compiled part, whose columns have 32 bits."""


def _paragraphs(article: Sequence[str]) -> tuple[Lendable, ...]:
    """The paragraphs as UTF-8, and where each ends."""
    paragraphs = [as_utf8(text) for text in article]
    return b"".join(paragraphs), array("q", accumulate(map(len, paragraphs)))
