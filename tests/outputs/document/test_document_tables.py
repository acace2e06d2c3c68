"""Tables: spans of rows and columns, headers, captions, and attributes that want a table of millions of cells."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from counted_work import assert_grows_in_step
from document_nodes import Cell, Paragraph, Table
from keep_visible import clean_visible, document_of
from shown_spans import plain_spans
from thoroughness import sized


def table_of(rows: str, drop: str = "") -> Table:
    (table,) = document_of(f"<table>{rows}</table>", drop=drop).children
    assert isinstance(table, Table)
    return table


def text_of(cell: Cell) -> str:
    return " ".join(plain_spans(node.spans) for node in cell.children if isinstance(node, Paragraph))


def places(table: Table) -> list[list[tuple[str, int, int, int]]]:
    """(text, column, columns, rows) of every cell."""
    return [[(text_of(cell), cell.column, cell.columns, cell.rows) for cell in row] for row in table.rows]


SPANS = {
    "none": ("<tr><td>a<td>b<tr><td>c<td>d", [[("a", 0, 1, 1), ("b", 1, 1, 1)], [("c", 0, 1, 1), ("d", 1, 1, 1)]]),
    "columns": (
        "<tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e",
        [[("a", 0, 2, 1), ("b", 2, 1, 1)], [("c", 0, 1, 1), ("d", 1, 1, 1), ("e", 2, 1, 1)]],
    ),
    "rows": (
        "<tr><td rowspan=2>a<td>b<tr><td>c",
        [[("a", 0, 1, 2), ("b", 1, 1, 1)], [("c", 1, 1, 1)]],
    ),
    "rows in the middle": (
        "<tr><td>a<td rowspan=2>b<td>c<tr><td>d<td>e",
        [[("a", 0, 1, 1), ("b", 1, 1, 2), ("c", 2, 1, 1)], [("d", 0, 1, 1), ("e", 2, 1, 1)]],
    ),
    "both": (
        "<tr><td rowspan=2 colspan=2>a<td>b<tr><td>c<tr><td>d<td>e<td>f",
        [[("a", 0, 2, 2), ("b", 2, 1, 1)], [("c", 2, 1, 1)], [("d", 0, 1, 1), ("e", 1, 1, 1), ("f", 2, 1, 1)]],
    ),
    "rows to the end": (
        "<tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d",
        [[("a", 0, 1, 3), ("b", 1, 1, 1)], [("c", 1, 1, 1)], [("d", 1, 1, 1)]],
    ),
    "more rows than there are": (
        "<tr><td rowspan=9>a<td>b<tr><td>c",
        [[("a", 0, 1, 2), ("b", 1, 1, 1)], [("c", 1, 1, 1)]],
    ),
    "no numbers": (
        "<tr><td colspan=x rowspan=-1>a<td>b<tr><td colspan=''>c<td>d",
        [[("a", 0, 1, 1), ("b", 1, 1, 1)], [("c", 0, 1, 1), ("d", 1, 1, 1)]],
    ),
    "columns without any text": (
        "<tr><td colspan=900>a<td>b<tr><td>c<td>d",
        [[("a", 0, 2, 1), ("b", 2, 1, 1)], [("c", 0, 1, 1), ("d", 1, 1, 1)]],
    ),
    "empty cell": (
        "<tr><td><td>b<tr><td>c<td>d",
        [[("", 0, 1, 1), ("b", 1, 1, 1)], [("c", 0, 1, 1), ("d", 1, 1, 1)]],
    ),
}


@pytest.mark.parametrize(("rows", "expected"), SPANS.values(), ids=SPANS)
def test_spans(rows: str, expected: list[list[tuple[str, int, int, int]]]) -> None:
    table = table_of(rows)
    assert places(table) == expected
    assert table.width == max(column + columns for row in expected for _, column, columns, _ in row)


def test_rows_without_kept_text_are_gone_and_nothing_spans_them() -> None:
    table = table_of("<tr><td rowspan=3>a<td>b<tr><td>noise<tr><td>c", drop="noise")
    assert places(table) == [[("a", 0, 1, 2), ("b", 1, 1, 1)], [("c", 1, 1, 1)]]


@pytest.mark.parametrize(
    ("rows", "header_rows"),
    [
        ("<tr><th>a<th>b<tr><td>c<td>d", 1),
        ("<tr><td><th>b<tr><th>c<td>d", 1),
        ("<tr><th>a<td>b<tr><th>c<td>d", 0),
        ("<tr><th>a<th>b<tr><th>c<th>d<tr><td>e<td>f", 2),
        ("<tr><th>a<th>b<tr><th>c<th>d", 1),
        ("<tr><td>a<td>b<tr><td>c<td>d", 0),
    ],
)
def test_header_rows(rows: str, header_rows: int) -> None:
    assert table_of(rows).header_rows == header_rows


def test_a_caption_is_part_of_its_table() -> None:
    table = table_of("<caption>A <b>b</b></caption><tr><td>1<td>2<tr><td>3<td>4")
    (caption,) = table.caption
    assert isinstance(caption, Paragraph)
    assert plain_spans(caption.spans) == "A b"


def test_a_layout_table_is_unfolded() -> None:
    (first, second) = document_of("<table><tr><td>a<td><p>b</p></table>").children
    assert isinstance(first, Paragraph)
    assert isinstance(second, Paragraph)


def test_a_data_table_in_a_layout_table() -> None:
    inner = "<table><tr><th>a<th>b<tr><td>c<td>d</table>"
    before, table = document_of(f"<table><tr><td>menu<td>{inner}</table>").children
    assert isinstance(before, Paragraph)
    assert isinstance(table, Table)


HOSTILE = "<td colspan=1000 rowspan=65534>x"


@pytest.mark.parametrize("cells", [1, 50])
def test_hostile_spans_make_no_large_table(cells: int) -> None:
    rows = f"<tr>{HOSTILE * cells}" * 40
    table = table_of(rows)
    shown = sum(len(row) for row in table.rows)
    assert shown == 40 * cells
    assert table.width * len(table.rows) <= 20 * shown
    page = clean_visible(f"<table>{rows}</table>")
    for format_name in ("text", "markdown", "html", "xml", "tei"):
        assert len(page.render(format_name)) < 100 * len(rows)


@pytest.mark.parametrize("spans", ["colspan=1000", "rowspan=65534", "colspan=1000 rowspan=65534"])
def test_hostile_spans_take_work_in_step_with_the_table(spans: str) -> None:
    def make_work(rows: int) -> Callable[[], object]:
        page = clean_visible("<table>" + f"<tr>{f'<td {spans}>x' * 10}" * rows + "</table>")
        return lambda: page.render("markdown")

    assert_grows_in_step(make_work, sized(400))
