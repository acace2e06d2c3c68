//! Sentences that a page stores for search engines, and does not show. `dehusk.page.json_ld` says why they matter.
#![forbid(unsafe_code)]

use crate::blocks::characters::letters;

/// Letters that must be missing: fewer may be a caption, or a sentence edited in only one of the two.
pub const FEWEST_LETTERS: usize = 200;
/// The text is missing if one letter in so many is. If fewer are, the page shows it, slightly different.
const ONE_IN: usize = 2;
/// Sentences to look for; those that follow are treated like the last of them. Each is looked for in the whole page.
const MOST_LOOKED_FOR: usize = 1000;
/// Letters that identify a sentence.
const LOOKED_FOR: usize = 40;
/// Letters of a sentence to look for: shorter ones are treated like the one before.
const FEWEST_LOOKED_FOR: usize = 12;

/// Of each paragraph of a stored text, a line each, the sentences that are not shown: none if most are.
pub fn unshown_text(stored: &str, shown: &str) -> Vec<String> {
    let missing: Vec<String> = Search::new(letters(shown)).missing_of(stored);
    let count = |text: &str| letters(text).chars().count();
    let unshown: usize = missing.iter().map(|paragraph| count(paragraph)).sum();
    if unshown < FEWEST_LETTERS || ONE_IN * unshown < count(stored) {
        return Vec::new();
    }
    missing.into_iter().filter(|paragraph| !paragraph.is_empty()).collect()
}

/// Looks for one sentence after the other.
struct Search {
    /// The letters of the page.
    shown: String,
    looked_for: usize,
    /// Whether the last sentence that was looked for is missing.
    is_missing: bool,
}

impl Search {
    fn new(shown: String) -> Self {
        Search { shown, looked_for: 0, is_missing: false }
    }

    /// Of each paragraph, the sentences that are missing, without the white space around them.
    fn missing_of(mut self, stored: &str) -> Vec<String> {
        let mut missing = Vec::new();
        for paragraph in stored.split('\n') {
            let of_paragraph: String = sentences(paragraph).filter(|sentence| self.misses(sentence)).collect();
            missing.push(of_paragraph.trim().to_string());
        }
        missing
    }

    /// Whether a sentence is missing.
    fn misses(&mut self, sentence: &str) -> bool {
        let letters: String = letters(sentence).chars().take(LOOKED_FOR).collect();
        if self.looked_for < MOST_LOOKED_FOR && letters.chars().count() >= FEWEST_LOOKED_FOR {
            self.looked_for += 1;
            self.is_missing = !self.shown.contains(&letters);
        }
        self.is_missing
    }
}

/// The sentences of a paragraph, with all that stands between them.
fn sentences(paragraph: &str) -> impl Iterator<Item = &str> {
    let mut rest = paragraph;
    std::iter::from_fn(move || {
        let (sentence, after) = rest.split_at(end_of_sentence(rest));
        rest = after;
        Some(sentence).filter(|sentence| !sentence.is_empty())
    })
}

/// Where the first sentence ends: after a full stop before white space, or after one of Chinese and Japanese.
fn end_of_sentence(text: &str) -> usize {
    let is_end = |&(place, stop): &(usize, char)| {
        let end = place + stop.len_utf8();
        match stop {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' | '…' => text[end..].starts_with(char::is_whitespace),
            _ => false,
        }
    };
    text.char_indices().find(is_end).map_or(text.len(), |(place, stop)| place + stop.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_stops() {
        let cut = |text: &'static str| sentences(text).collect::<Vec<_>>();
        assert_eq!(cut("One. Two! 3.14 is no end? Yes"), ["One.", " Two!", " 3.14 is no end?", " Yes"]);
        assert_eq!(cut("一。二？三"), ["一。", "二？", "三"]);
        assert_eq!(cut(""), [""; 0]);
    }

    #[test]
    fn what_is_shown_is_not_added() {
        let text = "The kettle is filled with fresh water every morning. ".repeat(10);
        assert_eq!(unshown_text(&text, &text.to_uppercase()), [""; 0]);
        assert_eq!(unshown_text(&text, "nothing of it"), [text.trim()]);
    }

    #[test]
    fn few_letters_are_not_enough() {
        assert_eq!(unshown_text("The kettle is filled with fresh water.", ""), [""; 0]);
        // Half of it is there.
        let (one, other) =
            ("This part of the text is shown by the page. ", "That part is stored, and it is not shown. ");
        let stored = [one.repeat(12), other.repeat(10)].concat();
        assert_eq!(unshown_text(&stored, &one.repeat(12)), [""; 0]);
    }

    #[test]
    fn short_sentences_go_with_the_one_before() {
        let long =
            "A long sentence that is not shown anywhere on the page, with many letters in it so that it counts. ";
        let stored = [&long.repeat(3), "Yes. ", "\n", "No. "].concat();
        assert_eq!(unshown_text(&stored, ""), [[&long.repeat(3), "Yes."].concat(), "No.".to_string()]);
    }
}
