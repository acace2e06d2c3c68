//! Page -> everything that is known of its blocks.
#![forbid(unsafe_code)]

use super::kinds::{find_kinds, Kinds};
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

/// The blocks of a page, in document order.
pub fn find_blocks(page: &PageView) -> Blocks {
    let segments = segment(page);
    let table = table_positions(page, &segments.owner);
    let kinds = find_kinds(page, &segments, &table);
    Blocks { segments, table, kinds }
}
