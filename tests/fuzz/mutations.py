"""Mutations of bytes and of html: each takes an input and a source of chance, and gives another input.

All are functions of their arguments, so that a run can be repeated from its seed.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

LARGEST = 65_536
"""Bytes of an input. What takes quadratic time shows at this size; whole pages of it still run many times a second."""

_INTERESTING = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 40, 1 << 63)
"""Numbers at the ends of types, which sizes and offsets of files are stored in."""

_MOST_REPEATED = 400
"""How often a piece is repeated; nesting beyond 512 levels is what readers guard against, and two rounds reach it."""


@dataclass(frozen=True)
class Chance:
    """Where a mutation takes its decisions and its material from."""

    random: Random
    others: Sequence[bytes]
    """Inputs that pieces may be taken from."""

    def piece(self, data: bytes, longest: int = 2000) -> tuple[int, int]:
        """Start and end of some piece of the data."""
        start = self.random.randrange(len(data) + 1)
        # Short pieces more often than long ones.
        length = min(int(longest ** self.random.random()), len(data) - start)
        return start, start + length


Mutation = Callable[[bytes, Chance], bytes]


def _flip(data: bytes, chance: Chance) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.random.choice((1, 1, 2, 5, 20))):
        changed[chance.random.randrange(len(changed))] ^= 1 << chance.random.randrange(8)
    return bytes(changed)


def _set_bytes(data: bytes, chance: Chance) -> bytes:
    start, end = chance.piece(data, 20)
    return data[:start] + chance.random.randbytes(end - start) + data[end:]


def _set_number(data: bytes, chance: Chance) -> bytes:
    size = chance.random.choice((1, 2, 4, 8))
    number = (chance.random.choice(_INTERESTING) + chance.random.randint(-2, 2)) % (1 << 8 * size)
    at = chance.random.randrange(len(data))
    return data[:at] + number.to_bytes(size, chance.random.choice(("little", "big"))) + data[at + size :]


def _delete(data: bytes, chance: Chance) -> bytes:
    start, end = chance.piece(data)
    return data[:start] + data[end:]


def _cut(data: bytes, chance: Chance) -> bytes:
    return data[: chance.random.randrange(len(data) + 1)]


def _repeat(data: bytes, chance: Chance) -> bytes:
    start, end = chance.piece(data)
    times = int(_MOST_REPEATED ** chance.random.random())
    room = max((LARGEST - len(data)) // max(end - start, 1), 1)
    return data[:end] + data[start:end] * min(times, room) + data[end:]


def _move(data: bytes, chance: Chance) -> bytes:
    start, end = chance.piece(data)
    rest = data[:start] + data[end:]
    at = chance.random.randrange(len(rest) + 1)
    return rest[:at] + data[start:end] + rest[at:]


def _splice(data: bytes, chance: Chance) -> bytes:
    other = chance.random.choice(chance.others) if chance.others else data
    start, end = chance.piece(other, 8000)
    at = chance.random.randrange(len(data) + 1)
    return data[:at] + other[start:end] + data[at + chance.random.choice((0, end - start)) :]


BYTE_MUTATIONS: tuple[Mutation, ...] = (_flip, _set_bytes, _set_number, _delete, _cut, _repeat, _move, _splice)


def mutate_bytes(data: bytes, chance: Chance) -> bytes:
    """The data with a few changes of any kind."""
    return _some_of(BYTE_MUTATIONS, data, chance)


def _some_of(mutations: Sequence[Mutation], data: bytes, chance: Chance) -> bytes:
    largest = max(LARGEST, len(data))
    for _ in range(chance.random.choice((1, 1, 1, 2, 3, 5))):
        if not data:
            return chance.random.choice(chance.others) if chance.others else b"<"
        data = chance.random.choice(mutations)(data, chance)[:largest]
    return data


_TAGS = """
html head body title base link meta style script noscript template article section nav aside main header footer h1
h2 h6 p div span a b i em strong u s font nobr big code pre blockquote q cite ul ol li dl dt dd table caption
colgroup col thead tbody tr td th form input textarea select option button label fieldset figure figcaption img
picture source video audio iframe object embed svg math mi mo annotation desc foreignObject ruby rb rt rp sup sub
br wbr hr details summary dialog frameset frame plaintext xmp listing marquee image isindex my-widget
""".split()

_ATTRIBUTES = """hidden aria-hidden=true style="display:none" style="visibility : hidden" class="post comment" class=""
id=n1 href="#n1" href="/a?b=1&amp;c=2" href="javascript:alert(1)" href="//[::1" href="http://[" href="http://a:99999999/"
src=x.png srcset="a 1x, b 2x" alt="a^2" lang=de dir=rtl colspan=99999 rowspan=0 colspan=-1 start=99999999999999999999
value=-5 reversed role=navigation role=presentation itemscope itemprop=author itemtype="https://schema.org/Article"
property="og:title" name=author content="2024-02-30" http-equiv=content-type type="application/ld+json" type=math/tex
rel=canonical rel=nofollow datetime="9999999-01-01" epub:type=footnote xmlns:xlink=x data-x= = " ' <""".split(" ")

