//! A small html document of everything on a page that may hold a date, for htmldate, which reads html.
#![forbid(unsafe_code)]

use super::shown_dates::has_year;
use crate::blocks::characters::beginning;
use crate::blocks::characters::{is_digit, is_space};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};

/// Elements of one kind, and lines of text, that are read.
const MOST_ELEMENTS: usize = 200;
/// Characters of a line of text, and of a value.
const LONGEST_LINE: usize = 200;
/// Characters of lines that may hold a date.
const LINE_LENGTHS: std::ops::RangeInclusive<i32> = 4..=LONGEST_LINE as i32;
/// Digits that are a date without anything between them: `20240517`.
const DIGITS_OF_DATE: usize = 6;
/// Digits of such a date with all of its year.
const DIGITS_OF_FULL_DATE: usize = 8;
/// Digits of a year.
const DIGITS_OF_YEAR: usize = 4;
/// Signs between the numbers of a date.
const SEPARATORS: [char; 4] = ['-', '.', '/', '_'];
/// Words between a day and a year: `th of May`.
const WORDS_OF_MONTH: usize = 3;
/// Characters of a value that htmldate reads.
const LONGEST_DATE: usize = 52;
/// Letters of the name of a time zone.
const LONGEST_ZONE: usize = 5;
/// How longer words begin that htmldate's parser knows: months, days of the week, minutes and seconds.
const NAMES_BEGIN: [&str; 21] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed", "thu",
    "fri", "sat", "sun", "min", "sec",
];
/// What microdata calls a year that htmldate takes for a date.
const YEAR_OF_COPYRIGHT: &str = "copyrightyear";
/// Attributes that htmldate reads, in the order in which they are written.
const KEPT: [(&str, u8); 9] = [
    ("name", attribute::NAME),
    ("property", attribute::PROPERTY),
    ("itemprop", attribute::ITEMPROP),
    ("http-equiv", attribute::HTTP_EQUIV),
    ("content", attribute::CONTENT),
    ("datetime", attribute::DATETIME),
    ("title", attribute::TITLE),
    ("class", attribute::CLASS),
    ("id", attribute::ID),
];
/// Of these, the ones that may hold a date.
const VALUES: [u8; 3] = [attribute::CONTENT, attribute::DATETIME, attribute::TITLE];

/// The document; empty if nothing on the page could be a date.
pub fn date_document(page: &PageView) -> String {
    let mut metas = String::new();
    append_elements(&mut metas, page, "meta");
    let mut body = String::new();
    append_elements(&mut body, page, "time");
    append_elements(&mut body, page, "abbr");
    append_lines(&mut body, page);
    let has_year_of_copyright = metas.to_ascii_lowercase().contains(YEAR_OF_COPYRIGHT);
    if !has_year_of_copyright && !may_be_read_as_date(&metas) && !may_be_read_as_date(&body) {
        return String::new();
    }
    format!("<html><head>{}</head><body>{}</body></html>", metas, body)
}

/// Whether html has what every date that htmldate reads has in it: eight digits, three numbers as in `5/17/24`, a year beside
/// another number or behind a month, or a value that begins with a year.
fn may_be_read_as_date(html: &str) -> bool {
    let mut before = "";
    let mut left = html;
    let mut digits_before = 0;
    while let Some(start) = left.find(is_digit) {
        let number = &left[start..];
        let end = number.find(|character| !is_digit(character)).unwrap_or(number.len());
        let (digits, behind) = number.split_at(end);
        before = if digits_before == 0 { &left[..start] } else { before };
        if is_in_date(before, digits, behind, digits_before) {
            return true;
        }
        before = &behind[..behind.find(is_digit).unwrap_or(behind.len())];
        left = behind;
        digits_before = digits.chars().count();
    }
    false
}

/// Whether a number is in a date, by what is behind it, what is before it, back to the number before if there is one, and how
/// many digits that has. Days and months have two at most.
fn is_in_date(before: &str, digits: &str, behind: &str, digits_before: usize) -> bool {
    let count = digits.chars().count();
    if (count >= DIGITS_OF_FULL_DATE && may_begin_with_year(digits))
        || is_end_of_date(behind)
        || (count >= DIGITS_OF_YEAR && begins_date(before, behind, count))
    {
        return true;
    }
    let joins = |text: &str| text.chars().next().map_or(false, |sign| SEPARATORS.contains(&sign));
    let is_before_number = joins(behind) && (1..=2).contains(&digits_at_start(&behind[1..]));
    let is_behind_number = joins(before) && before.len() == 1;
    let is_behind_day = (1..=2).contains(&digits_before) && (is_behind_number || may_be_month(before));
    has_year(digits) && (is_before_number || is_behind_day)
}

