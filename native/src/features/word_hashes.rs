//! The words of texts as 64-bit hashes, without making a string of any word.
//!
//! The hash of a word is a polynomial in its characters modulo 2^64. Words are runs of letters and digits in lower
//! case, or single letters of scripts that put no blanks between words. Numbers of equally many digits are one word.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::character_counts::{KindCounts, RunningCounts};
use super::word_runs::Runs;
use crate::blocks::character_properties::{Property, WordClass};
use crate::blocks::characters::property_of;

const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
const INVERSE: u64 = inverse(BASE);

/// Characters, as a power of 2, after which powers of the base begin anew: the network was trained with hashes of all
/// texts at once, in which the word across such a place is hashed differently.
const PIECE_BITS: u32 = 16;

/// The finaliser of SplitMix64 (Steele, Lea & Flood 2014), but for one shift: the high bits of a polynomial depend on
/// all characters only after mixing.
const MIX: [u64; 2] = [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB];

/// Digits from which numbers are one word: which number it is says nothing.
const MOST_DIGITS: usize = 5;
const NUMBER_SHIFT: u32 = 50;

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

/// Characters of a word whose powers are looked up: to multiply for each would take as long as the rest of the work.
const POWERS_KNOWN: usize = 32;
static POWERS: [u64; POWERS_KNOWN] = powers();
const FIRST_UNKNOWN: u64 = BASE.wrapping_pow(POWERS_KNOWN as u32);

/// The first powers of the base.
const fn powers() -> [u64; POWERS_KNOWN] {
    let mut powers = [1; POWERS_KNOWN];
    let mut exponent = 1;
    while exponent < POWERS_KNOWN {
        powers[exponent] = BASE.wrapping_mul(powers[exponent - 1]);
        exponent += 1;
    }
    powers
}

/// Characters of a text whose words were hashed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadCharacters {
    /// All of them.
    pub number: usize,
    /// Those beyond ASCII, by kind: they had to be looked up anyway.
    pub beyond_ascii: KindCounts,
}

/// Adds the hashes of the words of a text.
///
/// The place is the number of characters before the text, where several are hashed one after the other.
pub fn hash_words(text: &str, place: usize, hashes: &mut Vec<u64>) -> ReadCharacters {
    WordReader::new(text, place).read_to(text.len(), hashes)
}

/// Reads a text, or several in one buffer, each followed by a character of ASCII that is not part of words.
pub struct WordReader<'a> {
    text: &'a str,
    runs: Runs<'a>,
    /// Where the next run begins.
    next: usize,
    /// Where the next text begins.
    start: usize,
    /// What to add to a place for the number of characters before it, modulo 2^64: characters may have several bytes.
    ahead: usize,
}

impl<'a> WordReader<'a> {
    /// Before a text, with so many characters before it.
    pub fn new(text: &'a str, place: usize) -> Self {
        let mut runs = Runs::new(text);
        WordReader { text, next: runs.next_edge(), runs, start: 0, ahead: place }
    }

    /// Adds the hashes of the words of the next text, which ends at a place: the end of the buffer, or one byte before the
    /// text after it.
    pub fn read_to(&mut self, end: usize, hashes: &mut Vec<u64>) -> ReadCharacters {
        let (text, mut runs, mut next, mut ahead) = (self.text, self.runs, self.next, self.ahead);
        let mut counts = RunningCounts::default();
        while next < end {
            let run = next..runs.next_edge();
            match ShortWord::new(text.as_bytes(), run.clone()) {
                Some(word) => hashes.push(word.hash(text, run.end, run.end.wrapping_add(ahead))),
                None => ahead = read_characters(text, run, ahead, hashes, &mut counts),
            }
            next = runs.next_edge();
        }
        let beyond_first = self.ahead.wrapping_sub(ahead);
        let read = ReadCharacters { number: end - self.start - beyond_first, beyond_ascii: counts.kinds() };
        *self = WordReader { text, runs, next, start: end + 1, ahead };
        read
    }
}

