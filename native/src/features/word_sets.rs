//! Sets of hashed words, with a byte of flags each.
#![forbid(unsafe_code)]

use super::numbering::Hashing;

/// Slots for each word, at least: so few that the hashes of all function words stay in the processor's first cache.
const SLOTS_PER_WORD: usize = 2;
/// Marks an empty slot; no word is expected to have this hash, one in 2^64.
const NO_WORD: u64 = 0;

/// A table of hashes, open addressing.
///
/// Hashes of words are the same everywhere, and who writes a page could choose words that collide; slots depend on a
/// secret.
#[derive(Clone, Debug)]
pub struct WordSet {
    hashes: Vec<u64>,
    flags: Vec<u8>,
    words: usize,
    hashing: Hashing,
    /// What is left of 64 bits is the number of a slot.
    shift: u32,
}

impl WordSet {
    /// An empty set, for at most so many words.
    pub fn with_room_for(words: usize) -> Self {
        let slots = (SLOTS_PER_WORD * words).next_power_of_two().max(2);
        WordSet {
            hashes: vec![NO_WORD; slots],
            flags: vec![0; slots],
            words: 0,
            hashing: Hashing::new(),
            shift: u64::BITS - slots.trailing_zeros(),
        }
    }

    /// The same set, with room for so many more words.
    pub fn with_more_room(&self, words: usize) -> Self {
        if SLOTS_PER_WORD * (self.words + words) <= self.hashes.len() {
            return self.clone();
        }
        let mut larger = WordSet::with_room_for(self.words + words);
        for (&hash, &flags) in self.hashes.iter().zip(&self.flags).filter(|(&hash, _)| hash != NO_WORD) {
            larger.add(hash, flags);
        }
        larger
    }

    /// Adds flags to a word; returns those it had.
    pub fn add(&mut self, hash: u64, flags: u8) -> u8 {
        let slot = self.slot(hash);
        self.words += usize::from(self.hashes[slot] == NO_WORD);
        self.hashes[slot] = hash;
        let before = self.flags[slot];
        self.flags[slot] = before | flags;
        before
    }

    /// The flags of a word; 0 if it is not there.
    #[inline]
    pub fn flags(&self, hash: u64) -> u8 {
        let slot = self.slot(hash);
        if self.hashes[slot] == hash {
            self.flags[slot]
        } else {
            0
        }
    }

    /// Where a word is, or would be.
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        let mask = self.hashes.len() - 1;
        let mut slot = (self.hashing.scatter(hash) >> self.shift) as usize & mask;
        while self.hashes[slot] != NO_WORD && self.hashes[slot] != hash {
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
        set.add(7 << 50, 2);
        assert_eq!([7, 7 << 50, 39].map(|hash| set.flags(hash)), [5, 2, 0]);
    }

    #[test]
    fn nothing_is_in_an_empty_set() {
        assert_eq!(WordSet::with_room_for(0).flags(1), 0);
    }

    #[test]
    fn a_larger_set_has_the_same_words() {
        let mut set = WordSet::with_room_for(10);
        (1..=10).for_each(|hash| assert_eq!(set.add(hash, hash as u8), 0));
        let mut larger = set.with_more_room(1000);
        (11..=1010).for_each(|hash| assert_eq!(larger.add(hash, 1), 0));
        assert!((1..=10).all(|hash| larger.flags(hash) == hash as u8 && set.flags(hash) == hash as u8));
        assert_eq!(set.flags(11), 0);
    }
}
