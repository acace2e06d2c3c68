"""Spans as plain text, step by step: what the compiled part writes, and how tests name a paragraph."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from document_nodes import Span, SpanKind

_POWER = re.compile(r"[+\N{MINUS SIGN}-]?\d+|[nk]")


def plain_spans(spans: Sequence[Span]) -> str:
    """Spans with the quotation marks and parentheses a browser adds. Line breaks are newlines."""
    text = ""
    for ruby, group in groupby(spans, key=lambda span: span.marks.ruby if span.marks.reading else 0):
        inner = ""
        for is_quoted, quoted in groupby(group, key=lambda span: span.marks.quoted):
            shown = ""
            for span in quoted:
                shown += _shown(span, (shown or inner or text)[-1:])
            inner += f"“{shown}”" if is_quoted else shown
        text += f"({inner})" if ruby else inner
    return text


def _shown(span: Span, before: str) -> str:
    if span.kind is SpanKind.FORMULA:
        return f"${span.text}$"
    if span.kind is SpanKind.NOTE:
        return f"[{span.text}]"
    if span.kind is SpanKind.IMAGE:
        return ""
    is_power = span.marks.superscript and (before.isalnum() or before == ")") and _POWER.fullmatch(span.text)
    return f"^{span.text}" if is_power else span.text
