//! Data tables: their cells, positions and spans.
//!
//! Positions follow the html standard's algorithm, applied to rows with kept content; spans are cut to the table.
#![forbid(unsafe_code)]

use super::steps::count;
use super::tree::{Cell, Node, Table};
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of, set};
use crate::html::attributes::code_of;
use std::collections::{BTreeMap, HashMap};

const ROWSPAN: u8 = code_of("rowspan");
const HEADER_CELL: i32 = number_of("th");
/// The html standard's bound on `colspan`.
const WIDEST_SPAN: usize = 1000;
/// Digits of a span that are read: larger numbers are beyond all bounds.
const DIGITS_OF_SPAN: usize = 6;
/// Grid positions that are filled whatever the number of cells.
const ALWAYS_FINE: usize = 10_000;
/// Grid positions per cell with text, beyond which (one wide row, stray spans) a table is not padded.
pub const MOST_FILLING: usize = 20;

/// The kept content of cells, by row of the cell.
pub type Content = BTreeMap<usize, Vec<Node>>;

/// The grid position of a cell.
#[derive(Clone, Copy)]
struct Position {
    cell: usize,
    column: usize,
    columns: usize,
    rows: usize,
}

/// The table at a row of the page.
pub fn table_of(page: &PageView, table: usize, mut content: Content, caption: Vec<Node>) -> Table {
    let lines = lines_of(page, table, &content);
    let mut positions = positions_of(page, &lines);
    leave_out_empty_columns(&mut positions, &content);
    let mut width = width_of(&positions);
    if width.saturating_mul(positions.len()) > MOST_FILLING * content.len().max(1) {
        positions.iter_mut().for_each(|line| put_side_by_side(line, &content));
        width = width_of(&positions);
    }
    let cell = |position: &Position, content: &mut Content| Cell {
        children: content.remove(&position.cell).unwrap_or_default(),
        column: position.column,
        is_header: page.tag[position.cell] == HEADER_CELL,
        columns: position.columns,
        rows: position.rows,
    };
    let rows: Vec<Vec<Cell>> =
        positions.iter().map(|line| line.iter().map(|position| cell(position, &mut content)).collect()).collect();
    let header_rows = header_rows(&rows);
    Table { rows, width, caption, header_rows }
}

/// The number of columns.
fn width_of(positions: &[Vec<Position>]) -> usize {
    positions.iter().flatten().map(|position| position.column + position.columns).max().unwrap_or(0)
}

/// The cells of each `<tr>` with kept content. Data tables contain no other tables.
fn lines_of(page: &PageView, table: usize, content: &Content) -> Vec<Vec<usize>> {
    let mut lines: Vec<Vec<usize>> = Vec::new();
    let mut line_of_row: HashMap<usize, usize> = HashMap::new();
    for cell in (table..page.subtree_end[table] as usize).filter(|&row| page.is_in(row, set::CELL)) {
        let line = *line_of_row.entry(table_row_of(page, table, cell)).or_insert(lines.len());
        if line == lines.len() {
            lines.push(Vec::new());
        }
        lines[line].push(cell);
    }
    lines.retain(|line| line.iter().any(|cell| content.contains_key(cell)));
    lines
}

/// Row of the `<tr>` around a cell; that of the table if there is none.
fn table_row_of(page: &PageView, table: usize, cell: usize) -> usize {
    count(1);
    let mut row = cell;
    while row > table && !page.is_in(row, set::TABLE_ROW) {
        row = page.parent[row].max(0) as usize;
        count(1);
    }
    row.max(table)
}

