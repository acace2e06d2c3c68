//! Texts as Python's `str` would change them.
#![forbid(unsafe_code)]

use crate::blocks::characters::is_space;
use crate::blocks::white_space::shown_character;

/// The text without white space at its start.
pub fn strip_start(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

/// The text without white space at its end.
pub fn strip_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

/// The words of a text with one blank between them.
pub fn folded(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    append_folded(&mut written, text);
    written
}

/// Appends the words of a text with one blank between them.
pub fn append_folded(written: &mut String, text: &str) {
    let mut is_first = true;
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        if !is_first {
            written.push(' ');
        }
        written.push_str(word);
        is_first = false;
    }
}

/// The text without control characters, which show nothing.
pub fn without_controls(text: &str) -> String {
    text.chars().filter_map(shown_character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_folded() {
        assert_eq!(folded(" \u{a0}a\n\x1f b\u{3000}"), "a b");
        assert_eq!(folded(" "), "");
    }

    #[test]
    fn control_characters_go() {
        assert_eq!(without_controls("a\x01\x0B\tb\u{92}\u{81}"), "a\tb’");
    }
}
