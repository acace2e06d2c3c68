//! Texts that cross the interface in one buffer.
#![forbid(unsafe_code)]

use crate::blocks::characters::beginning;

/// Texts one after the other, each followed by a NUL: no page contains one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextList {
    /// All of them.
    pub joined: String,
}

impl TextList {
    /// A list of one text.
    pub fn of(text: &str) -> Self {
        let mut list = TextList::default();
        list.push(text);
        list
    }

    /// Add a text.
    pub fn push(&mut self, text: &str) {
        self.joined.push_str(text);
        self.joined.push('\0');
    }

    /// Add two texts that belong together.
    pub fn push_pair(&mut self, first: &str, second: &str) {
        self.push(first);
        self.push(second);
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.joined.bytes().filter(|&byte| byte == 0).count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.joined.is_empty()
    }

    /// The texts.
    pub fn texts(&self) -> Vec<&str> {
        self.joined.split_terminator('\0').collect()
    }
}

/// Whether a text has more characters than this.
pub fn is_longer(text: &str, characters: usize) -> bool {
    beginning(text, characters).len() < text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_empty_texts() {
        let mut list = TextList::default();
        list.push("");
        list.push_pair("a", "");
        assert_eq!(list.texts(), ["", "a", ""]);
        assert_eq!(list.len(), 3);
        assert!(!list.is_empty() && TextList::default().is_empty());
        assert!(TextList::default().texts().is_empty());
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        assert_eq!(beginning("äöü", 2), "äö");
        assert_eq!(beginning("äöü", 3), "äöü");
        assert!(is_longer("äöü", 2) && !is_longer("äöü", 3) && !is_longer("", 0));
    }
}
