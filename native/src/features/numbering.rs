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
        let mut chunks = text.as_bytes().chunks_exact(8);
        let mut hash = self.secret ^ text.len() as u64;
        let mut word = [0; 8];
        for chunk in &mut chunks {
            word.copy_from_slice(chunk);
            hash = self.fold(hash ^ u64::from_le_bytes(word));
        }
        let rest = chunks.remainder().iter().fold(0, |rest, &byte| rest << 8 | u64::from(byte));
        self.fold(hash ^ rest)
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
        let mut chunks = bytes.chunks_exact(8);
        let mut word = [0; 8];
        for chunk in &mut chunks {
            word.copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        let rest = chunks.remainder().iter().fold(bytes.len() as u64, |rest, &byte| rest << 8 | u64::from(byte));
        self.write_u64(rest);
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
        Numbering { keys: Vec::new(), slots: vec![0; (2 * keys).next_power_of_two().max(16)] }
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
}
