//! Sets of hashed words, with a byte of flags each.
#![forbid(unsafe_code)]

use super::numbering::Hashing;

/// Slots for each word, at least.
const SLOTS_PER_WORD: usize = 2;
/// Marks an empty slot; no word is expected to have this hash, one in 2^64.
const NO_WORD: u64 = 0;
/// Bits of the numbers of marks: so many that one word in a hundred has the mark of one of forty others.
const MARK_BITS: u32 = 12;

/// A table of hashes, open addressing.
///
/// Hashes of words are the same everywhere, and who writes a page could choose words that collide; slots depend on a
/// secret.
#[derive(Clone, Debug)]
pub struct WordSet {
    hashes: Vec<u64>,
    flags: Vec<u8>,
    hashing: Hashing,
    /// What is left of 64 bits is the number of a slot.
    shift: u32,
    /// A bit for the mark of each word: most words that are looked up have another one, and need no slot.
    marks: [u64; 1 << MARK_BITS >> 6],
}

impl WordSet {
    /// An empty set, for at most so many words.
    pub fn with_room_for(words: usize) -> Self {
        let slots = (SLOTS_PER_WORD * words).next_power_of_two().max(2);
        WordSet {
            hashes: vec![NO_WORD; slots],
            flags: vec![0; slots],
            hashing: Hashing::new(),
            shift: u64::BITS - slots.trailing_zeros(),
            marks: [0; 1 << MARK_BITS >> 6],
        }
    }

    /// Adds flags to a word; returns those it had.
    pub fn add(&mut self, hash: u64, flags: u8) -> u8 {
        let slot = self.slot(hash);
        let (place, bit) = mark(hash);
        self.marks[place] |= bit;
        self.hashes[slot] = hash;
        let before = self.flags[slot];
        self.flags[slot] = before | flags;
        before
    }

    /// Whether a word may be there.
    #[inline]
    pub fn may_have(&self, hash: u64) -> bool {
        let (place, bit) = mark(hash);
        self.marks[place] & bit != 0
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

/// The mark of a word: where its bit is, and the bit.
#[inline]
fn mark(hash: u64) -> (usize, u64) {
    let number = hash >> (u64::BITS - MARK_BITS);
    ((number >> 6) as usize, 1 << (number & 63))
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
        assert_eq!([7, 7 << 50, 39, 9 << 60].map(|hash| set.may_have(hash)), [true, true, true, false]);
    }

    #[test]
    fn nothing_is_in_an_empty_set() {
        let set = WordSet::with_room_for(0);
        assert!(set.flags(1) == 0 && !set.may_have(1));
    }
}