/// How many digits a text begins with.
fn digits_at_start(text: &str) -> usize {
    text.chars().take_while(|&character| is_digit(character)).count()
}

/// Whether digits begin with a year of this century or the last, or are not those of ASCII.
fn may_begin_with_year(digits: &str) -> bool {
    !digits.is_ascii() || has_year(&digits[..DIGITS_OF_YEAR])
}

/// Whether a text between a day and a year may be a month, as in `5th of May, 2024`, or nothing, as in `May 5th, 2024`.
fn may_be_month(text: &str) -> bool {
    let is_of_word = |character: char| character.is_alphabetic() || matches!(character, '.' | ',');
    text.ends_with(is_space)
        && text.chars().all(|character| is_space(character) || is_of_word(character))
        && text.split(is_space).filter(|word| !word.is_empty()).count() <= WORDS_OF_MONTH
}

/// Whether a number of at least four digits begins a value that may be a date as a whole: between it and another number are
/// only words that dates have.
fn begins_date(before: &str, behind: &str, digits: usize) -> bool {
    if !before.trim_end().ends_with(['>', '"'].as_slice()) {
        return false;
    }
    let value = beginning(behind, LONGEST_DATE);
    let value = &value[..value.find(['<', '"'].as_slice()).unwrap_or(value.len())];
    let read = &value[..value.rfind(is_digit).unwrap_or(0)];
    let mut words = read.split(|character: char| !character.is_alphabetic());
    (digits > DIGITS_OF_YEAR || value.contains(is_digit)) && words.all(may_be_of_date)
}

/// Whether a word is short, as units and zones are, or begins like a month, a day or a unit.
fn may_be_of_date(word: &str) -> bool {
    let begins_with = |name: &&str| word.get(..name.len()).map_or(false, |first| first.eq_ignore_ascii_case(name));
    word.chars().count() <= LONGEST_ZONE || NAMES_BEGIN.iter().any(begins_with)
}

/// Whether a text begins like what follows a day: `/17/24`.
fn is_end_of_date(text: &str) -> bool {
    let number_after = |text: &str| {
        let behind = text.strip_prefix(['.', '/', '-'].as_slice())?;
        let end = behind.find(|character| !is_digit(character)).unwrap_or(behind.len());
        Some((behind[..end].chars().count(), behind.len() - end))
    };
    match number_after(text) {
        Some((1..=2, left)) => matches!(number_after(&text[text.len() - left..]), Some((digits, _)) if digits > 1),
        _ => false,
    }
}

/// Append elements that hold a digit.
fn append_elements(output: &mut String, page: &PageView, tag: &str) {
    let number = match tag {
        "meta" => number_of("meta"),
        "time" => number_of("time"),
        _ => number_of("abbr"),
    };
    for row in page.rows_of(number).take(MOST_ELEMENTS) {
        let text = if tag == "meta" { "" } else { beginning(page.text_within(row), LONGEST_LINE) };
        let mut values = VALUES.iter().filter_map(|&name| page.value(row, name));
        if !has_digit(text) && !values.any(has_digit) {
            continue;
        }
        append_start(output, page, tag, row as i32);
        if tag != "meta" {
            append_escaped(output, text);
            append_end(output, tag);
        }
    }
}

/// Append short texts that may hold a date, with the attributes of the elements around them.
fn append_lines(output: &mut String, page: &PageView) {
    let short = (0..page.len())
        .filter(|&row| page.is_text(row) && page.hidden[row] == 0 && LINE_LENGTHS.contains(&page.text_length[row]));
    let with_digits = short.map(|row| (row, page.text_between(row, row))).filter(|(_, text)| has_digit(text));
    for (row, text) in with_digits.take(MOST_ELEMENTS).filter(|(_, text)| may_hold_date(text)) {
        let parent = page.parent[row];
        let outer = if parent < 0 { -1 } else { page.parent[parent as usize] };
        append_start(output, page, "div", outer);
        append_start(output, page, "span", parent);
        append_escaped(output, text);
        append_end(output, "span");
        append_end(output, "div");
    }
}

/// Whether a digit is in a text.
fn has_digit(text: &str) -> bool {
    text.chars().any(is_digit)
}

