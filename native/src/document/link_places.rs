//! Links within a page: those to what is dropped, to nothing, or to where they stand lead nowhere.
#![forbid(unsafe_code)]

use super::footnotes::{rows_of_ids, unquoted, RowsOfIds};
use super::source::Source;
use crate::blocks::page_view::PageView;

/// The places of a page that have names.
pub struct Places<'a> {
    rows: RowsOfIds<'a>,
}

impl<'a> Places<'a> {
    /// Those of a page.
    pub fn new(page: &PageView<'a>) -> Self {
        Places { rows: rows_of_ids(page) }
    }

    /// Whether a link points to a place of the page that no reader of the kept text can go to.
    pub fn leads_nowhere(&self, source: &Source, link: usize, address: &str) -> bool {
        let is_own = !source.own_address.is_empty() && address.starts_with(source.own_address);
        let target = match address.split_once('#') {
            Some(("", target)) => target,
            Some((_, target)) if is_own => target,
            _ => return false,
        };
        let target = unquoted(target);
        let row = match self.rows.get(&*target) {
            Some(&row) => row,
            // A whole address may be right where it came from.
            None => return !is_own,
        };
        let is_around = row <= link && (link as i32) < source.page.subtree_end[row];
        is_around || !is_kept_at(source, row)
    }
}

/// Whether text in or around an element is kept, or, if it shows none, the text after it.
fn is_kept_at(source: &Source, row: usize) -> bool {
    let first = source.blocks.segments.first_row.partition_point(|&first| (first as usize) < row);
    let is_amid = |block: usize| source.rows(block).1 >= row && source.is_kept(block);
    if source.keeps_text_in(row) || first.checked_sub(1).is_some_and(is_amid) {
        return true;
    }
    let is_empty = source.blocks_in(row).next().is_none();
    is_empty && first < source.keep.len() && source.is_kept(first)
}
