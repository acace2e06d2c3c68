//! How many characters of each kind a text has.
#![forbid(unsafe_code)]

use crate::blocks::character_properties::{kind, Property};
use crate::blocks::characters::property_of;

/// Characters after which the counts, 8 bits a kind, are added up.
const COUNTED_AT_ONCE: usize = 255;

/// Characters of a text, by kind.
pub type KindCounts = [u32; kind::NUMBER];

/// Counts the characters of ASCII, byte by byte.
pub struct AsciiCounter {
    /// By byte: 1 in the 8 bits of each kind that an ASCII character is of; 0 for bytes of others.
    of_byte: [u64; 256],
}

impl AsciiCounter {
    /// With a table.
    pub fn new() -> Self {
        let mut of_byte = [0; 256];
        for (byte, counts) in (0..128u8).zip(&mut of_byte) {
            *counts = property_of(char::from(byte)).counts;
        }
        AsciiCounter { of_byte }
    }

    /// Adds the ASCII characters of a text by kind.
    pub fn count(&self, text: &str, kinds: &mut KindCounts) {
        for bytes in text.as_bytes().chunks(COUNTED_AT_ONCE) {
            add(kinds, bytes.iter().map(|&byte| self.of_byte[usize::from(byte)]).sum());
        }
    }
}

impl Default for AsciiCounter {
    /// The same as `new`.
    fn default() -> Self {
        Self::new()
    }
}

/// Counts characters one after the other, given what is known of each.
#[derive(Default)]
pub struct RunningCounts {
    kinds: KindCounts,
    packed: u64,
    number: usize,
}

impl RunningCounts {
    /// Adds a character.
    #[inline]
    pub fn add(&mut self, property: &Property) {
        self.packed += property.counts;
        self.number += 1;
        if self.number == COUNTED_AT_ONCE {
            add(&mut self.kinds, std::mem::take(&mut self.packed));
            self.number = 0;
        }
    }

    /// The characters so far.
    pub fn kinds(mut self) -> KindCounts {
        if self.packed != 0 {
            add(&mut self.kinds, self.packed);
        }
        self.kinds
    }
}

/// Adds counts of 8 bits each.
fn add(kinds: &mut KindCounts, packed: u64) {
    for (count, byte) in kinds.iter_mut().zip(packed.to_le_bytes()) {
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
            let mut running = RunningCounts::default();
            text.chars().filter(|each| !each.is_ascii()).for_each(|each| running.add(property_of(each)));
            let mut counts = running.kinds();
            AsciiCounter::new().count(&text, &mut counts);
            for (number, &count) in counts.iter().enumerate() {
                let naive = text.chars().filter(|&each| property_of(each).is(number)).count();
                assert_eq!(count as usize, naive);
            }
        }
    }
}
