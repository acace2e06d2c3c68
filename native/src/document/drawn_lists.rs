//! Lists that pages draw with other elements than `<ul>`: lines beside each other whose class names each of them an item, as
//! page builders and themes write what speaks for a thing and against it, features and ingredients.
//!
//! The same name is given to whatever a page repeats, cards and parts that fold among them: an item is one line here, without
//! parts of its own. Decisions do not know these lists, which they were not learnt with.
#![forbid(unsafe_code)]

use super::class_words::{names, words};
use super::groups::groups;
use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, by_tag, look_up, set, TAGS};

/// Elements that can be such items.
#[rustfmt::skip]
const ELEMENTS: [u32; TAGS.len() + 1] = by_tag([("div", 1), ("p", 1)]);
/// The word that names them.
const ITEM: [&str; 1] = ["item"];
/// Words beside it that make it something to click, a part of what is shown in turn, or a paragraph of a text.
#[rustfmt::skip]
const OTHERS: [&str; 29] = [
    "menu", "nav", "navigation", "breadcrumb", "breadcrumbs", "crumb", "meta", "tag", "tags", "share", "social", "tab", "tabs",
    "page", "pagination", "filter", "price", "carousel", "slider", "slide", "gallery", "toc",
    "article", "content", "paragraph", "post", "section", "story", "text",
];
/// Items of a list, at least.
const FEWEST: usize = 2;
/// Bytes of the line of an item, at most: a longer one is a paragraph.
const LONGEST: usize = 200;
/// Rows of an item, at most: its line, what is marked in it, and a sign before it.
const MOST_ROWS: usize = 24;
/// Rows of white space and comments between two items.
const BETWEEN: usize = 3;
/// Elements from a line to its item.
const REACH: usize = 2;

/// The items of the drawn lists of a page.
#[derive(Debug, Default)]
pub struct DrawnItems {
    /// Their rows, ascending.
    rows: Vec<usize>,
}

impl DrawnItems {
    /// Those of a page, given its elements that may be items.
    pub fn of(page: &PageView, rows: &[usize]) -> Self {
        let rows: Vec<usize> = rows.iter().copied().filter(|&row| is_line(page, row)).collect();
        let mut list = 0;
        let mut numbered = Vec::with_capacity(rows.len());
        for (place, &row) in rows.iter().enumerate() {
            let goes_on = place > 0 && continues(page, rows[place - 1], row);
            list += usize::from(!goes_on);
            numbered.push((list, row));
        }
        let lists = groups(&numbered, |&(list, _)| list).filter(|(_, items)| items.len() >= FEWEST);
        DrawnItems { rows: lists.flat_map(|(_, items)| items).map(|&(_, row)| row).collect() }
    }

    /// Whether the text of an element is an item.
    pub fn has(&self, page: &PageView, row: i32) -> bool {
        let row = match usize::try_from(row) {
            Ok(row) if !self.rows.is_empty() => row,
            _ => return false,
        };
        std::iter::once(row).chain(page.ancestors(row)).take(REACH).any(|row| self.rows.binary_search(&row).is_ok())
    }
}

/// Whether an element is named an item, and is a line of text.
fn is_line(page: &PageView, row: usize) -> bool {
    let inside = row + 1..page.subtree_end[row] as usize;
    if look_up(&ELEMENTS, page.tag[row]) == 0 || inside.len() > MOST_ROWS {
        return false;
    }
    let text = strip(page.text_within(row));
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    count(inside.len() + classes.len());
    // A paragraph in it may hold all of its text.
    let mut blocks = inside.filter(|&inner| !page.is_text(inner) && page.is_in(inner, set::BLOCK));
    let is_alone = match (blocks.next(), blocks.next()) {
        (None, _) => true,
        (Some(block), None) => {
            look_up(&ELEMENTS, page.tag[block]) != 0 && strip(page.text_within(block)).len() == text.len()
        }
        _ => false,
    };
    is_alone && (1..=LONGEST).contains(&text.len()) && classes.split_ascii_whitespace().any(names_item)
}

/// Whether a class names an item, and nothing to click.
fn names_item(class: &str) -> bool {
    let is_other = |word: &str| OTHERS.iter().any(|other| word.eq_ignore_ascii_case(other));
    names(class, &ITEM) && !words(class).any(is_other)
}

/// Whether an element stands right after another one of the same kind.
fn continues(page: &PageView, before: usize, row: usize) -> bool {
    let class = |row: usize| page.value(row, attribute::CLASS);
    let between = page.subtree_end[before] as usize..row;
    page.parent[before] == page.parent[row]
        && page.tag[before] == page.tag[row]
        && class(before) == class(row)
        && between.len() <= BETWEEN
        && between.into_iter().all(|row| strip(page.text_within(row)).is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::read_documents::{markdown_of, text_of};

    #[test]
    fn lines_that_are_named_items() {
        let cases = [
            ("<div class=a-item>b</div><div class=a-item>c <b>d</b></div>", "- b\n- c **d**\n"),
            ("<p>a<div class='x item'><p>b</p></div> <div class='x item'><p>c</p></div>", "a\n\n- b\n- c\n"),
            ("<p class=ProsItem_item__x1>b</p><p class=ProsItem_item__x1>c</p>", "- b\n- c\n"),
        ];
        for (html, expected) in cases {
            assert_eq!(markdown_of(html), expected, "{html}");
        }
    }

    #[test]
    fn others_are_paragraphs() {
        for html in [
            "<div class=item>b</div>",
            "<div class=item>b</div><div class='item x'>c</div>",
            "<div class=item>b</div>x<div class=item>c</div>",
            "<div class=item-title>b</div><div class=item-title>c</div>",
            "<div class=menu-item>b</div><div class=menu-item>c</div>",
            "<p class='paragraph article__item'>b</p><p class='paragraph article__item'>c</p>",
            "<div class=item><p>b</p><p>c</p></div><div class=item><p>d</p><p>e</p></div>",
            "<div class=item><h3>b</h3></div><div class=item><h3>c</h3></div>",
        ] {
            assert!(!markdown_of(html).contains("- "), "{html}");
        }
    }

    #[test]
    fn plain_text_has_them_as_lists() {
        assert_eq!(text_of("<div class=item>b</div><div class=item>c</div>"), "- b\n- c\n");
    }
}
