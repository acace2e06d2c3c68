//! The visible text of an element as a value: single blanks, no control characters.
#![forbid(unsafe_code)]

use super::text_lists::is_longer;
use crate::blocks::characters::{is_space, strip};
use crate::blocks::page_view::PageView;
use crate::blocks::white_space::shown_character;

/// Characters of any value. Product descriptions can be whole pages, which only repeat the content.
pub const LONGEST_VALUE: usize = 5000;
/// Elements and texts in an element that is read as one value.
pub const MOST_ROWS: usize = 1000;

/// The visible text of an element, with `between` between its texts; empty if it is too long to be a value.
pub fn visible_text(page: &PageView, row: usize, between: &str, longest: usize) -> String {
    let end = page.subtree_end[row] as usize;
    if end - row > MOST_ROWS || is_longer(page.text_within(row), LONGEST_VALUE) {
        return String::new();
    }
    let mut joined = String::new();
    let visible = (row..end).filter(|&row| page.is_text(row) && page.hidden[row] == 0);
    for (number, row) in visible.enumerate() {
        joined.push_str(if number > 0 { between } else { "" });
        joined.push_str(page.text_between(row, row));
    }
    let folded = folded(&joined);
    if is_longer(&folded, longest) {
        return String::new();
    }
    folded
}

/// Text with single blanks and no control characters.
pub fn folded(text: &str) -> String {
    let single = single_blanks(text);
    if single.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
        return single;
    }
    let shown: String = single.chars().filter_map(shown_character).collect();
    strip(&shown).to_string()
}

/// Text with single blanks for white space, and none around it.
pub fn single_blanks(text: &str) -> String {
    let mut single = String::with_capacity(text.len());
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        single.push_str(if single.is_empty() { "" } else { " " });
        single.push_str(word);
    }
    single
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    fn text_of(html: &str, between: &str, longest: usize) -> String {
        visible_text(&read(html, &Limits::default()).view(), 0, between, longest)
    }

    #[test]
    fn white_space_and_controls() {
        assert_eq!(folded(" a\u{a0}\n b\x0b"), "a b");
        assert_eq!(folded("don\u{92}t\u{1}"), "don’t");
        assert_eq!(folded("\u{1} é"), "é");
        assert_eq!(folded(""), "");
    }

    #[test]
    fn hidden_text_is_left_out() {
        assert_eq!(text_of("<p>a<b>b</b><i hidden>c</i> d", "", 99), "ab d");
        assert_eq!(text_of("<p>a<b>b</b><i hidden>c</i> d", "-", 99), "a-b- d");
    }

    #[test]
    fn long_texts_are_no_values() {
        assert_eq!(text_of("<p>äöü", "", 3), "äöü");
        assert_eq!(text_of("<p>äöü", "", 2), "");
        assert_eq!(text_of(&"a".repeat(LONGEST_VALUE + 1), "", usize::MAX), "");
        assert_eq!(text_of(&"<b>a</b>".repeat(MOST_ROWS / 2), "", usize::MAX), "");
    }
}
