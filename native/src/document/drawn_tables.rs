//! Tables that pages draw with other elements than `<table>`: by the roles of ARIA (grids of React, AG Grid, Material UI,
//! GitBook), and by the classes of Tailwind, Bulma and generators of tables.
//!
//! Rows and cells say what they are; the table is the closest element around them that does, or the one that holds them. The
//! same names are used to lay out pages: a table has at least two rows of several cells, the same number in most of them, and
//! little text in each. Specifications and the facts of a thing are often such a table of labels and values, by the words in
//! their classes (`spec-label` before `spec-value`). Decisions do not know these tables, which they were not learnt with.
#![forbid(unsafe_code)]

use super::class_words::{names, words};
use super::code_parts::has_class;
use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::page_view::{entry, PageView};
use crate::blocks::tags::{attribute, by_tag, is_large_heading, look_up, number_of, set, TAGS};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

const TABLE: i32 = number_of("table");
/// The role of rows.
pub const ROW: &str = "row";
/// Roles of tables, of cells and of those that are headers.
const TABLES_BY_ROLE: [&str; 3] = ["table", "grid", "treegrid"];
const CELLS_BY_ROLE: [&str; 4] = ["cell", "gridcell", "columnheader", "rowheader"];
const HEADERS_BY_ROLE: [&str; 2] = ["columnheader", "rowheader"];
/// Classes of rows, of tables, of cells and of headers: Tailwind, divtable.com and the like.
pub const ROWS: [&str; 5] = ["table-row", "divtablerow", "div-table-row", "rtable-row", FIRST_OF_JAVADOC];
const TABLES: [&str; 4] = ["divtable", "div-table", "rtable", "table"];
const CELLS: [&str; 5] = ["table-cell", "divtablecell", "div-table-cell", "rtable-cell", "divtablehead"];
const HEADERS: [&str; 1] = ["divtablehead"];
/// Class of the first cell of a row that Javadoc writes, which has nothing around its cells; of the table, and of headers.
const FIRST_OF_JAVADOC: &str = "col-first";
const TABLE_OF_JAVADOC: [&str; 2] = ["summary-table", "details-table"];
const HEADER_OF_JAVADOC: [&str; 1] = ["table-header"];
/// The word for a value, and those for the label before it.
const VALUE: [&str; 1] = ["value"];
const LABELS: [&str; 10] =
    ["label", "name", "key", "title", "term", "property", "attribute", "parameter", "param", "header"];
/// Elements of labels and values.
#[rustfmt::skip]
const PARTS: [u32; TAGS.len() + 1] = by_tag([("div", 1), ("p", 1)]);
/// Elements around a label and its value.
#[rustfmt::skip]
const AROUND: [u32; TAGS.len() + 1] = by_tag([("div", 1), ("section", 1), ("article", 1), ("main", 1)]);
/// Rows of the page that a value takes, at most.
const LARGEST_VALUE: usize = 200;
/// Bytes of a label, at most: a longer one is a question, or a sentence.
const LONGEST_LABEL: usize = 48;
/// Rows from a value to the label before it: white space, and what ends the label.
const REACH_OF_LABEL: usize = 8;
/// Elements from a row to the table around it: groups of rows, and what scrolls.
const REACH_OF_TABLE: usize = 6;
/// Rows of a table that are read.
const MOST_ROWS: usize = 2_000;
/// Rows of the page that a row of a table takes.
const LARGEST_ROW: usize = 2_000;
/// Cells of a row that nothing is around.
const MOST_CELLS: usize = 8;
/// Bytes of the longest cell, and of all on average.
const LONGEST_CELL: usize = 600;
const USUAL_CELL: usize = 160;

/// A cell of such a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DrawnCell {
    table: usize,
    row: usize,
    is_header: bool,
}

/// The drawn tables of a page.
#[derive(Debug, Default)]
pub struct DrawnTables {
    cells: HashMap<usize, DrawnCell>,
    /// By row of the page: row of the cell that it is or is in, or -1; empty if there are no cells.
    closest: Vec<i32>,
}

