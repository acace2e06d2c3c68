//! The elements that may hold metadata, found in one pass over the attributes of a page.
#![forbid(unsafe_code)]

use super::class_names::{meaning, ClassNames};
use super::letter_pairs::{beginnings, pair, PAIRS};
use crate::blocks::characters::beginning;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};
use std::ops::Range;

const MAIN_HEADING: i32 = number_of("h1");
const HTML: i32 = number_of("html");
const BODY: i32 = number_of("body");
const MAIN: i32 = number_of("main");

/// Rows above the heading where a byline or date may be; anything farther up is about the site.
const BEFORE_HEADING: i64 = 60;
/// Elements of one kind that are read: the relevant ones are near the top.
pub const MOST_ELEMENTS: usize = 50;
/// Characters of an address in which the page of an author is looked for.
const LONGEST_ADDRESS: usize = 500;

/// Elements by what may be in them, each list in document order.
#[derive(Debug, Default)]
pub struct Elements {
    /// Rows whose class names or id have a meaning, and bits of `meaning`. Names of the outermost elements describe the
    /// whole page, and do not count.
    pub named: Vec<(usize, u16)>,
    /// Rows with `rel`.
    pub related: Vec<usize>,
    /// Rows with `content`.
    pub with_content: Vec<usize>,
    /// Rows that link to the page of an author, and what follows in the address.
    pub leading_to_author: Vec<(usize, Range<usize>)>,
    /// Rows with `href` that mention `creativecommons`.
    pub naming_licence: Vec<usize>,
    /// Rows with `itemprop`.
    pub properties: Vec<usize>,
    /// Rows with `itemscope`.
    pub scopes: Vec<usize>,
    /// Row of the first visible `<h1>`; -1 if there is none.
    pub heading: i64,
    /// Rows in parts that are not about the page. A part that contains the main heading does not count.
    apart: Vec<Range<usize>>,
}

/// What the names on a page mean, by the numbers of their values: most have the same ones as others.
struct Names<'a> {
    read: ClassNames<'a>,
    /// By the number of a value: what it means, or that it was not read yet.
    known: Vec<u16>,
}

/// No name has all meanings.
const NOT_READ: u16 = u16::MAX;

impl<'a> Names<'a> {
    /// The meanings of an attribute, a `class` or an `id`.
    fn meanings(&mut self, page: &PageView<'a>, index: usize) -> u16 {
        let known = &mut self.known[page.attribute_value[index] as usize];
        if *known == NOT_READ {
            *known = self.read.meanings(page.value_of(index));
        }
        *known
    }
}

impl Elements {
    /// Find the elements of a page.
    pub fn of(page: &PageView) -> Self {
        let mut found = Elements { heading: heading_row(page), ..Elements::default() };
        let mut names = Names { read: ClassNames::default(), known: vec![NOT_READ; page.values.len()] };
        for row in 0..page.len() {
            for index in page.attributes(row) {
                found.add(page, row, index, &mut names);
            }
        }
        let heading = found.heading;
        let has_heading = |row: usize| row as i64 <= heading && heading < i64::from(page.subtree_end[row]);
        let apart = found.rows_named(meaning::APART).filter(|&row| !has_heading(row));
        found.apart = outermost(page, apart);
        found
    }

