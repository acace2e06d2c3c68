//! Texts on a page that may be its date. Which of them are dates is for `dehusk.metadata.dates` to say.
#![forbid(unsafe_code)]

use super::class_names::{meaning, ClassNames};
use super::elements::{Elements, MOST_ELEMENTS};
use super::text_lists::TextList;
use super::visible_text::{single_blanks, visible_text};
use crate::blocks::characters::is_digit;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};

const TIME: i32 = number_of("time");
/// Characters of a date.
const LONGEST_DATE: usize = 80;
/// Characters of a text that may be a date.
const DATE_LENGTHS: std::ops::RangeInclusive<i32> = 6..=LONGEST_DATE as i32;

/// `datetime` and text of `<time>` elements: those named as publication dates first, those named as updates last.
pub fn times(page: &PageView, elements: &Elements) -> TextList {
    let mut names = ClassNames::default();
    let shown = page.rows_of(TIME).filter(|&row| !elements.is_aside(page, row)).take(MOST_ELEMENTS);
    let mut ranked: Vec<(u8, usize)> = shown.map(|row| (rank(page, row, &mut names), row)).collect();
    ranked.sort_unstable();
    let mut found = TextList::default();
    for (_, row) in ranked {
        found
            .push_pair(page.value(row, attribute::DATETIME).unwrap_or(""), &visible_text(page, row, " ", LONGEST_DATE));
    }
    found
}

/// By the class names of an element and its parent: 0 for a publication date, 2 for an update, else 1.
fn rank<'a>(page: &PageView<'a>, row: usize, names: &mut ClassNames<'a>) -> u8 {
    let mut of = |row: usize| page.value(row, attribute::CLASS).map_or(0, |class| names.meanings(class));
    let meanings = of(row) | of(page.parent[row].max(0) as usize);
    match (meanings & meaning::PUBLISHED != 0, meanings & meaning::MODIFIED != 0) {
        (true, _) => 0,
        (_, true) => 2,
        _ => 1,
    }
}

/// Texts of elements named as dates, from a little above the heading down.
pub fn named_dates(page: &PageView, elements: &Elements) -> TextList {
    let start = elements.first_near_heading();
    let rows = elements.rows_named(meaning::DATE).filter(|&row| row as i64 >= start && !elements.is_aside(page, row));
    let mut found = TextList::default();
    rows.take(MOST_ELEMENTS).for_each(|row| found.push(&visible_text(page, row, " ", LONGEST_DATE)));
    found
}

/// Short texts with a year.
pub fn written_dates(page: &PageView, elements: &Elements) -> TextList {
    let mut found = TextList::default();
    let texts = elements.short_texts(page, DATE_LENGTHS).filter(|text| has_year(text));
    texts.for_each(|text| found.push(&single_blanks(text)));
    found
}

/// What years begin with.
const CENTURIES: [&[u8]; 2] = [b"19", b"20"];

/// Whether four digits that start with 19 or 20 are in a text.
pub fn has_year(text: &str) -> bool {
    let digits = |text: &str| text.chars().take(2).filter(|&character| is_digit(character)).count();
    let mut pairs = text.as_bytes().windows(2).enumerate().filter(|(_, pair)| CENTURIES.contains(pair));
    pairs.any(|(at, _)| digits(&text[at + 2..]) == 2)
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
    fn times_by_rank() {
        let html = "<div class=updated><time datetime=1>a</time></div><time>b</time><p class=entry-date><time>c</time>\
                    <p class=sidebar><time>d</time>";
        assert_eq!(texts_of(html, times), ["", "c", "", "b", "1", "a"]);
    }

    #[test]
    fn elements_named_as_dates() {
        let html = "<p class=date>May <b>5</b></p><p class=post-time hidden>no</p><p class=dates>no</p>";
        assert_eq!(texts_of(html, named_dates), ["May 5"]);
    }

    #[test]
    fn texts_with_a_year() {
        let html = "<p>May  5, 2024<p>1899 1<p>in 192 days<p>5 May 19٩٩<p>2024";
        assert_eq!(texts_of(html, written_dates), ["May 5, 2024", "5 May 19٩٩"]);
    }

    #[test]
    fn years() {
        assert!(has_year("2024") && has_year("x1999x") && has_year("19 2010"));
        assert!(!has_year("201") && !has_year("1 920") && !has_year("") && !has_year("20a1"));
    }
}
