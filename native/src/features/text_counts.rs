//! What the texts of blocks are made of: characters by kind, words, and words shared with the title of the page.
#![forbid(unsafe_code)]

use super::character_counts::{AsciiCounter, KindCounts};
use super::fixed_words::FixedWords;
use super::function_words::function_words;
use super::sought_words::{sought_words, SoughtWords, SOUGHT};
use super::word_hashes::WordReader;
use super::word_sets::WordSet;
use crate::blocks::character_properties::kind;
use crate::blocks::characters::property_of;
use crate::blocks::kinds::Kinds;
use crate::blocks::page_view::PageView;
use crate::blocks::segmentation::Segments;
use crate::stopping::may_stop;

/// Bits of a word token: as many as rows in the network's table.
pub const TABLE_BITS: u32 = 14;
const WORDS_AT_EACH_END: usize = 5;
/// Tokens a block that most pages have, at most.
const USUAL_TOKENS: usize = 6;
/// Words of a block that most pages have, at most.
const USUAL_WORDS: usize = 256;

/// Which words are counted of each block: the position in `word_kinds`.
pub mod word_kind {
    /// Function words.
    pub const FUNCTION: usize = 0;
    /// In the title; then in the first `<h1>`, then in the descriptions in the head.
    pub const IN_TITLE: usize = 1;
    /// How many kinds there are.
    pub const NUMBER: usize = IN_TITLE + super::SOUGHT;
}

thread_local! {
    /// Made once in each thread, in some twenty microseconds.
    static FUNCTION_WORDS: FixedWords = function_words();
}

/// Counts of one block.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextCounts {
    /// Its characters.
    pub characters: u32,
    /// Its characters of each kind.
    pub kinds: KindCounts,
    /// Its words.
    pub words: u32,
    /// Its words of each kind.
    pub word_kinds: [u32; word_kind::NUMBER],
    /// Whether the last character ends a sentence.
    pub ends_sentence: bool,
    /// Whether the first character is a capital.
    pub starts_upper: bool,
}

/// Counts of the m blocks of a page, and their first and last words as tokens.
#[derive(Clone, Debug, Default)]
pub struct PageTexts {
    /// One entry per block.
    pub blocks: Vec<TextCounts>,
    /// How many different words there are to be found of the title, the first heading and the descriptions.
    pub sought: [u32; SOUGHT],
    /// Words of blocks, one block after the other: the first and last ones, all of short texts.
    pub word_tokens: Vec<u16>,
    /// m + 1 entries: where each block's tokens begin.
    pub word_start: Vec<i64>,
}

/// Count everything once.
pub fn count_texts(page: &PageView, segments: &Segments, kinds: &Kinds) -> PageTexts {
    let sought = sought_words(page, segments, kinds);
    FUNCTION_WORDS.with(|function_words| count_with(segments, function_words, &sought))
}

/// Count everything, given the words to look for.
fn count_with(segments: &Segments, function_words: &FixedWords, sought: &SoughtWords) -> PageTexts {
    let mut texts = PageTexts { sought: sought.distinct, ..PageTexts::default() };
    texts.blocks.reserve_exact(segments.len());
    texts.word_start.reserve_exact(segments.len() + 1);
    texts.word_start.push(0);
    texts.word_tokens.reserve(USUAL_TOKENS * segments.len());
    let (mut reader, mut hashes) = (WordReader::new(&segments.texts.joined, 0), Vec::with_capacity(USUAL_WORDS));
    let ascii = AsciiCounter::new();
    for index in 0..segments.len() {
        may_stop();
        let text = segments.texts.get(index);
        hashes.clear();
        let read = reader.read_to(segments.texts.start[index + 1] as usize - 1, &mut hashes);
        let mut kinds = read.beyond_ascii;
        ascii.count(text, &mut kinds);
        texts.blocks.push(TextCounts {
            characters: read.number as u32,
            kinds,
            words: hashes.len() as u32,
            word_kinds: count_word_kinds(&hashes, function_words, &sought.set),
            ends_sentence: text.chars().next_back().is_some_and(|last| property_of(last).is(kind::STOP)),
            starts_upper: text.chars().next().is_some_and(|first| property_of(first).is(kind::UPPER)),
        });
        add_tokens(&hashes, &mut texts.word_tokens);
        texts.word_start.push(texts.word_tokens.len() as i64);
    }
    texts
}

/// How many words are of each kind.
fn count_word_kinds(hashes: &[u64], function_words: &FixedWords, sought: &WordSet) -> [u32; word_kind::NUMBER] {
    let mut counts = [0; word_kind::NUMBER];
    for &hash in hashes {
        counts[word_kind::FUNCTION] += u32::from(function_words.has(hash));
        // Few are: the processor guesses that none is.
        if sought.may_have(hash) {
            let flags = sought.flags(hash);
            for (number, count) in counts[word_kind::IN_TITLE..].iter_mut().enumerate() {
                *count += u32::from(flags >> number & 1);
            }
        }
    }
    counts
}

/// Adds the tokens of the first and last words of a text.
fn add_tokens(hashes: &[u64], tokens: &mut Vec<u16>) {
    let token_of = |hash: &u64| (hash >> (64 - TABLE_BITS)) as u16;
    if hashes.len() <= 2 * WORDS_AT_EACH_END {
        tokens.extend(hashes.iter().map(token_of));
    } else {
        tokens.extend(hashes[..WORDS_AT_EACH_END].iter().map(token_of));
        tokens.extend(hashes[hashes.len() - WORDS_AT_EACH_END..].iter().map(token_of));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_both_ends() {
        let hashes: Vec<u64> = (0..12).map(|number| number << (64 - TABLE_BITS)).collect();
        for (words, expected) in [
            (0, vec![]),
            (3, vec![0, 1, 2]),
            (7, vec![0, 1, 2, 3, 4, 5, 6]),
            (12, vec![0, 1, 2, 3, 4, 7, 8, 9, 10, 11]),
        ] {
            let mut tokens = Vec::new();
            add_tokens(&hashes[..words], &mut tokens);
            assert_eq!(tokens, expected);
        }
    }
}
