"""bytes or str -> Page. The parsing is done by the compiled part, `native/src/html`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import PageTooLarge, WrongType, enough_memory
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.native.calls import call
from dehusk.native.library import lib
from dehusk.page.characters import encodable
from dehusk.page.decoding import Decoded, decode
from dehusk.page.json_ld import unshown_paragraphs
from dehusk.page.page_columns import AttributeValues, Page, Strings
from dehusk.sources.file_types import not_html
from dehusk.sources.raw_page import RawPage

LINE_SEPARATOR: Final = "\v"
"""Stands for `<br>` in `Page.text`. A vertical tab is ASCII, so ASCII texts stay ASCII, and fast."""
MATH_SCRIPT: Final = "math/tex"
"""Prefix of the `type` of a script that holds a formula."""


def read_page(source: bytes | str | RawPage, url: str = "", *, limits: Limits = DEFAULT_LIMITS) -> Page:
    """Read one page: undecoded bytes, decoded text, or a RawPage with its headers.

    Bytes of another format (a PDF, an image) raise `NotHtml`. Empty bytes are a page without content.
    """
    with enough_memory(source.label if isinstance(source, RawPage) else url or "<page>"):
        return _read(source, url, limits)


def _read(source: bytes | str | RawPage, url: str, limits: Limits) -> Page:
    if isinstance(source, str):
        label, tags = url or "<page>", source.count("<")
        _check_size(len(source), tags, label, limits)
        decoded, name = Decoded(source, "", "given as text"), ""
    else:
        raw = source if isinstance(source, RawPage) else RawPage(_bytes(source))
        url, name = url or raw.url, raw.name
        label = name or url or "<page>"
        tags = int(np.count_nonzero(np.frombuffer(raw.body, dtype=np.uint8) == ord("<")))
        _check_size(len(raw.body), tags, label, limits)
        if refusal := not_html(replace(raw, name=label)):
            raise refusal
        decoded = decode(raw.body, raw.header("content-type"))
    html = _utf8(decoded.text)
    page = _parse(html, (), decoded, url, name, limits)
    if unshown := unshown_paragraphs(page):
        page = _parse(html, unshown, decoded, url, name, limits)
    return page


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


def _parse(html: bytes, article: Sequence[str], decoded: Decoded, url: str, name: str, limits: Limits) -> Page:
    """Parse a page, with an `<article>` of these paragraphs inserted at the start of its body, if there are any."""
    paragraphs = [_utf8(text) for text in article]
    ends = np.array(list(accumulate(map(len, paragraphs))), dtype=np.int64)
    arrays = (_array(html), _array(b"".join(paragraphs)), ends)
    bounds = (min(limits.nodes, _LARGEST), min(limits.attributes, _LARGEST), min(limits.depth, _LARGEST))
    columns = call(lib.dehusk_page_read, arrays, name or url or "<page>", *bounds).columns()
    text, tag, flags, parent, subtree_end, depth, text_start, text_end, text_length, hidden = columns[:10]
    attribute_start, attribute_name, attribute_value, values, value_end = columns[10:15]
    other_tags, other_tag_end, embedded_row, embedded_text, embedded_end = columns[15:]
    return Page(
        url=url,
        name=name,
        encoding=decoded.encoding,
        encoding_reason=decoded.reason,
        damage=decoded.damage_in(text.tobytes().decode()) if decoded.damaged else 0.0,
        text_utf8=text,
        tag=tag,
        flags=flags,
        parent=parent,
        subtree_end=subtree_end,
        depth=depth,
        text_start=text_start,
        text_end=text_end,
        text_length=text_length,
        hidden=hidden.view(np.bool_),
        attribute_start=attribute_start,
        attribute_name=attribute_name,
        attribute_value=AttributeValues(Strings(values, value_end), attribute_value),
        other_tag_names=Strings(other_tags, other_tag_end),
        embedded_row=embedded_row,
        embedded_text=Strings(embedded_text, embedded_end),
    )


_LARGEST: Final = 2**31 - 1
"""No limit is larger to the compiled part, whose columns have 32 bits."""


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Only pages given as str can have lone surrogates: decoding leaves none.
        return encodable(text).encode()


def _array(content: bytes) -> NDArray[Any]:
    return np.frombuffer(content, dtype=np.uint8)
