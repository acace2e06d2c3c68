//! What tags mean for reading, segmenting and rendering a page. Python has the bits as `dehusk.page.tags.TagSet`, and the
//! members from here.

#![forbid(unsafe_code)]
// Constants and fields here say what they are by their names.
#![allow(missing_docs)]

use super::tags::*;

/// Bits of `Page.flags`, in the order of Python's `TagSet`.
pub const BLOCK: u16 = 1;
pub const LINK_SET: u16 = 1 << 1;
pub const LINE_BREAK: u16 = 1 << 2;
pub const HEADING: u16 = 1 << 3;
pub const LIST: u16 = 1 << 4;
pub const TABLE_SET: u16 = 1 << 5;
pub const TABLE_ROW: u16 = 1 << 6;
pub const CELL: u16 = 1 << 7;
pub const PREFORMATTED: u16 = 1 << 8;
/// Elements whose text is neither markup nor content: it is taken out of the Page.
pub const RAW_TEXT: u16 = 1 << 9;
/// Elements whose text a browser with script does not show as running text.
pub const HIDDEN: u16 = 1 << 10;

/// Besides everything from `<html>` to `<textarea>` in the table.
const OTHER_BLOCKS: &[Tag] = &[FRAME, FRAMESET, IFRAME, NOFRAMES, NOSCRIPT, OBJECT, VIDEO, AUDIO, CANVAS, HEAD, TITLE];
const MEMBERS: &[(u16, &[Tag])] = &[
    (BLOCK, OTHER_BLOCKS),
    (LINK_SET, &[A, AREA]),
    (LINE_BREAK, &[BR]),
    (HEADING, &[H1, H2, H3, H4, H5, H6]),
    (LIST, &[UL, OL, MENU, DIR, DL]),
    (TABLE_SET, &[TABLE]),
    (TABLE_ROW, &[TR]),
    (CELL, &[TD, TH]),
    (PREFORMATTED, &[PRE, LISTING, XMP, PLAINTEXT, TEXTAREA]),
    (RAW_TEXT, &[SCRIPT, STYLE, IFRAME, NOEMBED, NOFRAMES]),
    (HIDDEN, &[NOSCRIPT, TEMPLATE, SVG, DATALIST, NOEMBED, NOFRAMES, RP, AUDIO, VIDEO, CANVAS, OBJECT]),
];

/// The sets each tag of Python's table belongs to.
pub static FLAGS: [u16; TABLE_SIZE] = {
    let mut flags = [0; TABLE_SIZE];
    let mut tag = HTML as usize;
    while tag <= TEXTAREA as usize {
        flags[tag] = BLOCK;
        tag += 1;
    }
    let mut set = 0;
    while set < MEMBERS.len() {
        let (mark, members) = MEMBERS[set];
        let mut index = 0;
        while index < members.len() {
            flags[members[index] as usize] |= mark;
            index += 1;
        }
        set += 1;
    }
    flags
};

/// The sets a tag belongs to: none if it is outside Python's table.
#[inline]
pub fn flags_of(tag: Tag) -> u16 {
    FLAGS.get(tag as usize).copied().unwrap_or(0)
}
