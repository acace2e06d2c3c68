"""Bytes -> str: which encoding, and why.

The order is byte order mark, HTTP header, `<meta>` or XML declaration, detection, with two corrections that real
pages need: text that is interleaved with NUL bytes is UTF-16 whatever anybody says, and bytes that are valid
UTF-8 with non-ASCII characters are UTF-8 even under another `<meta>` (hundreds of pages in our gold sets carry a
stale charset; text in another encoding is hardly ever valid UTF-8 by chance).
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from itertools import islice

import webencodings

_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))

_DECLARATION_WINDOW = 262_144
"""How far into the page a declaration is searched. Browsers stop at 1,024 bytes; templates that put style and
script first do not, and a quarter megabyte costs 0.1 ms."""

_LABEL = re.compile(rb"(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?\s{0,9}([a-z0-9_.:-]{1,40})")
_DECLARING_TAGS = (b"<meta", b"<?xml")
_DECLARING = re.compile(rb"<(?:meta|\?xml)", re.IGNORECASE)
_MOST_CANDIDATES = 50
"""How many places that look like a declaration are tried; each takes time linear in the window."""

_HTTP_CHARSET = re.compile(r"charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([a-zA-Z0-9_.:-]{1,40})", re.IGNORECASE)

_UTF16_WINDOW = 4096
_UTF16_SHARE = 0.2
"""Markup is mostly ASCII, so half of its UTF-16 bytes are NUL; a fifth allows for dense Chinese between tags."""

_DETECTION_WINDOW = 2_000_000
_DETECTION_SAMPLE = 32_768
"""Bytes shown to the detector, of lines in that window that are not ASCII. It costs 50 ns a byte; on our gold pages it
says the same of 32 kB of such lines as of the whole page, and errs on Chinese pages given 16 kB."""

_ASCII_AND_SIGNS = bytes([*range(0x80), 0x85, *range(0x91, 0x98), 0x99, 0xA0, 0xA9, 0xAB, 0xAE, 0xB0, 0xB7, 0xBB])
"""ASCII, and what English text uses of windows-1252: … ‘ ’ “ ” • – — ™ © « ® ° · » and the no-break space. The
encodings of other alphabets have nearly the same signs in these places."""

_DAMAGE = 0.25
"""A declared encoding that turns more than this share of the non-ASCII characters into U+FFFD is wrong."""

_NEVER_DECLARED = {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}
"""What the html standard reads instead: whoever could read this declaration was not reading UTF-16."""

_ASCII_ESCAPES = (b"\x1b", b"~{")
"""What introduces other characters in encodings that use ASCII bytes only: ISO-2022-JP and HZ."""

_SERVER_DEFAULT = "windows-1252"
"""What iso-8859-1 means, and what many servers send unasked; never believed against valid UTF-8."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text with the encoding (WHATWG name) that was used and the reason it was chosen."""

    text: str
    encoding: str
    reason: str


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Decode a page. Never fails: bytes that fit nothing become U+FFFD."""
    for mark, name in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return _decode_as(body[len(mark) :], name, "byte order mark")
    if utf16 := _undeclared_utf16(body):
        return _decode_as(body, utf16, "every other byte is NUL")
    return _decode_unmarked(body, _http_charset(content_type))


def lookup_encoding(label: str) -> str | None:
    """The WHATWG name for a label as found in the wild, or None: latin-1 -> windows-1252, gb2312 -> gb18030."""
    found = webencodings.lookup(label) or webencodings.lookup(_python_name(label))
    if found is None:
        return None
    # gbk and gb18030 decode alike by the standard; the wider name tells the reader what is really used.
    return "gb18030" if found.name == "gbk" else str(found.name)


def _python_name(label: str) -> str:
    """Labels the standard does not list (latin-1, utf_8, cp936, ...) but Python's codecs know."""
    try:
        return codecs.lookup(label).name.replace("_", "-")
    except (LookupError, ValueError):
        return ""


def _decode_unmarked(body: bytes, http: str | None) -> Decoded:
    utf8 = _strict_utf8(body)
    if utf8 is not None and http in (None, "utf-8", _SERVER_DEFAULT):
        if not utf8.isascii():
            return Decoded(utf8, "utf-8", "valid UTF-8 with non-ASCII characters")
        if not any(escape in body for escape in _ASCII_ESCAPES):
            return Decoded(utf8, "utf-8", "plain ASCII")
    meta = _declared_in_page(body)
    for name, reason in ((http, "HTTP header"), (meta, "declared in the page")):
        if name is not None and (declared := _undamaged(body, name, reason)):
            return declared
    refuted = frozenset(name for name in (http, meta) if name is not None)
    return _decode_as(body, _detect(body, refuted), "detected")


def _strict_utf8(body: bytes) -> str | None:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _http_charset(content_type: str) -> str | None:
    match = _HTTP_CHARSET.search(content_type)
    return lookup_encoding(match[1]) if match else None


def _declared_in_page(body: bytes) -> str | None:
    head = body[:_DECLARATION_WINDOW].lower()
    for match in islice(_LABEL.finditer(head), _MOST_CANDIDATES):
        if _is_declaration(head, match.start()) and (name := lookup_encoding(match[1].decode("ascii"))):
            return _NEVER_DECLARED.get(name, name)
    return None


def _is_declaration(head: bytes, position: int) -> bool:
    """Whether the label at `position` stands in a declaring tag, and not in a comment."""
    tag = head.rfind(b"<", 0, position)
    in_comment = head.rfind(b"<!--", 0, position) > head.rfind(b"-->", 0, position)
    return head.startswith(_DECLARING_TAGS, max(tag, 0)) and not in_comment


def _undeclared_utf16(body: bytes) -> str | None:
    head = body[:_UTF16_WINDOW]
    if 0 not in head:
        return None
    enough = _UTF16_SHARE * (len(head) // 2)
    high_first, low_first = head[0::2].count(0), head[1::2].count(0)
    if low_first > enough and high_first < low_first / 8:
        return "utf-16le"
    if high_first > enough and low_first < high_first / 8:
        return "utf-16be"
    return None


def _undamaged(body: bytes, name: str, reason: str) -> Decoded | None:
    decoded = _decode_as(body, name, reason)
    # The end of a page is often cut off in the middle of a character; that damage says nothing.
    damaged = decoded.text.rstrip("\ufffd").count("\ufffd")
    if damaged and damaged > _DAMAGE * (len(decoded.text) - len(decoded.text.encode("ascii", "ignore"))):
        return None
    return decoded


def _detect(body: bytes, refuted: frozenset[str]) -> str:
    # Imported here: most pages never need detection.
    from turbohtml.detect import Detection, detect

    # The detector believes a <meta> too, so declarations are hidden from it, and what was refuted is ruled out.
    if not body.isascii() and not body.translate(None, _ASCII_AND_SIGNS):
        return _SERVER_DEFAULT  # quotation marks, dashes and the like, which detectors take for anything
    lines = [line for line in body[:_DETECTION_WINDOW].splitlines() if not line.isascii()]
    shown = _DECLARING.sub(b"<", b"\n".join(lines)[:_DETECTION_SAMPLE] or body[:_DETECTION_SAMPLE])
    found = detect(shown, Detection(excluded=refuted | {"utf-16le", "utf-16be"})).encoding
    return (found and lookup_encoding(found)) or _SERVER_DEFAULT


def _decode_as(body: bytes, name: str, reason: str) -> Decoded:
    text, _ = webencodings.lookup(name).codec_info.decode(body, "replace")
    return Decoded(text, name, reason)
