"""bytes or str -> Page. The parsing is done by the compiled part, `native/src/html`."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Final

from dehusk.errors import PageTooLarge, WrongType, enough_memory
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.native.calls import Lendable, Outcome, call
from dehusk.native.library import ffi, lib
from dehusk.page.characters import as_utf8
from dehusk.page.decoding import Decoded, decode
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
    with enough_memory(source.label if isinstance(source, RawPage) else url or "<page>"):
        return _read(source, url, limits)


def _read(source: bytes | str | RawPage, url: str, limits: Limits) -> Page:
    if isinstance(source, str):
        _check_size(len(source), source.count("<"), url or "<page>", limits)
        decoded, name = Decoded(source, "", "given as text"), ""
    else:
        raw = source if isinstance(source, RawPage) else RawPage(_bytes(source))
        url, name = url or raw.url, raw.name
        label = name or url or "<page>"
        _check_size(len(raw.body), _tags(raw.body, limits.tags), label, limits)
        if refusal := not_html(raw):
            raise refusal.about(label)
        decoded = decode(raw.body, raw.header("content-type"))
    html = decoded.utf8
    page = _parse(html, (), decoded, url, name, limits)
    if page.may_store_text and (unshown := _unshown_paragraphs(page)):
        page = _parse(html, unshown, decoded, url, name, limits)
    return page


def _unshown_paragraphs(page: Page) -> list[str]:
    from dehusk.page.json_ld import unshown_paragraphs  # most pages store no text

    return unshown_paragraphs(page)


def _bytes(source: object) -> bytes:
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    accepted = "pass bytes, str, RawPage or (to clean) Page; dehusk.open_source reads files"
    raise WrongType("a page", f"{type(source).__name__} is not a page", accepted)


def _tags(body: bytes, most: int) -> int:
    """How many tags a page has; not counted in pages so short that it cannot be too many."""
    return lib.dehusk_count_tags(body, len(body)) if len(body) > most else 0


def _check_size(size: int, tags: int, label: str, limits: Limits) -> None:
    if size > limits.bytes:
        raise PageTooLarge(label, f"{size:,} bytes, {limits.bytes:,} allowed", "raise Limits.bytes to read it")
    if tags > limits.tags:
        raise PageTooLarge(label, f"{tags:,} tags, {limits.tags:,} allowed", "raise Limits.tags to read it")


def _parse(html: bytes, article: Sequence[str], decoded: Decoded, url: str, name: str, limits: Limits) -> Page:
    """Parse a page, with an `<article>` of these paragraphs inserted at the start of its body, if there are any."""
    bounds = (min(limits.nodes, _LARGEST), min(limits.attributes, _LARGEST), min(limits.depth, _LARGEST))
    read = partial(lib.dehusk_page_read, html, len(html), *bounds)
    label = name or url or "<page>"
    native = call(read, _paragraphs(article), label) if article else Outcome(read(ffi.NULL, 0), label)
    page = Page(url, name, decoded.encoding, decoded.reason, 0.0, native)
    return replace(page, damage=decoded.damage_in(page.text)) if decoded.damaged else page


_LARGEST: Final = 2**31 - 1
"""No limit is larger to the compiled part, whose columns have 32 bits."""


def _paragraphs(article: Sequence[str]) -> tuple[Lendable, ...]:
    """The paragraphs as UTF-8, and where each ends."""
    paragraphs = [as_utf8(text) for text in article]
    return b"".join(paragraphs), array("q", accumulate(map(len, paragraphs)))