/// Adds the hashes of the words in a run of a text, of any length and with any letters. Given what to add to the place of its
/// beginning for the number of characters before it, returns the same of its end.
#[inline(never)]
fn read_characters(
    text: &str,
    run: Range<usize>,
    ahead: usize,
    hashes: &mut Vec<u64>,
    counts: &mut RunningCounts,
) -> usize {
    let (mut word, mut number) = (Word::NONE, run.start.wrapping_add(ahead));
    for (place, character) in text[run.clone()].char_indices() {
        let property = property_of(character);
        if !character.is_ascii() {
            counts.add(property);
        }
        if property.class == WordClass::InWord || property.class == WordClass::Digit {
            word.add(lower(property, character), property.class == WordClass::Digit);
        } else if word.length > 0 {
            hashes.push(word.hash(text, run.start + place, number));
            word = Word::NONE;
        }
        number += 1;
        if property.class == WordClass::Alone {
            hashes.push(mix(lower(property, character)));
        }
    }
    if word.length > 0 {
        hashes.push(word.hash(text, run.end, number));
    }
    number.wrapping_sub(run.end)
}

/// The code of a character in lower case.
#[inline]
fn lower(property: &Property, character: char) -> u64 {
    (character as i32 + property.to_lower) as u64
}

/// Bytes that are hashed at once.
const EIGHT: usize = 8;
/// A number with 1 in each of its eight bytes; with the highest bit of each.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHEST: u64 = 0x80 * ONES;
/// The bit of each byte that tells letters and underscores from digits.
const LETTERS: u64 = 0x40 * ONES;

/// A word of ASCII whose powers are all known, as nearly all are. It is hashed eight bytes at a time: byte by byte, the
/// processor would guess wrong at the end of most words.
struct ShortWord {
    sum: u64,
    length: usize,
    is_number: bool,
}

impl ShortWord {
    /// That of a run of bytes; none if the run is too long, or has others than those of ASCII.
    #[inline(always)]
    fn new(bytes: &[u8], run: Range<usize>) -> Option<Self> {
        let length = run.len();
        if length > POWERS_KNOWN {
            return None;
        }
        let first = eight_at(bytes, run.start, length.min(EIGHT));
        let (mut sum, mut all) = (sum_of(lowered(first), &POWERS[..EIGHT]), first);
        let mut place = EIGHT;
        while place < length {
            let eight = eight_at(bytes, run.start + place, (length - place).min(EIGHT));
            sum = sum.wrapping_add(sum_of(lowered(eight), &POWERS[place..place + EIGHT]));
            all |= eight;
            place += EIGHT;
        }
        (all & HIGHEST == 0).then_some(ShortWord { sum, length, is_number: all & LETTERS == 0 })
    }

    /// The hash of the word, which ends at a place in a text, with so many characters before that.
    #[inline]
    fn hash(self, text: &str, end: usize, number: usize) -> u64 {
        Word { sum: self.sum, power: FIRST_UNKNOWN, length: self.length, is_number: self.is_number }
            .hash(text, end, number)
    }
}

/// Eight bytes from a place on, of which the first ones count, one at least; zeros for the others.
#[inline]
fn eight_at(bytes: &[u8], place: usize, count: usize) -> u64 {
    let mut eight = [0; EIGHT];
    match bytes.get(place..place + EIGHT) {
        Some(all) => eight.copy_from_slice(all),
        None => eight[..count].copy_from_slice(&bytes[place..place + count]),
    }
    u64::from_le_bytes(eight) & u64::MAX >> (u64::BITS as usize - EIGHT * count)
}

/// Eight bytes that are part of words of ASCII, or 0, in lower case.
#[inline]
fn lowered(eight: u64) -> u64 {
    let small = eight | (eight & LETTERS) >> 1;
    // The lower case of an underscore is itself, and nothing else has become 0x7F. Where bytes beyond ASCII follow the word,
    // the sum may overflow: what becomes of them does not count.
    small ^ (small.wrapping_add(ONES) & HIGHEST) >> 2
}

/// The sum of eight bytes times powers. Those behind the word count as 0: to add all takes less time than to guess where a
/// word ends.
#[inline]
fn sum_of(eight: u64, powers: &[u64]) -> u64 {
    let products = eight.to_le_bytes().into_iter().zip(powers);
    products.fold(0, |sum: u64, (byte, power)| sum.wrapping_add(u64::from(byte).wrapping_mul(*power)))
}

