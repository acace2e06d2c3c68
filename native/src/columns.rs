//! A page as columns, one row per element or text node, in document order.
//!
//! The columns are those of `dehusk.page.page_columns.Page`, which says what each means. Offsets count characters, as
//! Python's `str` does, so that texts can be cut out of one decoded string.

#![forbid(unsafe_code)]

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
    /// All character data in document order, as UTF-8; rows point into it. A `<br>` contains a vertical tab.
    pub text: Vec<u8>,
    /// Position in Python's `TAGS`; from there up, position in `other_tags`.
    pub tag: Vec<i32>,
    /// The `TagSet`s the tag belongs to.
    pub flags: Vec<u16>,
    /// Names of tags outside the table, as UTF-8, in the order in which they occur.
    pub other_tags: Vec<Vec<u8>>,
    /// Row of the parent, or of the last ancestor above `Limits.depth`; -1 for the root.
    pub parent: Vec<i32>,
    /// One past the last row of the subtree.
    pub subtree_end: Vec<i32>,
    /// Number of ancestors.
    pub depth: Vec<i32>,
    /// The text of the whole subtree is that from `text_start` to `text_end`, in characters.
    pub text_start: Vec<i64>,
    /// See `text_start`.
    pub text_end: Vec<i64>,
    /// Characters of a text row without the white space around it; 0 for elements and blank text.
    pub text_length: Vec<i32>,
    /// Whether the row or an ancestor is hidden by tag, attribute or inline style.
    pub hidden: Vec<bool>,
    /// One entry more: the attributes of row r are `attribute_start[r] .. attribute_start[r + 1]`.
    pub attribute_start: Vec<i32>,
    /// One entry per attribute: position in Python's `ATTRIBUTES`.
    pub attribute_name: Vec<u8>,
    /// One entry per attribute: which of the values it has. Reopened elements share those of the first.
    pub attribute_value: Vec<i32>,
    /// The values, one after the other, as UTF-8.
    pub values: Vec<u8>,
    /// One entry per value: where it ends, in bytes.
    pub value_end: Vec<i64>,
    /// One entry per style sheet, JSON-LD or formula: the row of its element.
    pub embedded_row: Vec<i32>,
    /// Their texts, one after the other, as UTF-8.
    pub embedded_text: Vec<u8>,
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
}