impl DrawnTables {
    /// Those of a page, given its elements that may be rows, and those that may be values beside labels.
    pub fn of(page: &PageView, rows: &[usize], values: &[usize]) -> Self {
        let rows: Vec<usize> = rows.iter().copied().filter(|&row| !page.is_in(row, set::TABLE_ROW)).collect();
        let mut tables: BTreeMap<usize, Vec<(usize, Vec<usize>)>> = BTreeMap::new();
        // A row in another one is a matter of layout.
        let mut for_layout: HashSet<usize> = HashSet::new();
        for (place, &row) in rows.iter().enumerate() {
            let holds_row = rows.get(place + 1).is_some_and(|&next| next < page.subtree_end[row] as usize);
            if holds_row {
                for_layout.insert(table_around(page, row));
                continue;
            }
            let is_first = has_class(page, row, &[FIRST_OF_JAVADOC]);
            let cells = if is_first { cells_from(page, row) } else { cells_in(page, row) };
            let table = if is_first { parent(page, row) } else { table_around(page, row) };
            if !cells.is_empty() {
                tables.entry(table).or_default().push((row, cells));
            }
        }
        tables.retain(|table, rows| {
            !for_layout.contains(table) && is_of_data(page, *table + 1..page.subtree_end[*table] as usize, rows)
        });
        let mut cells = HashMap::new();
        for (table, rows) in tables {
            for (row, cell) in rows.iter().flat_map(|(row, cells)| cells.iter().map(move |&cell| (*row, cell))) {
                cells.insert(cell, DrawnCell { table, row, is_header: is_header(page, cell) });
            }
        }
        for (table, rows) in tables_of_values(page, values) {
            for (row, pair) in rows {
                for &cell in &pair {
                    cells.entry(cell).or_insert(DrawnCell { table, row, is_header: cell == pair[0] });
                }
            }
        }
        let closest = if cells.is_empty() { Vec::new() } else { page.closest(|row| cells.contains_key(&row)) };
        DrawnTables { cells, closest }
    }

    /// Row of the cell that a row is or is in; -1 for none.
    pub fn cell_around(&self, row: i32) -> i32 {
        if self.closest.is_empty() {
            return -1;
        }
        entry(&self.closest, row)
    }

    /// Row of the table that a row is in; -1 for none.
    pub fn table_around(&self, row: i32) -> i32 {
        let cell = usize::try_from(self.cell_around(row)).ok();
        cell.and_then(|cell| self.cells.get(&cell)).map_or(-1, |cell| cell.table as i32)
    }

    /// Whether a row is a cell.
    pub fn is_cell(&self, row: usize) -> bool {
        self.cells.contains_key(&row)
    }

    /// Whether a row is a cell that is a header.
    pub fn is_header(&self, row: usize) -> bool {
        self.cells.get(&row).is_some_and(|cell| cell.is_header)
    }

    /// The row of a table that a cell is in.
    pub fn row_of(&self, cell: usize) -> Option<usize> {
        self.cells.get(&cell).map(|cell| cell.row)
    }
}

/// Whether an element has one of some roles.
fn has_role(page: &PageView, row: usize, roles: &[&str]) -> bool {
    let role = page.value(row, attribute::ROLE).map_or("", strip);
    !role.is_empty() && roles.iter().any(|known| role.eq_ignore_ascii_case(known))
}

/// Whether an element is a cell by its role or its class.
fn is_cell(page: &PageView, row: usize) -> bool {
    page.is_in(row, set::BLOCK) && (has_role(page, row, &CELLS_BY_ROLE) || has_class(page, row, &CELLS))
}

/// Whether a cell is a header.
fn is_header(page: &PageView, row: usize) -> bool {
    has_role(page, row, &HEADERS_BY_ROLE) || has_class(page, row, &HEADERS) || has_class(page, row, &HEADER_OF_JAVADOC)
}

/// The element around another.
fn parent(page: &PageView, row: usize) -> usize {
    page.parent[row].max(0) as usize
}

/// The cells of a row of Javadoc: its first one, and those beside it up to the next first one.
fn cells_from(page: &PageView, first: usize) -> Vec<usize> {
    let table = parent(page, first);
    let end = page.subtree_end[table] as usize;
    let mut found = Vec::new();
    let mut row = first;
    while has_class(page, table, &TABLE_OF_JAVADOC) && row < end && found.len() < MOST_CELLS {
        count(1);
        if row > first && has_class(page, row, &[FIRST_OF_JAVADOC]) {
            break;
        }
        if page.is_in(row, set::BLOCK) {
            found.push(row);
        }
        row = page.subtree_end[row] as usize;
    }
    found
}

