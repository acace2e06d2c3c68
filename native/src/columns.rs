//! A page as columns, one row per element or text node, in document order.
//!
//! The columns are those of `dehusk.page.page_columns.Page`, which says what each means. Offsets count bytes; Python, whose
//! `str` counts characters, asks for `character_offsets`.

#![forbid(unsafe_code)]

use crate::blocks::page_view::{PageView, StringList};
use std::ops::Range;

/// Limits on one page, as in `dehusk.limits.Limits`.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Elements that unclosed formatting may add; beyond, formatting elements are read as ordinary ones.
    pub nodes: usize,
    /// Attributes kept; further elements lose theirs.
    pub attributes: usize,
    /// Ancestors of a node; deeper ones become children of the last element within the limit.
    pub depth: i32,
}

impl Default for Limits {
    /// Those of Python.
    fn default() -> Self {
        Self { nodes: 2_000_000, attributes: 4_000_000, depth: 512 }
    }
}

/// One html document. All columns have an entry per row unless said otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// All character data in document order; rows point into it. A `<br>` contains a vertical tab.
    pub text: String,
    /// Position in Python's `TAGS`; from there up, position in `other_tags`.
    pub tag: Vec<i32>,
    /// The `TagSet`s the tag belongs to.
    pub flags: Vec<u16>,
    /// Names of tags outside the table, one after the other, in the order in which they occur.
    pub other_tags: String,
    /// One entry per such name: where it ends, in bytes.
    pub other_tag_end: Vec<i64>,
    /// Row of the parent, or of the last ancestor above `Limits.depth`; -1 for the root.
    pub parent: Vec<i32>,
    /// One past the last row of the subtree.
    pub subtree_end: Vec<i32>,
    /// Number of ancestors.
    pub depth: Vec<i32>,
    /// Where the text of the subtree begins, in bytes. It ends where that of the row after the subtree begins.
    pub text_start: Vec<i64>,
    /// Characters of a text row without the white space around it; 0 for elements and blank text.
    pub text_length: Vec<i32>,
    /// 1 if the row or an ancestor is hidden by tag, attribute or inline style; else 0.
    pub hidden: Vec<u8>,
    /// One entry more: the attributes of row r are `attribute_start[r] .. attribute_start[r + 1]`.
    pub attribute_start: Vec<i32>,
    /// One entry per attribute: position in Python's `ATTRIBUTES`.
    pub attribute_name: Vec<u8>,
    /// One entry per attribute: which of the values it has. Reopened elements share those of the first.
    pub attribute_value: Vec<i32>,
    /// The values, one after the other.
    pub values: String,
    /// One entry per value: where it ends, in bytes.
    pub value_end: Vec<i64>,
    /// One entry per style sheet, JSON-LD or formula: the row of its element.
    pub embedded_row: Vec<i32>,
    /// Their texts, one after the other.
    pub embedded_text: String,
    /// One entry per embedded text: where it ends, in bytes.
    pub embedded_end: Vec<i64>,
}

impl Page {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.tag.len()
    }

    /// Whether there are no rows: never so for a page that was read.
    pub fn is_empty(&self) -> bool {
        self.tag.is_empty()
    }

    /// The columns that finding blocks and what follows it read.
    pub fn view(&self) -> PageView<'_> {
        PageView {
            tag: &self.tag,
            flags: &self.flags,
            parent: &self.parent,
            subtree_end: &self.subtree_end,
            depth: &self.depth,
            text: &self.text,
            text_start: &self.text_start,
            text_length: &self.text_length,
            hidden: &self.hidden,
            attribute_start: &self.attribute_start,
            attribute_name: &self.attribute_name,
            attribute_value: &self.attribute_value,
            values: StringList { text: &self.values, end: &self.value_end },
            other_tags: StringList { text: &self.other_tags, end: &self.other_tag_end },
        }
    }

    /// Texts of style sheets, JSON-LD and formulas.
    pub fn embedded(&self) -> StringList<'_> {
        StringList { text: &self.embedded_text, end: &self.embedded_end }
    }

    /// Where the text of a row's subtree begins and ends, in bytes.
    pub fn text_span(&self, row: usize) -> Range<usize> {
        let end = self.text_start.get(self.subtree_end[row] as usize).map_or(self.text.len(), |&end| end as usize);
        self.text_start[row] as usize..end
    }
}
