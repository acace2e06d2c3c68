//! Cells of data tables, and their positions.
//!
//! A table is for layout, and its cells are ordinary text, if it says so (`role=presentation`), contains another table,
//! or has only one row or column. A table with headers of rows may contain tables of one row: a note in an infobox.
#![forbid(unsafe_code)]

use super::characters::strip;
use super::page_view::PageView;
use super::tags::{attribute, number_of, set};

const HEADER_CELL: i32 = number_of("th");
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

/// The innermost table, row of a table and cell that an element is or is in, each by its number; -1 for none.
#[derive(Clone, Copy)]
struct Place {
    table: i32,
    row: i32,
    cell: i32,
}

const NOWHERE: Place = Place { table: -1, row: -1, cell: -1 };

/// A cell of a table.
struct Cell {
    page_row: usize,
    /// Numbers of its table and of its row there; -1 if it is outside any.
    table: i32,
    table_row: i32,
    /// Its position, once that is counted.
    row: i32,
    column: i32,
}

/// A table while its cells are counted.
struct Table {
    page_row: usize,
    is_for_layout: bool,
    rows: i32,
    widest: i32,
    /// Numbers of the table and of the cell around it; -1 if there is none.
    outer: i32,
    outer_cell: i32,
    /// How many `<tr>` it has.
    lines: usize,
    /// Whether a header cell stands beside one that is none.
    has_headers: bool,
    holds_tables: bool,
    /// Whether some of them have several rows.
    holds_others: bool,
    /// Number of the closest cell with data around it; -1 if there is none.
    data_around: i32,
}

impl Table {
    /// One whose cells are not counted yet.
    fn new(page_row: usize, place: &Place) -> Self {
        Table {
            page_row,
            is_for_layout: false,
            rows: 0,
            widest: 0,
            outer: place.table,
            outer_cell: place.cell,
            lines: 0,
            has_headers: false,
            holds_tables: false,
            holds_others: false,
            data_around: -1,
        }
    }

    /// Whether its cells are data.
    fn is_of_data(&self) -> bool {
        !self.is_for_layout && self.rows > 1 && self.widest > 1
    }
}

/// A table row while its cells are counted.
struct TableRow {
    /// The table its cells are in; -1 before the first.
    table: i32,
    number: i32,
    width: i32,
}

impl TableRow {
    /// Before its first cell.
    fn new() -> Self {
        TableRow { table: -1, number: 0, width: 0 }
    }

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

/// The tables of a page.
struct Tables {
    tables: Vec<Table>,
    rows: Vec<TableRow>,
    cells: Vec<Cell>,
    /// One entry per row of the page.
    places: Vec<Place>,
}

/// Positions for blocks with these owner rows.
pub fn table_positions(page: &PageView, owner: &[i32]) -> TablePositions {
    let mut positions = TablePositions::default();
    let columns = [&mut positions.cell, &mut positions.table, &mut positions.row, &mut positions.column];
    columns.into_iter().for_each(|column| column.resize(owner.len(), -1));
    if page.sets() & set::CELL == 0 {
        return positions;
    }
    let mut tables = Tables::find(page);
    tables.mark_for_presentation(page);
    tables.mark_holders(page);
    tables.count_cells(page);
    tables.find_cells_around();
    for (index, &row) in owner.iter().enumerate() {
        if let Some((cell, table)) = tables.data_cell_around(row) {
            positions.cell[index] = cell.page_row as i32;
            positions.table[index] = table.page_row as i32;
            positions.row[index] = cell.row;
            positions.column[index] = cell.column;
        }
    }
    positions
}

impl Tables {
    /// Those of a page, not counted yet.
    fn find(page: &PageView) -> Self {
        let mut found = Tables {
            tables: Vec::new(),
            rows: Vec::new(),
            cells: Vec::new(),
            places: vec![NOWHERE; page.parent.len()],
        };
        for (row, (&flags, &parent)) in page.flags.iter().zip(page.parent).enumerate() {
            let mut place = usize::try_from(parent).map_or(NOWHERE, |parent| found.places[parent]);
            if flags & (set::TABLE | set::TABLE_ROW | set::CELL) != 0 {
                found.enter(flags, row, &mut place);
            }
            found.places[row] = place;
        }
        found
    }