/// The cells in a row of a table, the outermost ones.
fn cells_in(page: &PageView, row: usize) -> Vec<usize> {
    let end = page.subtree_end[row] as usize;
    let mut found = Vec::new();
    let mut inner = row + 1;
    if end - row > LARGEST_ROW {
        return found;
    }
    count(end - row);
    while inner < end {
        if !page.is_text(inner) && is_cell(page, inner) {
            found.push(inner);
            inner = page.subtree_end[inner] as usize;
        } else {
            inner += 1;
        }
    }
    found
}

/// The table around a row: the closest element that says so, or else the one that the row is in.
fn table_around(page: &PageView, row: usize) -> usize {
    let says_so = |&outer: &usize| has_role(page, outer, &TABLES_BY_ROLE) || has_class(page, outer, &TABLES);
    let named = page.ancestors(row).take(REACH_OF_TABLE).find(says_so);
    named.unwrap_or_else(|| parent(page, row))
}

/// The tables of labels and values: the rows of each, and the two cells in them.
fn tables_of_values(page: &PageView, values: &[usize]) -> BTreeMap<usize, Vec<(usize, Vec<usize>)>> {
    let mut tables: BTreeMap<usize, Vec<(usize, Vec<usize>)>> = BTreeMap::new();
    for &value in values.iter().filter(|&&value| is_named(page, value, |class| names(class, &VALUE))) {
        let around = parent(page, value);
        // Items of a list stay what they are.
        if look_up(&AROUND, page.tag[around]) == 0 {
            continue;
        }
        if let Some(label) = label_before(page, value) {
            // A row may be around the two, or all of them stand in the table.
            let is_row = is_blank(page, around + 1..label)
                && is_blank(page, page.subtree_end[value] as usize..page.subtree_end[around] as usize);
            let (table, row) = if is_row { (parent(page, around), around) } else { (around, label) };
            tables.entry(table).or_default().push((row, vec![label, value]));
        }
    }
    tables.retain(|_, rows| {
        let last = rows.last().map_or(0, |(_, cells)| page.subtree_end[cells[1]] as usize);
        is_of_data(page, rows[0].0..last, rows)
    });
    tables
}

/// Whether there are few rows, and nothing in them but white space.
fn is_blank(page: &PageView, rows: Range<usize>) -> bool {
    rows.len() <= REACH_OF_LABEL
        && rows.into_iter().all(|row| page.is_text(row) && strip(page.text_within(row)).is_empty())
}

/// Whether an element can be a label or a value, and a class of it is wanted.
fn is_named(page: &PageView, row: usize, is_wanted: impl Fn(&str) -> bool) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    count(classes.len());
    let is_small = page.subtree_end[row] as usize - row <= LARGEST_VALUE;
    is_small && look_up(&PARTS, page.tag[row]) != 0 && classes.split_ascii_whitespace().any(is_wanted)
}

/// The label right before a value, in the same element.
fn label_before(page: &PageView, value: usize) -> Option<usize> {
    let around = page.parent[value];
    let mut before = value as i32 - 1;
    for _ in 0..REACH_OF_LABEL {
        count(1);
        let row = usize::try_from(before).ok().filter(|_| before > around)?;
        if page.parent[row] != around {
            before = page.parent[row];
        } else if page.is_text(row) && strip(page.text_within(row)).is_empty() {
            before -= 1;
        } else {
            let is_label =
                |class: &str| words(class).any(|word| LABELS.iter().any(|name| word.eq_ignore_ascii_case(name)));
            let is_short = strip(page.text_within(row)).len() <= LONGEST_LABEL;
            return Some(row).filter(|&row| is_short && is_named(page, row, is_label));
        }
    }
    None
}

/// Whether rows of cells, which are in some rows of the page, are a table of data.
fn is_of_data(page: &PageView, inside: Range<usize>, rows: &[(usize, Vec<usize>)]) -> bool {
    let widest = rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let full = rows.iter().filter(|(_, cells)| cells.len() == widest).count();
    // A table in a table is a matter of layout, too.
    let is_large = |tag: &i32| *tag == TABLE || is_large_heading(*tag);
    let lengths = || rows.iter().flat_map(|(_, cells)| cells).map(|&cell| strip(page.text_within(cell)).len());
    let is_table = (2..=MOST_ROWS).contains(&rows.len()) && widest > 1 && 2 * full >= rows.len();
    is_table && {
        count(inside.len());
        let (number, total) = (lengths().count(), lengths().sum::<usize>());
        total > 0
            && total <= USUAL_CELL * number
            && lengths().all(|length| length <= LONGEST_CELL)
            && !page.tag[inside].iter().any(is_large)
    }
}
