//! What a document is built from: a page, its blocks, the decision on each, and what to show.
#![forbid(unsafe_code)]

use super::structures::Structures;
use crate::blocks::kinds::kind;
use crate::blocks::page_blocks::Blocks;
use crate::blocks::page_view::PageView;

/// What is shown besides the words: bits, the same as in `dehusk.outputs.document.document_calls`.
pub mod show {
    /// Link targets.
    pub const LINKS: u32 = 1 << 0;
    /// Images of the content.
    pub const IMAGES: u32 = 1 << 1;
    /// Data tables as tables; otherwise each cell is a paragraph.
    pub const TABLES: u32 = 1 << 2;
    /// Kept readers' comments apart from the text.
    pub const COMMENTS: u32 = 1 << 3;
    /// Bold, italic, code, subscripts and so on.
    pub const FORMATTING: u32 = 1 << 4;
    /// Footnotes at the end, with references in the text.
    pub const FOOTNOTES: u32 = 1 << 5;
    /// Languages and directions that differ from those of the page.
    pub const LOCALES: u32 = 1 << 6;
    /// Of the formatting, only what plain text can show.
    pub const PLAIN: u32 = 1 << 7;
    /// Cells that span several positions in each of them.
    pub const REPEATED_SPANS: u32 = 1 << 8;
    /// No odd spaces, and nothing that a reader cannot see.
    pub const PLAIN_CHARACTERS: u32 = 1 << 12;
}

/// A page with labelled blocks.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The page.
    pub page: &'a PageView<'a>,
    /// Its m blocks.
    pub blocks: &'a Blocks,
    /// Its code, formulas and callouts.
    pub structures: &'a Structures,
    /// m entries: not 0 for blocks that are kept.
    pub keep: &'a [u8],
    /// m entries: not 0 for readers' comments.
    pub comments: &'a [u8],
    /// m entries, or none: the kind that a model reads where the markup gives none, else 0.
    pub read_kind: &'a [u8],
    /// The address of the page up to and with `#`: how links within the page may begin.
    pub own_address: &'a str,
    /// What relative addresses of links and images start from.
    pub base: &'a str,
    /// Bits of `show`.
    pub shown: u32,
}

/// Blocks of an element that are looked at: a post of another site or a figure has fewer.
const MOST_BLOCKS: usize = 32;
/// The level of headings that a model reads: the one below the title.
const READ_HEADING_LEVEL: i32 = 2;

impl<'a> Source<'a> {
    /// Whether something is shown.
    pub fn shows(&self, what: u32) -> bool {
        self.shown & what != 0
    }

    /// Whether a block is kept.
    pub fn is_kept(&self, block: usize) -> bool {
        self.keep[block] != 0
    }

    /// What a block is to a reader.
    pub fn kind(&self, block: usize) -> u8 {
        self.read_kind_of(block).unwrap_or(self.blocks.kinds.kind[block])
    }

    /// Row of the element that determines the kind; -1 if none does.
    pub fn kind_row(&self, block: usize) -> i32 {
        match self.read_kind_of(block) {
            Some(_) => self.blocks.segments.owner[block],
            None => self.blocks.kinds.kind_row[block],
        }
    }

    /// The level of a heading, from 1.
    pub fn heading_level(&self, block: usize) -> i32 {
        match self.read_kind_of(block) {
            Some(kind::HEADING) => READ_HEADING_LEVEL,
            _ => self.blocks.kinds.level[block].max(1),
        }
    }

    /// The kind that a model reads, if it reads any.
    fn read_kind_of(&self, block: usize) -> Option<u8> {
        self.read_kind.get(block).copied().filter(|&kind| kind != kind::OTHER)
    }

    /// Row of the closest block-level element around a block.
    pub fn owner(&self, block: usize) -> i32 {
        self.blocks.segments.owner[block]
    }

    /// Row of the table that a block is in, drawn or not; -1 for none.
    pub fn table(&self, block: usize) -> i32 {
        match self.blocks.table.table[block] {
            table if table >= 0 => table,
            _ => self.structures.drawn_tables.table_around(self.owner(block)),
        }
    }

    /// Row of the cell of a table that a block is in; -1 for none.
    pub fn cell(&self, block: usize) -> i32 {
        match self.blocks.table.cell[block] {
            cell if cell >= 0 => cell,
            _ => self.structures.drawn_tables.cell_around(self.owner(block)),
        }
    }

    /// The first and the last text row of a block.
    pub fn rows(&self, block: usize) -> (usize, usize) {
        let segments = &self.blocks.segments;
        (segments.first_row[block] as usize, segments.last_row[block] as usize)
    }

    /// Whether a browser does not show a block.
    pub fn is_hidden(&self, block: usize) -> bool {
        self.blocks.segments.hidden[block] != 0
    }

    /// The text of a block.
    pub fn text(&self, block: usize) -> &'a str {
        self.blocks.segments.texts.get(block)
    }

    /// The kept blocks, in order.
    pub fn kept(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.keep.len()).filter(move |&block| self.is_kept(block))
    }

    /// The first blocks inside an element.
    pub fn blocks_in(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        self.blocks.segments.beginning_in(self.page, row).take(MOST_BLOCKS)
    }

    /// Whether text inside an element is kept.
    pub fn keeps_text_in(&self, row: usize) -> bool {
        self.blocks_in(row).any(|block| self.is_kept(block))
    }
}