_TEXTS = (
    "&nbsp;",
    "&amp;amp;",
    "&#0;",
    "&#xD800;",
    "&#x110000;",
    "&#128;",
    "&notin",
    "&lt;script&gt;",
    "&NotEqualTilde;",
    "\ufeff",
    "\ufffd",
    "\u2028",
    "\u202e",
    "\u0301",
    "é",
    "中文内容，",
    "日本語。",
    "ไทย",
    "العربية",
    "𝒳😀",
    "\x00",
    "\x0b",
    "\x1b$B",
    "~{VPND~}",
    "\r",
    "\t\t",
    "|",
    "```",
    "[x](y)",
    "$$a^2$$",
    "\\",
    "_*_*",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?xml version='1.0' encoding='utf-16'?>",
    "<!doctype html>",
    "</",
    "<",
    "<>",
    "</p>",
    "3 May 2024",
    "by Ada Lovelace",
    "Comments (3)",
    "¹",
    "[1]",
    "{",
    '{"@type": "Article", "author": {"name": ["x"]}}',
    '{"@graph": [',
    "p{color:red}",
    "@media print{",
    "@import url(x);",
    "a:not(:is(b,c))>d~e{",
    "!important",
    "1e999",
)

_CHARSETS = (
    "utf-8 utf-16 utf-16le utf-16be utf-32 utf-7 latin-1 windows-1251 koi8-r gb2312 gbk gb18030 big5 euc-jp shift_jis "
    "iso-2022-jp iso-2022-kr iso-2022-cn hz-gb-2312 euc-kr x-user-defined replacement macintosh ibm866 windows-874 "
    "iso-8859-8-i cp037 idna punycode base64 hex rot13 unicode_escape raw_unicode_escape zlib mbcs undefined "
    "unicode-1-1-utf-8 x-x-big5 ansi_x3.4-1968 none ''"
).split()

_WRITTEN_IN = (
    "utf-8 utf-16 utf-16-le utf-16-be utf-32 cp1252 cp1251 koi8-r gb18030 big5 euc-jp shift_jis iso2022_jp hz euc-kr"
)
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, b"")


def _boundary(data: bytes, chance: Chance) -> int:
    """Somewhere in the data, mostly where a tag begins or ends."""
    at = chance.random.randrange(len(data) + 1)
    mark = chance.random.choice((b"<", b">", b""))
    return max(data.find(mark, at) + (mark == b">"), 0) if mark else at


def _insert(data: bytes, written: str, chance: Chance) -> bytes:
    at = _boundary(data, chance)
    return data[:at] + written.encode("utf-8", "surrogatepass") + data[at:]


def _attributes(chance: Chance) -> str:
    return "".join(" " + chance.random.choice(_ATTRIBUTES) for _ in range(chance.random.choice((0, 0, 1, 1, 2, 4))))


def _insert_tag(data: bytes, chance: Chance) -> bytes:
    return _insert(data, f"<{chance.random.choice(_TAGS)}{_attributes(chance)}>", chance)


