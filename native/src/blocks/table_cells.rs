//! Cells of data tables, and their positions.
//!
//! A table is for layout, and its cells are ordinary text, if it says so (`role=presentation`), contains another table,
//! or has only one row or column.
#![forbid(unsafe_code)]

use super::characters::strip;
use super::page_view::{entry, PageView};
use super::tags::{attribute, set};

/// The html standard's own bound on colspan.
const WIDEST_SPAN: i32 = 1000;
const DIGITS_OF_SPAN: usize = 5;

/// Per block: rows of the cell and table elements in the page, and grid position; -1 outside data tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TablePositions {
    /// Row of the cell element.
    pub cell: Vec<i32>,
    /// Row of the table element.
    pub table: Vec<i32>,
    /// Row within the table.
    pub row: Vec<i32>,
    /// Column within the table. Spans of columns count, spans of rows do not.
    pub column: Vec<i32>,
}

/// A cell of a table that may be a data table.
struct Cell {
    page_row: usize,
    table: usize,
    row: i32,
    column: i32,
}

/// A table while its cells are counted.
#[derive(Clone, Default)]
struct Table {
    is_for_layout: bool,
    rows: i32,
    widest: i32,
}

/// A table row while its cells are counted.
#[derive(Clone)]
struct TableRow {
    /// The table its cells are in; -1 before the first.
    table: i32,
    number: i32,
    width: i32,
}

impl TableRow {
    /// The number of the row in a table. Tables whose cells alternate in a row would be nested, thus for layout: so it
    /// is enough to know the last one.
    fn number_in(&mut self, table: i32, counted: &mut Table) -> i32 {
        if self.table != table {
            self.table = table;
            self.number = counted.rows;
            counted.rows += 1;
        }
        self.number
    }
}

/// Positions for blocks with these owner rows.
pub fn table_positions(page: &PageView, owner: &[i32]) -> TablePositions {
    let cells = data_cells(page);
    if cells.is_empty() {
        let nowhere = || vec![-1; owner.len()];
        return TablePositions { cell: nowhere(), table: nowhere(), row: nowhere(), column: nowhere() };
    }
    let mut number_of_row = vec![-1; page.len()];
    for (number, cell) in cells.iter().enumerate() {
        number_of_row[cell.page_row] = number as i32;
    }
    let closest = page.closest(|row| number_of_row[row] >= 0);
    let mut positions = TablePositions::default();
    for &row in owner {
        let page_row = entry(&closest, row);
        let cell = usize::try_from(page_row).ok().map(|row| &cells[number_of_row[row] as usize]);
        positions.cell.push(page_row);
        positions.table.push(cell.map_or(-1, |cell| cell.table as i32));
        positions.row.push(cell.map_or(-1, |cell| cell.row));
        positions.column.push(cell.map_or(-1, |cell| cell.column));
    }
    positions
}

/// The cells of all data tables, in document order.
fn data_cells(page: &PageView) -> Vec<Cell> {
    if !(0..page.len()).any(|row| page.is_in(row, set::CELL)) {
        return Vec::new();
    }
    let closest_table = page.closest(|row| page.is_in(row, set::TABLE));
    let mut tables = vec![Table::default(); page.len()];
    mark_layout_tables(page, &closest_table, &mut tables);
    let mut cells = count_cells(page, &closest_table, &mut tables);
    cells.retain(|cell| tables[cell.table].rows > 1 && tables[cell.table].widest > 1);
    cells
}

/// Marks tables that hold another table or say they are for presentation.
fn mark_layout_tables(page: &PageView, closest_table: &[i32], tables: &mut [Table]) {
    for row in (0..page.len()).filter(|&row| page.is_in(row, set::TABLE)) {
        let outer = entry(closest_table, page.parent[row]);
        if outer >= 0 {
            tables[outer as usize].is_for_layout = true;
        }
    }
    for index in page.attributes_named(attribute::ROLE) {
        let role = strip(page.value_of(index));
        if role.eq_ignore_ascii_case("presentation") || role.eq_ignore_ascii_case("none") {
            tables[page.row_of_attribute(index)].is_for_layout = true;
        }
    }
}

