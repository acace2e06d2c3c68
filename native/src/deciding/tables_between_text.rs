//! Keep data tables between kept text. To the network, which learnt from gold that often leaves tables out, their cells are
//! hardly text: figures and names.
#![forbid(unsafe_code)]

use super::kept_together::{REACH, UNLIKELY};
use super::rows_inside::RowsInside;
use super::situations::{Situation, KEEP};
use crate::blocks::kinds::kind;
use crate::blocks::tags::number_of;
use crate::failure::Failure;
use std::collections::BTreeMap;

/// Rows and columns of a table of data. What has fewer sets a picture beside its text, or a label beside a value.
const FEWEST_ROWS: i32 = 3;
const FEWEST_COLUMNS: i32 = 2;
/// Mean length of the cells of a table of data; tables that lay out a page have whole texts in theirs.
const LONGEST_CELLS: i64 = 100;
/// Share of the characters of a table in links: half of it or more leads elsewhere.
const MOST_LINKS: f64 = 0.3;

/// What a reader operates: a table with any of it compares products, or asks for something.
const CONTROLS: [i32; 3] = [number_of("input"), number_of("select"), number_of("button")];

/// What is known of the shown cells of a table.
struct Table {
    first: usize,
    last: usize,
    cells: i64,
    rows: i32,
    columns: i32,
    length: i64,
    in_links: i64,
    score: f64,
    has_dropped: bool,
}

impl Table {
    fn starting_at(first: usize) -> Self {
        let (cells, rows, columns, length, in_links) = (0, 0, 0, 0, 0);
        Table { first, last: first, cells, rows, columns, length, in_links, score: 0.0, has_dropped: false }
    }

    /// Count a cell.
    fn add(&mut self, situation: &Situation, index: usize) {
        let table = &situation.blocks.table;
        self.last = index;
        self.cells += 1;
        self.rows = self.rows.max(table.row[index] + 1);
        self.columns = self.columns.max(table.column[index] + 1);
        self.length += situation.length(index);
        self.in_links += i64::from(situation.blocks.segments.link_length[index]);
        self.score += f64::from(situation.scores[index]);
        self.has_dropped |= !situation.keep[index];
    }

    /// Whether it has rows and columns of short texts that lead nowhere, and is not sure to be boilerplate.
    fn is_of_data(&self, threshold: f64) -> bool {
        self.rows >= FEWEST_ROWS
            && self.columns >= FEWEST_COLUMNS
            && self.cells >= i64::from(FEWEST_ROWS * FEWEST_COLUMNS)
            && self.length <= LONGEST_CELLS * self.cells
            && self.in_links as f64 <= MOST_LINKS * self.length as f64
            && self.score >= UNLIKELY * threshold * self.cells as f64
    }
}

/// Keep the cells and the caption of tables of data that have kept text before and after them, not far away.
pub fn tables_between_text(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let tables = tables_of(situation);
    let is_wanted =
        |table: &Table| table.has_dropped && table.is_of_data(situation.threshold) && is_enclosed(situation, table);
    let mut wanted: Vec<(i32, &Table)> =
        tables.iter().filter(|(_, table)| is_wanted(table)).map(|(&row, table)| (row, table)).collect();
    if !wanted.is_empty() {
        let page = situation.page;
        let controls = RowsInside::that(page, |row| CONTROLS.contains(&page.tag[row]));
        wanted.retain(|&(row, _)| !controls.any_within(page.rows_within(row as usize)));
    }
    if wanted.is_empty() {
        return situation.no_verdicts();
    }
    let mut verdicts = situation.open_verdicts()?;
    for (row, table) in wanted {
        let is_of_it = |&index: &usize| situation.blocks.table.table[index] == row;
        (table.first..=table.last).filter(is_of_it).for_each(|index| verdicts[index] = KEEP);
        let is_caption =
            |&index: &usize| situation.kinds.get(index) == Some(&kind::CAPTION) && situation.is_shown(index);
        let beside = [table.first.checked_sub(1), Some(table.last + 1)];
        beside.iter().flatten().copied().filter(is_caption).for_each(|index| verdicts[index] = KEEP);
    }
    Ok(verdicts)
}

/// The tables that have shown cells, by their rows.
fn tables_of(situation: &Situation) -> BTreeMap<i32, Table> {
    let numbers = &situation.blocks.table.table;
    let mut found = BTreeMap::new();
    for (index, &number) in numbers.iter().enumerate() {
        if number >= 0 && situation.kinds[index] == kind::CELL && situation.is_shown(index) {
            found.entry(number).or_insert_with(|| Table::starting_at(index)).add(situation, index);
        }
    }
    found
}

/// Whether shown text outside of tables is kept close before and after a table.
fn is_enclosed(situation: &Situation, table: &Table) -> bool {
    let is_text = |&index: &usize| {
        situation.keep[index]
            && situation.is_shown(index)
            && situation.blocks.table.table[index] < 0
            && situation.kinds[index] != kind::CAPTION
    };
    let after = table.last + 1..situation.len().min(table.last + 1 + REACH);
    (table.first.saturating_sub(REACH)..table.first).any(|index| is_text(&index))
        && after.into_iter().any(|index| is_text(&index))
}