/// A word being read.
#[derive(Clone, Copy)]
struct Word {
    sum: u64,
    /// The power of the next character, if it is not in the table: that of the first such one until then.
    power: u64,
    length: usize,
    is_number: bool,
}

impl Word {
    const NONE: Word = Word { sum: 0, power: FIRST_UNKNOWN, length: 0, is_number: true };

    /// Adds a character.
    #[inline]
    fn add(&mut self, lower: u64, is_digit: bool) {
        let power = match POWERS.get(self.length) {
            Some(power) => *power,
            None => {
                let next = self.power.wrapping_mul(BASE);
                std::mem::replace(&mut self.power, next)
            }
        };
        self.sum = self.sum.wrapping_add(lower.wrapping_mul(power));
        self.length += 1;
        self.is_number &= is_digit;
    }

    /// The hash of the word, which ends at a place in a text, with so many characters before that.
    #[inline]
    fn hash(self, text: &str, end: usize, number: usize) -> u64 {
        if self.is_number {
            return (self.length.min(MOST_DIGITS) as u64) << NUMBER_SHIFT;
        }
        let is_across = (number - self.length) >> PIECE_BITS != (number - 1) >> PIECE_BITS;
        mix(if is_across { sum_across(&text[..end], self.length, number) } else { self.sum })
    }
}

/// The sum of a word in which powers begin anew: the last characters of a text, with so many before its end.
#[cold]
fn sum_across(text: &str, length: usize, end: usize) -> u64 {
    const LAST: u32 = (1 << PIECE_BITS) - 1;
    let in_piece = |place: usize| place as u32 & LAST;
    let (mut sum, mut power) = (0u64, BASE.wrapping_pow(in_piece(end - 1)));
    for (place, character) in (end - length..end).rev().zip(text.chars().rev()) {
        sum = sum.wrapping_add(lower(property_of(character), character).wrapping_mul(power));
        power = if in_piece(place) == 0 { BASE.wrapping_pow(LAST) } else { power.wrapping_mul(INVERSE) };
    }
    sum.wrapping_mul(INVERSE.wrapping_pow(in_piece(end - length)))
}

/// Makes every bit depend on all others.
fn mix(sum: u64) -> u64 {
    let step = |hash: u64, &factor: &u64| (hash ^ (hash >> 30)).wrapping_mul(factor);
    let mixed = MIX.iter().fold(sum, step);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::character_properties::kind;

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
    fn long_words_are_hashed_like_the_naive_twin() {
        let text = "abcdefghijk".repeat(20_000);
        let place = 70_001;
        let mut sum = 0u64;
        for (place, byte) in (place..).zip(text.bytes()) {
            let power = BASE.wrapping_pow(place as u32 % (1 << PIECE_BITS));
            sum = sum.wrapping_add(u64::from(byte).wrapping_mul(power));
        }
        let back = INVERSE.wrapping_pow(place as u32 % (1 << PIECE_BITS));
        assert_eq!(words(&text, place), [mix(sum.wrapping_mul(back))]);
    }

    #[test]
    fn bytes_are_lowered_as_the_table_of_characters_says() {
        let parts = (0..128u8).filter(|&byte| property_of(char::from(byte)).class != WordClass::Outside);
        for byte in parts {
            let (character, eight) = (char::from(byte), eight_at(&[byte; 9], 1, 3));
            let property = property_of(character);
            assert_eq!(lowered(eight), lower(property, character) * 0x01_0101, "{:?}", character);
            assert_eq!(eight & LETTERS == 0, property.class == WordClass::Digit, "{:?}", character);
        }
    }

    #[test]
    fn words_of_any_length_and_place() {
        for length in 1..40 {
            for before in 0..9 {
                let word = &"aB_c1Defgh2".repeat(4)[..length];
                let text = [&" -".repeat(before)[..before], word, "; Zé9 12"].concat();
                let expected = [words(&word.to_lowercase(), 0), words("zé9", 0), words("34", 0)].concat();
                assert_eq!(words(&text, 0), expected, "{}", text);
            }
        }
    }

    #[test]
    fn returns_the_number_of_characters() {
        let read = hash_words("süß 漢字 😀", 9, &mut Vec::new());
        assert_eq!((read.number, read.beyond_ascii[kind::LETTER]), (8, 4));
    }
}
