//! Tags and attributes by number.
#![forbid(unsafe_code)]

use crate::html::attributes::same;
use crate::html::tags::{NAMES, TABLE_SIZE};

/// Known tags; the position is the number. Text is number 0.
pub const TAGS: [&str; TABLE_SIZE] = {
    let mut known = [""; TABLE_SIZE];
    let mut number = 0;
    while number < TABLE_SIZE {
        known[number] = NAMES[number];
        number += 1;
    }
    known
};

/// Sets of tags: bits of `PageView::flags`.
pub mod set {
    pub use crate::html::tag_sets::{
        BLOCK, CELL, HEADING, LINE_BREAK, LINK_SET as LINK, LIST, PREFORMATTED, TABLE_ROW, TABLE_SET as TABLE,
    };
}

/// Attributes that matter here, by number.
pub mod attribute {
    use crate::html::attributes::code_of;

    /// `class`.
    pub const CLASS: u8 = code_of("class");
    /// `id`.
    pub const ID: u8 = code_of("id");
    /// `style`.
    pub const STYLE: u8 = code_of("style");
    /// `role`.
    pub const ROLE: u8 = code_of("role");
    /// `itemprop`.
    pub const ITEMPROP: u8 = code_of("itemprop");
    /// `itemtype`.
    pub const ITEMTYPE: u8 = code_of("itemtype");
    /// `href`.
    pub const HREF: u8 = code_of("href");
    /// `rel`.
    pub const REL: u8 = code_of("rel");
    /// `name`.
    pub const NAME: u8 = code_of("name");
    /// `property`.
    pub const PROPERTY: u8 = code_of("property");
    /// `content`.
    pub const CONTENT: u8 = code_of("content");
    /// `itemscope`.
    pub const ITEMSCOPE: u8 = code_of("itemscope");
    /// `src`.
    pub const SRC: u8 = code_of("src");
    /// `data-src`.
    pub const DATA_SRC: u8 = code_of("data-src");
    /// `lang`.
    pub const LANG: u8 = code_of("lang");
    /// `datetime`.
    pub const DATETIME: u8 = code_of("datetime");
    /// `http-equiv`.
    pub const HTTP_EQUIV: u8 = code_of("http-equiv");
    /// `title`.
    pub const TITLE: u8 = code_of("title");
    /// `hidden`.
    pub const HIDDEN: u8 = code_of("hidden");
    /// `type`.
    pub const TYPE: u8 = code_of("type");
    /// `aria-controls`.
    pub const ARIA_CONTROLS: u8 = code_of("aria-controls");
    /// `aria-expanded`.
    pub const ARIA_EXPANDED: u8 = code_of("aria-expanded");
    /// `colspan`.
    pub const COLSPAN: u8 = code_of("colspan");
}

/// The number of a tag. Stops the compiler if there is none of that name.
pub const fn number_of(name: &str) -> i32 {
    let mut number = 0;
    while !same(TAGS[number].as_bytes(), name.as_bytes()) {
        number += 1;
    }
    number as i32
}

const LARGEST_HEADING: i32 = number_of("h1");
/// The first heading that may be the title of a box or a name in it.
const SMALL_HEADING: i32 = number_of("h4");

/// Whether a tag is that of a heading of a section: what has one is a section itself.
pub fn is_large_heading(tag: i32) -> bool {
    (LARGEST_HEADING..SMALL_HEADING).contains(&tag)
}

/// One bit or number for each tag, from pairs of names and numbers; 0 for others and for tags outside the table.
pub const fn by_tag<const N: usize>(of_names: [(&str, u32); N]) -> [u32; TAGS.len() + 1] {
    let mut table = [0; TAGS.len() + 1];
    let mut index = 0;
    while index < N {
        table[number_of(of_names[index].0) as usize] = of_names[index].1;
        index += 1;
    }
    table
}

/// The entry of a tag in a table made by `by_tag`.
pub fn look_up(table: &[u32; TAGS.len() + 1], tag: i32) -> u32 {
    table[(tag as usize).min(TAGS.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_positions() {
        assert_eq!(number_of("#text"), 0);
        assert_eq!(TAGS[number_of("h1") as usize + 5], "h6");
    }

    #[test]
    fn tags_outside_the_table_share_an_entry() {
        let table = by_tag([("p", 3), ("svg", 7)]);
        assert_eq!(look_up(&table, number_of("svg")), 7);
        assert_eq!(look_up(&table, number_of("a")), 0);
        assert_eq!(look_up(&table, TAGS.len() as i32 + 4), 0);
    }
}
