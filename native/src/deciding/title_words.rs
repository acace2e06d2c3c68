//! The words of the title of a page, and headings that repeat them.
#![forbid(unsafe_code)]

use std::collections::HashSet;

use crate::blocks::character_properties::WordClass;
use crate::blocks::characters::property_of;
use crate::blocks::page_blocks::Blocks;
use crate::features::numbering::Hashing;
use crate::features::sought_words::title;

/// Share of a heading's words in the title from which the heading repeats the title.
const SAME: f64 = 0.8;
/// Words that a heading needs to be compared.
const FEWEST_WORDS: usize = 3;

/// The words of the title of a page.
pub struct TitleWords<'a> {
    blocks: &'a Blocks,
    hashing: Hashing,
    /// Their hashes: two words are not expected to have the same, one pair in 2^64.
    words: HashSet<u64, Hashing>,
}

impl<'a> TitleWords<'a> {
    /// Those of the `<title>`: markup alone makes a title, no model reads another block as one.
    pub fn new(blocks: &'a Blocks) -> Self {
        let hashing = Hashing::new();
        let mut words = HashSet::with_hasher(hashing);
        read_words(title(&blocks.segments, &blocks.kinds), |word| {
            words.insert(hashing.of_text(word));
        });
        TitleWords { blocks, hashing, words }
    }

    /// Whether a block repeats the title; None if it is too short to tell.
    pub fn are_repeated_by(&self, block: usize) -> Option<bool> {
        let (mut words, mut shared) = (0, 0);
        read_words(self.blocks.segments.texts.get(block), |word| {
            words += 1;
            shared += usize::from(self.words.contains(&self.hashing.of_text(word)));
        });
        (words >= FEWEST_WORDS).then_some(shared as f64 >= SAME * words as f64)
    }
}

/// Reads the words of a text in lower case: runs of letters, digits and underscores, or single unspaced letters.
fn read_words(text: &str, mut read: impl FnMut(&str)) {
    let mut word = String::new();
    for character in text.to_lowercase().chars() {
        let class = property_of(character).class;
        if matches!(class, WordClass::Outside | WordClass::Alone) && !word.is_empty() {
            read(&word);
            word.clear();
        }
        match class {
            WordClass::Outside => (),
            WordClass::Alone => read(character.encode_utf8(&mut [0; 4])),
            WordClass::InWord | WordClass::Digit => word.push(character),
        }
    }
    if !word.is_empty() {
        read(&word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::page_blocks::find_blocks;
    use crate::columns::Limits;
    use crate::html::read;

    fn words_of(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        read_words(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn words_are_runs_of_letters_or_unspaced_ones() {
        assert_eq!(words_of("Tea_1, ΑΣ — x² 漢字ab"), ["tea_1", "ας", "x²", "漢", "字", "ab"]);
        assert!(words_of(" … ").is_empty());
    }

    #[test]
    fn four_words_of_five_repeat_the_title() {
        let html =
            "<title>A morning at the old bindery</title><h1>Morning at the bindery!</h1><h2>A new morning at the \
                    bindery</h2><h2>A new morning at bindery</h2><h2>New water</h2><h2>On new water</h2>";
        let page = read(html, &Limits::default());
        let blocks = find_blocks(&page.view()).unwrap();
        let title = TitleWords::new(&blocks);
        let found: Vec<_> = (1..6).map(|block| title.are_repeated_by(block)).collect();
        assert_eq!(found, [Some(true), Some(true), Some(true), None, Some(false)]);
    }
}
