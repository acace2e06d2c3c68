//! Marks that elements give to the text inside them.
#![forbid(unsafe_code)]

use super::source::{show, Source};
use super::tree::{mark, Marks};
use crate::blocks::tags::{by_tag, look_up, number_of, TAGS};

/// `<a>`.
pub const LINK: i32 = number_of("a");
/// `<ruby>`.
pub const RUBY: i32 = number_of("ruby");
/// `<rp>`.
pub const PARENTHESIS: i32 = number_of("rp");

#[rustfmt::skip]
const MARK_OF_TAG: [u32; TAGS.len() + 1] = by_tag([
    ("rt", mark::READING as u32), ("rtc", mark::READING as u32),
    ("b", mark::STRONG as u32), ("strong", mark::STRONG as u32), ("summary", mark::STRONG as u32),
    ("i", mark::EMPHASIS as u32), ("em", mark::EMPHASIS as u32),
    ("s", mark::DELETED as u32), ("strike", mark::DELETED as u32), ("del", mark::DELETED as u32),
    ("q", mark::QUOTED as u32),
    ("sub", mark::SUBSCRIPT as u32),
    ("sup", mark::SUPERSCRIPT as u32),
    ("code", mark::CODE as u32), ("tt", mark::CODE as u32), ("kbd", mark::CODE as u32), ("samp", mark::CODE as u32),
]);

/// Marks that browsers show as characters: part of the text rather than formatting.
const PART_OF_TEXT: u8 = mark::READING | mark::QUOTED;
/// Marks that plain text shows: powers are written with ^, though not in code.
const OF_PLAIN_TEXT: u8 = PART_OF_TEXT | mark::SUPERSCRIPT | mark::CODE;

/// The marks that a document shows.
pub fn shown_marks(source: &Source) -> u8 {
    match (source.shows(show::FORMATTING), source.shows(show::PLAIN)) {
        (false, _) => PART_OF_TEXT,
        (true, true) => OF_PLAIN_TEXT,
        (true, false) => u8::MAX,
    }
}

/// The mark of a tag; 0 for none.
pub fn mark_of_tag(tag: i32) -> u8 {
    look_up(&MARK_OF_TAG, tag) as u8
}

/// The marks of a text inside one more element, of the marks that are shown.
pub fn marked(marks: Marks, tag: i32, shown: u8) -> Marks {
    let flag = mark_of_tag(tag) & shown;
    // Outside of ruby text a reading has no meaning. Code has no marks inside it, but may be inside some.
    if (flag == mark::READING && marks.ruby == 0) || marks.has(mark::CODE) {
        return marks;
    }
    Marks { flags: marks.flags | flag, ..marks }
}
