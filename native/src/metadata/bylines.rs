//! Bylines on a page, of four kinds. Which of them hold names is for `dehusk.metadata.from_page` to say.
#![forbid(unsafe_code)]

use super::class_names::meaning;
use super::elements::Elements;
use super::head::has_relation;
use super::text_lists::TextList;
use super::visible_text::{visible_text, MOST_ROWS};
use crate::blocks::characters::is_space;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};

const ANCHOR: i32 = number_of("a");
/// Characters of a byline.
const LONGEST_BYLINE: usize = 150;
/// Links in one byline that are read.
const MOST_LINKS: usize = 10;
/// Characters of a text that may be a byline.
const BYLINE_LENGTHS: std::ops::RangeInclusive<i32> = 6..=LONGEST_BYLINE as i32;
/// Letters and digits of a name that an address has.
const LEAST_OF_NAME: usize = 3;
/// What a byline in running text begins with.
const INTRODUCTIONS: [&str; 5] = ["by", "von", "par", "por", "di"];

/// Texts of bylines, by kind; rows tell which of them are close together.
#[derive(Debug, Default)]
pub struct Bylines {
    /// Texts of links with `rel=author`.
    pub related: TextList,
    /// One entry per such link: its row.
    pub related_row: Vec<i32>,
    /// What names the author in the address of a link, and the text of the link, if that may be the name.
    pub linked: TextList,
    /// One entry per such link: its row.
    pub linked_row: Vec<i32>,
    /// Texts of elements named as bylines, each followed by those of the links in it that may be names.
    pub named: TextList,
    /// One entry per such text: the row of the link; -1 for the element itself.
    pub named_row: Vec<i32>,
    /// Short texts that start with `By`, as written.
    pub written: TextList,
}

/// Find the bylines of a page, each kind with those near the heading first.
pub fn bylines(page: &PageView, elements: &Elements) -> Bylines {
    let mut found = Bylines::default();
    let is_author = |row: &usize| has_relation(page, *row, "author");
    for row in elements.near_first(page, elements.related.iter().copied().filter(is_author)) {
        let byline = byline_in(page, row);
        if !byline.is_empty() {
            found.related.push(&byline);
            found.related_row.push(row as i32);
        }
    }
    for row in elements.near_first(page, elements.leading_to_author.iter().map(|(row, _)| *row)) {
        let (slug, byline) = (slug_of(page, elements, row), byline_in(page, row));
        if !byline.is_empty() && may_spell(slug, &byline) {
            found.linked.push_pair(slug, &byline);
            found.linked_row.push(row as i32);
        }
    }
    for row in elements.near_first(page, elements.rows_named(meaning::BYLINE)) {
        found.add_named(page, row);
    }
    elements
        .short_texts(page, BYLINE_LENGTHS)
        .filter(|text| is_introduced(text) && may_hold_name(text))
        .for_each(|text| found.written.push(text));
    found
}

impl Bylines {
    /// Add an element that is named as a byline, and its links.
    fn add_named(&mut self, page: &PageView, row: usize) {
        let end = (page.subtree_end[row] as usize).min(row + MOST_ROWS);
        let links = (row..end).filter(|&link| page.tag[link] == ANCHOR && page.hidden[link] == 0).take(MOST_LINKS);
        let linked = links.map(|link| (link as i32, byline_in(page, link))).filter(|(_, text)| !text.is_empty());
        let all: Vec<(i32, String)> = std::iter::once((-1, byline_in(page, row))).chain(linked).collect();
        if all.len() > 1 || !all[0].1.is_empty() {
            all.iter().for_each(|(_, text)| self.named.push(text));
            self.named_row.extend(all.iter().map(|(row, _)| row));
        }
    }
}

/// The text of an element, if it could be a byline; otherwise none.
fn byline_in(page: &PageView, row: usize) -> String {
    Some(visible_text(page, row, " ", LONGEST_BYLINE)).filter(|text| may_hold_name(text)).unwrap_or_default()
}

/// Whether a text has what names have in `dehusk.metadata.from_page`: two words that begin with a capital, or a letter of a script
/// without capitals. Where something is escaped, that is not for this to say.
fn may_hold_name(text: &str) -> bool {
    let is_in_capitals = |word: &str| word.chars().next().is_some_and(|letter| !letter.is_lowercase());
    let words = text.split(|character: char| !character.is_alphabetic()).filter(|word| !word.is_empty());
    let has_no_case =
        |character: char| character.is_alphabetic() && !character.is_lowercase() && !character.is_uppercase();
    words.filter(|word| is_in_capitals(word)).nth(1).is_some() || text.contains('&') || text.chars().any(has_no_case)
}

