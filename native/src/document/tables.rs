//! Data tables: their cells, positions and spans.
//!
//! Positions follow the html standard's algorithm, applied to rows with kept content; spans are cut to the table.
#![forbid(unsafe_code)]

use super::code_parts::has_class;
use super::drawn_tables::DrawnTables;
use super::source::{show, Source};
use super::steps::count;
use super::tree::{Alignment, Cell, Node, Table};
use crate::blocks::characters::{beginning, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of, set};
use crate::html::attributes::{code_of, STYLE};
use std::collections::{BTreeMap, HashMap};

const ROWSPAN: u8 = code_of("rowspan");
const ALIGN: u8 = code_of("align");
const HEADER_CELL: i32 = number_of("th");
const HEAD: i32 = number_of("thead");
const CAPTION: i32 = number_of("caption");
/// Positions of a cell that is repeated in all of them, at most: wider ones are shown once.
const MOST_REPEATED: usize = 24;
/// Class of the tables that LaTeXML sets equations in.
const TABLE_OF_EQUATIONS: &str = "ltx_eqn_table";
/// The html standard's bound on `colspan`.
const WIDEST_SPAN: usize = 1000;
/// Digits of a span that are read: larger numbers are beyond all bounds.
const DIGITS_OF_SPAN: usize = 6;
/// Alignments by the word of styles and attributes, and by classes.
#[rustfmt::skip]
const ALIGNMENTS: [(Alignment, &str, [&str; 7]); 3] = [
    (Alignment::Left, "left", [
        "text-left", "align-left", "text-start", "has-text-align-left", "halign-left", "leftalign", "ltx_align_left",
    ]),
    (Alignment::Center, "center", [
        "text-center", "align-center", "has-text-centered", "has-text-align-center", "halign-center", "centeralign",
        "ltx_align_center",
    ]),
    (Alignment::Right, "right", [
        "text-right", "align-right", "text-end", "has-text-align-right", "halign-right", "rightalign", "ltx_align_right",
    ]),
];
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

/// The table at a row of the page. The alignment of its columns takes time, and not every form shows it.
pub fn table_of(source: &Source, table: usize, mut content: Content, caption: Vec<Node>) -> Table {
    let (page, drawn) = (source.page, &source.structures.drawn_tables);
    let mut positions = lines_of(page, drawn, table, &content);
    set_spans(page, &mut positions);
    set_columns(&mut positions);
    leave_out_empty_columns(&mut positions, &content);
    let mut width = width_of(&positions);
    if width.saturating_mul(positions.len()) > MOST_FILLING * content.len().max(1) {
        positions.iter_mut().for_each(|line| put_side_by_side(line, &content));
        width = width_of(&positions);
    }
    let cell = |position: &Position, content: &mut Content| {
        let children = content.remove(&position.cell).unwrap_or_default();
        let is_header = page.tag[position.cell] == HEADER_CELL
            || (!children.is_empty() && is_in_head(page, position.cell))
            || drawn.is_header(position.cell);
        Cell { children, column: position.column, is_header, columns: position.columns, rows: position.rows }
    };
    let rows: Vec<Vec<Cell>> =
        positions.iter().map(|line| line.iter().map(|position| cell(position, &mut content)).collect()).collect();
    let header_rows = header_rows(&rows);
    let alignments =
        if !source.shows(show::PLAIN) { alignments(page, &positions, header_rows, width) } else { Vec::new() };
    Table { rows, width, caption, header_rows, alignments }
}

/// Whether a cell is in the head of its table.
fn is_in_head(page: &PageView, cell: usize) -> bool {
    let outer = page.parent[page.parent[cell].max(0) as usize];
    outer >= 0 && page.tag[outer as usize] == HEAD
}

/// Whether a table sets equations, or says nothing of headers and holds headings of its own: then it only sets parts of the
/// page side by side.
pub fn is_for_layout(page: &PageView, table: usize) -> bool {
    if has_class(page, table, &[TABLE_OF_EQUATIONS]) {
        return true;
    }
    let inside = table + 1..page.subtree_end[table] as usize;
    count(inside.len());
    let is_of_data = |row: usize| matches!(page.tag[row], HEADER_CELL | HEAD | CAPTION);
    let mut headings = inside.clone().filter(|&row| page.is_in(row, set::HEADING)).peekable();
    // A heading across all columns divides a table of data: Doxygen's lists of members.
    let divides = |heading: usize| {
        let cell = page.parent[heading].max(0) as usize;
        page.is_in(cell, set::CELL) && page.value(cell, attribute::COLSPAN).is_some_and(|span| strip(span) != "1")
    };
    headings.peek().is_some() && !headings.all(divides) && !inside.into_iter().any(is_of_data)
}

/// How each column is aligned: as the first cell below the header says, or the header itself.
fn alignments(page: &PageView, positions: &[Vec<Position>], header_rows: usize, width: usize) -> Vec<Alignment> {
    let mut found = vec![Alignment::None; width];
    let (headers, body) = positions.split_at(header_rows.min(positions.len()));
    for position in body.iter().chain(headers).flatten().filter(|position| position.columns == 1) {
        if let Some(alignment) = found.get_mut(position.column).filter(|found| **found == Alignment::None) {
            *alignment = alignment_of(page, position.cell);
        }
    }
    found
}

