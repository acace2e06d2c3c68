//! Tags and attributes by number, the same numbers as in `dehusk.page.tags`.
#![forbid(unsafe_code)]

/// Known tags; the position is the number. Text is number 0.
#[rustfmt::skip]
pub const TAGS: [&str; 135] = [
    "#text",
    "html", "body", "article", "section", "nav", "aside", "header", "footer", "main", "address",
    "hgroup", "search", "div", "center",
    "h1", "h2", "h3", "h4", "h5", "h6",
    "p", "blockquote", "pre", "listing", "xmp", "plaintext", "figure", "figcaption", "hr",
    "details", "summary", "dialog",
    "ul", "ol", "menu", "dir", "li", "dl", "dt", "dd",
    "table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "td", "th",
    "form", "fieldset", "legend", "button", "select", "optgroup", "option", "datalist",
    "textarea",
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "blink", "cite", "code", "data", "del",
    "dfn", "em", "font", "i", "img", "input", "ins", "kbd", "label", "map", "mark", "marquee",
    "math", "meter", "nobr", "output", "picture", "progress", "q", "rb", "rp", "rt", "rtc",
    "ruby", "s", "samp", "slot", "small", "span", "strike", "strong", "sub", "sup", "svg",
    "time", "tt", "u", "var", "wbr", "br",
    "area", "audio", "canvas", "embed", "frame", "frameset", "iframe", "noembed", "noframes",
    "noscript", "object", "param", "source", "track", "video",
    "head", "title", "base", "link", "meta", "script", "style", "template",
];

/// Sets of tags: bits of `PageView::flags`.
pub mod set {
    /// Elements that start a new block and end it.
    pub const BLOCK: u16 = 1 << 0;
    /// Links.
    pub const LINK: u16 = 1 << 1;
    /// Line breaks.
    pub const LINE_BREAK: u16 = 1 << 2;
    /// Headings.
    pub const HEADING: u16 = 1 << 3;
    /// Lists.
    pub const LIST: u16 = 1 << 4;
    /// Tables.
    pub const TABLE: u16 = 1 << 5;
    /// Rows of tables.
    pub const TABLE_ROW: u16 = 1 << 6;
    /// Cells of tables.
    pub const CELL: u16 = 1 << 7;
    /// Elements whose white space is shown as written.
    pub const PREFORMATTED: u16 = 1 << 8;
}

/// Attributes that matter here, by number.
pub mod attribute {
    /// `class`.
    pub const CLASS: u8 = 0;
    /// `id`.
    pub const ID: u8 = 28;
    /// `role`.
    pub const ROLE: u8 = 56;
    /// `itemprop`.
    pub const ITEMPROP: u8 = 43;
    /// `rel`.
    pub const REL: u8 = 42;
    /// `name`.
    pub const NAME: u8 = 50;
    /// `property`.
    pub const PROPERTY: u8 = 47;
    /// `content`.
    pub const CONTENT: u8 = 51;
    /// `colspan`.
    pub const COLSPAN: u8 = 57;
}

/// The number of a tag. Stops the compiler if there is none of that name.
pub const fn number_of(name: &str) -> i32 {
    let mut number = 0;
    while !same(TAGS[number].as_bytes(), name.as_bytes()) {
        number += 1;
    }
    number as i32
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

/// Whether two names are equal; `==` is not for constants.
const fn same(first: &[u8], second: &[u8]) -> bool {
    if first.len() != second.len() {
        return false;
    }
    let mut place = 0;
    while place < first.len() {
        if first[place] != second[place] {
            return false;
        }
        place += 1;
    }
    true
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
