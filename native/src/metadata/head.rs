//! What a page declares in its head: meta elements, and links to its own address, image and licence.
#![forbid(unsafe_code)]

use super::elements::Elements;
use super::text_lists::TextList;
use super::visible_text::visible_text;
use crate::blocks::characters::beginning;
use crate::blocks::characters::{is_space, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};
use crate::document::site_names::is_home;

const META: i32 = number_of("meta");
const LINK: i32 = number_of("link");
const ANCHOR: i32 = number_of("a");
const TITLE: i32 = number_of("title");
const MAIN_HEADING: i32 = number_of("h1");

/// Meta elements and links that are read.
const MOST_ELEMENTS: usize = 2000;
/// Attributes that name the content of a meta element.
const NAMING: [u8; 3] = [attribute::PROPERTY, attribute::NAME, attribute::HTTP_EQUIV];
/// Relations that are declared, and whether only by a `<link>`: any element may link to the licence, but only that gives the
/// page's address.
const DECLARED: [(&str, bool); 4] = [("license", false), ("licence", false), ("canonical", true), ("image_src", true)];
/// Titles that are read: SVG drawings have some as well, but hidden ones.
const MOST_TITLES: usize = 5;
/// Characters of a title.
const LONGEST_TITLE: usize = 2000;
/// Rows of a heading among which its link is.
const REACH_OF_LINK: usize = 6;
/// Headings that are read.
const MOST_HEADINGS: usize = 20;

/// Name and content of each meta element; the name is in lower case. An element with two names is there twice.
pub fn metas(page: &PageView, elements: &Elements) -> TextList {
    let mut found = TextList::default();
    for &row in elements.with_content.iter().take(MOST_ELEMENTS).filter(|&&row| page.tag[row] == META) {
        let content = page.value(row, attribute::CONTENT).unwrap_or("");
        if strip(content).is_empty() {
            continue;
        }
        let mut names: Vec<String> = NAMING.iter().filter_map(|&name| name_of(page, row, name)).collect();
        names.dedup();
        names.iter().for_each(|name| found.push_pair(name, content));
    }
    found
}

/// The name of a meta element by one of its attributes.
fn name_of(page: &PageView, row: usize, name: u8) -> Option<String> {
    page.value(row, name).map(|value| strip(value).to_lowercase()).filter(|name| !name.is_empty())
}

/// The language that the page declares on its first element; empty if it declares none.
pub fn declared_language<'a>(page: &PageView<'a>) -> &'a str {
    let root = (0..page.len()).next();
    root.and_then(|root| page.value(root, attribute::LANG)).unwrap_or("")
}

/// Relation and target of each link that declares something.
pub fn declared_links(page: &PageView, elements: &Elements) -> TextList {
    let mut found = TextList::default();
    for &row in elements.related.iter().take(MOST_ELEMENTS) {
        for relation in relations(page, row) {
            let known = DECLARED.iter().find(|(name, _)| name.eq_ignore_ascii_case(relation));
            if let Some((name, _)) = known.filter(|(_, only_link)| !only_link || page.tag[row] == LINK) {
                found.push_pair(name, page.value(row, attribute::HREF).unwrap_or(""));
            }
        }
    }
    found
}

/// The relations of a link, as written.
fn relations<'a>(page: &PageView<'a>, row: usize) -> impl Iterator<Item = &'a str> {
    let value = page.value(row, attribute::REL).unwrap_or("");
    value.split(is_space).filter(|word| !word.is_empty())
}

/// Whether a link has a relation, in any case.
pub fn has_relation(page: &PageView, row: usize, name: &str) -> bool {
    relations(page, row).any(|relation| relation.eq_ignore_ascii_case(name))
}

/// The visible `<title>` elements, as written.
pub fn titles(page: &PageView) -> TextList {
    let mut found = TextList::default();
    for row in page.rows_of(TITLE).take(MOST_TITLES).filter(|&row| page.hidden[row] == 0) {
        found.push(beginning(page.text_within(row), LONGEST_TITLE));
    }
    found
}

/// The texts of the first `<h1>` elements, and of those among them that are nothing but a link to the home page, which are
/// names of the site: these are not among the former.
pub fn headings(page: &PageView) -> [TextList; 2] {
    let mut found = [TextList::default(), TextList::default()];
    for row in page.rows_of(MAIN_HEADING).take(MOST_HEADINGS) {
        found[usize::from(is_link_home(page, row))].push(&visible_text(page, row, "", usize::MAX));
    }
    found
}

/// Whether a heading is in a link to the home page, or is one as a whole.
fn is_link_home(page: &PageView, row: usize) -> bool {
    let parent = usize::try_from(page.parent[row]).ok();
    let end = (page.subtree_end[row] as usize).min(row + REACH_OF_LINK);
    let holds_all = |link: usize| page.text_within(link).trim() == page.text_within(row).trim();
    let inside = (row..end).find(|&inner| page.tag[inner] == ANCHOR).filter(|&link| holds_all(link));
    let around = parent.filter(|&parent| page.tag[parent] == ANCHOR);
    inside.or(around).and_then(|link| page.value(link, attribute::HREF)).is_some_and(is_home)
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
    fn metas_by_each_name_once() {
        let html = "<meta name=' Author' content='Ann'><meta name=x property=x content=1><meta name=a content=' '>\
                    <meta name=a property=b content=2><meta content=3><p name=c content=4>";
        assert_eq!(texts_of(html, metas), ["author", "Ann", "x", "1", "b", "2", "a", "2"]);
    }

    #[test]
    fn links_that_declare() {
        let html = "<link rel='x CANONICAL' href=/a><a rel=canonical href=/b><a rel=license href=/c><link rel=licence>";
        assert_eq!(texts_of(html, declared_links), ["canonical", "/a", "license", "/c", "licence", ""]);
    }

    #[test]
    fn titles_and_headings() {
        let html = "<title> a &amp;amp; b</title><svg><title>c</title></svg><h1>d <i>e</i></h1><h1 hidden>f</h1>";
        assert_eq!(texts_of(html, |page, _| titles(page)), [" a &amp; b"]);
        let [shown, home] = [0, 1].map(|number| texts_of(html, |page, _| headings(page)[number].clone()));
        assert_eq!((shown, home), (vec!["d e".to_string(), String::new()], Vec::new()));
        let html = "<a href='/'><h1>a</h1></a><h1><a href=../index.html>b</a></h1><h1><a href='/'>c</a> d</h1>";
        let [shown, home] = [0, 1].map(|number| texts_of(html, |page, _| headings(page)[number].clone()));
        assert_eq!((shown, home), (vec!["c d".to_string()], vec!["a".to_string(), "b".to_string()]));
    }
}
