//! How many characters of each kind a text has.
#![forbid(unsafe_code)]

use crate::blocks::characters::{kind, property_of};

/// Characters after which the counts, 8 bits a kind, are added up.
const COUNTED_AT_ONCE: usize = 255;

/// The characters of a text, by kind.
pub type CharacterCounts = [u32; kind::NUMBER];

/// Counts characters, those of ASCII byte by byte.
pub struct CharacterCounter {
    /// By byte: 1 in the 8 bits of each kind that an ASCII character is of; 0 for bytes of others.
    of_byte: [u64; 256],
}

impl CharacterCounter {
    /// With the table of ASCII.
    pub fn new() -> Self {
        let mut of_byte = [0; 256];
        for (byte, counts) in (0..128u8).zip(&mut of_byte) {
            *counts = property_of(char::from(byte)).counts;
        }
        CharacterCounter { of_byte }
    }

    /// The characters of a text by kind.
    pub fn count(&self, text: &str) -> CharacterCounts {
        let mut counts = [0; kind::NUMBER];
        for bytes in text.as_bytes().chunks(COUNTED_AT_ONCE) {
            add(&mut counts, bytes.iter().map(|&byte| self.of_byte[usize::from(byte)]).sum());
        }
        if !text.is_ascii() {
            count_beyond_ascii(text, &mut counts);
        }
        counts
    }
}

impl Default for CharacterCounter {
    /// The same as `new`.
    fn default() -> Self {
        Self::new()
    }
}

/// Adds the characters beyond ASCII.
fn count_beyond_ascii(text: &str, counts: &mut CharacterCounts) {
    let (mut packed, mut number) = (0, 0);
    for character in text.chars().filter(|each| !each.is_ascii()) {
        packed += property_of(character).counts;
        number += 1;
        if number == COUNTED_AT_ONCE {
            add(counts, packed);
            (packed, number) = (0, 0);
        }
    }
    add(counts, packed);
}

/// Adds counts of 8 bits each.
fn add(counts: &mut CharacterCounts, packed: u64) {
    for (count, byte) in counts.iter_mut().zip(packed.to_le_bytes()) {
        *count += u32::from(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_like_the_naive_twin() {
        for text in ["", "Ab, 12! \u{2192} é. ", "x", "漢"] {
            let text = text.repeat(1000);
            let counts = CharacterCounter::new().count(&text);
            for (number, &count) in counts.iter().enumerate() {
                let naive = text.chars().filter(|&each| property_of(each).is(number)).count();
                assert_eq!(count as usize, naive);
            }
        }
    }
}