def _insert_end_tag(data: bytes, chance: Chance) -> bytes:
    return _insert(data, f"</{chance.random.choice(_TAGS)}>", chance)


def _insert_text(data: bytes, chance: Chance) -> bytes:
    return _insert(data, chance.random.choice(_TEXTS) * chance.random.choice((1, 1, 1, 3, 50)), chance)


def _nest(data: bytes, chance: Chance) -> bytes:
    """Many elements in each other, or beside each other: where time and depth blow up."""
    tags = [chance.random.choice(_TAGS) for _ in range(chance.random.choice((1, 2, 3)))]
    text = chance.random.choice(("", "x", *_TEXTS))
    close = chance.random.choice((True, False))
    unit = "".join(f"<{tag}{_attributes(chance)}>{text}" for tag in tags)
    unit += "".join(f"</{tag}>" for tag in reversed(tags)) if close else ""
    return _insert(data, unit * int(3000 ** chance.random.random()), chance)


def _change_tag(data: bytes, chance: Chance) -> bytes:
    """Rename an element, or give it attributes, and leave its end tag as it is."""
    start = data.find(b"<", chance.random.randrange(len(data)))
    end = data.find(b">", start)
    if start < 0 or end < 0:
        return data
    return data[:start] + f"<{chance.random.choice(_TAGS)}{_attributes(chance)}".encode() + data[end:]


def _declare(data: bytes, chance: Chance) -> bytes:
    """Put a declaration of some encoding before the page, true or not."""
    label = chance.random.choice(_CHARSETS)
    form = chance.random.choice(
        (
            "<meta charset={0}>",
            "<meta http-equiv=content-type content='text/html; charset={0}'>",
            "<?xml version='1.0' encoding='{0}'?>",
            "<!-- <meta charset={0}> -->",
        )
    )
    return form.format(label).encode() + data


def _write_in(data: bytes, chance: Chance) -> bytes:
    """Write the same text in another encoding."""
    text = data.decode("utf-8", "replace")
    return text.encode(chance.random.choice(_WRITTEN_IN.split()), chance.random.choice(("ignore", "xmlcharrefreplace")))


def _mark(data: bytes, chance: Chance) -> bytes:
    return chance.random.choice(_MARKS) + data


HTML_MUTATIONS: tuple[Mutation, ...] = (
    *(_insert_tag, _insert_tag, _insert_end_tag, _insert_text, _insert_text, _change_tag, _nest),
    *(_delete, _repeat, _move, _splice, _splice, _flip, _cut),
)
ENCODING_MUTATIONS: tuple[Mutation, ...] = (_declare, _write_in, _mark, _insert_text, _set_bytes, _splice, _cut, _flip)


def mutate_html(data: bytes, chance: Chance) -> bytes:
    """A page with a few changes, most of them to its markup."""
    changed = _some_of(HTML_MUTATIONS, data, chance)
    return _some_of(ENCODING_MUTATIONS, changed, chance) if chance.random.random() < 0.1 else changed


def mutate_encoding(data: bytes, chance: Chance) -> bytes:
    """A page with a few changes, most of them to how it is encoded."""
    return _some_of(ENCODING_MUTATIONS if chance.random.random() < 0.8 else HTML_MUTATIONS, data, chance)


def mutate_lines(data: bytes, chance: Chance) -> bytes:
    """Text of lines: lines are repeated, left out, changed and put elsewhere."""
    lines = data.split(b"\n")
    at = chance.random.randrange(len(lines))
    choice = chance.random.randrange(5)
    if choice == 0:
        lines[at : at + 1] = [lines[at]] * int(_MOST_REPEATED ** chance.random.random())
    elif choice == 1:
        lines.insert(at, chance.random.choice(lines))
    elif choice == 2:
        del lines[at]
    else:
        lines[at] = mutate_bytes(lines[at], chance) if choice == 3 else _insert_text(lines[at], chance)
    return b"\n".join(lines)[:LARGEST]
