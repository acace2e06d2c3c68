//! Names of widgets that hide text until the reader opens it: tabs, accordions, menus.
#![forbid(unsafe_code)]

use crate::metadata::letter_pairs::{beginnings, pair, PAIRS};

/// Beginnings of words in classes, ids and tags.
#[rustfmt::skip]
const WORDS: [&str; 28] = [
    "tab", "accordi", "collaps", "toggl", "expan", "fold", "more", "show", "reveal", "spoiler", "drawer", "dropdown",
    "drop-down", "slide", "sliding", "carousel", "swiper", "gallery", "faq", "question", "answer", "modal", "popup",
    "pop-up", "dialog", "lightbox", "tooltip", "hover",
];
/// Words that begin like one of these, and name no widget.
const OTHERS: [&str; 2] = ["table", "folder"];

/// By two letters: whether a word begins with them.
static BEGINNINGS: [bool; PAIRS] = beginnings(&WORDS);

/// Whether a class, id or tag names a widget, in any case.
pub fn names_widget(name: &str) -> bool {
    if name.is_ascii() {
        has_word(name.as_bytes())
    } else {
        // A letter beyond ASCII can have one of ASCII for its lower case.
        has_word(name.to_lowercase().as_bytes())
    }
}

/// Whether a word of the table is in a name.
fn has_word(name: &[u8]) -> bool {
    let may_begin = |at: &usize| BEGINNINGS[pair(name[*at], name[*at + 1])];
    (0..name.len().saturating_sub(1)).filter(may_begin).any(|at| {
        let is_at =
            |word: &&str| name[at..].get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word.as_bytes()));
        WORDS.iter().any(is_at) && !OTHERS.iter().any(is_at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_widgets() {
        for name in ["tab", "Tab-Content", "x-ACCORDION", "my_dropdown", "drop-down", "pop-up", "unfolded", "readmore"]
        {
            assert!(names_widget(name), "{name}");
        }
        for word in WORDS {
            assert!(names_widget(&format!("é {} x", word.to_uppercase())) && names_widget(word), "{word}");
        }
    }

    #[test]
    fn names_of_others() {
        for name in ["", "t", "table", "folder", "ta", "stable-folders", "drop", "slid", "é"] {
            assert!(!names_widget(name), "{name}");
        }
        assert!(names_widget("table tab") && names_widget("folder fold"));
    }
}
