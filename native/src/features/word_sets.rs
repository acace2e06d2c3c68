//! Sets of hashed words, with a byte of flags each.
#![forbid(unsafe_code)]

use super::numbering::Hashing;

/// Slots for each word: most look-ups end at the first.
const SLOTS_PER_WORD: usize = 4;

/// A table of hashes, open addressing; flags 0 are an empty slot.
///
/// Hashes of words are the same everywhere, and who writes a page could choose words that collide; slots depend on a
/// secret.
#[derive(Clone, Debug)]
pub struct WordSet {
    slots: Vec<(u64, u8)>,
    hashing: Hashing,
}

impl WordSet {
    /// An empty set, for at most so many words.
    pub fn with_room_for(words: usize) -> Self {
        let slots = (SLOTS_PER_WORD * words).next_power_of_two().max(2);
        WordSet { slots: vec![(0, 0); slots], hashing: Hashing::new() }
    }

    /// Adds flags to a word; returns those it had.
    pub fn add(&mut self, hash: u64, flags: u8) -> u8 {
        let slot = self.slot(hash);
        let before = self.slots[slot].1;
        self.slots[slot] = (hash, before | flags);
        before
    }

    /// The flags of a word; 0 if it is not there.
    #[inline]
    pub fn flags(&self, hash: u64) -> u8 {
        self.slots[self.slot(hash)].1
    }

    /// Where a word is, or would be.
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.hashing.of_number(hash) as usize & mask;
        while self.slots[slot].1 != 0 && self.slots[slot].0 != hash {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_add_up() {
        let mut set = WordSet::with_room_for(3);
        assert_eq!(set.add(7, 1), 0);
        assert_eq!(set.add(7, 4), 1);
        set.add(7 + 16, 2);
        set.add(0, 8);
        assert_eq!([7, 23, 0, 39].map(|hash| set.flags(hash)), [5, 2, 8, 0]);
    }

    #[test]
    fn nothing_is_in_an_empty_set() {
        assert_eq!(WordSet::with_room_for(0).flags(0), 0);
    }
}
