//! A set of hashed words that never changes, in which a look-up takes two loads and nothing is guessed.
//!
//! Every third word of running text is a function word. Where a processor has to guess whether the next one is, it guesses wrong
//! so often that a table with open addressing takes four times as long. Here each word has one place where it can be
//! (Fox, Heath, Chen, Daoud: Practical Minimal Perfect Hash Functions for Large Databases, CACM 1992): words are put into
//! groups by their first bits, and for each group, the largest first, a shift is sought that leads its words to free slots.
#![forbid(unsafe_code)]

/// Slots: twice as many as there are function words, so that shifts are soon found, and so few that they do not displace
/// what else is in the processor's first cache.
const SLOT_BITS: u32 = 10;
const SLOTS: usize = 1 << SLOT_BITS;
/// Groups, some two words each.
const GROUP_BITS: u32 = 8;
const GROUPS: usize = 1 << GROUP_BITS;
/// The first of the 32 bits of a hash that are kept of a word. They are none of those that tell its group, and no number
/// has only zeros in them. One word in 2^32 has those of another.
const KEPT_FROM: u32 = 20;
/// Marks a free slot.
const NO_WORD: u32 = 0;

/// Parts of the hashes of words, each in the slot that the shift of its group leads to.
#[derive(Clone, Debug)]
pub struct FixedWords {
    shifts: Box<[u8; GROUPS]>,
    slots: Box<[u32; SLOTS]>,
}

impl FixedWords {
    /// The words with these hashes, of which some may be equal.
    ///
    /// # Panics
    /// If there are too many words to find a place for each.
    pub fn new(mut hashes: Vec<u64>) -> Self {
        hashes.sort_unstable();
        hashes.dedup();
        let mut groups: Vec<&[u64]> = Vec::new();
        let mut rest = hashes.as_slice();
        while let Some(&first) = rest.first() {
            let (group, others) = rest.split_at(rest.partition_point(|&hash| group_of(hash) == group_of(first)));
            groups.push(group);
            rest = others;
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        let mut words = FixedWords { shifts: Box::new([0; GROUPS]), slots: Box::new([NO_WORD; SLOTS]) };
        for group in groups {
            let shift = (0..u64::BITS as u8).find(|&shift| words.has_room(group, shift)).expect("too many words");
            words.shifts[group_of(group[0])] = shift;
            group.iter().for_each(|&hash| words.slots[slot_of(hash, shift)] = kept_of(hash));
        }
        words
    }

    /// Whether a shift leads the words of a group to free slots, each to one of its own.
    fn has_room(&self, group: &[u64], shift: u8) -> bool {
        let slots: Vec<usize> = group.iter().map(|&hash| slot_of(hash, shift)).collect();
        let is_free = |(number, slot): (usize, &usize)| self.slots[*slot] == NO_WORD && !slots[..number].contains(slot);
        slots.iter().enumerate().all(is_free)
    }

    /// Whether a word is one of them.
    #[inline]
    pub fn has(&self, hash: u64) -> bool {
        self.slots[slot_of(hash, self.shifts[group_of(hash)])] == kept_of(hash)
    }
}

/// The group of a word.
#[inline]
fn group_of(hash: u64) -> usize {
    (hash >> (u64::BITS - GROUP_BITS)) as usize
}

/// What is kept of a word.
#[inline]
fn kept_of(hash: u64) -> u32 {
    (hash >> KEPT_FROM) as u32
}

/// The slot that a shift leads a word to.
#[inline]
fn slot_of(hash: u64, shift: u8) -> usize {
    hash.wrapping_shr(u32::from(shift)) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_its_words_and_no_others() {
        let hash_of = |number: u64| (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for words in [0, 1, 10, 300, 500] {
            let hashes: Vec<u64> = (0..words).chain(0..words).map(hash_of).collect();
            let set = FixedWords::new(hashes);
            assert!((0..2000).all(|number| set.has(hash_of(number)) == (number < words)), "{}", words);
        }
    }
}
