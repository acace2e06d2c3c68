//! A small html document of what on a page htmldate could read a date in: it reads html, and takes long over what is none.
#![forbid(unsafe_code)]

use super::date_numbers::{begins_with_two, has_year, numbers_in, Number};
use super::visible_text::single_blanks;
use crate::blocks::characters::beginning;
use crate::blocks::characters::{is_digit, is_space};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};

const META: i32 = number_of("meta");
/// Elements whose text and values htmldate reads whatever they are called, and how they are written.
const READ_ANYWAY: [(&str, i32); 2] = [("time", number_of("time")), ("abbr", number_of("abbr"))];
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
/// Digits of a value that htmldate reads.
const DIGITS_OF_VALUE: std::ops::RangeInclusive<usize> = 4..=18;
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
/// Parts of the names of meta elements in which htmldate looks for dates.
const NAMES_OF_METAS: [&str; 8] = ["date", "time", "pub", "creat", "issued", "mod", "meta", "revis"];
/// Names of meta elements whose addresses may have a date.
const ADDRESSES: [&str; 2] = ["og:url", "og:image"];
/// Parts of class names and ids of elements in which htmldate looks for dates.
const NAMES_OF_LINES: [&str; 18] = [
    "date",
    "datum",
    "meta",
    "time",
    "publi",
    "footer",
    "info",
    "post_detail",
    "block-content",
    "byline",
    "subline",
    "posted",
    "submitted",
    "created-post",
    "aut",
    "field-content",
    "fa-c",
    "fecha",
];
/// Words after which htmldate takes three numbers for a date wherever they are.
const BEFORE_NUMBERS: [&str; 8] = ["updated", "modified", "published", "posted", "on", "datum", "stand", " am"];
/// Parts of such words that need not be next to the numbers; the last two are Turkish.
const NEAR_NUMBERS: [&str; 3] = ["date", "ncel", "yay"];
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
/// Those that name meta elements.
const NAMING_METAS: [u8; 4] = [attribute::NAME, attribute::PROPERTY, attribute::ITEMPROP, attribute::HTTP_EQUIV];
/// Those that name other elements.
const NAMING_LINES: [u8; 3] = [attribute::CLASS, attribute::ID, attribute::ITEMPROP];

/// The document; empty if htmldate could read no date in anything on the page.
pub fn date_document(page: &PageView) -> String {
    let mut metas = String::new();
    append_metas(&mut metas, page);
    let mut body = String::new();
    READ_ANYWAY.iter().for_each(|&(tag, number)| append_elements(&mut body, page, tag, number));
    append_lines(&mut body, page);
    if metas.is_empty() && body.is_empty() {
        return String::new();
    }
    format!("<html><head>{}</head><body>{}</body></html>", metas, body)
}

/// Append meta elements that may hold a date.
fn append_metas(output: &mut String, page: &PageView) {
    let is_dated = |address: &str| has_year_month_day(address, &['-', '/', '_']);
    let is_year_of_copyright = |row: usize| {
        page.value(row, attribute::ITEMPROP).is_some_and(|name| name.eq_ignore_ascii_case(YEAR_OF_COPYRIGHT))
    };
    for row in page.rows_of(META).take(MOST_ELEMENTS) {
        let may_hold_date = has_value(page, row, has_digit)
            && (is_year_of_copyright(row)
                || is_named(page, row, &NAMING_METAS, &NAMES_OF_METAS) && has_value(page, row, may_be_read_as_date)
                || is_named(page, row, &NAMING_METAS, &ADDRESSES) && has_value(page, row, is_dated)
                || has_value(page, row, may_be_found_anywhere));
        if may_hold_date {
            append_start(output, page, "meta", row as i32);
        }
    }
}