    /// Notes an element of a table.
    fn enter(&mut self, flags: u16, page_row: usize, place: &mut Place) {
        if flags & set::TABLE != 0 {
            if let Ok(outer) = usize::try_from(place.table) {
                self.tables[outer].holds_tables = true;
            }
            self.tables.push(Table::new(page_row, place));
            place.table = self.tables.len() as i32 - 1;
        }
        if flags & set::TABLE_ROW != 0 {
            place.row = self.rows.len() as i32;
            self.rows.push(TableRow::new());
            if let Ok(table) = usize::try_from(place.table) {
                self.tables[table].lines += 1;
            }
        }
        if flags & set::CELL != 0 {
            place.cell = self.cells.len() as i32;
            self.cells.push(Cell { page_row, table: place.table, table_row: place.row, row: 0, column: 0 });
        }
    }

    /// Marks tables that say that they are for presentation.
    fn mark_for_presentation(&mut self, page: &PageView) {
        for index in page.attributes_named(attribute::ROLE) {
            let role = strip(page.value_of(index));
            if role.eq_ignore_ascii_case("presentation") || role.eq_ignore_ascii_case("none") {
                let row = page.row_of_attribute(index);
                if page.is_in(row, set::TABLE) {
                    self.tables[self.places[row].table as usize].is_for_layout = true;
                }
            }
        }
    }

    /// Walks the cells in document order, counting rows of their table and columns of their row.
    fn count_cells(&mut self, page: &PageView) {
        let mut outside = TableRow::new();
        for cell in &mut self.cells {
            let table = match usize::try_from(cell.table) {
                Ok(number) if !self.tables[number].is_for_layout => &mut self.tables[number],
                _ => continue,
            };
            let row = usize::try_from(cell.table_row).map_or(&mut outside, |number| &mut self.rows[number]);
            cell.row = row.number_in(cell.table, table);
            cell.column = row.width;
            row.width += column_span(page, cell.page_row);
            table.widest = table.widest.max(row.width);
        }
    }

    /// Marks the tables for layout among those that hold others.
    fn mark_holders(&mut self, page: &PageView) {
        let is_header = |cell: &Cell| page.tag[cell.page_row] == HEADER_CELL;
        for (before, cell) in self.cells.iter().zip(self.cells.iter().skip(1)) {
            let is_beside = cell.table_row == before.table_row && is_header(before) != is_header(cell);
            if let (true, Ok(table)) = (is_beside && cell.table == before.table, usize::try_from(cell.table)) {
                self.tables[table].has_headers = true;
            }
        }
        // A table comes after the one around it.
        for number in (0..self.tables.len()).rev() {
            let table = &mut self.tables[number];
            table.is_for_layout |= table.holds_tables && (table.holds_others || !table.has_headers);
            let (is_other, outer) = (table.holds_others || table.lines > 1, usize::try_from(table.outer));
            if let (true, Ok(outer)) = (is_other, outer) {
                self.tables[outer].holds_others = true;
            }
        }
    }

    /// Notes the closest cell with data around each table.
    fn find_cells_around(&mut self) {
        for number in 0..self.tables.len() {
            self.tables[number].data_around = self.data_cell(self.tables[number].outer_cell);
        }
    }

    /// Number of the closest cell with data at or around a cell: the cells of a table for layout belong to the one around that.
    fn data_cell(&self, cell: i32) -> i32 {
        let table = usize::try_from(cell).ok().and_then(|cell| usize::try_from(self.cells[cell].table).ok());
        table.map_or(-1, |table| {
            let table = &self.tables[table];
            if table.is_of_data() {
                cell
            } else {
                table.data_around
            }
        })
    }

    /// The cell of a data table that an element is or is in, and its table.
    fn data_cell_around(&self, row: i32) -> Option<(&Cell, &Table)> {
        let place = self.places[usize::try_from(row).ok()?];
        let cell = &self.cells[usize::try_from(self.data_cell(place.cell)).ok()?];
        Some((cell, &self.tables[usize::try_from(cell.table).ok()?]))
    }
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
    use super::super::written_pages::{random_markup, WrittenPage};
    use super::*;
    use std::collections::HashMap;
    use std::iter::once;

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
    fn tables_with_headers_may_hold_tables_of_one_row() {
        let infobox = |header: &str, inside: &str| {
            let note = format!("<tr><td colspan=2><table><tr>{inside}</tr></table></td></tr>");
            positions(&format!("<table>{note}<tr><{header}>a</{header}><td>b</td></tr></table>"))
        };
        assert_eq!(infobox("th", "<td>x</td>"), [(0, 0), (1, 0), (1, 1)]);
        assert_eq!(infobox("td", "<td>x</td>"), [(-1, -1); 3]);
        assert_eq!(infobox("th", "<td>x</td><td>y</td>")[..2], [(0, 0), (0, 0)]);
        assert_eq!(infobox("th", "<td>x</td></tr><tr><td>y</td>"), [(-1, -1); 4]);
    }

