"""Recognise bytes that are not HTML, by their first bytes, or by a content type that leaves no doubt.

A PDF that is read as HTML gives pages of gibberish and no error. A signature must be long enough that no text begins
with it: most have bytes that no text has, and those of letters (`BM`, `MZ`, `GIF89a`) count only with the header that
follows. A content type counts only if it names another format and the bytes do not look like HTML: servers lie.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from dehusk.errors import EmptyPage, NotHtml, PageSkipped
from dehusk.sources.raw_page import RawPage

HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
"""Content types of pages."""

_HEAD: Final = 1024
"""Bytes that are searched. PDF readers search as far for the start of the document."""
_BLANK: Final = b" \t\r\n\f\v\0"
_MARKS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
"""Byte order marks."""


GZIP: Final = b"\x1f\x8b\x08"
"""How gzip begins; there is only one method of compression."""
_STRANGE: Final = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
"""Bytes of characters that no text has. UTF-16 may have them, too; and NUL bytes fill up pages."""
_BYTES_A_STRANGE: Final = 40
"""Of compressed bytes every tenth is strange; of text less than one in so many."""

_SIGNATURES: Final = (
    # Documents. A PDF may have other bytes before it; then its first object tells it from a text about PDF.
    ("a PDF", rb"\s*%PDF-\d"),
    ("a PDF", rb"[^<]{1,1000}?%PDF-\d\.\d\s[^<]{0,200}?\d obj\b"),
    ("a PostScript file", rb"\s*%!PS-Adobe-\d"),
    ("an RTF document", rb"\s*\{\\rtf\d?[\\ \r\n{]"),
    ("an Office document of before 2007", rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ("an EPUB book", rb"PK\x03\x04.{26}mimetypeapplication/epub\+zip"),
    ("an OpenDocument file", rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis"),
    ("an Office document", rb"PK\x03\x04.{26}(?:\[Content_Types\]\.xml|_rels/|docProps/|word/|xl/|ppt/)"),
    ("a DjVu document", rb"AT&TFORM.{4}DJV"),
    # Images.
    ("a PNG image", rb"\x89PNG\r\n\x1a\n"),
    ("a JPEG image", rb"\xff\xd8\xff[\xc0-\xfe]"),
    ("a GIF image", rb"GIF8[79]a(?=.{0,6}[\x00-\x08\x0e-\x1f\x80-\xff])"),
    ("a WebP image", rb"RIFF.{4}WEBPVP8"),
    ("a BMP image", rb"BM.{4}\x00{4}.{2}\x00\x00[\x0c\x28\x34\x38\x40\x6c\x7c]\x00\x00\x00"),
    ("a TIFF image", rb"II\*\x00|MM\x00\*"),
    ("an icon", rb"\x00\x00[\x01\x02]\x00[\x01-\x40]\x00.{3}\x00"),
    ("an AVIF or HEIF image", rb"\x00\x00.{2}ftyp(?:avif|avis|heic|heix|hevc|mif1|msf1)"),
    ("a JPEG 2000 image", rb"\x00\x00\x00\x0cjP  \r\n\x87\n"),
    ("a JPEG XL image", rb"\x00\x00\x00\x0cJXL \r\n\x87\n"),
    ("a Photoshop image", rb"8BPS\x00[\x01\x02]"),
    # Audio and video.
    ("an MP4 file", rb"\x00\x00.{2}ftyp[\w ]{4}"),
    ("an MP3 file", rb"ID3[\x02-\x04][\x00-\x0a]|\xff[\xfa\xfb\xf2\xf3][\x10-\xef].(?=.{0,60}?\x00)"),
    ("an Ogg file", rb"OggS\x00"),
    ("a Matroska or WebM file", rb"\x1aE\xdf\xa3"),
    ("a WAV file", rb"RIFF.{4}WAVEfmt "),
    ("an AVI file", rb"RIFF.{4}AVI LIST"),
    ("a FLAC file", rb"fLaC[\x00\x80]\x00"),
    ("an AIFF file", rb"FORM.{4}AIF[FC]"),
    ("a MIDI file", rb"MThd\x00\x00\x00\x06"),
    ("an MPEG file", rb"\x00\x00\x01[\xb3\xba]"),
    ("a Windows Media file", rb"\x30\x26\xb2\x75\x8e\x66\xcf\x11"),
    ("a Flash file", rb"FLV\x01|[FCZ]WS[\x01-\x40].{3}\x00"),
    # Archives and compressed files. Those with pages are read by their suffix.
    ("a gzip file", rb"\x1f\x8b\x08[\x00-\x1f]"),
    ("a zip archive", rb"PK(?:\x03\x04|\x05\x06|\x07\x08)"),
    ("a bzip2 file", rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
    ("an xz file", rb"\xfd7zXZ\x00"),
    ("a zstd file", rb"\x28\xb5\x2f\xfd"),
    ("an lz4 file", rb"\x04\x22\x4d\x18"),
    ("a 7z archive", rb"7z\xbc\xaf\x27\x1c"),
    ("a RAR archive", rb"Rar!\x1a\x07"),
    ("a cabinet file", rb"MSCF\x00{4}"),
    ("a tar archive", rb".{257}ustar(?:\x00|  \x00)"),
    ("a Unix archive", rb"!<arch>\n"),
    ("a WARC file", rb"WARC/[01]\.\d+\r?\n"),
    # Programs, fonts and data.
    ("a program (ELF)", rb"\x7fELF[\x01\x02][\x01\x02]"),
    ("a Windows program", rb"MZ.{62,1000}?(?:PE\x00\x00|DOS mode)"),
    ("a program (Mach-O)", rb"\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe"),
    ("a Java class or program", rb"\xca\xfe\xba\xbe"),
    ("a WebAssembly module", rb"\x00asm[\x01\x02]\x00\x00\x00"),
    ("a font", rb"wOF[F2](?:\x00\x01\x00\x00|OTTO|true)|OTTO\x00|ttcf\x00"),
    ("a font", rb"\x00\x01\x00\x00\x00[\x01-\x40][\x00-\x04]"),
    ("an SQLite database", rb"SQLite format 3\x00"),
    ("a Parquet file", rb"PAR1[\x00-\x1f]"),
    ("an Arrow file", rb"ARROW1\x00\x00"),
    ("an HDF5 file", rb"\x89HDF\r\n\x1a\n"),
    ("an Avro file", rb"Obj\x01"),
    ("a numpy array", rb"\x93NUMPY[\x01-\x03]"),
)


@cache
def _signatures() -> tuple[tuple[str, re.Pattern[bytes]], ...]:
    """Compiled on first use: what begins with a tag needs none of them."""
    return tuple((what, re.compile(pattern, re.DOTALL)) for what, pattern in _SIGNATURES)


_KINDS: Final = {"image": "an image", "audio": "an audio file", "video": "a video", "font": "a font"}
_OTHER_TYPES: Final = {
    "application/pdf": "a PDF",
    "application/postscript": "a PostScript file",
    "application/rtf": "an RTF document",
    "application/msword": "an Office document",
    "application/epub+zip": "an EPUB book",
    "application/zip": "a zip archive",
    "application/gzip": "a gzip file",
    "application/x-gzip": "a gzip file",
    "application/x-tar": "a tar archive",
    "application/x-7z-compressed": "a 7z archive",
    "application/x-rar-compressed": "a RAR archive",
    "application/vnd.rar": "a RAR archive",
    "application/java-archive": "a Java program",
    "application/x-shockwave-flash": "a Flash file",
    "application/wasm": "a WebAssembly module",
    "application/json": "JSON",
    "application/ld+json": "JSON",
    "application/javascript": "a script",
    "application/x-javascript": "a script",
    "text/javascript": "a script",
    "text/css": "a style sheet",
    "text/csv": "CSV",
    "text/tab-separated-values": "CSV",
}
"""Content types that leave no doubt. Others (text/plain, application/octet-stream, XML) are also sent with pages."""
_OTHER_FAMILIES: Final = (
    ("application/vnd.ms-", "an Office document"),
    ("application/vnd.openxmlformats-", "an Office document"),
    ("application/vnd.oasis.opendocument", "an OpenDocument file"),
)

_PARAMETERS: Final = re.compile(r"[\s;,]")
# Compiled where few pages need them: `re` keeps them.
_BEGINS_AS_HTML: Final = (
    rb"(?i)<(?:!--|!doctype\s+html|(?:html|head|body|title|meta|link|base|script|style|noscript|iframe|h[1-6]|div|span"
    rb"|p|a|b|i|br|hr|table|ul|ol|dl|form|center|font|main|article|section|header|nav)[\s/>])"
)
_HAS_HTML: Final = rb"(?i)<(?:!doctype\s+html|(?:html|head|body)[\s>])"


def is_html_type(content_type: str) -> bool:
    """Whether a Content-Type, with or without parameters, is that of HTML."""
    return _bare(content_type) in HTML_TYPES


def is_style_type(content_type: str) -> bool:
    """The same for style sheets."""
    return _bare(content_type) == "text/css"


def other_type(body: bytes, content_type: str = "") -> str:
    """What the bytes are instead of HTML ("a PDF"); empty for HTML and what may be read as such."""
    named = _named(content_type) if content_type else ""
    if not named and may_be_html(body):
        return ""
    head = _without_mark(body[:_HEAD])
    start = head.lstrip(_BLANK)
    by_bytes = "" if start.startswith(b"<") else _by_signature(head)
    if by_bytes := by_bytes or _by_text(body, start):
        return by_bytes
    return "" if named and _looks_like_html(start) else named


def may_be_html(body: bytes) -> bool:
    """Whether bytes begin as most pages do, and as nothing else does."""
    return body.startswith(b"<") and not body.startswith(_OF_OTHERS, 1)


def is_strange(body: bytes) -> bool:
    """Whether bytes begin with some that no text has."""
    if body.startswith(b"<"):
        return False
    head = body[:_HEAD].replace(b"\0", b"")
    return len(_STRANGE.findall(head)) * _BYTES_A_STRANGE > len(head)


def begins_with_tag(body: bytes | memoryview) -> bool:
    """Whether a tag, or a comment, is what bytes begin with, blanks aside."""
    return _without_mark(bytes(body[:_HEAD])).lstrip(_BLANK).startswith(b"<")


_OF_OTHERS: Final = (b"?xml", b"rss", b"feed", b"rdf:", b"!--", b"urlset", b"sitemapindex")
"""How feeds begin behind `<`. A comment may stand before anything."""


def _by_signature(head: bytes) -> str:
    return next((what for what, signature in _signatures() if signature.match(head)), "")


def _by_text(body: bytes, start: bytes) -> str:
    """What bytes are that have no signature at their beginning: data, or a PDF behind comments."""
    if start.startswith(b"<!--") and re.match(_PDF_BEHIND_COMMENTS, start):
        return "a PDF"
    from dehusk.sources.data_formats import data_format  # most pages begin with a tag

    return data_format(body)


_PDF_BEHIND_COMMENTS: Final = rb"(?s)(?:\s|<!--.*?-->)++%PDF-\d"


def nothing_to_clean(raw: RawPage) -> PageSkipped | None:
    """Why there is nothing to clean: no bytes, or no HTML; None if there is."""
    if not _without_mark(raw.body[:_HEAD]).strip(_BLANK) and not _without_mark(raw.body).strip(_BLANK):
        cause = "holds nothing but white space" if raw.body else "is empty"
        return EmptyPage(raw.label, cause, "leave it out")
    return not_html(raw)


def not_html(raw: RawPage) -> NotHtml | None:
    """The error for bytes of another format."""
    what = other_type(raw.body, raw.header("content-type"))
    return not_html_but(what, raw.label) if what else None


def not_html_but(what: str, label: str) -> NotHtml:
    """The error for a page that is something else, as from `other_type`."""
    return NotHtml(label, f"is {what}, not html", _REMEDIES.get(what, "convert it to html, or leave it out"))


_REMEDIES: Final = {
    "JSON": "if it holds pages, name it .jsonl, with an object per line, and their field with --html-field",
    "CSV": "if it holds pages, convert it to Parquet or JSON lines, and name their column with --html-field",
    "a feed or a sitemap": "clean the pages that it lists, with dehusk links",
}


def _without_mark(head: bytes) -> bytes:
    return next((head[len(mark) :] for mark in _MARKS if head.startswith(mark)), head)


def _bare(content_type: str) -> str:
    """Without parameters, which some servers put behind a comma or a space."""
    return _PARAMETERS.split(content_type.strip().lower(), maxsplit=1)[0]


def _named(content_type: str) -> str:
    """The format that a content type names, if it leaves no doubt."""
    if content_type in HTML_TYPES or (bare := _bare(content_type)) in HTML_TYPES:
        return ""
    families = (what for family, what in _OTHER_FAMILIES if bare.startswith(family))
    kind = _KINDS.get(bare.partition("/")[0], "") if "/" in bare else ""
    return _OTHER_TYPES.get(bare) or kind or next(families, "")


def _looks_like_html(start: bytes) -> bool:
    """By its first tag; or by one further on, unless it is in a string of JSON."""
    start = start.replace(b"\0", b"")  # of UTF-16
    if re.match(_BEGINS_AS_HTML, start):
        return True
    return not start.startswith((b"{", b"[")) and re.search(_HAS_HTML, start) is not None
