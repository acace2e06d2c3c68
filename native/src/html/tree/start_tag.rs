//! A start tag as the rules see it.

#![forbid(unsafe_code)]

use crate::html::tags::Tag;

/// A start tag: its name, and its attributes in `Document.attributes`.
#[derive(Clone, Copy)]
pub(super) struct StartTag {
    pub tag: Tag,
    pub attributes: (u32, u32),
    pub self_closing: bool,
    /// Where its attributes are written in the source; 0 for a tag that is not written.
    pub attributes_start: u32,
}

impl StartTag {
    /// A tag without attributes, as implied ones are.
    pub fn bare(tag: Tag) -> Self {
        Self { tag, attributes: (0, 0), self_closing: false, attributes_start: 0 }
    }
}
