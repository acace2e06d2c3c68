//! Page -> everything that is known of its blocks.
#![forbid(unsafe_code)]

use std::collections::TryReserveError;

use super::kinds::{find_kinds, Kinds};
use super::memory::ask_for;
use super::page_view::PageView;
use super::segmentation::{segment, Segments};
use super::table_cells::{table_positions, TablePositions};

/// The m blocks of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    /// Their texts, and where each stands.
    pub segments: Segments,
    /// Which cell of which data table each is in.
    pub table: TablePositions,
    /// What each is to a reader.
    pub kinds: Kinds,
}

/// Bytes that finding blocks takes for each row of the page, at most, besides the texts: 8 columns of 4 bytes, and 24
/// bytes for tables and their rows.
const BYTES_A_ROW: usize = 64;

/// The blocks of a page, in document order; an error if there is not enough memory for them.
pub fn find_blocks(page: &PageView) -> Result<Blocks, TryReserveError> {
    ask_for(page.text.len() + BYTES_A_ROW * page.len())?;
    let segments = segment(page);
    let table = table_positions(page, &segments.owner);
    let kinds = find_kinds(page, &segments, &table);
    Ok(Blocks { segments, table, kinds })
}