/// Append elements that may hold a date.
fn append_elements(output: &mut String, page: &PageView, tag: &str, number: i32) {
    for row in page.rows_of(number).take(MOST_ELEMENTS) {
        let text = beginning(page.text_within(row), LONGEST_LINE);
        let may_hold_date = |value: &str| may_be_read_as_date(value) || may_be_found_anywhere(value);
        if may_hold_date(text) || has_value(page, row, may_hold_date) {
            append_start(output, page, tag, row as i32);
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
    for (row, text) in with_digits.take(MOST_ELEMENTS).filter(|(_, text)| has_numbers_of_date(text)) {
        let parent = page.parent[row];
        let outer = if parent < 0 { -1 } else { page.parent[parent as usize] };
        if !is_read_in_line(page, text, [outer, parent]) {
            continue;
        }
        append_start(output, page, "div", outer);
        append_start(output, page, "span", parent);
        append_escaped(output, text);
        append_end(output, "span");
        append_end(output, "div");
    }
}

/// Whether htmldate could read a date in a text, or in a value of the elements around it.
fn is_read_in_line(page: &PageView, text: &str, around: [i32; 2]) -> bool {
    let rows = || around.iter().filter_map(|&row| usize::try_from(row).ok());
    let has = |test: fn(&str) -> bool| test(text) || rows().any(|row| has_value(page, row, test));
    let is_read = |row: usize| is_named(page, row, &NAMING_LINES, &NAMES_OF_LINES);
    has(may_be_found_anywhere) || (has(may_be_read_as_date) && rows().any(is_read))
}

/// Whether one of an element's values that may hold a date passes a test.
fn has_value(page: &PageView, row: usize, test: impl Fn(&str) -> bool) -> bool {
    VALUES.iter().filter_map(|&name| page.value(row, name)).any(|value| test(beginning(value, LONGEST_LINE)))
}

/// Whether some attributes of an element have one of these parts.
fn is_named(page: &PageView, row: usize, naming: &[u8], parts: &[&str]) -> bool {
    let mut values = naming.iter().filter_map(|&name| page.value(row, name));
    values.any(|value| {
        let value = beginning(value, LONGEST_LINE).to_lowercase();
        parts.iter().any(|part| value.contains(part))
    })
}

/// Whether a value that htmldate parses as a whole has what every date that it reads has in it: eight digits, three numbers as
/// in `5/17/24`, a year beside another number or behind a month, or a year at its beginning.
fn may_be_read_as_date(value: &str) -> bool {
    let value = single_blanks(value);
    let read = beginning(&value, LONGEST_DATE);
    let digits = read.chars().filter(|&character| is_digit(character)).count();
    DIGITS_OF_VALUE.contains(&digits) && numbers_in(read).any(|number| is_in_date(&number))
}

/// Whether a number is in a date, by what is around it. Days and months have two digits at most.
fn is_in_date(number: &Number) -> bool {
    let Number { before, digits_before, digits, behind } = *number;
    let count = digits.chars().count();
    if (count >= DIGITS_OF_FULL_DATE && may_begin_with_year(digits))
        || begins_with_two(behind, &['.', '/', '-'], 2)
        || (count >= DIGITS_OF_YEAR && begins_date(number))
    {
        return true;
    }
    let joins = |text: &str| text.chars().next().is_some_and(|sign| SEPARATORS.contains(&sign));
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
fn begins_date(number: &Number) -> bool {
    let is_first = number.digits_before == 0 && number.before.trim().is_empty();
    let last_digit = number.behind.rfind(is_digit);
    let mut words = number.behind[..last_digit.unwrap_or(0)].split(|character: char| !character.is_alphabetic());
    let may_hold_more = (DIGITS_OF_YEAR + 1..DIGITS_OF_FULL_DATE).contains(&number.digits.chars().count());
    is_first && (may_hold_more || last_digit.is_some()) && words.all(may_be_of_date)
}

/// Whether a word is short, as units and zones are, or begins like a month, a day or a unit.
fn may_be_of_date(word: &str) -> bool {
    let begins_with = |name: &&str| word.get(..name.len()).is_some_and(|first| first.eq_ignore_ascii_case(name));
    word.chars().count() <= LONGEST_ZONE || NAMES_BEGIN.iter().any(begins_with)
}

/// Whether htmldate could find a date in a text wherever that is: a year, a month and a day, or three numbers beside a word
/// such as `posted`.
fn may_be_found_anywhere(text: &str) -> bool {
    let is_spoken_of = |number: &Number| says_date(number.before) || says_date(number.behind);
    let mut numbers = numbers_in(text).filter(|number| begins_with_two(number.behind, &['.', '/'], 2));
    has_year_month_day(text, &['-']) || numbers.any(|number| is_spoken_of(&number))
}

/// Whether a year, a month and a day are in a text, in this order and between such separators.
fn has_year_month_day(text: &str, separators: &[char]) -> bool {
    numbers_in(text).any(|number| ends_with_year(number.digits) && begins_with_two(number.behind, separators, 1))
}

/// Whether the last four digits of a number are a year.
fn ends_with_year(digits: &str) -> bool {
    let start = digits.len().checked_sub(DIGITS_OF_YEAR);
    start.and_then(|start| digits.get(start..)).is_some_and(has_year)
}

/// Whether a text before or behind numbers says that they are a date.
fn says_date(text: &str) -> bool {
    let text = text.to_lowercase();
    let end = text.trim_end_matches([' ', ':'].as_slice());
    BEFORE_NUMBERS.iter().any(|word| end.ends_with(word)) || NEAR_NUMBERS.iter().any(|word| text.contains(word))
}

/// Whether a digit is in a text.
fn has_digit(text: &str) -> bool {
    // Nearly all are of ASCII. All bytes are looked at, as a processor looks at many of them at once.
    let has_ascii_digit = text.bytes().fold(false, |found, byte| found | byte.is_ascii_digit());
    has_ascii_digit || (!text.is_ascii() && text.chars().any(is_digit))
}

/// Whether a text has two numbers, as day and year, or one that is long enough to be a date.
fn has_numbers_of_date(text: &str) -> bool {
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
        let html =
            "<meta name=date content='5/5/24\"'><meta name=x content=y><div id=a><p class=byline>&lt; 5 May 2024</p>\
                    <p>Section 4</p></div><time datetime=2024-05>x</time><abbr>y</abbr>";
        assert_eq!(
            document_of(html),
            "<html><head><meta name=\"date\" content=\"5/5/24&quot;\"></head><body>\
             <time datetime=\"2024-05\">x</time><div id=\"a\"><span class=\"byline\">&lt; 5 May 2024</span></div></body></html>"
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
        let long = ["12345678", "x 2006-2026", "115.2024", "115 May 2024"];
        for text in no_dates.iter().chain(&long).chain(&[
            "© 2024",
            "x1999y",
            "x12024",
            "2020",
            "in 2024",
            "5 of our new teas 2024",
        ]) {
            assert!(!may_be_read_as_date(text), "{}", text);
        }
        for text in [
            "2010 Toyota Roadster with 4 doors",
            "May 2024",
            "5 <b>May</b> 2024",
            "1234/5/6 and 13 digits 1234567890123",
        ] {
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
        for text in named.iter().chain(&[" \n2024 May 5", "2024, 5 September 10:30 UTC", "20245 "]) {
            assert!(may_be_read_as_date(text), "{}", text);
        }
    }

    #[test]
    fn numbers_of_a_date() {
        assert!(["5 May 2024", "20240517", "1.2"].iter().all(|text| has_numbers_of_date(text)));
        assert!(!["© 2024", "May", ""].iter().any(|text| has_numbers_of_date(text)));
    }

    #[test]
    fn what_is_found_anywhere() {
        for text in ["x2024-5-7T", "Posted: 5.7.24", "update of the 5/7/2024", "5.7.24 tarihinde güncellendi"] {
            assert!(may_be_found_anywhere(text), "{}", text);
        }
        for text in ["2024/5/7", "5.7.24", "٢٠٢٤-5-7", "2024-5", "posted 5.7", "posted 5. 7.24", ""] {
            assert!(!may_be_found_anywhere(text), "{}", text);
        }
    }

    #[test]
    fn lines_are_read_by_the_names_around_them() {
        let document = |class: &str| document_of(&format!("<div><p class='{}'>5 May 2024</p></div>", class));
        assert!(["Post-Date", "entry-meta", "author"].iter().all(|class| !document(class).is_empty()));
        assert!(["content", ""].iter().all(|class| document(class).is_empty()));
    }

    #[test]
    fn metas_are_read_by_their_names() {
        let document =
            |name: &str, content: &str| document_of(&format!("<meta name='{}' content='{}'>", name, content));
        assert!(!document("og:image", "/2024/05/17/tea.png").is_empty() && !document("x", "2024-05-17").is_empty());
        assert!(document("image", "/2024/05/17/tea.png").is_empty() && document("x", "5 May 2024").is_empty());
    }
}