    #[test]
    fn one_row_or_one_column_is_no_table() {
        assert_eq!(positions("<table><tr><td>a</td><td>b</td></tr></table>"), [(-1, -1); 2]);
        assert_eq!(positions("<table><tr><td>a</td></tr><tr><td>b</td></tr></table>"), [(-1, -1); 2]);
    }

    /// Positions by looking at the elements around each cell again and again.
    fn naive_positions(page: &PageView, owner: &[i32]) -> Vec<[i32; 4]> {
        let around = |row: usize, set: u16| once(row).chain(page.ancestors(row)).find(|&row| page.is_in(row, set));
        let parts_of = |table: usize, part: u16| {
            (0..page.len()).filter(move |&row| page.is_in(row, part) && around(row, set::TABLE) == Some(table))
        };
        let is_for_layout = |table: usize| {
            let inside = table + 1..page.subtree_end[table] as usize;
            let mut inner = inside.filter(|&row| page.is_in(row, set::TABLE)).peekable();
            let cells: Vec<usize> = parts_of(table, set::CELL).collect();
            let is_header = |cell: usize| page.tag[cell] == HEADER_CELL;
            let is_beside = |one: usize, other: usize| around(one, set::TABLE_ROW) == around(other, set::TABLE_ROW);
            let has_headers =
                || cells.windows(2).any(|two| is_header(two[0]) != is_header(two[1]) && is_beside(two[0], two[1]));
            inner.peek().is_some() && (inner.any(|inner| parts_of(inner, set::TABLE_ROW).count() > 1) || !has_headers())
        };
        let table_of = |cell: usize| around(cell, set::TABLE).filter(|&table| !is_for_layout(table));
        // Of a row of a table: the table of its last cell, its number there, and its width.
        let mut rows: HashMap<Option<usize>, (usize, i32, i32)> = HashMap::new();
        let mut sizes: HashMap<usize, (i32, i32)> = HashMap::new();
        let mut found = HashMap::new();
        for cell in (0..page.len()).filter(|&row| page.is_in(row, set::CELL)) {
            if let Some(table) = table_of(cell) {
                let (number, widest) = sizes.entry(table).or_default();
                let row = rows.entry(around(cell, set::TABLE_ROW)).or_insert((usize::MAX, 0, 0));
                if row.0 != table {
                    (row.0, row.1) = (table, *number);
                    *number += 1;
                }
                found.insert(cell, (table, row.1, row.2));
                row.2 += 1;
                *widest = row.2.max(*widest);
            }
        }
        found.retain(|_, (table, ..)| sizes[table].0 > 1 && sizes[table].1 > 1);
        let position = |&row: &i32| {
            let cell = once(row as usize).chain(page.ancestors(row as usize)).find(|row| found.contains_key(row));
            cell.map_or([-1; 4], |cell| [cell as i32, found[&cell].0 as i32, found[&cell].1, found[&cell].2])
        };
        owner.iter().map(position).collect()
    }

    #[test]
    fn positions_like_those_of_the_naive_twin() {
        let mut in_tables = 0;
        for seed in 0..3000 {
            let mut markup = format!("<table>{}</table>", random_markup(seed));
            for (tag, part_of_table) in [("b>", "td>"), ("h1>", "td>"), ("li>", "td>"), ("a>", "tr>"), ("ul>", "tr>")] {
                for start in ["<", "</"] {
                    markup = markup.replace(&format!("{start}{tag}"), &format!("{start}{part_of_table}"));
                }
            }
            let page = WrittenPage::new(&markup);
            let owner = segment(&page.view()).owner;
            let found = table_positions(&page.view(), &owner);
            let of_block =
                |index: usize| [found.cell[index], found.table[index], found.row[index], found.column[index]];
            let found: Vec<_> = (0..owner.len()).map(of_block).collect();
            in_tables += found.iter().filter(|position| position[0] >= 0).count();
            assert_eq!(found, naive_positions(&page.view(), &owner), "{markup}");
        }
        assert!(in_tables > 0);
    }
}
