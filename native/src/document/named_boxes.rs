//! Boxes that sites name in words of their own: `hg_callout`, `key-takeaways`, `pro-tip`; and those of Tailwind, whose classes
//! say how they look, and of WordPress, whose editor sets a colour behind a paragraph.
//!
//! The names are used for teasers and whole sections as well: a box is short, has few links and no heading but a small one.
//! Whether it is content is for the decision to say, as for boxes by their style.
#![forbid(unsafe_code)]

use super::class_words::names;
use super::code_parts::has_class;
use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, by_tag, is_large_heading, look_up, number_of, set, TAGS};

const LINK: i32 = number_of("a");
const QUOTE: i32 = number_of("blockquote");
const PARAGRAPH: i32 = number_of("p");
/// Elements that can be such boxes.
#[rustfmt::skip]
const ELEMENTS: [u32; TAGS.len() + 1] = by_tag([
    ("div", 1), ("p", 1), ("section", 1), ("aside", 1), ("article", 1), ("figure", 1),
]);
/// Words that name boxes, whatever is before them.
const WORDS: [&str; 4] = ["callout", "admonition", "takeaway", "takeaways"];
/// Classes of boxes.
#[rustfmt::skip]
pub const BOXES: [&str; 19] = [
    "pro-tip", "protip", "quick-tip", "expert-tip", "page-tip", "tip-box", "tipbox", "notebox", "warning-box",
    "highlight-box", "key-points", "keypoints", "did-you-know", "good-to-know", "editors-note", "editor-note", "factbox",
    "fact-box", "tldr",
];
/// Class of what has a colour behind it, which the editor of WordPress writes.
pub const COLOURED: &str = "has-background";
/// Classes of a line at the left, which Tailwind draws.
pub const LINES: [&str; 6] = ["border-l-2", "border-l-4", "border-l-8", "border-s-2", "border-s-4", "border-l-[3px]"];
/// How the classes begin that put a colour behind something, and room around its text.
const BACKGROUND: &str = "bg-";
const PADDINGS: [&str; 5] = ["p-", "px-", "pl-", "ps-", "py-"];
/// Colours that nobody sees.
const UNSEEN: [&str; 4] = ["bg-white", "bg-transparent", "bg-inherit", "bg-background"];
/// Bytes of the text of a box.
const LENGTHS: std::ops::RangeInclusive<usize> = 20..=1600;
/// Bytes of a coloured paragraph, at least: shorter ones are buttons and teasers.
const SHORTEST_COLOURED: usize = 80;
/// Bytes of a box that Tailwind draws: longer ones are posts, and cards.
const LONGEST_DRAWN: usize = 800;
/// Rows of a box.
const MOST_ROWS: usize = 300;
/// Links of a box: one with more is a list of other pages.
const MOST_LINKS: usize = 4;
/// Elements around a box that may be a quotation.
const REACH_OF_QUOTE: usize = 8;

/// Whether an element is a box by the names of its classes.
pub fn is_named_box(page: &PageView, row: usize) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    look_up(&ELEMENTS, page.tag[row]) != 0 && page.is_in(row, set::BLOCK) && {
        count(classes.len());
        let is_named = || classes.split_ascii_whitespace().any(|class| names(class, &WORDS));
        let is_paragraph = page.tag[row] == PARAGRAPH;
        let is_coloured = || is_coloured(page, row) && is_coloured_text(page, row);
        let is_drawn = || is_drawn(classes) && page.text_within(row).len() <= LONGEST_DRAWN;
        let looks_like_one = has_class(page, row, &BOXES) || is_drawn() || is_coloured();
        (looks_like_one || (!is_paragraph && is_named())) && is_small(page, row)
    }
}

/// Whether the classes of an element draw a line at its left, a colour behind it and room around its text.
fn is_drawn(classes: &str) -> bool {
    let has = |is_one: &dyn Fn(&str) -> bool| classes.split_ascii_whitespace().any(is_one);
    has(&|class| LINES.contains(&class))
        && has(&|class| class.starts_with(BACKGROUND) && !UNSEEN.contains(&class))
        && has(&|class| PADDINGS.iter().any(|padding| class.starts_with(padding)))
}

/// Whether an element is a paragraph with a colour behind it.
pub fn is_coloured(page: &PageView, row: usize) -> bool {
    page.tag[row] == PARAGRAPH && has_class(page, row, &[COLOURED])
}

/// Whether a coloured paragraph is a text, and not a link to another page.
fn is_coloured_text(page: &PageView, row: usize) -> bool {
    let length = strip(page.text_within(row)).len();
    let inside = row..page.subtree_end[row] as usize;
    let links = inside.filter(|&inner| page.tag[inner] == LINK).take(MOST_LINKS + 1);
    let linked: usize = links.map(|link| page.text_within(link).len()).sum();
    length >= SHORTEST_COLOURED && 2 * linked < length
}

/// Whether an element is as small as a box is, and is no part of a quotation, nor holds one: it would be marked up twice.
pub fn is_small(page: &PageView, row: usize) -> bool {
    let rows = row..page.subtree_end[row] as usize;
    rows.len() <= MOST_ROWS && LENGTHS.contains(&strip(page.text_within(row)).len()) && {
        count(rows.len());
        let links = page.tag[rows.clone()].iter().filter(|&&tag| tag == LINK).count();
        let headings = rows.clone().filter(|&inner| page.is_in(inner, set::HEADING)).count();
        let has_large = page.tag[rows.clone()].iter().any(|&tag| is_large_heading(tag));
        let is_quoted = || page.ancestors(row).take(REACH_OF_QUOTE).any(|outer| page.tag[outer] == QUOTE);
        links <= MOST_LINKS && headings <= 1 && !has_large && !page.tag[rows].contains(&QUOTE) && !is_quoted()
    }
}

#[cfg(test)]
mod tests {
    use super::is_drawn;

    #[test]
    fn boxes_of_tailwind() {
        assert!(is_drawn("border-l-4 border-yellow-400 bg-yellow-50 p-4"));
        for classes in
            ["border-l-4 p-4", "border-l-4 bg-white p-4", "border-l-4 bg-red-50", "border-l bg-red-50 p-4", ""]
        {
            assert!(!is_drawn(classes), "{classes}");
        }
    }
}
