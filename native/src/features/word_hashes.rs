//! The words of texts as 64-bit hashes, without making a string of any word.
//!
//! The hash of a word is a polynomial in its characters modulo 2^64. Words are runs of letters and digits in lower
//! case, or single letters of scripts that put no blanks between words. Numbers of equally many digits are one word.
#![forbid(unsafe_code)]

use super::character_counts::{KindCounts, RunningCounts};
use crate::blocks::characters::{property_of, Property, WordClass};

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

/// A place in a text.
#[derive(Clone, Copy)]
struct Place {
    /// Bytes of the text before it.
    offset: usize,
    /// Characters before it, also those before the text.
    number: usize,
}

impl Place {
    /// The place so many characters of ASCII further on.
    #[inline]
    fn after(self, characters: usize) -> Self {
        Place { offset: self.offset + characters, number: self.number + characters }
    }
}

/// Reads a text, or several in one buffer, each followed by a character of ASCII that is not part of words.
pub struct WordReader<'a> {
    text: &'a str,
    place: Place,
}

impl<'a> WordReader<'a> {
    /// Before a text, with so many characters before it.
    pub fn new(text: &'a str, place: usize) -> Self {
        WordReader { text, place: Place { offset: 0, number: place } }
    }

    /// Adds the hashes of the words up to an end: that of the buffer, or of one of the texts in it.
    pub fn read_to(&mut self, end: usize, hashes: &mut Vec<u64>) -> ReadCharacters {
        let (text, start) = (self.text, self.place.number);
        let (mut place, mut word, mut counts) = (self.place, Word::NONE, RunningCounts::default());
        while place.offset < end {
            if !text.as_bytes()[place.offset].is_ascii() {
                (place, word) = read_beyond_ascii(text, place, word, hashes, &mut counts);
                continue;
            }
            // The next characters of a word, at most eight, and what separates it from the next word. Bytes behind the end
            // are looked at, too, and not used: at the end of most texts there are fewer than eight.
            let eight = EightBytes::at_start_of(&text.as_bytes()[place.offset..]);
            let read = eight.length_of_word();
            word.add_ascii(&eight, read);
            place = place.after(read);
            let between = eight.length_between_words(read).min(end - place.offset);
            if between > 0 {
                word.close(text, place, hashes);
                word = Word::NONE;
                place = place.after(between);
            }
        }
        word.close(text, place, hashes);
        self.place = place;
        ReadCharacters { number: place.number - start, beyond_ascii: counts.kinds() }
    }

    /// Goes on by so many characters of ASCII that are not part of words.
    pub fn advance(&mut self, characters: usize) {
        self.place = self.place.after(characters);
    }
}

/// Reads characters as long as they are beyond ASCII; returns the place behind them, and the word that may go on there.
fn read_beyond_ascii(
    text: &str,
    mut place: Place,
    mut word: Word,
    hashes: &mut Vec<u64>,
    counts: &mut RunningCounts,
) -> (Place, Word) {
    for character in text[place.offset..].chars().take_while(|each| !each.is_ascii()) {
        let property = property_of(character);
        counts.add(property);
        let is_part = property.class == WordClass::InWord || property.class == WordClass::Digit;
        if is_part {
            word.add(lower(property, character), property.class == WordClass::Digit);
        } else {
            word.close(text, place, hashes);
            word = Word::NONE;
        }
        place = Place { offset: place.offset + character.len_utf8(), number: place.number + 1 };
        if property.class == WordClass::Alone {
            hashes.push(mix(lower(property, character)));
        }
    }
    (place, word)
}

/// The code of a character in lower case.
#[inline]
fn lower(property: &Property, character: char) -> u64 {
    (character as i32 + property.to_lower) as u64
}

const EIGHT: usize = 8;
/// A number with 1 in each of its eight bytes; with the highest bit of each.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHEST: u64 = 0x80 * ONES;

/// Eight bytes of a text, looked at all at once: byte by byte, the processor would guess wrong at the end of most words.
struct EightBytes {
    /// In lower case, as far as they are part of words.
    lower: u64,
    /// The highest bit of each byte that is part of words, in ASCII; of each letter and underscore; and of each byte that is
    /// not of ASCII.
    in_words: u64,
    beyond_digits: u64,
    beyond_ascii: u64,
}

