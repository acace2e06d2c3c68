"""Bytes -> str: which encoding, and why.

Bytes are better evidence than labels. Text interleaved with NUL bytes is UTF-16 or UTF-32, and text that is valid
UTF-8, or nearly so, is UTF-8, whatever the byte order mark, HTTP header or `<meta>` says: hundreds of pages in our gold
sets carry a stale charset, and text in another encoding is hardly ever valid UTF-8 by chance. For all other bytes the
order is byte order mark, HTTP header, `<meta>` or XML declaration, detection; a label that leaves too much of the text
undecoded is passed over.
"""

from __future__ import annotations

import codecs
import re
import sys
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice, product
from typing import Final, NamedTuple, TypeAlias

import webencodings

from dehusk.native.calculations import Question, ask
from dehusk.native.calls import Outcome
from dehusk.page.characters import as_utf8

Utf8: TypeAlias = bytes | memoryview
"""Bytes of text; a view of those of the page where these are not all of them."""

_MARKED = ("utf-8", "utf-32le", "utf-32be", "utf-16le", "utf-16be")
"""What byte order marks stand for, by the numbers they have in `native/src/html/encoding_signs.rs`."""
_WIDE = frozenset({"utf-16le", "utf-16be", "utf-32le", "utf-32be"})

_DECLARING = re.compile(rb"<(?:meta|\?xml)", re.IGNORECASE)

_HTTP_CHARSET = re.compile(r"charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([a-zA-Z0-9_.:-]{1,40})", re.IGNORECASE)

_WIDE_WINDOW = 4096
_WIDE_SHARE = 0.2
"""Markup is mostly ASCII, so half of its UTF-16 bytes are NUL; a fifth allows for dense Chinese between tags."""
_UTF32_SHARE = 0.8
"""Two bytes of each UTF-32 unit are NUL, but for emoji and rare characters."""
_FEWEST_NULS = 3
"""More NUL bytes than this make a pattern. Shorter text in UTF-16 has a tag, or is read right without its NUL bytes."""
_ONE_SIDED = 8
"""How many times as many NUL bytes UTF-16 has in one half of its units as in the other."""
_TAG = re.compile(rb"<[a-zA-Z/!]")
_WIDE_TAGS = {"utf-16le": re.compile(rb"<\0[a-zA-Z/!]\0"), "utf-16be": re.compile(rb"\0<\0[a-zA-Z/!]")}
"""How tags begin. Text that is not Latin can have few NUL bytes between them, or many of its own (`一` is 4E 00)."""

_DETECTION_WINDOW = 2_000_000
_DETECTION_SAMPLE = 32_768
"""Bytes shown to the detector, of lines in that window that are not ASCII. It costs 50 ns a byte; on our gold pages its
answer for 32 kB of such lines is that for the whole page, and wrong on Chinese pages for 16 kB."""

_DAMAGE = 0.25
"""A label that turns more than this share of the non-ASCII characters into U+FFFD is wrong..."""
_FEW_DAMAGED = 2
"""... unless it is so few, and no more than half, as after a broken byte or two on a page of a few words."""

_UTF8_DAMAGE = 0.5
"""Nearly valid UTF-8 has at least one valid sequence for each invalid one. Excerpts of gold texts with 2 to 100
non-ASCII characters in windows-125x, KOI8, Mac and ISO encodings reach that by chance in at most 0.25 % of cases, and
never with 10 or more."""
_UTF8_DAMAGE_IF_SHORT = 0.2
"""The same where there are fewer than `_SHORT` such characters and a label names one of `_LIKE_UTF8`. Of their texts
12 % to 26 % of the sequences are valid UTF-8; of excerpts with 5 characters up to 7 % have as many valid as invalid
sequences, but at most 0.2 % four times as many; of those with 30, up to 0.06 % have as many."""
_SHORT = 30
_LIKE_UTF8 = frozenset("big5 euc-jp euc-kr gb18030 ibm866 shift_jis windows-874 windows-1256".split())
"""Encodings in which the bytes of one character, or of common letters beside each other, can be valid UTF-8."""

_NEVER_DECLARED = {"utf-16le": "utf-8", "utf-16be": "utf-8"}
"""What the html standard reads instead: whoever could read this declaration was not reading UTF-16."""

_WITHOUT_MEANING = {"x-user-defined": "windows-1252"}
"""Bytes for programs: of text it would leave private characters. The html standard reads the same in a `<meta>`."""

