//! Runs of bytes that words are made of, found 64 bytes at a time.
//!
//! To look for the end of each word from its beginning on would make every word wait for the one before. Here a bit says of
//! each of 64 bytes whether it may be part of a word, whatever stands before it; where bits change, a run begins or ends.
#![forbid(unsafe_code)]

/// Bytes that are looked at at once.
const WINDOW: usize = u64::BITS as usize;

/// The places where runs begin and end: letters, digits and underscores of ASCII, and all bytes beyond it.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    bytes: &'a [u8],
    /// Where the next window begins.
    next: usize,
    /// Bits of the places in the window before where a run begins or ends, without those that were given.
    edges: u64,
    /// 1 if that window ends within a run.
    last: u64,
}

impl<'a> Runs<'a> {
    /// Those of a text.
    pub fn new(text: &'a str) -> Self {
        Runs { bytes: text.as_bytes(), next: 0, edges: 0, last: 0 }
    }

    /// The next place where a run begins or ends, in turns; behind all places if there is none.
    #[inline]
    pub fn next_edge(&mut self) -> usize {
        while self.edges == 0 {
            // A run up to the last byte ends behind it.
            if self.next > self.bytes.len() {
                return usize::MAX;
            }
            let bits = bits_from(self.bytes, self.next);
            self.edges = bits ^ (bits << 1 | self.last);
            self.last = bits >> (WINDOW - 1);
            self.next += WINDOW;
        }
        let place = self.next - WINDOW + self.edges.trailing_zeros() as usize;
        self.edges &= self.edges - 1;
        place
    }
}

/// The bits of the window from a place on: whether each byte is part of a run. The place is not behind the last byte; what
/// would follow that is not.
#[inline(never)]
fn bits_from(bytes: &[u8], start: usize) -> u64 {
    match bytes.get(start..start + WINDOW) {
        Some(window) => bits_of(window),
        None => {
            let (mut window, rest) = ([0; WINDOW], &bytes[start..]);
            window[..rest.len()].copy_from_slice(rest);
            bits_of(&window)
        }
    }
}

/// A bit for each byte of a window: whether it is part of a run.
#[inline]
fn bits_of(window: &[u8]) -> u64 {
    /// Times this, the lowest bits of eight bytes follow each other in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut is_part = [0; WINDOW];
    // Without a branch, so that the compiler looks at several bytes at once.
    for (part, &byte) in is_part.iter_mut().zip(window) {
        let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        *part = u8::from(is_letter | (byte.wrapping_sub(b'0') < 10) | (byte == b'_') | (byte >= 0x80));
    }
    let mut bits = 0;
    for (number, eight) in is_part.chunks_exact(8).enumerate() {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(eight);
        bits |= (u64::from_le_bytes(bytes).wrapping_mul(GATHER) >> 56) << (8 * number);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::character_properties::WordClass;
    use crate::blocks::characters::property_of;

    /// The same, byte by byte.
    fn naive_edges(text: &str) -> Vec<usize> {
        let is_part = |place: usize| match text.as_bytes().get(place) {
            Some(byte) if byte.is_ascii() => property_of(char::from(*byte)).class != WordClass::Outside,
            other => other.is_some(),
        };
        (0..=text.len()).filter(|&place| is_part(place) != (place > 0 && is_part(place - 1))).collect()
    }

    #[test]
    fn edges_are_those_of_the_naive_twin() {
        let ascii: String = (0..128).map(|byte| char::from(byte as u8)).collect();
        let mut texts = vec![ascii, "é漢 x\u{a0}y".repeat(30)];
        texts.extend((0..200).map(|length| "ab_9, ".repeat(40)[..length].to_string()));
        texts.extend((0..200).map(|length| "x".repeat(length)));
        for text in texts {
            let mut runs = Runs::new(&text);
            let edges: Vec<usize> =
                std::iter::from_fn(|| Some(runs.next_edge())).take_while(|&edge| edge < usize::MAX).collect();
            assert_eq!(edges, naive_edges(&text), "{}", text);
        }
    }
}
