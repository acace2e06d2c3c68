//! Numbers for equal things, from 0 in the order of first occurrence.
#![forbid(unsafe_code)]

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Hashes with a secret of the process: who writes pages cannot choose texts that collide. Numbers do not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Hashing {
    secret: u64,
}

impl Hashing {
    /// With a secret from the standard library.
    pub fn new() -> Self {
        Hashing { secret: RandomState::new().build_hasher().finish() | 1 }
    }

    /// The hash of a text: eight bytes at a time, each step a multiplication folded in two (as in wyhash).
    pub fn of_text(&self, text: &str) -> u64 {
        let bytes = text.as_bytes();
        let start = self.secret ^ bytes.len() as u64;
        let hash = bytes.chunks_exact(8).fold(start, |hash, eight| self.fold(hash ^ number_at(eight)));
        self.fold(hash ^ last_eight(bytes))
    }

    /// The hash of a pair of numbers.
    pub fn of_pair(&self, (first, second): (u32, u32)) -> u64 {
        self.of_number(u64::from(first) << 32 | u64::from(second))
    }

    /// The hash of a number.
    #[inline]
    pub fn of_number(&self, number: u64) -> u64 {
        self.fold(number ^ self.secret.rotate_left(32))
    }

    /// A number whose first bits depend on the secret: enough where numbers are hashes already.
    #[inline]
    pub fn scatter(&self, hash: u64) -> u64 {
        hash.wrapping_mul(self.secret)
    }

    /// One step: both halves of a product with the secret.
    #[inline]
    fn fold(&self, value: u64) -> u64 {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let product = u128::from(value ^ ODD) * u128::from(self.secret);
        product as u64 ^ (product >> 64) as u64
    }
}

/// The number of eight bytes.
#[inline]
fn number_at(eight: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(eight);
    u64::from_le_bytes(bytes)
}

/// A number of the last eight bytes, some of which may have been read before; or of all, if there are fewer. It is made
/// without a step for each byte, the number of which the processor would have to guess.
#[inline]
fn last_eight(bytes: &[u8]) -> u64 {
    match bytes.len() {
        8.. => number_at(&bytes[bytes.len() - 8..]),
        4..=7 => {
            let four =
                |from: usize| bytes[from..from + 4].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
            four(0) << 32 | four(bytes.len() - 4)
        }
        1..=3 => {
            let byte = |place: usize| u64::from(bytes[place]);
            byte(0) << 16 | byte(bytes.len() / 2) << 8 | byte(bytes.len() - 1)
        }
        _ => 0,
    }
}

impl Default for Hashing {
    /// The same as `new`.
    fn default() -> Self {
        Self::new()
    }
}

impl BuildHasher for Hashing {
    type Hasher = KeyHasher;

    fn build_hasher(&self) -> KeyHasher {
        KeyHasher { hashing: *self, hash: self.secret }
    }
}

/// Hashes the keys of the standard library's maps: short ones in a quarter of the time that SipHash takes.
pub struct KeyHasher {
    hashing: Hashing,
    hash: u64,
}

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.hash
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.chunks_exact(8).for_each(|eight| self.write_u64(number_at(eight)));
        self.write_u64(last_eight(bytes) ^ bytes.len() as u64);
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.hash = self.hashing.fold(self.hash ^ number);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

/// Numbers of keys: open addressing, at most half full.
#[derive(Clone, Debug)]
pub struct Numbering<K> {
    keys: Vec<(u64, K)>,
    /// One more than the number of a key; 0 for an empty slot.
    slots: Vec<u32>,
}

impl<K: Copy + PartialEq> Numbering<K> {
    /// For about so many different keys.
    pub fn with_room_for(keys: usize) -> Self {
        Numbering { keys: Vec::with_capacity(keys), slots: vec![0; (2 * keys).next_power_of_two().max(16)] }
    }

    /// How many different keys there is room for.
    pub fn room(&self) -> usize {
        self.keys.capacity()
    }

    /// Forgets all keys.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.slots.fill(0);
    }

    /// How many different keys there were.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The number of a key with this hash.
    pub fn number_of(&mut self, key: K, hash: u64) -> u32 {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 {
            let number = self.slots[slot] - 1;
            if self.keys[number as usize] == (hash, key) {
                return number;
            }
            slot = (slot + 1) & mask;
        }
        self.keys.push((hash, key));
        self.slots[slot] = self.keys.len() as u32;
        if 2 * self.keys.len() > self.slots.len() {
            self.grow();
        }
        self.keys.len() as u32 - 1
    }

    /// Doubles the slots.
    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        let mut slots = vec![0; mask + 1];
        for (number, (hash, _)) in self.keys.iter().enumerate() {
            let mut slot = *hash as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = number as u32 + 1;
        }
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_like_the_naive_twin() {
        let hashing = Hashing::new();
        let texts: Vec<String> = (0..3000u32).map(|number| "x".repeat((number * number % 97) as usize)).collect();
        let mut numbering = Numbering::with_room_for(2);
        let mut seen: Vec<&str> = Vec::new();
        for text in &texts {
            let naive = seen.iter().position(|other| other == text).unwrap_or_else(|| {
                seen.push(text);
                seen.len() - 1
            });
            assert_eq!(numbering.number_of(text.as_str(), hashing.of_text(text)) as usize, naive);
        }
        assert_eq!(numbering.len(), seen.len());
    }

    #[test]
    fn pairs_in_another_order_are_others() {
        let hashing = Hashing::new();
        assert_ne!(hashing.of_pair((1, 2)), hashing.of_pair((2, 1)));
        assert_ne!(hashing.of_text("a"), hashing.of_text("a\0"));
    }

    #[test]
    fn every_byte_of_a_text_counts() {
        let hashing = Hashing::new();
        for length in 1..40 {
            let text = "x".repeat(length);
            for place in 0..length {
                let other = [&text[..place], "y", &text[place + 1..]].concat();
                assert_ne!(hashing.of_text(&text), hashing.of_text(&other), "{} {}", length, place);
            }
        }
    }
}
