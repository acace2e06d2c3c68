//! Texts on a page that may be its date. Which of them are dates is for `dehusk.metadata.dates` to say.
#![forbid(unsafe_code)]

use super::class_names::{meaning, ClassNames};
use super::date_numbers::{begins_with_two, has_year, numbers_in, Number};
use super::elements::{Elements, MOST_ELEMENTS};
use super::text_lists::TextList;
use super::visible_text::{single_blanks, visible_text};
use crate::blocks::characters::{beginning, is_digit};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};

const TIME: i32 = number_of("time");
/// Characters of a date.
const LONGEST_DATE: usize = 80;
/// Characters of a text that may be a date.
const DATE_LENGTHS: std::ops::RangeInclusive<i32> = 6..=LONGEST_DATE as i32;
/// Digits of a date without anything between them.
const DIGITS_OF_DATE: usize = 8;
/// Signs behind a year, in Chinese, Japanese and Korean.
const SIGNS_OF_YEAR: [char; 2] = ['年', '년'];
/// How the names of months begin that `dehusk.metadata.dates` knows.
#[rustfmt::skip]
const MONTHS_BEGIN: [&str; 34] = [
    "jan", "ene", "gen", "feb", "fév", "fev", "mar", "mär", "apr", "avr", "abr", "may", "mai", "mag", "jun", "jui", "giu",
    "jul", "lug", "aug", "aoû", "aou", "ago", "sep", "set", "oct", "okt", "ott", "out", "nov", "dec", "dez", "déc", "dic",
];

/// What may be the date of the page, the most reliable first: `datetime` and text of `<time>` elements, elements named as dates,
/// short texts with a year.
pub fn shown_dates(page: &PageView, elements: &Elements) -> TextList {
    let mut found = TextList::default();
    let mut add = |text: &str| {
        if may_be_date(text) {
            found.push(text);
        }
    };
    for row in times(page, elements) {
        add(page.value(row, attribute::DATETIME).unwrap_or(""));
        add(&visible_text(page, row, " ", LONGEST_DATE));
    }
    named_dates(page, elements).for_each(|row| add(&visible_text(page, row, " ", LONGEST_DATE)));
    let written = elements.short_texts(page, DATE_LENGTHS).filter(|text| has_year(text));
    written.for_each(|text| add(&single_blanks(text)));
    found
}

/// Rows of `<time>` elements: those named as publication dates first, those named as updates last.
fn times(page: &PageView, elements: &Elements) -> impl Iterator<Item = usize> {
    let mut names = ClassNames::default();
    let shown = page.rows_of(TIME).filter(|&row| !elements.is_aside(page, row)).take(MOST_ELEMENTS);
    let mut ranked: Vec<(u8, usize)> = shown.map(|row| (rank(page, row, &mut names), row)).collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, row)| row)
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

/// Rows of elements named as dates, from a little above the heading down.
fn named_dates<'a>(page: &'a PageView, elements: &'a Elements) -> impl Iterator<Item = usize> + 'a {
    let start = elements.first_near_heading();
    let rows =
        elements.rows_named(meaning::DATE).filter(move |&row| row as i64 >= start && !elements.is_aside(page, row));
    rows.take(MOST_ELEMENTS)
}

/// Whether a text has what `iso_date` of `dehusk.metadata.dates` reads: three numbers, one of eight digits or more, the sign of
/// a year, or the name of a month.
fn may_be_date(text: &str) -> bool {
    let text = beginning(text, LONGEST_DATE);
    numbers_in(text).any(|number| is_in_date(&number))
        || text.split(|character: char| !character.is_alphabetic()).any(may_be_month) && text.chars().any(is_digit)
}

/// Whether a number alone, or with those behind it, is in a date.
fn is_in_date(number: &Number) -> bool {
    let is_before_sign = number.behind.trim_start().starts_with(SIGNS_OF_YEAR.as_slice());
    is_before_sign
        || number.digits.chars().count() >= DIGITS_OF_DATE
        || begins_with_two(number.behind, &['-', '/', '.'], 1)
}

/// Whether a word begins like the name of a month.
fn may_be_month(word: &str) -> bool {
    let mut beginning = word.chars().flat_map(char::to_lowercase);
    let letters = [beginning.next(), beginning.next(), beginning.next()].map(|letter| letter.unwrap_or(' '));
    MONTHS_BEGIN.iter().any(|month| month.chars().eq(letters))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    fn dates_of(html: &str) -> Vec<String> {
        let page = read(html, &Limits::default());
        let elements = Elements::of(&page.view());
        shown_dates(&page.view(), &elements).texts().iter().map(|text| text.to_string()).collect()
    }

    #[test]
    fn times_by_rank() {
        let html =
            "<div class=updated><time datetime=2001-1-1>May 1</time></div><time>May 2</time><p class=entry-date>\
                    <time datetime=x>May 3</time><p class=sidebar><time>May 4</time>";
        assert_eq!(dates_of(html), ["May 3", "May 2", "2001-1-1", "May 1", "May 3"]);
    }

    #[test]
    fn elements_named_as_dates() {
        let html = "<p class=date>May <b>5</b></p><p class=post-time hidden>May 6</p><p class=dates>May 7</p>";
        assert_eq!(dates_of(html), ["May 5"]);
    }

    #[test]
    fn texts_with_a_year() {
        let html = "<p>May  5, 2024<p>1899 May 1<p>in 192 days of May<p>5 May 19٩٩<p>2024";
        assert_eq!(dates_of(html), ["May 5, 2024", "5 May 19٩٩"]);
    }

    #[test]
    fn what_may_be_a_date() {
        for text in ["20240517", "1715900000", "2024.5.7", "5/7/2024", "2024 年5月", "3 DÉCEMBRE", "1 août", "x1-2-3"]
        {
            assert!(may_be_date(text), "{}", text);
        }
        let late = format!("{} 5 May 2024", "x".repeat(LONGEST_DATE));
        for text in ["2024", "May", "in 2020 we", "年2024", "1/2", "2024-05", "5 Ma 2024", "", &late] {
            assert!(!may_be_date(text), "{}", text);
        }
    }
}
