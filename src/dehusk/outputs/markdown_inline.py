"""Inline Markdown: escaping, emphasis, code, links, images and formulas within one block.

Marks are nested around runs of spans, with blanks left outside. Where CommonMark would not recognise the marks
(`a**"b"**c` is not emphasis), they are left out: literal asterisks would be worse.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from dehusk.outputs.document.nodes import DISPLAY, UNMARKED, Marks, Span, SpanKind
from dehusk.outputs.document.reshaping import outer_quotations

LINE_BREAK: Final = "\\\n"

_TICKS: Final = re.compile(r"`+")
# Characters that are special anywhere in a line. An underscore is, unless between letters or digits.
_SPECIAL: Final = re.compile(r"[\\`*\[\]<>~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_MAYBE_SPECIAL: Final = re.compile(r"[\\`*\[\]<>~_&]")

_CODE: Final = "`"
_STARS: Final = frozenset({"*", "**"})
_ELEMENTS: Final = frozenset({"del", "sub", "sup"})
"""Marks that CommonMark lacks are written as inline HTML."""
_SIGNS: Final = {"(": ")", "“": "”"}
_LEVELS: Final[tuple[Callable[[Marks], str], ...]] = (
    lambda marks: marks.link,
    lambda marks: "(" if marks.reading else "",
    lambda marks: "“" if marks.quoted else "",
    lambda marks: "**" if marks.strong else "",
    lambda marks: "*" if marks.emphasis else "",
    lambda marks: "del" if marks.deleted else "",
    lambda marks: "sub" if marks.subscript else "",
    lambda marks: "sup" if marks.superscript else "",
    lambda marks: _CODE if marks.code else "",
)
"""From the outermost kind of mark to the innermost."""
_QUOTED: Final = 2
"""The level of quotations."""


def inline_markdown(spans: Sequence[Span]) -> str:
    """Spans as inline Markdown; hard line breaks are a backslash and a newline."""
    if len(spans) == 1 and spans[0].kind is SpanKind.TEXT and spans[0].marks is UNMARKED:
        return escape(spans[0].text).strip()
    lines = [
        _render(list(group)).strip()
        for is_break, group in groupby(_steady_code(spans), key=lambda span: span.kind is SpanKind.LINE_BREAK)
        if not is_break
    ]
    return LINE_BREAK.join(filter(None, lines))


def escape(text: str) -> str:
    """Escape inline markup in text."""
    return _SPECIAL.sub(r"\\\g<0>", text) if _MAYBE_SPECIAL.search(text) else text


def code_span(code: str) -> str:
    """Code on one line, between enough back-ticks."""
    longest = max(map(len, _TICKS.findall(code)), default=0)
    ticks = "`" * (longest + 1)
    blank = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{ticks}{blank}{code}{blank}{ticks}"


def _steady_code(spans: Iterable[Span]) -> Iterator[Span]:
    """Give adjacent code spans the same marks: two code spans that touch would be read as one."""
    before = Span(" ")
    for span in spans:
        if span.marks.code and before.marks.code and not before.text.endswith(" ") and not span.text.startswith(" "):
            span = span._replace(marks=before.marks)
        yield span
        before = span


def _render(spans: Sequence[Span], level: int = 0, before: str = "", after: str = "") -> str:
    """Spans as Markdown, with nested marks; `before` and `after` are the surrounding text."""
    while level < len(_LEVELS) and not any(_LEVELS[level](span.marks) for span in spans):
        level += 1
    if level == len(_LEVELS):
        return "".join(map(_unmarked, spans))
    mark_of = _LEVELS[level]
    written = ""
    runs = outer_quotations(spans, mark_of) if level < _QUOTED else []
    if any(is_outer for is_outer, _ in runs):
        return _around_quotations(runs, level, before, after)
    groups = [(mark, list(group)) for mark, group in groupby(spans, key=lambda span: mark_of(span.marks))]
    for position, (mark, group) in enumerate(groups):
        follows = _unmarked(groups[position + 1][1][0]) if position + 1 < len(groups) else after
        inside = _code(group) if mark == _CODE else _render(group, level + 1, written or before, follows)
        core = inside.strip()
        start, end = inside[: len(inside) - len(inside.lstrip())], inside[len(inside.rstrip()) :]
        is_read = mark not in _STARS or _is_read(core, (written or before) + start, end + follows)
        if not mark or not core or not is_read:
            written += inside
            continue
        if mark_of is _LEVELS[0] and written.endswith("!"):
            written = written[:-1] + "\\!"  # before a link it would make an image
        written += start + _wrap(core, mark) + end
    return written


def _around_quotations(runs: Sequence[tuple[bool, list[Span]]], level: int, before: str, after: str) -> str:
    """Quotations that contain marks, and the runs between them."""
    written = ""
    for position, (is_outer, run) in enumerate(runs):
        next_is_outer, following = runs[position + 1] if position + 1 < len(runs) else (False, [])
        follows = "“" if next_is_outer else _unmarked(following[0]) if following else after
        if not is_outer:
            written += _render(run, level, written or before, follows)
            continue
        inside = _render(run, level, "“", "”")
        core = inside.strip()
        start, end = inside[: len(inside) - len(inside.lstrip())], inside[len(inside.rstrip()) :]
        written += f"{start}“{core}”{end}" if core else inside
    return written


def _unmarked(span: Span) -> str:
    if span.kind is SpanKind.IMAGE:
        return f"![{escape(span.text)}]({span.address})"
    if span.kind is SpanKind.FORMULA:
        fence = "$$" if span.address == DISPLAY else "$"
        return f"{fence}{safe_latex(span.text)}{fence}"
    return f"[^{span.text}]" if span.kind is SpanKind.NOTE else escape(span.text)


_LATEX: Final = (
    (re.compile(r"\s+"), " "),
    (re.compile(r"< ?"), r"\\lt "),
    (re.compile(r"> ?"), r"\\gt "),
    (re.compile(r"(?<!\\)\* ?"), r"\\ast "),
    (re.compile(r"`"), r"\\grave{}"),
    (re.compile(r"(?<!\\)\$"), r"\\$"),
    (re.compile(r"&(?=#?\w+;)"), "& "),
    (re.compile(r"\](?=[(\[:])"), "] "),
    (re.compile(r"\[(?=\^)"), "[ "),
    (re.compile(r"\^(?=\[)"), "^ "),
    # Only an underscore that can open emphasis: without one, none is closed.
    (re.compile(r"(?<![^\W_])_(?!\s)"), "_ "),
    (re.compile(r"~(?=~)"), "~ "),
)


def safe_latex(latex: str) -> str:
    """The same formula without anything that a parser without formula support would read as markup."""
    for pattern, substitute in _LATEX:
        latex = pattern.sub(substitute, latex)
    # A backslash at the end would escape the dollar.
    return f"{latex} " if latex.endswith("\\") else latex


def _code(spans: Sequence[Span]) -> str:
    """Code verbatim, without marks."""
    return "".join(span.text if span.kind is SpanKind.TEXT else _unmarked(span) for span in spans)


def _wrap(core: str, mark: str) -> str:
    if mark == _CODE:
        return code_span(core)
    if mark in _ELEMENTS:
        return f"<{mark}>{core}</{mark}>"
    if mark in _SIGNS:
        return f"{mark}{core}{_SIGNS[mark]}"
    return f"{mark}{core}{mark}" if mark in _STARS else f"[{core}]({mark})"


def _is_read(core: str, before: str, after: str) -> bool:
    """Whether CommonMark would read asterisks around the text as emphasis."""
    if before.endswith("*") or after.startswith("*"):
        return False  # asterisks side by side would be read as one
    inside = core.strip("*")
    opens = not _is_punctuation(inside[:1]) or _stands_apart(before[-1:])
    closes = not _is_punctuation(inside[-1:]) or _stands_apart(after[:1])
    return bool(inside) and opens and closes


def _stands_apart(character: str) -> bool:
    """Whether it is white space or punctuation in every version of CommonMark: older ones exclude non-ASCII symbols."""
    if not character or character in "\t\n\f\r":
        return True
    category = unicodedata.category(character)
    return category == "Zs" or category[0] == "P" or (character.isascii() and category[0] == "S")


def _is_punctuation(character: str) -> bool:
    return bool(character) and unicodedata.category(character)[0] in "PS"
