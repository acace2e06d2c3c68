"""bytes or str -> Page. The parsing is done by the compiled part, `native/src/html`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from dehusk.arguments import checked_but
from dehusk.errors import NotHtml, PageTooLarge, WrongType, enough_memory
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.native.calls import Lendable, LentArrays, Outcome, joined
from dehusk.native.library import ffi, lib
from dehusk.native.stopping import summary_of
from dehusk.page.characters import as_utf8
from dehusk.page.decoding import BINARY, PLAIN_TEXT, UNLABELLED, Decoded, Utf8, decode
from dehusk.page.page_columns import Page
from dehusk.sources.file_types import begins_with_tag, may_be_html, not_html_but, other_type
from dehusk.sources.page_bodies import unpacked_body
from dehusk.sources.raw_page import RawPage

LINE_SEPARATOR: Final = "\v"
"""Stands for `<br>` in `Page.text`. A vertical tab is ASCII, so ASCII texts stay ASCII, and fast."""
MATH_SCRIPT: Final = "math/tex"
"""Prefix of the `type` of a script that holds a formula."""


@checked_but("source")
def read_page(source: bytes | str | RawPage, url: str | None = "", *, limits: Limits = DEFAULT_LIMITS) -> Page:
    """Read one page: parse it into columns, which `clean`, `learn` and `segment` take.

    Arguments:
        source: undecoded bytes, html as str, or a RawPage with its headers. Bytes without markup are plain text.
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
    with enough_memory(label_of_source(source, url or "")):
        html = given_html(source, url or "", limits)
        return with_stored_text(parsed(html, limits), html, limits)


def label_of_source(source: object, url: str) -> str:
    """What to call a page that is not read yet in a message."""
    return source.label if isinstance(source, RawPage) else url or _UNNAMED


_UNNAMED: Final = "<page>"


class Html(NamedTuple):
    """A page that is not parsed yet."""

    body: Utf8
    """Its bytes; those of its text, if it is decoded."""
    url: str
    name: str = ""
    content_type: str = ""
    decoded: Decoded | None = None
    """What was found out about the encoding, if that is done already."""
    is_plain_text: bool = False
    """Whether it has no markup: `body` has paragraphs that were made of its lines."""

    @property
    def label(self) -> str:
        """What to call this page in a message."""
        return self.name or self.url or _UNNAMED

    def read_by(self, function: Callable[..., Any], *settings: Any) -> tuple[Html, Outcome]:
        """Have the compiled part read this page: the page, decoded by us if that takes more than its bytes."""
        if self.decoded is None:
            found = Outcome(summary_of(function, len(self.body), self.body, len(self.body), 0, *settings), self)
            return (self, found) if found.summary.first else self.with_text().read_by(function, *settings)
        text = ffi.from_buffer(_BYTES, self.body)
        return self, Outcome(summary_of(function, len(self.body), text, len(self.body), 1, *settings), self)

    def with_text(self) -> Html:
        """The page with its text, which takes more than its bytes. Raises `NotHtml` if they are none."""
        decoded = decode(bytes(self.body), self.content_type)
        if decoded.problem == BINARY:
            raise NotHtml(self.label, *_BINARY)
        return self._replace(body=decoded.utf8, decoded=decoded)

    def page(self, native: Outcome) -> Page:
        """The page, once the compiled part has parsed it."""
        decoded = self.decoded
        if decoded is None:
            return Page(self.url, self.name, "utf-8", UNLABELLED[int(native.summary.first)], 0.0, native)
        about = self.url, self.name, decoded.encoding, decoded.reason, 0.0, native, ()
        page = Page(*about, decoded.problem or (PLAIN_TEXT if self.is_plain_text else ""), self.is_plain_text)
        return replace(page, damage=decoded.damage_in(page.text)) if decoded.damaged else page


_BINARY: Final = (
    "is binary data, not html: too many of its characters are in no text",
    "convert it to html, or leave it out",
)
_BYTES: Final = ffi.typeof("uint8_t[]")
_new_tuple: Final = tuple.__new__