/// Walks the cells in document order, counting rows of their table and columns of their row.
fn count_cells(page: &PageView, closest_table: &[i32], tables: &mut [Table]) -> Vec<Cell> {
    let closest_row = page.closest(|row| page.is_in(row, set::TABLE_ROW));
    let no_row = TableRow { table: -1, number: 0, width: 0 };
    // The last entry is for cells outside any row.
    let mut rows = vec![no_row; page.len() + 1];
    let mut cells = Vec::new();
    for page_row in (0..page.len()).filter(|&row| page.is_in(row, set::CELL)) {
        let table = closest_table[page_row];
        if table < 0 || tables[table as usize].is_for_layout {
            continue;
        }
        let counted = &mut tables[table as usize];
        let row = &mut rows[usize::try_from(closest_row[page_row]).unwrap_or(page.len())];
        cells.push(Cell { page_row, table: table as usize, row: row.number_in(table, counted), column: row.width });
        row.width += column_span(page, page_row);
        counted.widest = counted.widest.max(row.width);
    }
    cells
}

/// How many columns a cell spans.
fn column_span(page: &PageView, row: usize) -> i32 {
    let value = strip(page.value(row, attribute::COLSPAN).unwrap_or(""));
    let digits = &value.as_bytes()[..value.len().min(DIGITS_OF_SPAN)];
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return 1;
    }
    let add_digit = |span: i32, digit: &u8| 10 * span + i32::from(digit - b'0');
    digits.iter().fold(0, add_digit).clamp(1, WIDEST_SPAN)
}

#[cfg(test)]
mod tests {
    use super::super::segmentation::segment;
    use super::super::written_pages::WrittenPage;
    use super::*;

    fn positions(markup: &str) -> Vec<(i32, i32)> {
        let page = WrittenPage::new(markup);
        let found = table_positions(&page.view(), &segment(&page.view()).owner);
        found.row.into_iter().zip(found.column).collect()
    }

    fn with_table(attributes: &str, first_cell: &str) -> String {
        let rows = format!("<tr><{first_cell}>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr>");
        format!("<p>x</p><table{attributes}>{rows}</table>")
    }

    #[test]
    fn rows_and_columns_of_cells() {
        let outside = (-1, -1);
        assert_eq!(positions(&with_table("", "td")), [outside, (0, 0), (0, 1), (1, 0), (1, 1)]);
        assert_eq!(positions("<p>x</p>"), [outside]);
    }

    #[test]
    fn spans_of_columns_count() {
        let spans = [("2", 2), ("_3_", 3), ("0", 1), ("x", 1), ("99999", 1000), ("-2", 1), ("", 1), ("2²", 1)];
        for (span, second) in spans {
            let found = positions(&with_table("", &format!("td colspan={span}")));
            assert_eq!(found[2], (0, second), "{span}");
        }
    }

    #[test]
    fn tables_for_layout_have_no_cells() {
        for role in ["presentation", "None", "_presentation_"] {
            assert!(positions(&with_table(&format!(" role={role}"), "td")).iter().all(|&(row, _)| row < 0));
        }
        let nested = format!("<table><tr><td>{}</td><td>y</td></tr><tr><td>z</td></tr></table>", with_table("", "td"));
        let rows: Vec<i32> = positions(&nested).into_iter().map(|(row, _)| row).collect();
        assert_eq!(rows, [-1, 0, 0, 1, 1, -1, -1]);
    }

    #[test]
    fn one_row_or_one_column_is_no_table() {
        assert_eq!(positions("<table><tr><td>a</td><td>b</td></tr></table>"), [(-1, -1); 2]);
        assert_eq!(positions("<table><tr><td>a</td></tr><tr><td>b</td></tr></table>"), [(-1, -1); 2]);
    }
}