/// What names the author in the address of a link.
fn slug_of<'a>(page: &PageView<'a>, elements: &Elements, row: usize) -> &'a str {
    let place = elements.leading_to_author.partition_point(|&(other, _)| other < row);
    let slug = elements.leading_to_author[place].1.clone();
    page.value(row, attribute::HREF).and_then(|address| address.get(slug)).unwrap_or("")
}

/// Whether a word of a byline may be in an address. Where one of them is escaped or not of ASCII, that is not for this to say.
fn may_spell(slug: &str, byline: &str) -> bool {
    if !slug.is_ascii() || !byline.is_ascii() || slug.contains('%') || byline.contains(['&', '<'].as_slice()) {
        return true;
    }
    let slug = letters_and_digits(slug);
    let is_in_slug = |word: &str| {
        let word = letters_and_digits(word);
        word.len() >= LEAST_OF_NAME && slug.contains(&word)
    };
    let mut parts = byline.split(|character: char| !character.is_ascii_alphanumeric());
    parts.any(is_in_slug) || byline.split(is_space).any(is_in_slug)
}

/// The letters and digits of a text of ASCII, in lower case.
fn letters_and_digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|character| character.to_ascii_lowercase()).collect()
}

/// Whether a text starts as a byline does.
fn is_introduced(text: &str) -> bool {
    let text = text.trim_start_matches(is_space);
    let end = text.find(|character| character == ':' || is_space(character));
    end.is_some_and(|end| INTRODUCTIONS.iter().any(|word| word.eq_ignore_ascii_case(&text[..end])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    fn found(html: &str) -> Bylines {
        let page = read(html, &Limits::default());
        bylines(&page.view(), &Elements::of(&page.view()))
    }

    #[test]
    fn links_to_authors() {
        let found = found("<h1>t</h1><a rel='x Author' href=/by/ann>Ann Bee</a><a rel=author hidden>no</a>");
        assert_eq!(found.related.texts(), ["Ann Bee"]);
        assert_eq!(found.linked.texts(), ["ann", "Ann Bee"]);
        assert_eq!(found.related_row, found.linked_row);
    }

    #[test]
    fn addresses_that_spell_a_name() {
        assert!(
            may_spell("ann-BEE/", "By ann bee")
                && may_spell("oneil", "T. O'Neil")
                && may_spell("j-ann", "Jo•Ann, Ed/Ann")
        );
        assert!(may_spell("b%C3%A9", "Bé") && may_spell("x", "Ann &amp; Carl") && may_spell("x", "é"));
        assert!(!may_spell("ann", "Al An") && !may_spell("", "Ann") && !may_spell("topics/tea", "Read more"));
    }

    #[test]
    fn named_elements_with_their_links() {
        let found = found(
            "<p class=byline>By <a>Ann Bee</a> and <a>Carl Dee</a> <a hidden>No No</a></p><p class=author>Eff Gee</p>\
             <p class=author>5 days ago <a>more</a></p><p class=author>by <a>Aitch Jay</a>",
        );
        assert_eq!(
            found.named.texts(),
            ["By Ann Bee and Carl Dee", "Ann Bee", "Carl Dee", "Eff Gee", "by Aitch Jay", "Aitch Jay"]
        );
        assert_eq!(found.named_row.iter().filter(|&&row| row < 0).count(), 3);
    }

    #[test]
    fn texts_that_may_hold_names() {
        for text in ["by Ann Bee", "O'Neil", "JOHN SMITH", "Мария Кюри", "林海", "ann &amp; carl", "محمد"]
        {
            assert!(may_hold_name(text), "{}", text);
        }
        for text in ["", "Ann", "by posting you agree", "6:50 AM", "5 days ago", "élan É"] {
            assert!(!may_hold_name(text), "{}", text);
        }
    }

    #[test]
    fn texts_that_start_with_by() {
        let found =
            found("<p> BY Ann Bee<p>By: Carl Dee<p>Bye Ann Bee<p>By<p>von\u{a0}Ann Bee<p class=comment>By Eff Gee");
        assert_eq!(found.written.texts(), [" BY Ann Bee", "By: Carl Dee", "von\u{a0}Ann Bee"]);
    }

    #[test]
    fn those_near_the_heading_come_first() {
        let far = "<b></b>".repeat(70);
        let found = found(&format!("<p class=byline>Far Off</p>{}<h1>t</h1><p class=byline>Near By", far));
        assert_eq!(found.named.texts(), ["Near By", "Far Off"]);
    }
}
