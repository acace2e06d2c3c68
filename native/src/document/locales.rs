//! Languages and writing directions: of the page, and of texts that differ.
#![forbid(unsafe_code)]

use super::tree::Locale;
use crate::blocks::characters::strip;
use crate::blocks::page_view::{entry, PageView};
use crate::blocks::tags::{attribute, number_of};
use crate::html::attributes::code_of;
use std::collections::BTreeMap;

const DIRECTION: u8 = code_of("dir");
const BODY: i32 = number_of("body");
const DIRECTIONS: [&str; 3] = ["ltr", "rtl", "auto"];
/// Characters of each part of the name of a language, and parts at most.
const LONGEST_PART: usize = 8;
const MOST_PARTS: usize = 5;

/// The locale of a page, and those of elements that differ.
#[derive(Debug)]
pub struct Locales<'a> {
    /// What the page says of itself.
    pub of_page: Locale<'a>,
    /// The first is empty: that of the page.
    pub distinct: Vec<Locale<'a>>,
    /// By row: the number of the closest locale that is given; empty if none is.
    number: Vec<i32>,
}

impl<'a> Locales<'a> {
    /// No locales.
    pub fn none() -> Self {
        Locales { of_page: Locale::default(), distinct: vec![Locale::default()], number: Vec::new() }
    }

    /// Those of a page.
    pub fn on(page: &PageView<'a>) -> Self {
        let given = given_locales(page);
        let body = page.tag.iter().position(|&tag| tag == BODY);
        let roots = [body, Some(0)]; // `<body>` and `<html>`
        let own = || roots.iter().flatten().filter_map(|row| given.get(row));
        let of_page = Locale {
            language: own().map(|locale| locale.language).find(|text| !text.is_empty()).unwrap_or(""),
            direction: own().map(|locale| locale.direction).find(|text| !text.is_empty()).unwrap_or(""),
        };
        let mut locales = Locales { of_page, ..Locales::none() };
        let mut numbers = BTreeMap::new();
        for (&row, locale) in given.iter().filter(|(&row, _)| !roots.contains(&Some(row))) {
            numbers.insert(row, locales.distinct.len() as i32);
            locales.distinct.push(Locale {
                language: if locale.language == of_page.language { "" } else { locale.language },
                direction: if locale.direction == of_page.direction { "" } else { locale.direction },
            });
        }
        if !numbers.is_empty() {
            let closest = page.closest(|row| numbers.contains_key(&row));
            locales.number = closest.iter().map(|row| numbers.get(&(*row as usize)).copied().unwrap_or(0)).collect();
        }
        locales
    }

    /// The number of the locale of the text in a row.
    pub fn around(&self, row: i32) -> usize {
        if self.number.is_empty() {
            return 0;
        }
        entry(&self.number, row).max(0) as usize
    }
}

/// Row -> what its attributes say of language and direction.
fn given_locales<'a>(page: &PageView<'a>) -> BTreeMap<usize, Locale<'a>> {
    let mut given: BTreeMap<usize, Locale> = BTreeMap::new();
    for index in page.attributes_named(attribute::LANG) {
        let language = strip(page.value_of(index));
        if is_language(language) {
            given.entry(page.row_of_attribute(index)).or_default().language = language;
        }
    }
    for index in page.attributes_named(DIRECTION) {
        let value = strip(page.value_of(index));
        if let Some(direction) = DIRECTIONS.iter().find(|known| value.eq_ignore_ascii_case(known)) {
            given.entry(page.row_of_attribute(index)).or_default().direction = direction;
        }
    }
    given
}

/// Whether a text is the name of a language: `en`, `pt-BR`, `zh_Hans_CN`.
fn is_language(text: &str) -> bool {
    let mut parts = text.split(['-', '_']);
    let is_short = |part: &str| (1..=LONGEST_PART).contains(&part.len());
    let is_first = |part: &str| is_short(part) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    parts.next().is_some_and(is_first)
        && text.split(['-', '_']).count() <= MOST_PARTS
        && parts.all(|part| is_short(part) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_languages() {
        for name in ["en", "pt-BR", "zh_Hans_CN", "x-a-b-c-d"] {
            assert!(is_language(name), "{name}");
        }
        for name in ["", "-", "en-", "e1", "x-a-b-c-d-e", "abcdefghi", "en US", "é"] {
            assert!(!is_language(name), "{name}");
        }
    }
}