def given_html(source: bytes | str | RawPage, url: str, limits: Limits) -> Html:
    """A page that is neither too large nor something else than html."""
    if isinstance(source, str):
        _check_size(len(source), source.count("<"), url or _UNNAMED, limits)
        return Html(as_utf8(source), url, decoded=Decoded(source, "", "given as text"))
    name = content_type = ""
    if isinstance(source, RawPage):
        body, url, name = source.body, url or source.url, source.name
        content_type = source.header("content-type") if source.headers else ""
    else:
        body = source if isinstance(source, bytes) else _bytes(source)
    # `Html(...)` is a function of Python, which takes one percent of the time of a page.
    html = _new_tuple(Html, (body, url, name, content_type, None, False))
    _check_bytes(body, html.label, limits)
    return _judged(html, body, limits) if content_type or not may_be_html(body) else html


def _judged(html: Html, stored: bytes, limits: Limits) -> Html:
    """The page, unpacked if its bytes are compressed. Raises `NotHtml` if they are something else than html."""
    body = unpacked_body(stored, html.label, limits)
    if what := other_type(body, html.content_type):
        raise not_html_but(what, html.label)
    if body is not stored:
        _check_bytes(body, html.label, limits)
        html = html._replace(body=body)
    return html if begins_with_tag(body) else _of_plain_text(html.with_text())


def _of_plain_text(html: Html) -> Html:
    """A page that is decoded, as html if it has no markup."""
    if begins_with_tag(html.body):
        return html
    from dehusk.page.plain_text import has_markup, paragraphs_of  # most pages begin with a tag

    text = str(html.body, "utf-8")
    if not text.strip() or has_markup(text):
        return html
    return html._replace(body=as_utf8(paragraphs_of(text)), is_plain_text=True)


def with_stored_text(page: Page, html: Html, limits: Limits) -> Page:
    """A page with the text that its scripts store, where it shows none of that."""
    if page.may_store_text and (unshown := _unshown_paragraphs(page)):
        return parsed(html, limits, unshown)
    return page


def _unshown_paragraphs(page: Page) -> list[str]:
    from dehusk.page.json_ld import unshown_paragraphs  # most pages store no text

    return unshown_paragraphs(page)


def _bytes(source: object) -> bytes:
    if isinstance(source, bytearray | memoryview):
        return bytes(source)
    accepted = "pass bytes, str, RawPage or (to clean) Page; dehusk.open_source reads files"
    raise WrongType("a page", f"{type(source).__name__} is not a page", accepted)


def _check_bytes(body: bytes, label: str, limits: Limits) -> None:
    if len(body) > limits.bytes or len(body) > limits.tags:
        _check_size(len(body), lib.dehusk_count_tags(body, len(body)), label, limits)


def _check_size(size: int, tags: int, label: str, limits: Limits) -> None:
    if size > limits.bytes:
        raise PageTooLarge(label, f"{size:,} bytes, {limits.bytes:,} allowed", "raise Limits.bytes to read it")
    if tags > limits.tags:
        raise PageTooLarge(label, f"{tags:,} tags, {limits.tags:,} allowed", "raise Limits.tags to read it")


def parsed(html: Html, limits: Limits, article: Sequence[str] = ()) -> Page:
    """Parse a page, with an `<article>` of these paragraphs inserted at the start of its body, if there are any."""
    lent = LentArrays(_paragraphs(article)) if article else None
    inserted = lent.arguments if lent else (ffi.NULL, 0)
    read, native = html.read_by(lib.dehusk_page_read, *bounds_of(limits), *inserted)
    return read.page(native)


def bounds_of(limits: Limits) -> tuple[int, int, int]:
    """Most nodes, attributes and levels, for the compiled part."""
    return min(limits.nodes, _LARGEST), min(limits.attributes, _LARGEST), min(limits.depth, _LARGEST)


_LARGEST: Final = 2**31 - 1
"""No limit is larger to the compiled part, whose columns have 32 bits."""


def _paragraphs(article: Sequence[str]) -> tuple[Lendable, ...]:
    """The paragraphs as UTF-8, and where each ends."""
    return joined([as_utf8(text) for text in article])