/// How a cell says it is aligned.
fn alignment_of(page: &PageView, cell: usize) -> Alignment {
    let in_style = page.value(cell, STYLE).and_then(|style| style.split_once("text-align"));
    let by_style = in_style.map(|(_, rest)| rest.trim_start_matches([' ', ':'].as_slice()));
    let said = by_style.or_else(|| page.value(cell, ALIGN)).map_or("", strip);
    let is = |word: &str, classes: &[&str]| {
        let begins = said.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        begins || has_class(page, cell, classes)
    };
    ALIGNMENTS.iter().find(|(_, word, classes)| is(word, classes)).map_or(Alignment::None, |found| found.0)
}

/// Puts cells that span several positions into each of them.
pub fn repeat_spans(table: &mut Table) {
    let mut added: Vec<Vec<Cell>> = vec![Vec::new(); table.rows.len()];
    for (number, row) in table.rows.iter_mut().enumerate() {
        for cell in row.iter_mut().filter(|cell| (2..=MOST_REPEATED).contains(&(cell.columns * cell.rows))) {
            let (columns, rows) = (std::mem::replace(&mut cell.columns, 1), std::mem::replace(&mut cell.rows, 1));
            for (down, line) in added[number..].iter_mut().take(rows).enumerate() {
                let first = usize::from(down == 0);
                line.extend((first..columns).map(|right| Cell { column: cell.column + right, ..cell.clone() }));
            }
        }
    }
    for (row, further) in table.rows.iter_mut().zip(added) {
        row.extend(further);
        row.sort_by_key(|cell| cell.column);
    }
}

/// The number of columns.
fn width_of(positions: &[Vec<Position>]) -> usize {
    positions.iter().flatten().map(|position| position.column + position.columns).max().unwrap_or(0)
}

/// The cells of each `<tr>` with kept content, each in the first column. Data tables contain no other tables.
fn lines_of(page: &PageView, drawn: &DrawnTables, table: usize, content: &Content) -> Vec<Vec<Position>> {
    let mut lines: Vec<Vec<Position>> = Vec::new();
    let mut line_of_row: HashMap<usize, usize> = HashMap::new();
    let mut last = None;
    let is_cell = |&row: &usize| page.is_in(row, set::CELL) || drawn.is_cell(row);
    for cell in (table..page.subtree_end[table] as usize).filter(is_cell) {
        let row = drawn.row_of(cell).unwrap_or_else(|| table_row_of(page, table, cell));
        // Most cells are in the row of the one before.
        let line = match last {
            Some((before, line)) if before == row => line,
            _ => *line_of_row.entry(row).or_insert(lines.len()),
        };
        last = Some((row, line));
        if line == lines.len() {
            lines.push(Vec::new());
        }
        lines[line].push(Position { cell, column: 0, columns: 1, rows: 1 });
    }
    lines.retain(|line| line.iter().any(|position| content.contains_key(&position.cell)));
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

/// Puts cells from left to right, each into the first column not taken by a cell from above.
fn set_columns(lines: &mut [Vec<Position>]) {
    // By column: the first row that no cell from above takes of it.
    let mut taken_until: Vec<usize> = Vec::new();
    for (number, line) in lines.iter_mut().enumerate() {
        let mut column = 0;
        for position in line.iter_mut() {
            while taken_until.get(column).is_some_and(|&until| until > number) {
                column += 1;
                count(1);
            }
            position.column = column;
            column += position.columns;
        }
        for position in line.iter().filter(|position| position.rows > 1) {
            let end = position.column + position.columns;
            count(position.columns);
            taken_until.resize(taken_until.len().max(end), 0);
            taken_until[position.column..end].fill(number + position.rows);
        }
    }
}

/// Sets how many columns and rows cells span, up to plausible limits.
fn set_spans(page: &PageView, lines: &mut [Vec<Position>]) {
    let size = lines.len();
    let (mut area, mut cells) = (0, 0);
    for (number, line) in lines.iter_mut().enumerate() {
        let below = size - number;
        cells += line.len();
        for position in line.iter_mut() {
            position.columns = span_in(page.value(position.cell, attribute::COLSPAN), WIDEST_SPAN, 1);
            position.rows = span_in(page.value(position.cell, ROWSPAN), below, below);
            if position.columns > 1 || position.rows > 1 {
                area += position.columns * position.rows;
            }
        }
    }
    if area > (MOST_FILLING * cells).max(ALWAYS_FINE) {
        let all = lines.iter_mut().flatten();
        all.for_each(|position| *position = Position { columns: 1, rows: 1, ..*position });
    }
}

/// The number in a `colspan` or `rowspan`, from 1 to `most`; `zero` is what 0 stands for.
fn span_in(value: Option<&str>, most: usize, zero: usize) -> usize {
    let value = match value {
        Some(value) => strip(value),
        None => return 1,
    };
    let digits = beginning(value, DIGITS_OF_SPAN);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_number { digits.parse().unwrap_or(1) } else { 1 };
    (if number == 0 { zero } else { number }).min(most).max(1)
}

/// Columns in which most rows have a cell of their own, whether or not there is text in any.
fn empty_columns(positions: &[Vec<Position>]) -> Vec<usize> {
    let mut cells = vec![0; width_of(positions)];
    let single = positions.iter().flatten().filter(|position| position.columns == 1);
    single.for_each(|position| cells[position.column] += 1);
    (0..cells.len()).filter(|&column| 2 * cells[column] > positions.len()).collect()
}

/// Keeps only columns in which cells start, and renumbers them: `colspan` must not add a thousand.
fn leave_out_empty_columns(positions: &mut [Vec<Position>], content: &Content) {
    let with_text = positions.iter().flatten().filter(|position| content.contains_key(&position.cell));
    let mut used: Vec<usize> = with_text.map(|position| position.column).collect();
    used.extend(empty_columns(positions));
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