impl EightBytes {
    /// The first eight bytes; zeros behind the last one.
    #[inline]
    fn at_start_of(bytes: &[u8]) -> Self {
        let mut eight = [0; EIGHT];
        match bytes.get(..EIGHT) {
            Some(first) => eight.copy_from_slice(first),
            None => eight.iter_mut().zip(bytes).for_each(|(own, byte)| *own = *byte),
        }
        let eight = u64::from_le_bytes(eight);
        let beyond_ascii = eight & HIGHEST;
        let ascii = eight ^ beyond_ascii;
        let lower = ascii | (0x20 * ONES);
        let underscores = !((ascii ^ (u64::from(b'_') * ONES)) + 0x7F * ONES);
        let beyond_digits = (within(lower, b'a', b'z') | underscores) & HIGHEST & !beyond_ascii;
        let digits = within(ascii, b'0', b'9') & HIGHEST & !beyond_ascii;
        EightBytes {
            // The lower case of an underscore is itself.
            lower: lower ^ (underscores & HIGHEST) >> 2,
            in_words: beyond_digits | digits,
            beyond_digits,
            beyond_ascii,
        }
    }

    /// How many of the first bytes are part of a word.
    #[inline]
    fn length_of_word(&self) -> usize {
        bytes_before(self.in_words ^ HIGHEST)
    }

    /// How many of the bytes behind the first ones are of ASCII and not part of a word.
    #[inline]
    fn length_between_words(&self, first: usize) -> usize {
        bytes_before((self.in_words | self.beyond_ascii) & !first_bytes(first)) - first
    }
}

/// The highest bit of each byte that is within bounds, where none has it; other bits may be anything.
#[inline]
const fn within(bytes: u64, first: u8, last: u8) -> u64 {
    (bytes + (0x80 - first as u64) * ONES) & !(bytes + (0x7F - last as u64) * ONES)
}

/// How many bytes there are before the first one that has its highest bit.
#[inline]
fn bytes_before(highest: u64) -> usize {
    highest.trailing_zeros() as usize / EIGHT
}

/// All bits of the first bytes, of eight at most.
#[inline]
fn first_bytes(count: usize) -> u64 {
    1u64.checked_shl((EIGHT * count) as u32).unwrap_or(0).wrapping_sub(1)
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

    /// Adds the first characters of eight. Nearly all words end before the powers that are known do.
    #[inline]
    fn add_ascii(&mut self, eight: &EightBytes, count: usize) {
        match POWERS.get(self.length..self.length + EIGHT) {
            Some(powers) => {
                // Those behind the word count as 0: to add all eight takes less time than to guess where a word ends.
                let bytes = eight.lower & first_bytes(count);
                let products = bytes.to_le_bytes().into_iter().zip(powers);
                self.sum = products
                    .fold(self.sum, |sum, (byte, power)| sum.wrapping_add(u64::from(byte).wrapping_mul(*power)));
                self.length += count;
                self.is_number &= eight.beyond_digits & first_bytes(count) == 0;
            }
            None => {
                for byte in eight.lower.to_le_bytes().into_iter().take(count) {
                    self.add(u64::from(byte), byte.is_ascii_digit());
                }
            }
        }
    }

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

    /// Adds the hash of the word, which ends at a place in a text, if it is one.
    #[inline]
    fn close(self, text: &str, end: Place, hashes: &mut Vec<u64>) {
        if self.length > 0 {
            hashes.push(self.hash(text, end));
        }
    }

    /// The hash of the word, which ends at a place in a text.
    #[inline]
    fn hash(self, text: &str, end: Place) -> u64 {
        if self.is_number {
            return (self.length.min(MOST_DIGITS) as u64) << NUMBER_SHIFT;
        }
        let is_across = (end.number - self.length) >> PIECE_BITS != (end.number - 1) >> PIECE_BITS;
        mix(if is_across { sum_across(&text[..end.offset], self.length, end.number) } else { self.sum })
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
    use crate::blocks::characters::kind;

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
    fn eight_bytes_are_read_as_the_table_of_characters_says() {
        for character in (0..=255).map(char::from) {
            let eight = EightBytes::at_start_of(&[character as u8]);
            let property = property_of(character);
            let is_part = character.is_ascii() && property.class != WordClass::Outside;
            assert_eq!(eight.length_of_word(), usize::from(is_part), "{:?}", character);
            if is_part {
                assert_eq!(eight.lower & 0xFF, lower(property, character), "{:?}", character);
                assert_eq!(eight.beyond_digits & 0x80 == 0, property.class == WordClass::Digit, "{:?}", character);
            }
            let between = if character.is_ascii() && !is_part { EIGHT } else { 0 };
            assert_eq!(eight.length_between_words(0), between, "{:?}", character);
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