    /// Note the row of an attribute, if the attribute may say anything.
    fn add<'a>(&mut self, page: &PageView<'a>, row: usize, index: usize, names: &mut Names<'a>) {
        match page.attribute_name[index] {
            attribute::CLASS | attribute::ID => self.add_name(page, row, names.meanings(page, index)),
            attribute::REL => self.related.push(row),
            attribute::CONTENT => self.with_content.push(row),
            attribute::ITEMPROP => self.properties.push(row),
            attribute::ITEMSCOPE => self.scopes.push(row),
            attribute::HREF => self.add_link(row, page.value_of(index)),
            _ => (),
        }
    }

    /// Note the meaning of a name.
    fn add_name(&mut self, page: &PageView, row: usize, meanings: u16) {
        if meanings == 0 || [HTML, BODY, MAIN].contains(&page.tag[row]) {
            return;
        }
        match self.named.last_mut() {
            Some((last, all)) if *last == row => *all |= meanings,
            _ => self.named.push((row, meanings)),
        }
    }

    /// Note where a link leads.
    fn add_link(&mut self, row: usize, address: &str) {
        let address = beginning(address, LONGEST_ADDRESS);
        let (mut slug, mut may_be_licence) = (None, false);
        for begin in after_slashes(address) {
            let rest = &address.as_bytes()[begin..];
            may_be_licence = may_be_licence || may_begin_licence(rest);
            if slug.is_none() && may_begin_folder(rest) {
                slug = slug_after(address, begin);
            }
        }
        if let Some(slug) = slug {
            self.leading_to_author.push((row, slug));
        }
        if may_be_licence && is_licence(address) {
            self.naming_licence.push(row);
        }
    }

    /// Rows with a meaning.
    pub fn rows_named(&self, meaning: u16) -> impl Iterator<Item = usize> + '_ {
        self.named.iter().filter(move |(_, found)| found & meaning != 0).map(|&(row, _)| row)
    }

    /// Whether a row is hidden, or in a part that is not about the page.
    pub fn is_aside(&self, page: &PageView, row: usize) -> bool {
        page.hidden[row] != 0 || is_within(&self.apart, row)
    }

    /// The row from which on a byline or a date may be about the article.
    pub fn first_near_heading(&self) -> i64 {
        self.heading - BEFORE_HEADING
    }

    /// Of rows, those that are not aside: first those from a little above the heading down, then those far above.
    pub fn near_first(&self, page: &PageView, rows: impl Iterator<Item = usize>) -> Vec<usize> {
        let start = self.first_near_heading();
        let (mut near, far): (Vec<usize>, Vec<usize>) =
            rows.filter(|&row| !self.is_aside(page, row)).partition(|&row| row as i64 >= start);
        near.extend(far);
        near.truncate(MOST_ELEMENTS);
        near
    }

    /// Visible-length text rows near the heading or below it that are not aside: the first few hundred.
    pub fn short_texts<'a>(
        &'a self,
        page: &'a PageView,
        lengths: std::ops::RangeInclusive<i32>,
    ) -> impl Iterator<Item = &'a str> + 'a {
        let start = self.first_near_heading().max(0) as usize;
        (start..page.len())
            .filter(move |&row| page.is_text(row) && lengths.contains(&page.text_length[row]))
            .filter(move |&row| !self.is_aside(page, row))
            .take(MOST_TEXTS)
            .map(move |row| page.text_between(row, row))
    }
}

/// Short texts that are read.
const MOST_TEXTS: usize = 400;

/// Row of the first visible `<h1>`; -1 if there is none.
fn heading_row(page: &PageView) -> i64 {
    page.rows_of(MAIN_HEADING).find(|&row| page.hidden[row] == 0).map_or(-1, |row| row as i64)
}

/// The subtrees of rows in document order, without those inside of others.
pub fn outermost(page: &PageView, rows: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for row in rows {
        if found.last().is_none_or(|last| last.end <= row) {
            found.push(row..page.subtree_end[row] as usize);
        }
    }
    found
}

/// Whether a row is in one of the ranges, which are in order.
pub fn is_within(ranges: &[Range<usize>], row: usize) -> bool {
    let after = ranges.partition_point(|range| range.start <= row);
    after > 0 && row < ranges[after - 1].end
}

/// Names of folders with a page for each author.
#[rustfmt::skip]
const FOLDERS_OF_AUTHORS: [&str; 33] = [
    "author", "authors", "autor", "autoren", "autores", "autori", "autore", "auteur", "auteurs", "redakteur",
    "redakteure", "contributor", "contributors", "editor", "editors", "by", "people", "profile", "profiles", "staff",
    "team", "newsteam", "meet-the-team", "columnist", "columnists", "journalist", "journalists", "writer", "writers",
    "user", "users", "community", "traveler-profiles",
];

/// What follows a folder of authors up to a query or fragment, if one begins at a place of an address: there it names one.
fn slug_after(address: &str, begin: usize) -> Option<Range<usize>> {
    let rest = &address[begin..];
    let folder = &rest[..rest.find('/')?];
    if !FOLDERS_OF_AUTHORS.iter().any(|name| name.eq_ignore_ascii_case(folder)) {
        return None;
    }
    let slug = begin + folder.len() + 1;
    let length = address[slug..].find(['?', '#']);
    let end = length.map_or(address.len(), |length| slug + length);
    Some(slug..end).filter(|slug| !slug.is_empty())
}

/// Where the folders of an address begin: after each slash.
fn after_slashes(address: &str) -> impl Iterator<Item = usize> + '_ {
    address.bytes().enumerate().filter(|&(_, byte)| byte == b'/').map(|(at, _)| at + 1)
}