/// Cells from left to right, each in the first column not taken by a cell from above.
fn positions_of(page: &PageView, lines: &[Vec<usize>]) -> Vec<Vec<Position>> {
    let spans = spans_of(page, lines);
    // By column: the first row that no cell from above takes of it.
    let mut taken_until: Vec<usize> = Vec::new();
    let mut found = Vec::with_capacity(lines.len());
    for (number, line) in lines.iter().enumerate() {
        let mut column = 0;
        let mut positions = Vec::with_capacity(line.len());
        for &cell in line {
            while taken_until.get(column).map_or(false, |&until| until > number) {
                column += 1;
                count(1);
            }
            let &(columns, rows) = spans.get(&cell).unwrap_or(&(1, 1));
            positions.push(Position { cell, column, columns, rows });
            column += columns;
        }
        for position in positions.iter().filter(|position| position.rows > 1) {
            let end = position.column + position.columns;
            count(position.columns);
            taken_until.resize(taken_until.len().max(end), 0);
            taken_until[position.column..end].fill(number + position.rows);
        }
        found.push(positions);
    }
    found
}

/// (columns, rows) of cells that span more than one, up to plausible limits.
fn spans_of(page: &PageView, lines: &[Vec<usize>]) -> HashMap<usize, (usize, usize)> {
    let mut spans = HashMap::new();
    for (number, line) in lines.iter().enumerate() {
        let below = lines.len() - number;
        for &cell in line {
            let columns = span_in(page.value(cell, attribute::COLSPAN), WIDEST_SPAN, 1);
            let rows = span_in(page.value(cell, ROWSPAN), below, below);
            if columns > 1 || rows > 1 {
                spans.insert(cell, (columns, rows));
            }
        }
    }
    let area: usize = spans.values().map(|(columns, rows)| columns * rows).sum();
    let cells: usize = lines.iter().map(Vec::len).sum();
    if area > (MOST_FILLING * cells).max(ALWAYS_FINE) {
        spans.clear();
    }
    spans
}

/// The number in a `colspan` or `rowspan`, from 1 to `most`; `zero` is what 0 stands for.
fn span_in(value: Option<&str>, most: usize, zero: usize) -> usize {
    let value = strip(value.unwrap_or(""));
    let digits: String = value.chars().take(DIGITS_OF_SPAN).collect();
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_number { digits.parse().unwrap_or(1) } else { 1 };
    (if number == 0 { zero } else { number }).min(most).max(1)
}

/// Keeps only columns in which a cell with text starts, and renumbers them: `colspan` must not add a thousand.
fn leave_out_empty_columns(positions: &mut [Vec<Position>], content: &Content) {
    let with_text = positions.iter().flatten().filter(|position| content.contains_key(&position.cell));
    let mut used: Vec<usize> = with_text.map(|position| position.column).collect();
    used.sort_unstable();
    used.dedup();
    for line in positions {
        for position in line.iter_mut() {
            let first = used.partition_point(|&column| column < position.column);
            let behind = used.partition_point(|&column| column < position.column + position.columns);
            position.column = first;
            position.columns = behind - first;
        }
        line.retain(|position| position.columns > 0);
    }
}

/// Leaves only the cells with text, in consecutive columns.
fn put_side_by_side(line: &mut Vec<Position>, content: &Content) {
    line.retain(|position| content.contains_key(&position.cell));
    for (column, position) in line.iter_mut().enumerate() {
        *position = Position { cell: position.cell, column, columns: 1, rows: 1 };
    }
}

/// Number of rows at the top whose cells with text are all headers, without the last row.
fn header_rows(rows: &[Vec<Cell>]) -> usize {
    let is_header = |row: &&Vec<Cell>| row.iter().all(|cell| cell.is_header || cell.children.is_empty());
    rows[..rows.len().saturating_sub(1)].iter().take_while(is_header).count()
}

impl Table {
    /// Whether row lengths differ so much that padding would blow up the table.
    pub fn is_ragged(&self) -> bool {
        let cells: usize = self.rows.iter().map(Vec::len).sum();
        self.width.saturating_mul(self.rows.len()) > MOST_FILLING * cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_in_attributes() {
        let cases =
            [("3", 3), (" 7 ", 7), ("0", 9), ("99", 50), ("x", 1), ("-2", 1), ("", 1), ("2²", 1), ("1234567", 50)];
        for (value, span) in cases {
            assert_eq!(span_in(Some(value), 50, 9), span, "{value}");
        }
        assert_eq!(span_in(None, 50, 9), 1);
    }
}