_REPLACED = {"hz-gb-2312": "hz-gb-2312", "iso-2022-kr": "iso-2022-kr", "csiso2022kr": "iso-2022-kr"}
"""Of the labels that the encoding standard replaces by a single U+FFFD, those that Python decodes. The standard guards
browsers against script that is hidden from filters; we run none, and would lose the page. They are believed if the
text bears them out; the others (iso-2022-cn, replacement) never are."""
_REPLACED_DAMAGE = 0.02
"""English after a chance `~{` is full of blanks, which are errors in HZ; a real page has a broken byte or two."""
_SEVEN_BIT = frozenset({"iso-2022-jp", *_REPLACED.values()})

_CODECS = {"hz-gb-2312": "hz", "utf-32le": "utf-32-le", "utf-32be": "utf-32-be", "iso-2022-kr": "iso2022_kr"}
"""Python's names of what the encoding standard does not decode."""

_WRITING_DAMAGED = frozenset({"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "gb18030"})
"""Encodings in which pages themselves can have U+FFFD: not our damage."""

_SERVER_DEFAULT = "windows-1252"
"""What iso-8859-1 means, and the best guess where nothing else is known."""

_SINGLE_BYTES = frozenset(
    """
    ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10
    iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251
    windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic
    """.split()
)
"""Encodings of one byte a character: the compiled part decodes them by a table."""

_BY_MARK, _NEARLY_VALID = "byte order mark", "nearly valid UTF-8"
_CHINESE = "gb18030"

UNLABELLED: Final = {1: "plain ASCII", 2: "valid UTF-8 with non-ASCII characters", 3: _BY_MARK}
"""Why a page is UTF-8, whatever labels say: by the numbers in `native/src/decoding_exchange.rs`."""
_MARKED_UTF8 = 3


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """Text with the encoding that was used (WHATWG name if it has one) and the reason it was chosen."""

    content: str | Utf8
    """The text, or its bytes as UTF-8, which is what pages are read from."""
    encoding: str
    reason: str
    damaged: int = 0
    """How many characters are U+FFFD because their bytes mean nothing in this encoding."""

    @property
    def text(self) -> str:
        """The text."""
        return self.content if isinstance(self.content, str) else str(self.content, "utf-8")

    @property
    def utf8(self) -> Utf8:
        """The text as UTF-8."""
        return as_utf8(self.content) if isinstance(self.content, str) else self.content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decoded) and self._as_text == other._as_text

    @property
    def _as_text(self) -> tuple[str, str, str, int]:
        return self.text, self.encoding, self.reason, self.damaged

    def damage_in(self, part: str) -> float:
        """Which share of a part of the text, blanks aside, could not be decoded."""
        damaged = min(self.damaged, part.count("\ufffd")) if self.damaged else 0
        return damaged / sum(map(len, part.split())) if damaged else 0.0


class Survey(NamedTuple):
    """What the compiled part knows of the bytes of a page before any label is looked at."""

    reading: int
    """Why it is UTF-8, unless NUL bytes mean that it is UTF-16: a number of `UNLABELLED`, or 0."""
    start: int
    end: int
    """Where the text begins, after a byte order mark, and where it ends."""
    mark: int
    """A number of `_MARKED`, or -1."""
    has_nul: int
    sequences: int
    """Characters beyond ASCII if the bytes are decoded as UTF-8, damaged ones included."""
    damaged: int
    """Those of them that are U+FFFD because their bytes mean nothing."""
    labels: list[str]
    """What the page declares: the first labels in it."""


def survey_of(found: Outcome) -> Survey:
    """What the compiled part has found: see `native/src/decoding_exchange.rs`."""
    return Survey._make([*found.entries(0), found.texts(1)])


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Decode a page. Never fails: bytes that fit nothing become U+FFFD. Half a character at the end is left out."""
    return decode_surveyed(body, content_type, survey_of(ask(Question.SURVEY, [body], subject="a page")))


def decode_surveyed(body: bytes, content_type: str, survey: Survey) -> Decoded:
    """The same if the compiled part has looked at the page already."""
    marked = _MARKED[survey.mark] if survey.mark >= 0 else None
    text = body[survey.start :]
    if survey.has_nul and (wide := _wide(text[:_WIDE_WINDOW]) or _wide_by_tags(text)):
        return _decode_as(text, wide, _BY_MARK if wide == marked else "every other byte is NUL")
    if survey.reading:
        is_whole = survey.end - survey.start == len(body)
        utf8 = body if is_whole else memoryview(body)[survey.start : survey.end]
        return Decoded(utf8, "utf-8", UNLABELLED[survey.reading])
    return _decode_other(text, marked, _http_charset(content_type), survey)


def lookup_encoding(label: str) -> str | None:
    """The WHATWG name for a label as found in the wild, or None: latin-1 -> windows-1252, gb2312 -> gb18030."""
    if known := _REPLACED.get(label.strip().lower()):
        return known
    found = webencodings.lookup(label) or webencodings.lookup(_python_name(label))
    if found is None or found.name == "replacement":
        return None
    # gbk and gb18030 decode alike by the standard; the wider name tells the reader what is really used.
    return "gb18030" if found.name == "gbk" else str(found.name)


def _python_name(label: str) -> str:
    """Labels the standard does not list (latin-1, utf_8, cp936, ...) but Python's codecs know."""
    try:
        return codecs.lookup(label).name.replace("_", "-")
    except (LookupError, ValueError):
        return ""


def _decode_other(body: bytes, marked: str | None, http: str | None, survey: Survey) -> Decoded:
    meta = _declared_in_page(body, survey.labels)
    labels = {name for name in (marked, http, meta) if name is not None}
    if _is_nearly_valid(survey, labels):
        return _decode_as(body, "utf-8", _NEARLY_VALID)
    if marked in _WIDE and _TAG.search(body):
        marked = None  # of tags in UTF-16, which have NUL bytes, we would know
    http = None if http in _WIDE else http
    claims = [(marked, _BY_MARK), (http, "HTTP header"), (meta, "declared in the page")]
    # Other labels fit their ASCII bytes, too.
    for name, reason in sorted(claims, key=lambda claim: claim[0] not in _SEVEN_BIT):
        if name is not None and (found := _undamaged(body, name, reason)):
            return found
    if _is_nearly_valid(survey, set()):
        return _decode_as(body, "utf-8", _NEARLY_VALID)
    return _decode_as(body, _detected(body, labels), "detected")


def _is_nearly_valid(survey: Survey, labels: set[str]) -> bool:
    """Whether most of what is not ASCII is valid UTF-8. Other text of Latin letters and signs is as good as never."""
    is_doubtful = survey.sequences < _SHORT and not _LIKE_UTF8.isdisjoint(labels)
    allowed = _UTF8_DAMAGE_IF_SHORT if is_doubtful else _UTF8_DAMAGE
    return survey.sequences > 0 and survey.damaged <= allowed * survey.sequences


def _http_charset(content_type: str) -> str | None:
    match = _HTTP_CHARSET.search(content_type)
    name = lookup_encoding(match[1]) if match else None
    return _WITHOUT_MEANING.get(name, name) if name else None


def _declared_in_page(body: bytes, first_labels: list[str]) -> str | None:
    """The encoding that a page declares; labels that nobody knows are passed over."""
    found = _first_known(first_labels)
    if found or not first_labels:
        return found
    return _first_known(ask(Question.DECLARED_LABELS, [body], subject="a page").texts(0))


def _first_known(labels: Iterable[str]) -> str | None:
    name = next(filter(None, map(lookup_encoding, labels)), None)
    return name and (_NEVER_DECLARED | _WITHOUT_MEANING).get(name, name)


def _wide(head: bytes) -> str | None:
    """UTF-16 or UTF-32, if the NUL bytes of ASCII characters say so."""
    if _TAG.search(head):
        return None  # more likely NUL bytes in other text; `_wide_by_tags` looks again
    nuls = [head[offset::4].count(0) for offset in range(4)]
    enough = max(_FEWEST_NULS, _UTF32_SHARE * (len(head) // 4))
    if min(nuls[2:]) > max(enough, _ONE_SIDED * nuls[0]):
        return "utf-32le"
    if min(nuls[:2]) > max(enough, _ONE_SIDED * nuls[3]):
        return "utf-32be"
    first, second = nuls[0] + nuls[2], nuls[1] + nuls[3]
    enough = max(_FEWEST_NULS, _WIDE_SHARE * (len(head) // 2))
    if second > max(enough, _ONE_SIDED * first):
        return "utf-16le"
    return "utf-16be" if first > max(enough, _ONE_SIDED * second) else None


def _wide_by_tags(body: bytes) -> str | None:
    """UTF-16, if most tags are written in it."""
    for name, tag in _WIDE_TAGS.items():
        tags = sum(match.start() % 2 == 0 for match in tag.finditer(body))
        if tags > sum(1 for _ in islice(_TAG.finditer(body), tags)):
            return name
    return None


def _undamaged(body: bytes, name: str, reason: str) -> Decoded | None:
    """The page by a label, unless too much of it would be damaged."""
    decoded = _decode_as(body, name, reason)
    if not decoded.damaged and name not in _SEVEN_BIT:
        return decoded
    non_ascii = _count_non_ascii(decoded.text)
    if name in _SEVEN_BIT and non_ascii == 0:
        return None
    few = 0 if name in _REPLACED.values() else min(_FEW_DAMAGED, non_ascii // 2)
    allowed = _REPLACED_DAMAGE if name in _REPLACED.values() else _DAMAGE
    return decoded if decoded.damaged <= max(few, allowed * non_ascii) else None


def _count_non_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _detected(body: bytes, refuted: set[str]) -> str:
    signs = ask(Question.SIGNS_OF_ENCODING, [body], subject="a page").summary
    if signs.second and _CHINESE not in refuted:
        return _CHINESE  # what the detector says, too, but that takes as long as to read ten pages
    # Detectors take for anything what English uses of windows-1252: quotation marks, dashes, the sign of the pound.
    return _SERVER_DEFAULT if signs.first else _detect(body, frozenset(refuted))


def _detect(body: bytes, refuted: frozenset[str]) -> str:
    # Imported here: most pages never need detection.
    from turbohtml.detect import Detection, detect

    # The detector believes a <meta> too, so declarations are hidden from it, and what was refuted is ruled out.
    lines = [line for line in body[:_DETECTION_WINDOW].splitlines() if not line.isascii()]
    shown = _DECLARING.sub(b"<", b"\n".join(lines)[:_DETECTION_SAMPLE] or body[:_DETECTION_SAMPLE])
    found = detect(shown, Detection(excluded=refuted | {"utf-16le", "utf-16be"})).encoding
    return (found and lookup_encoding(found)) or _SERVER_DEFAULT


def _decode_as(body: bytes, name: str, reason: str) -> Decoded:
    if name in _SINGLE_BYTES:
        found = ask(Question.SINGLE_BYTES, (body, _single_bytes(name)))
        return Decoded(found.bytes(0), name, reason, int(found.summary.first))
    if name == _CHINESE and (utf8 := _decode_pairs(body)) is not None:
        return Decoded(utf8, name, reason)
    codec = codecs.lookup(_CODECS[name]) if name in _CODECS else webencodings.lookup(name).codec_info
    # Not final, as above.
    try:
        text = codec.incrementaldecoder("replace").decode(body)
    except UnicodeError:  # an escape sequence that never ends overflows the decoder's buffer
        text, _ = codec.decode(body, "replace")
    damaged = text.count("\ufffd")
    if damaged and name in _WRITING_DAMAGED:
        damaged = max(damaged - body.count("\ufffd".encode(name)), 0)
    return Decoded(text, name, reason, damaged)


def _decode_pairs(body: bytes) -> bytes | None:
    """Bytes of GB 18030 as UTF-8, if none of its characters has four bytes, and all mean something."""
    found = ask(Question.PAIRS, (body, _pairs()))
    return found.bytes(0) if found.summary.first else None


@cache
def _single_bytes(name: str) -> array[int]:
    """The characters from 0x80 up in an encoding of one byte a character."""
    return _codes(webencodings.lookup(name).codec_info.decode(bytes(range(0x80, 0x100)), "replace")[0])


@cache
def _pairs() -> array[int]:
    """The characters of two bytes in GB 18030, in the order of their bytes."""
    trails = [*range(0x40, 0x7F), *range(0x80, 0xFF)]
    return _codes(bytes(chain.from_iterable(product(range(0x81, 0xFF), trails))).decode("gb18030"))


def _codes(characters: str) -> array[int]:
    """uint16: the numbers of characters, all of them of the basic plane."""
    return array("H", characters.encode(f"utf-16-{sys.byteorder[0]}e"))
