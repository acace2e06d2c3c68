//! Names of tags and attributes as numbers.
//!
//! The first and last eight bytes of a name and its length are three numbers, which tell all names of up to 16 bytes apart:
//! looking one up is a multiplication and, nearly always, one comparison. Of longer names the finder compares the rest.

#![forbid(unsafe_code)]

use super::bytes::{lowercase_word, word_at};
use super::tags::{Tag, NAMES, NO_TAG};
use std::collections::HashMap;

/// Bytes of the longest name that its key determines.
pub const WIDTH: usize = 16;

/// A name in lower case as numbers. No name has the key of the empty one, which marks free slots.
#[derive(Clone, Copy)]
struct Key {
    first: u64,
    last: u64,
    length: usize,
}

impl Key {
    const NONE: Self = Self { first: 0, last: 0, length: 0 };

    #[inline]
    const fn of(name: &[u8]) -> Self {
        let length = name.len();
        let (first, last) =
            if length >= 8 { (word_at(name, 0), word_at(name, length - 8)) } else { (short_word(name), 0) };
        Self { first: lowercase_word(first), last: lowercase_word(last), length }
    }

    /// Where to look first; slots are a power of two.
    #[inline]
    const fn slot(&self, slots: usize) -> usize {
        let folded = self.first ^ self.last.rotate_left(23) ^ ((self.length as u64) << 56);
        // The golden ratio's fraction spreads the upper bits.
        (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & (slots - 1)
    }

    const fn is(&self, other: &Self) -> bool {
        self.first == other.first && self.last == other.last && self.length == other.length
    }
}

/// A name of less than eight bytes as a number, which it is the only one of its length to have.
#[inline]
const fn short_word(name: &[u8]) -> u64 {
    let length = name.len();
    match length {
        0 => 0,
        // One to three bytes: the first, the middle and the last.
        1..=3 => name[0] as u64 | (name[length / 2] as u64) << 8 | (name[length - 1] as u64) << 16,
        // The first four and the last four, which may overlap.
        _ => half_word(name, 0) | half_word(name, length - 4) << 32,
    }
}

#[inline]
const fn half_word(name: &[u8], at: usize) -> u64 {
    u32::from_le_bytes([name[at], name[at + 1], name[at + 2], name[at + 3]]) as u64
}

/// A hash table from names to their positions in a list, made at compile time.
pub struct NameTable<const SLOTS: usize> {
    keys: [Key; SLOTS],
    codes: [u16; SLOTS],
}

impl<const SLOTS: usize> NameTable<SLOTS> {
    /// A table of these names.
    pub const fn new(list: &[&str]) -> Self {
        let mut keys = [Key::NONE; SLOTS];
        let mut codes = [0; SLOTS];
        let mut code = 0;
        while code < list.len() {
            let key = Key::of(list[code].as_bytes());
            let mut slot = key.slot(SLOTS);
            while keys[slot].length != 0 {
                slot = (slot + 1) & (SLOTS - 1);
            }
            keys[slot] = key;
            codes[slot] = code as u16;
            code += 1;
        }
        Self { keys, codes }
    }

    /// The position of a name, in any case. Of a name longer than `WIDTH`, one that may be it.
    #[inline]
    pub fn find(&self, name: &[u8]) -> Option<u16> {
        let key = Key::of(name);
        let mut slot = key.slot(SLOTS);
        while !self.keys[slot].is(&key) {
            if self.keys[slot].length == 0 {
                return None;
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
        Some(self.codes[slot])
    }
}

/// Slots for 150 names: so many that most look-ups end at the first.
const TAG_SLOTS: usize = 512;
static KNOWN_TAGS: NameTable<TAG_SLOTS> = NameTable::new(NAMES);

/// The tag names of one page.
#[derive(Default)]
pub struct Names {
    codes: HashMap<Vec<u8>, Tag>,
    others: Vec<Vec<u8>>,
    lowercase: Vec<u8>,
}

impl Names {
    /// The code of a name as it is written in the page; new names get the next code.
    #[inline]
    pub fn code(&mut self, written: &[u8]) -> Tag {
        match Self::known(written) {
            Some(tag) => tag,
            None => self.other_code(written),
        }
    }

    /// The code of a name, or `NO_TAG` if no element so far has it.
    #[inline]
    pub fn existing_code(&mut self, written: &[u8]) -> Tag {
        match Self::known(written) {
            Some(tag) => tag,
            None => {
                tag_name(written, &mut self.lowercase);
                self.codes.get(&self.lowercase).copied().unwrap_or(NO_TAG)
            }
        }
    }

    /// The code of a name that keeps its capitals, as some names of SVG do.
    pub fn code_of_adjusted(&mut self, name: &str) -> Tag {
        self.lowercase.clear();
        self.lowercase.extend_from_slice(name.as_bytes());
        self.intern()
    }

    /// The name behind a code.
    pub fn name(&self, tag: Tag) -> &[u8] {
        match NAMES.get(tag as usize) {
            Some(name) => name.as_bytes(),
            None => &self.others[tag as usize - NAMES.len()],
        }
    }

    #[inline]
    fn known(written: &[u8]) -> Option<Tag> {
        if written.len() > WIDTH {
            return None;
        }
        KNOWN_TAGS.find(written).map(Tag::from)
    }

    fn other_code(&mut self, written: &[u8]) -> Tag {
        tag_name(written, &mut self.lowercase);
        self.intern()
    }

    fn intern(&mut self) -> Tag {
        if let Some(&tag) = self.codes.get(&self.lowercase) {
            return tag;
        }
        let tag = (NAMES.len() + self.others.len()) as Tag;
        self.others.push(self.lowercase.clone());
        self.codes.insert(self.lowercase.clone(), tag);
        tag
    }
}

/// A name as the standard reads it: ASCII letters in lower case, U+FFFD for NUL.
pub fn tag_name(written: &[u8], name: &mut Vec<u8>) {
    name.clear();
    for &byte in written {
        match byte {
            0 => name.extend_from_slice("\u{FFFD}".as_bytes()),
            _ => name.push(byte.to_ascii_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::attributes::{find_attribute, ATTRIBUTES};

    #[test]
    fn every_name_is_found_in_any_case() {
        let mut names = Names::default();
        for (code, name) in NAMES.iter().enumerate().skip(1) {
            assert_eq!(names.code(name.to_uppercase().as_bytes()), code as Tag);
        }
        for (code, name) in ATTRIBUTES.iter().enumerate() {
            assert_eq!(find_attribute(name.to_uppercase().as_bytes()), Some(code as u8));
        }
    }

    #[test]
    fn other_names_get_codes_as_they_come() {
        let mut names = Names::default();
        assert_eq!(names.existing_code(b"x-one"), NO_TAG);
        let one = names.code(b"X-One");
        assert_eq!(one, NAMES.len() as Tag);
        assert_eq!(names.code(b"a-name-longer-than-sixteen-bytes"), one + 1);
        assert_eq!(names.existing_code(b"x-ONE"), one);
        assert_eq!(names.name(one), b"x-one");
    }

    #[test]
    fn long_attribute_names_are_compared_in_full() {
        assert_eq!(find_attribute(b"aria-bra--description"), None);
    }
}
