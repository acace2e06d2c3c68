"""Pages that grow: work on them is to grow with their size, and not with its square."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from thoroughness import THOROUGH

Source = bytes | str

KEPT = "This sentence is long enough to nominate the sub-tree that it stands in, so that it is rendered. "
"""Where a generator uses it the page is kept, and the outputs have work to do."""


class Growing(NamedTuple):
    """A page of any size, and the sizes at which cleaning and rendering it take long enough to be measured."""

    generate: Callable[[int], Source]
    cleaned: int
    rendered: int = 0


GROWING: dict[str, Growing] = {
    "nested divs": Growing(lambda n: "<div>" * n + KEPT * 3, 10_000, 500),
    "nested inline elements": Growing(lambda n: "<span>" * n + KEPT * 3, 10_000, 500),
    "nested tables": Growing(lambda n: "<table><tr><td>" * n + KEPT * 3, 3_000, 300),
    "nested lists": Growing(lambda n: "<ul><li>" * n + KEPT * 3, 5_000, 500),
    "attributes on one tag": Growing(lambda n: f"<p {' '.join(f'a{i}=1' for i in range(n))}>{KEPT * 3}", 20_000),
    "long attribute": Growing(lambda n: f"<p title={'x' * n}>{KEPT * 3}", 4_000_000),
    "long tag name": Growing(lambda n: f"<{'x' * n}>{KEPT * 3}", 1_000_000),
    "only <": Growing(lambda n: "<" * n, 50_000, 50_000),
    "comments": Growing(lambda n: f"<p>{KEPT * 3}" + "<!-- x -->" * n, 100_000),
    "unclosed comments": Growing(lambda n: b"\xff" + b"<!--" * n, 100_000),
    "charset=": Growing(lambda n: b"\xff" + b"charset=" * n, 50_000),
    "blanks after charset=": Growing(lambda n: b"\xff<meta charset=" + b" " * n, 1_000),
    "blanks around charset=": Growing(lambda n: b"\xff<meta " + b"charset = '" * n, 10_000),
    "invalid bytes": Growing(lambda n: b"<meta charset=utf-8>" + b"\xff\xfe" * n, 50_000),
    "entities": Growing(lambda n: "<p>" + "&amp;amp;" * n, 100_000, 20_000),
    "paragraphs": Growing(lambda n: f"<p>{KEPT}</p>" * n, 5_000, 300),
    "paragraphs deep down": Growing(lambda n: KEPT * 3 + "<div>" * n + "<p>x</p>" * n, 400, 200),
    "headings": Growing(
        lambda n: f"<title>{'word ' * n}</title><p>{KEPT * 3}</p>" + "<h2>one two three</h2>" * n, 3_000, 300
    ),
    "table rows": Growing(lambda n: "<table>" + f"<tr><td>{KEPT}<td>{KEPT}" * n, 1_500, 200),
    "inline elements": Growing(lambda n: f"<p>{KEPT * 3}" + "<b>x</b> <a href=y>z</a> " * n, 3_000, 1_000),
    "unclosed formatting": Growing(lambda n: "<p>" + "".join(f"<b id={i}>x" for i in range(n)), 3_000, 500),
    "misnested formatting": Growing(lambda n: f"<p>{KEPT * 3}" + "<b><i><p>x</b></i></p>" * n, 1_500, 200),
    "unclosed links": Growing(lambda n: f"<p>{KEPT * 3}" + "<a href=x><p>y" * n, 3_000, 300),
    "line breaks": Growing(lambda n: f"<p>{KEPT * 3}" + "x<br>" * n, 10_000, 1_000),
    "empty lines": Growing(lambda n: f"<p>{KEPT * 3}" + "x<br><br>" * n, 5_000, 300),
    "hidden and shown in turn": Growing(lambda n: f"<p>{KEPT * 3}" + "x<i hidden>y</i>" * n, 3_000, 1_000),
    "paragraphs half hidden": Growing(lambda n: f"<p>{KEPT}<i hidden>y</i>z</p>" * n, 1_500, 200),
    "list items": Growing(lambda n: "<ul>" + f"<li>{KEPT}" * n, 5_000, 300),
    "paragraphs in one item": Growing(lambda n: "<ul><li>" + f"<p>{KEPT}</p>" * n, 5_000, 300),
    "paragraphs in one cell": Growing(
        lambda n: "<table><tr><td>a<td>b<tr><td>c<td>" + f"<p>{KEPT}</p>" * n, 5_000, 300
    ),
    "code": Growing(lambda n: f"<pre>  <b>{KEPT}</b>\n  x</pre>" * n, 1_000, 300),
    "lines of code": Growing(lambda n: f"<pre>{KEPT * 3}" + "  <b>x</b>\n" * n, 5_000, 2_000),
    "images": Growing(lambda n: f"<p>{KEPT}</p><img src=x alt=y>" * n, 3_000, 300),
    "tags outside the table": Growing(
        lambda n: "".join(f"<x-{i}>x</x-{i}>" for i in range(n)) + KEPT * 3, 5_000, 1_000
    ),
    "options": Growing(lambda n: f"<p>{KEPT * 3}<select>" + "<option>x" * n, 5_000, 300),
    "backticks": Growing(lambda n: f"<p>{KEPT * 3}<code>{'`' * n}</code>", 500_000, 20_000),
    "markup characters": Growing(lambda n: f"<p>{KEPT * 3}" + "*_[]" * n, 200_000, 10_000),
    "one long line of rules": Growing(lambda n: f"<p>{KEPT * 3}<br>" + "- " * n + "x", 200_000, 20_000),
    "one class on all blocks": Growing(lambda n: f"<div class='{'x ' * n * 40}'>" + f"<p>{KEPT}</p>" * n, 1_000, 200),
}

GROWING_DOCUMENTS: dict[str, tuple[Callable[[int], str], int]] = {
    "list items": (lambda n: "<ol>" + "<li>one" * n, 2_500),
    "items of one paragraph and a list each": (lambda n: "<ul>" + "<li>one<ol><li>two</ol>" * n, 1_500),
    "nested lists": (lambda n: "<ul><li>one" * n, 2_500),
    "lists beside items, nested": (lambda n: "<ul><li>one</li>" * n, 2_500),
    "nested quotes": (lambda n: "<blockquote>one" * n, 2_500),
    "nested definitions": (lambda n: "<dl><dt>one<dd>two" * n, 2_500),
    "nested figures": (lambda n: "<figure><img src=x>one<figcaption>two</figcaption>" * n, 2_500),
    "definitions": (lambda n: "<dl>" + "<dt>one<dd>two" * n, 1_500),
    "marks of one footnote": (lambda n: "<p>" + "x<sup><a href=#n>1</a></sup> " * n + "<p id=n>note", 2_500),
    "marks of a footnote each": (
        lambda n: (
            "".join(f"<p>x<sup><a href=#n{number}>1</a></sup>" for number in range(n))
            + "".join(f"<p id=n{number}>note" for number in range(n))
        ),
        2_500,
    ),
    "marks of stars": (
        lambda n: (
            "<p>"
            + "".join(f"x<sup><a href=#n{number}>*</a></sup> " for number in range(n))
            + "".join(f"<p id=n{number}>*" for number in range(n))
        ),
        2_500,
    ),
    "cells": (lambda n: "<table>" + f"<tr>{'<td>one' * 10}" * (n // 10), 2_500),
    "cells of one row": (lambda n: "<table><tr>" + "<td>one" * n + "<tr><td>one<td>two", 2_500),
    "cells that span": (lambda n: "<table>" + f"<tr>{'<td colspan=3 rowspan=2>one' * 5}" * (n // 5), 2_500),
    "formulas in scripts": (lambda n: "<p>x" + "<script type=math/tex>a^2</script> y " * n, 2_500),
    "formulas in paragraphs": (lambda n: "<p><script type=math/tex>a^2</script>y" * n, 2_500),
    "formulas alone": (lambda n: "<p>x</p><script type=math/tex>a^2</script>" * n, 1_500),
    "formulas beside hidden text": (lambda n: "<p><i hidden>h</i>x <img class=latex src=i alt='a^2'>" * n, 1_500),
    "formulas in elements": (
        lambda n: "<p>x" + "<math><mi>a</mi><annotation encoding=tex>a^2</annotation></math> y " * n,
        2_500,
    ),
    "readings": (lambda n: "<p>" + "<ruby>x<rt>y</rt></ruby>" * n, 2_500),
    "marks in turn": (lambda n: "<p>" + "<b>x</b><i>y</i><code>z</code> " * n, 2_500),
    "headings ever deeper": (
        lambda n: "".join(f"<h{number % 6 + 1}>one</h{number % 6 + 1}>two" for number in range(n)),
        1_500,
    ),
}


def counted(measured: int) -> int:
    """The size at which to count work, given that at which to measure it: counts need no large pages.

    A page of more rows than some is cleaned in another way. These sizes lie below that number, in a thorough run above.
    """
    return 4 * measured if THOROUGH else measured // 4