/// Whether a text has two numbers, as day and year, or one that is long enough to be a date.
fn may_hold_date(text: &str) -> bool {
    let numbers = || text.split(|character| !is_digit(character)).filter(|number| !number.is_empty());
    numbers().nth(1).is_some() || numbers().any(|number| number.chars().count() >= DIGITS_OF_DATE)
}

/// Append a start tag, with the attributes of a row; none if there is no row.
fn append_start(output: &mut String, page: &PageView, tag: &str, row: i32) {
    output.push('<');
    output.push_str(tag);
    for (name, code) in KEPT.iter().filter(|_| row >= 0) {
        if let Some(value) = page.value(row as usize, *code) {
            output.push(' ');
            output.push_str(name);
            output.push_str("=\"");
            append_escaped(output, beginning(value, LONGEST_LINE));
            output.push('"');
        }
    }
    output.push('>');
}

/// Append an end tag.
fn append_end(output: &mut String, tag: &str) {
    output.push_str("</");
    output.push_str(tag);
    output.push('>');
}

/// Append text, with what html would read as markup escaped.
fn append_escaped(output: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => output.push_str("&amp;"),
            '<' => output.push_str("&lt;"),
            '>' => output.push_str("&gt;"),
            '"' => output.push_str("&quot;"),
            _ => output.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    fn document_of(html: &str) -> String {
        date_document(&read(html, &Limits::default()).view())
    }

    #[test]
    fn elements_and_lines_that_may_hold_dates() {
        let html = "<meta name=date content='5/5/24\"'><meta name=x content=y><div id=a><p class=b>5 May &lt; 2024</p>\
                    <p>Section 4</p></div><time datetime=2024>x</time><abbr>y</abbr>";
        assert_eq!(
            document_of(html),
            "<html><head><meta name=\"date\" content=\"5/5/24&quot;\"></head><body>\
             <time datetime=\"2024\">x</time><div id=\"a\"><span class=\"b\">5 May &lt; 2024</span></div></body></html>"
        );
    }

    #[test]
    fn a_year_of_copyright_is_taken_for_a_date() {
        let html = "<meta itemprop=copyrightYear content=2024><p>x";
        assert!(document_of(html).contains("itemprop=\"copyrightYear\" content=\"2024\""));
    }

    #[test]
    fn a_page_without_dates_needs_no_document() {
        assert_eq!(document_of("<meta charset=utf-8><p>© 2024 Ann Bee<p>None"), "");
    }

    #[test]
    fn what_cannot_be_read_as_a_date_needs_none_either() {
        let no_dates = ["width=320 scale=1.0", "version 2.4.1", "1.2.3", "12:30", "٣/٤", "201 and 90", "", "99/99/9"];
        let long = ["12345678", "2006-2026", "115.2024", "115 May 2024"];
        for text in no_dates.iter().chain(&long).chain(&[
            "© 2024",
            "x1999y",
            "12024",
            "2020",
            "in 2024",
            "5 of our new teas 2024",
        ]) {
            assert!(!may_be_read_as_date(text), "{}", text);
        }
        for text in
            ["<p>2010 Toyota Roadster with 4 doors", "<p>2024 </p>5", "content=\"May 2024\"", "5 <b>May</b> 2024"]
        {
            assert!(!may_be_read_as_date(text), "{}", text);
        }
        for text in [
            "20240517",
            "٢٠٢٤٠٥١٧",
            "5/17/24",
            "105.4-98",
            "٣/٤/٢٤",
            "1/2.34567",
            "2024-5",
            "x/2024/05/17",
            "5.2024",
            "2024_05_17",
        ] {
            assert!(may_be_read_as_date(text), "{}", text);
        }
        let named = ["5 May 2024", "5. Mai  2024", "5th\nof May, 2024", "May 5, 2024", "May 5th 2024", "1. März 2024"];
        for text in named.iter().chain(&["<p>\n2024 May 5 <b>", "content=\"2024, 5 September 10:30 UTC\"", "<p>20245 "])
        {
            assert!(may_be_read_as_date(text), "{}", text);
        }
    }

    #[test]
    fn numbers_of_a_date() {
        assert!(may_hold_date("5 May 2024") && may_hold_date("20240517") && may_hold_date("1.2"));
        assert!(!may_hold_date("© 2024") && !may_hold_date("May") && !may_hold_date(""));
    }
}
