//! Marks of footnotes: the texts of references, and what they look like at the start of a note.
#![forbid(unsafe_code)]

use super::signs::is_digit;
use super::steps::count;
use super::texts::{folded, strip_start};
use super::tree::{mark, Document, Node, SpanKind};
use crate::blocks::characters::{is_space, property_of, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};

const RAISED: i32 = number_of("sup");
/// Characters of a link that are read: longer texts do not matter here, and may be as long as the page.
const MOST_CHARACTERS: usize = 200;
/// Rows of a link among which a `<sup>` makes it a reference.
const FIRST_ROWS: usize = 4;
/// Words before the number of a note, and whether a blank may follow.
const WORDS: [(&str, bool); 4] = [("note ", false), ("nb ", false), ("n.", true), ("fn.", true)];
const SIGNS: &str = "*†‡§¶#";

/// The first characters of the text in an element, with white space folded.
pub fn text_of(page: &PageView, row: usize) -> String {
    let text = page.text_within(row);
    count(text.len().min(MOST_CHARACTERS));
    let end = text.char_indices().nth(MOST_CHARACTERS).map_or(text.len(), |(place, _)| place);
    folded(&text[..end])
}

/// The text of a footnote reference, without brackets; none if the link is not one.
pub fn mark_of(page: &PageView, row: usize) -> Option<String> {
    let text = text_of(page, row);
    let found = bare_mark(&text)?;
    let role = page.value(row, attribute::ROLE).unwrap_or("");
    let says_so = strip(role).eq_ignore_ascii_case("doc-noteref");
    let is_bracketed = text.starts_with(['[', '(']) && text.ends_with([']', ')']);
    let is_mark = page.hidden[row] == 0 && (says_so || is_bracketed || is_raised(page, row));
    is_mark.then(|| found.to_string())
}

/// Whether a `<sup>` is around the link, or directly in it.
fn is_raised(page: &PageView, row: usize) -> bool {
    let parent = page.parent[row];
    let inside = row + 1..(page.subtree_end[row] as usize).min(row + FIRST_ROWS);
    (parent >= 0 && page.tag[parent as usize] == RAISED) || page.tag[inside].contains(&RAISED)
}

/// A number, a letter or two, a roman number, or signs: in brackets or not, after a word for notes or not.
fn bare_mark(text: &str) -> Option<&str> {
    let inner = text.strip_prefix(['[', '(']).unwrap_or(text).trim_start_matches(is_space);
    let inner = inner.strip_suffix([']', ')']).unwrap_or(inner).trim_end_matches(is_space);
    let after_word = WORDS.iter().find_map(|&(word, with_blank)| {
        let start = inner.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word))?;
        let rest = &inner[start.len()..];
        let rest = if with_blank { rest.strip_prefix(' ').unwrap_or(rest) } else { rest };
        Some(rest).filter(|rest| is_bare_mark(rest))
    });
    after_word.or(Some(inner).filter(|inner| is_bare_mark(inner)))
}

/// Whether a text is one of the marks.
fn is_bare_mark(text: &str) -> bool {
    let length = text.chars().count();
    let digits = text.chars().take_while(|&character| is_digit(character)).count();
    let is_number = (1..=4).contains(&digits) && length <= digits + 1 && text.chars().skip(digits).all(is_letter);
    is_number
        || ((1..=2).contains(&length) && text.chars().all(is_letter))
        || ((1..=6).contains(&length) && text.chars().all(is_roman_digit))
        || ((1..=3).contains(&length) && text.chars().all(|character| SIGNS.contains(character)))
}

/// A letter from a to z: also those beyond ASCII that have one of them as their other case.
fn is_letter(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, 'İ' | 'ı' | 'ſ' | '\u{212a}')
}

/// A digit of a roman number.
fn is_roman_digit(character: char) -> bool {
    matches!(character.to_ascii_lowercase(), 'i' | 'v' | 'x' | 'l' | 'c' | 'İ' | 'ı')
}

/// Takes the mark off the start of a note, whose label replaces it, and the blanks after it.
///
/// A bare number may be part of a sentence: it counts as a mark only if superscript, in brackets or before a full stop.
pub fn take_mark_off(document: &mut Document, note: &mut [Node], own_mark: &str) {
    let spans = match note.first_mut() {
        Some(Node::Paragraph { spans, .. }) => spans,
        _ => return,
    };
    let length = length_of_mark(document, spans.start, own_mark);
    if length == 0 {
        return;
    }
    let first = document.spans[spans.start].text;
    let rest = strip_start(&document.text[first.start + length..first.end]).len();
    if rest > 0 {
        document.spans[spans.start].text.start = first.end - rest;
    } else if spans.range().len() > 1 {
        spans.start += 1;
        let next = &mut document.spans[spans.start];
        if next.kind == SpanKind::Text {
            next.text.start = next.text.end - strip_start(&document.text[next.text.range()]).len();
        }
    }
}

/// Bytes of the mark at the start of a span; 0 if there is none.
fn length_of_mark(document: &Document, span: usize, own_mark: &str) -> usize {
    let span = &document.spans[span];
    let text = document.text_of(span.text);
    if span.kind != SpanKind::Text {
        return 0;
    }
    if span.marks.has(mark::SUPERSCRIPT) && strip(text) == own_mark {
        return text.len();
    }
    let is_bracketed = |begin: char, end: char| {
        let inside = text.strip_prefix(begin).and_then(|rest| rest.strip_prefix(own_mark));
        inside.map_or(false, |rest| rest.starts_with(end))
    };
    if is_bracketed('[', ']') || is_bracketed('(', ')') {
        return own_mark.len() + 2;
    }
    let rest = match text.strip_prefix(own_mark) {
        Some(rest) => rest,
        None => return 0,
    };
    let mut following = rest.chars();
    if matches!(following.next(), Some('.' | ')' | ':')) && following.next().map_or(false, is_space) {
        return own_mark.len() + 1;
    }
    let is_word = own_mark.chars().all(|character| property_of(character).is_alphanumeric);
    if is_word {
        0
    } else {
        own_mark.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_with_and_without_brackets() {
        let marks = [
            ("1", "1"),
            ("[12a]", "12a"),
            ("( 3 )", "3"),
            ("note 4", "4"),
            ("[NB x]", "x"),
            ("n.5", "5"),
            ("fn. 6", "6"),
            ("xiv", "xiv"),
            ("**", "**"),
            ("†", "†"),
            ("nb", "nb"),
            ("٣", "٣"),
            ("[1", "1"),
            ("n. b", "b"),
        ];
        for (text, mark) in marks {
            assert_eq!(bare_mark(text), Some(mark), "{text}");
        }
        for text in ["", "12345", "abc", "[]", "note", "1 2", "****", "xivxivx", "1ab", "note 1 b"] {
            assert_eq!(bare_mark(text), None, "{text}");
        }
    }
}
