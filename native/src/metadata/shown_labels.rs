//! Labels that a page shows: subtitle, tags, breadcrumbs, licence.
#![forbid(unsafe_code)]

use super::class_names::meaning;
use super::elements::{is_within, outermost, Elements, MOST_ELEMENTS};
use super::head::has_relation;
use super::text_lists::TextList;
use super::visible_text::visible_text;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};

const ANCHOR: i32 = number_of("a");
const FOOTER: i32 = number_of("footer");
/// Characters of a tag or a breadcrumb.
const LONGEST_LABEL: usize = 60;
/// Characters of a subtitle.
const LONGEST_SUBTITLE: usize = 400;

/// The first element after the heading that is named as a subtitle, if there is one.
pub fn subtitle(page: &PageView, elements: &Elements) -> TextList {
    let mut found = TextList::default();
    let is_below = |row: &usize| elements.heading >= 0 && *row as i64 > elements.heading && page.hidden[*row] == 0;
    if let Some(row) = elements.rows_named(meaning::SUBTITLE).find(is_below) {
        found.push(&visible_text(page, row, "", LONGEST_SUBTITLE));
    }
    found
}

/// Texts of links with `rel=tag`.
pub fn tags(page: &PageView, elements: &Elements) -> TextList {
    let is_tag = |row: &&usize| page.tag[**row] == ANCHOR && has_relation(page, **row, "tag");
    labels(page, elements.related.iter().filter(is_tag).copied())
}

/// Texts of the links in the first element named as breadcrumbs.
pub fn trail(page: &PageView, elements: &Elements) -> TextList {
    let rows = elements.rows_named(meaning::TRAIL).next().map(|row| row..page.subtree_end[row] as usize);
    labels(page, rows.unwrap_or(0..0).filter(|&row| page.tag[row] == ANCHOR))
}

/// Texts of the first of some links.
fn labels(page: &PageView, rows: impl Iterator<Item = usize>) -> TextList {
    let mut found = TextList::default();
    rows.take(MOST_ELEMENTS).for_each(|row| found.push(&visible_text(page, row, "", LONGEST_LABEL)));
    found
}

/// Addresses of Creative Commons licences in a footer. In the text, such links are about images.
pub fn licences(page: &PageView, elements: &Elements) -> TextList {
    let mut found = TextList::default();
    if elements.naming_licence.is_empty() {
        return found;
    }
    let named = outermost(page, elements.rows_named(meaning::FOOTER));
    let footers = outermost(page, page.rows_of(FOOTER));
    for &row in elements.naming_licence.iter().filter(|&&row| is_within(&named, row) || is_within(&footers, row)) {
        found.push(page.value(row, attribute::HREF).unwrap_or(""));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    fn texts_of(html: &str, find: impl Fn(&PageView, &Elements) -> TextList) -> Vec<String> {
        let page = read(html, &Limits::default());
        let elements = Elements::of(&page.view());
        find(&page.view(), &elements).texts().iter().map(|text| text.to_string()).collect()
    }

    #[test]
    fn a_subtitle_follows_the_heading() {
        assert_eq!(texts_of("<p class=dek>a</p><h1>t</h1><p class=dek hidden>b</p><p class=dek>c", subtitle), ["c"]);
        assert_eq!(texts_of("<p class=dek>a</p>", subtitle), [""; 0]);
    }

    #[test]
    fn tags_and_breadcrumbs() {
        let html = "<div class=breadcrumbs><a>Home</a><a>Tea</a></div><a rel='tag x'>green</a><b rel=tag>no</b>";
        assert_eq!(texts_of(html, tags), ["green"]);
        assert_eq!(texts_of(html, trail), ["Home", "Tea"]);
        assert_eq!(texts_of("<p>", trail), [""; 0]);
    }

    #[test]
    fn licences_in_footers() {
        let link = "<a href='//creativecommons.org/licenses/by/4.0/'>x</a>";
        let address = ["//creativecommons.org/licenses/by/4.0/"];
        assert_eq!(texts_of(&format!("<footer>{}</footer>{}", link, link), licences), address);
        assert_eq!(texts_of(&format!("<div id=copyright>{}</div>", link), licences), address);
    }
}
