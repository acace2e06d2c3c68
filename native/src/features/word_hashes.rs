//! The words of texts as 64-bit hashes, and the kinds of their characters, in one pass and without making a string of
//! any word.
//!
//! The hash of a word is a polynomial in its characters modulo 2^64. Words are runs of letters and digits in lower case,
//! or single letters of scripts that put no blanks between words. Numbers of equally many digits are one word.
#![forbid(unsafe_code)]

use crate::blocks::characters::{kind, property_of, Property, WordClass};

const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
const INVERSE: u64 = inverse(BASE);

/// Characters after which powers of the base begin anew. Where the network was trained, texts were hashed all at once, and
/// the word across such a place is hashed differently.
const PIECE_BITS: u32 = 16;

/// The finaliser of SplitMix64 (Steele, Lea & Flood 2014), nearly: the high bits of a polynomial depend on all characters
/// only after mixing.
const MIX: [u64; 2] = [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB];

/// Digits from which numbers are one word: which number it is says nothing.
const MOST_DIGITS: usize = 5;
const NUMBER_SHIFT: u32 = 50;

/// Characters after which the counts of kinds, 16 bits each, are added up.
const COUNTED_AT_ONCE: usize = 1 << 15;

/// The inverse modulo 2^64 of an odd number, by Newton's method: each step doubles the bits that are right.
const fn inverse(base: u64) -> u64 {
    let mut inverse = base;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(base.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

/// The characters of a text, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CharacterCounts {
    /// All characters.
    pub number: usize,
    /// Characters of each kind.
    pub kinds: [u32; kind::NUMBER],
}

impl CharacterCounts {
    fn add(&mut self, packed: u128) {
        for (number, count) in self.kinds.iter_mut().enumerate() {
            *count += u32::from((packed >> (16 * number)) as u16);
        }
    }
}

/// Adds the hashes of the words of a text, and counts its characters.
///
/// The place is the number of characters before the text, where several are hashed one after the other.
pub fn hash_words(text: &str, place: usize, hashes: &mut Vec<u64>) -> CharacterCounts {
    let mut counts = CharacterCounts::default();
    let mut packed = 0;
    let mut word = Word::default();
    let mut was_alone = false;
    for (offset, character) in text.char_indices() {
        let property = property_of(character);
        packed += property.counts;
        let is_alone = property.class == WordClass::Alone;
        if property.class == WordClass::Outside || is_alone || was_alone {
            word.close(text, hashes);
        }
        if property.class != WordClass::Outside {
            word.add(property, character, place + counts.number, offset);
        }
        was_alone = is_alone;
        counts.number += 1;
        if counts.number % COUNTED_AT_ONCE == 0 {
            counts.add(std::mem::take(&mut packed));
        }
    }
    word.close(text, hashes);
    counts.add(packed);
    counts
}

/// A word being read.
#[derive(Default)]
struct Word {
    sum: u64,
    power: u64,
    length: usize,
    digits: usize,
    /// Characters before it, of all texts.
    place: usize,
    /// Bytes before it, of its text.
    offset: usize,
}

impl Word {
    #[inline]
    fn add(&mut self, property: &Property, character: char, place: usize, offset: usize) {
        if self.length == 0 {
            *self = Word { power: 1, place, offset, ..Word::default() };
        }
        self.sum = self.sum.wrapping_add(lower(property, character).wrapping_mul(self.power));
        self.power = self.power.wrapping_mul(BASE);
        self.length += 1;
        self.digits += usize::from(property.class == WordClass::Digit);
    }

    /// Ends the word, if there is one.
    #[inline]
    fn close(&mut self, text: &str, hashes: &mut Vec<u64>) {
        if self.length > 0 {
            hashes.push(self.hash(text));
            self.length = 0;
        }
    }

    fn hash(&self, text: &str) -> u64 {
        if self.digits == self.length {
            return (self.length.min(MOST_DIGITS) as u64) << NUMBER_SHIFT;
        }
        let last = self.place + self.length - 1;
        let is_across = self.place >> PIECE_BITS != last >> PIECE_BITS;
        mix(if is_across { self.sum_across(&text[self.offset..]) } else { self.sum })
    }

    /// The sum of a word in which powers begin anew.
    #[cold]
    fn sum_across(&self, text: &str) -> u64 {
        let in_piece = |place: usize| place as u32 & ((1 << PIECE_BITS) - 1);
        let mut sum = 0u64;
        for (place, character) in (self.place..).zip(text.chars().take(self.length)) {
            let code = lower(property_of(character), character);
            sum = sum.wrapping_add(code.wrapping_mul(BASE.wrapping_pow(in_piece(place))));
        }
        sum.wrapping_mul(INVERSE.wrapping_pow(in_piece(self.place)))
    }
}

/// The code of a character in lower case.
#[inline]
fn lower(property: &Property, character: char) -> u64 {
    (character as i32 + property.to_lower) as u64
}

fn mix(sum: u64) -> u64 {
    let step = |hash: u64, &factor: &u64| (hash ^ (hash >> 30)).wrapping_mul(factor);
    let mixed = MIX.iter().fold(sum, step);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, place: usize) -> Vec<u64> {
        let mut hashes = Vec::new();
        hash_words(text, place, &mut hashes);
        hashes
    }

    #[test]
    fn base_and_inverse() {
        assert_eq!(BASE.wrapping_mul(INVERSE), 1);
    }

    #[test]
    fn case_and_place_do_not_matter() {
        assert_eq!(words("Über uns", 0), words("über UNS", 700));
        assert_eq!(words("a-b_c d", 0).len(), 3);
        assert_ne!(words("ab", 0), words("ba", 0));
    }

    #[test]
    fn numbers_of_equally_many_digits_are_one_word() {
        assert_eq!(words("1999 2024 12", 0), [4 << 50, 4 << 50, 2 << 50]);
        assert_eq!(words("123456", 0), words("98765", 0));
        assert_ne!(words("1a", 0), words("2a", 0));
    }

    #[test]
    fn unspaced_letters_are_words() {
        assert_eq!(words("漢字", 0), [words("漢", 0), words("字", 0)].concat());
        assert_eq!(words("a漢b", 0).len(), 3);
    }

    #[test]
    fn a_word_across_pieces_is_hashed_differently() {
        let boundary = 1 << PIECE_BITS;
        assert_eq!(words("word", boundary - 4), words("word", 0));
        assert_ne!(words("word", boundary - 2), words("word", 0));
        assert_eq!(words("word", boundary), words("word", 0));
    }

    #[test]
    fn counts_like_the_naive_twin() {
        let text = "Ab, 12! \u{2192} é. ".repeat(5000);
        let counts = hash_words(&text, 0, &mut Vec::new());
        assert_eq!(counts.number, text.chars().count());
        for number in 0..kind::NUMBER {
            let naive = text.chars().filter(|&each| property_of(each).is(number)).count();
            assert_eq!(counts.kinds[number] as usize, naive);
        }
    }
}