/// Whether the name of a folder of authors may begin here. First letters tell for nearly all that it does not.
fn may_begin_folder(rest: &[u8]) -> bool {
    rest.len() >= 2 && BEGINNINGS[pair(rest[0], rest[1])]
}

/// By the lower bits of two letters: whether a name of `FOLDERS_OF_AUTHORS` begins with such a pair.
static BEGINNINGS: [bool; PAIRS] = beginnings(&FOLDERS_OF_AUTHORS);

/// Whether the host of a licence may begin here, after a slash: the letters there tell for nearly all that it does not.
fn may_begin_licence(rest: &[u8]) -> bool {
    const AFTER_PREFIX: usize = 1 + WWW.len();
    match *rest {
        [b'/', b'c' | b'C', ..] => true,
        [b'/', b'w' | b'W', ..] => matches!(rest.get(AFTER_PREFIX), Some(b'c' | b'C')),
        _ => false,
    }
}

/// Whether an address is that of a Creative Commons licence.
fn is_licence(address: &str) -> bool {
    let address = beginning(address, LONGEST_LICENCE);
    let hosts = after_slashes(address).map(|begin| &address[begin..]).filter_map(|rest| rest.strip_prefix('/'));
    hosts.into_iter().any(|host| {
        let host = without_prefix(host, WWW).unwrap_or(host);
        let path = without_prefix(host, "creativecommons.org/");
        path.is_some_and(|path| ["licenses/", "publicdomain/"].iter().any(|one| without_prefix(path, one).is_some()))
    })
}

/// How some hosts begin.
const WWW: &str = "www.";
/// Characters of an address in which a licence is looked for.
const LONGEST_LICENCE: usize = 200;

/// The text after a prefix in any case.
fn without_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let start = text.get(..prefix.len())?;
    Some(&text[prefix.len()..]).filter(|_| start.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Limits, Page};
    use crate::html::read;

    fn page(html: &str) -> Page {
        read(html, &Limits::default())
    }

    #[test]
    fn names_of_one_element_are_read_together() {
        let page = page("<body class=author><p class=author id=date><p class=x>");
        let found = Elements::of(&page.view());
        assert_eq!(found.named.len(), 1);
        assert_eq!(found.named[0].1, meaning::BYLINE | meaning::DATE);
    }

    #[test]
    fn parts_aside_do_not_hold_the_heading() {
        let page = page("<div class=sidebar><p>a</p></div><div class=widget><h1>b</h1></div><p hidden>c");
        let view = page.view();
        let found = Elements::of(&view);
        let aside = |text: &str| {
            let row = (0..page.len()).find(|&row| view.is_text(row) && view.text_between(row, row) == text).unwrap();
            found.is_aside(&view, row)
        };
        assert_eq!(["a", "b", "c"].map(aside), [true, false, true]);
    }

    #[test]
    fn pages_of_authors() {
        let slug = |address: &'static str| {
            let mut elements = Elements::default();
            elements.add_link(0, address);
            elements.leading_to_author.pop().map(|(_, range)| &address[range])
        };
        assert_eq!(slug("https://a.example/Author/ann-bee/?page=2"), Some("ann-bee/"));
        assert_eq!(slug("/by/people/ann#top"), Some("people/ann"));
        assert_eq!(slug("/author/?x"), None);
        assert_eq!(slug("/author/#/by/x"), Some("x"));
        assert_eq!(slug("/authority/ann"), None);
        assert_eq!(slug("/author"), None);
        assert_eq!(slug(""), None);
    }

    #[test]
    fn licences() {
        let names_licence = |address: &str| {
            let mut elements = Elements::default();
            elements.add_link(0, address);
            !elements.naming_licence.is_empty()
        };
        for address in ["http://creativecommons.org/licenses/by/4.0/", "x//WWW.CreativeCommons.org/publicdomain/"] {
            assert!(is_licence(address) && names_licence(address), "{}", address);
        }
        for address in ["//creativecommons.org/about", "//creativecommons.example/licenses/", "//é", ""] {
            assert!(!is_licence(address) && !names_licence(address), "{}", address);
        }
    }

    #[test]
    fn ranges_inside_of_others_are_left_out() {
        let page = page("<div class=widget><p class=widget>a</p></div><p>b<p class=promo>c");
        let found = Elements::of(&page.view());
        assert_eq!(found.apart.len(), 2);
        assert!(is_within(&found.apart, found.apart[1].start) && !is_within(&found.apart, 0));
    }
}
