//! Names of tags and attributes as numbers.
//!
//! The first and second eight bytes of a name and its length are three numbers, which tell all names of up to 16 bytes
//! apart: looking one up is a multiplication and, nearly always, one comparison. Of longer names the finder compares the
//! rest. Up to eight bytes nothing depends on how long a name is, which no processor can foresee. Capitals, which few names
//! have, do not change where a name is looked up, and are made small only if it is not found there as it is written.

#![forbid(unsafe_code)]

use super::bytes::{find_name_end, is_of, lowercase_word, ENDS_TAG_NAME};
use super::tags::{Tag, NAMES, NO_TAG};
use std::collections::HashMap;

/// Bytes of the longest name that its key determines.
const WIDTH: usize = 2 * WORD;
const WORD: usize = 8;

/// A name as numbers. No name has the key of the empty one, which marks free slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    first: u64,
    second: u64,
    length: usize,
}

impl Key {
    const NONE: Self = Self { first: 0, second: 0, length: 0 };

    /// The key of a name, byte by byte.
    const fn of(name: &[u8]) -> Self {
        let mut bytes = [0; WIDTH];
        let mut index = 0;
        while index < name.len() && index < WIDTH {
            bytes[index] = name[index];
            index += 1;
        }
        Self::within(&bytes, name.len())
    }

    /// The key of a name of this length, at least one byte, given the bytes from its start on.
    #[inline(always)]
    const fn within(bytes: &[u8; WIDTH], length: usize) -> Self {
        let both = u128::from_le_bytes(*bytes);
        // What follows a name is shifted out.
        if length <= WORD {
            return Self { first: (both as u64).wrapping_shl(8 * (WORD - length) as u32), second: 0, length };
        }
        let others = if length < WIDTH { 8 * (WIDTH - length) as u32 } else { 0 };
        Self { first: both as u64, second: ((both >> 64) as u64).wrapping_shl(others), length }
    }

    /// The key of the name that starts at a place, if it ends, before a byte of a class, within a word; its length is in it.
    #[inline(always)]
    fn in_word(source: &[u8], start: usize, class: u8) -> Option<Self> {
        let word = u64::from_le_bytes(source.get(start..)?.get(..WORD)?.try_into().ok()?);
        // All letters have this bit, and nothing that ends a name. The first byte is a part of it, whatever it is.
        let mut others = !word & u64::from_le_bytes([0, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40]);
        while others != 0 {
            let length = others.trailing_zeros() as usize / 8;
            if is_of((word >> (8 * length)) as u8, class) {
                return Some(Self { first: word << (8 * (WORD - length)), second: 0, length });
            }
            // A digit, a hyphen, or whatever else is no letter.
            others &= others - 1;
        }
        None
    }

    /// The key of the same name in lower case.
    fn lowercase(&self) -> Self {
        Self { first: lowercase_word(self.first), second: lowercase_word(self.second), length: self.length }
    }

    /// Where to look first, the same for capitals; slots are a power of two.
    #[inline(always)]
    const fn slot(&self, slots: usize) -> usize {
        const SMALL: u64 = u64::from_le_bytes([b' '; WORD]);
        let folded = (self.first | SMALL) ^ (self.second | SMALL).rotate_left(23) ^ ((self.length as u64) << 56);
        // Of 30,000 factors, the one with which most names, and all common ones, are where they are looked up first. The
        // upper nine bits are enough for 512 slots.
        (folded.wrapping_mul(0xB510_DEBD_C773_1593) >> 55) as usize & (slots - 1)
    }

    const fn is(&self, other: &Self) -> bool {
        self.first == other.first && self.second == other.second && self.length == other.length
    }
}

/// A hash table from names to their positions in a list of at most 256, made at compile time.
pub struct NameTable<const SLOTS: usize> {
    names: &'static [&'static str],
    keys: [Key; SLOTS],
    codes: [u8; SLOTS],
}

impl<const SLOTS: usize> NameTable<SLOTS> {
    /// A table of these names.
    pub const fn new(names: &'static [&'static str]) -> Self {
        let mut keys = [Key::NONE; SLOTS];
        let mut codes = [0; SLOTS];
        let mut code = 0;
        while code < names.len() {
            let key = Key::of(names[code].as_bytes());
            let mut slot = key.slot(SLOTS);
            while keys[slot].length != 0 {
                slot = (slot + 1) & (SLOTS - 1);
            }
            keys[slot] = key;
            codes[slot] = code as u8;
            code += 1;
        }
        Self { names, keys, codes }
    }

    /// Where the name ends that starts at a place, at least one byte further on, and its position in the list, in any case.
    #[inline(always)]
    pub fn read(&self, source: &[u8], start: usize, class: u8) -> (usize, Option<u8>) {
        match Key::in_word(source, start, class) {
            Some(key) => (start + key.length, self.find(&key)),
            None => self.read_long(source, start, class),
        }
    }

    /// The same for a name that does not end within a word.
    #[inline(never)]
    fn read_long(&self, source: &[u8], start: usize, class: u8) -> (usize, Option<u8>) {
        let end = find_name_end(source, start + 1, class);
        let key = match source[start..].get(..WIDTH).map(<&[u8; WIDTH]>::try_from) {
            Some(Ok(bytes)) => Key::within(bytes, end - start),
            _ => Key::of(&source[start..end]),
        };
        // Longer names may have the same key.
        let is_it = |&code: &u8| {
            key.length <= WIDTH || self.names[usize::from(code)].as_bytes().eq_ignore_ascii_case(&source[start..end])
        };
        (end, self.find(&key).filter(is_it))
    }

    /// The position of a name that has a key, or of one that begins like it if it is longer than `WIDTH`.
    #[inline(always)]
    fn find(&self, key: &Key) -> Option<u8> {
        let slot = key.slot(SLOTS);
        if self.keys[slot].is(key) {
            return Some(self.codes[slot]);
        }
        self.find_from(slot, &key.lowercase())
    }

    /// The position of a name in lower case that is in this slot or after it, if anywhere.
    #[inline(never)]
    fn find_from(&self, mut slot: usize, key: &Key) -> Option<u8> {
        while !self.keys[slot].is(key) {
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

/// Where the name of a tag ends that starts at a place, and its code if it has a fixed one.
#[inline(always)]
pub fn read_tag_name(source: &[u8], start: usize) -> (usize, Option<Tag>) {
    let (end, code) = KNOWN_TAGS.read(source, start, ENDS_TAG_NAME);
    (end, code.map(Tag::from))
}

/// The tag names of one page.
#[derive(Default)]
pub struct Names {
    codes: HashMap<Vec<u8>, Tag>,
    others: Vec<Vec<u8>>,
    lowercase: Vec<u8>,
}

impl Names {
    /// The code of a name without a fixed one, as it is written in the page; new names get the next code.
    #[inline(never)]
    pub fn other_code(&mut self, written: &[u8]) -> Tag {
        tag_name(written, &mut self.lowercase);
        self.intern()
    }

    /// The code of such a name, or `NO_TAG` if no element so far has it.
    #[inline(never)]
    pub fn existing_code(&mut self, written: &[u8]) -> Tag {
        tag_name(written, &mut self.lowercase);
        self.codes.get(&self.lowercase).copied().unwrap_or(NO_TAG)
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
    use crate::html::attributes::{read_attribute_name, ATTRIBUTES};
    use crate::html::bytes::ENDS_ATTRIBUTE_NAME;

    #[test]
    fn every_name_is_found_in_any_case() {
        // At the end of a page, or with more of the page behind it.
        for more in ["", " id=x>and so on, for more than sixteen bytes"] {
            for (code, known) in NAMES.iter().enumerate().skip(1) {
                let page = known.to_uppercase() + more;
                assert_eq!(read_tag_name(page.as_bytes(), 0), (known.len(), Some(code as Tag)));
            }
            for (code, known) in ATTRIBUTES.iter().enumerate() {
                let page = known.to_uppercase() + more;
                assert_eq!(read_attribute_name(page.as_bytes(), 0), (known.len(), Some(code as u8)));
            }
        }
    }

    #[test]
    fn keys_depend_on_the_name_alone() {
        for name in ["a", "h1", "A-b", "=x=", "seven-l", "eight-le", "\u{e9}\0@[`{", "An-attribute-name-of-many-bytes"]
        {
            let name = name.trim_end_matches('=').as_bytes();
            let page = [name, b"=and whatever follows it"].concat();
            let key = Key::of(name);
            let found = Key::in_word(&page, 0, ENDS_ATTRIBUTE_NAME);
            assert_eq!(found, Some(key).filter(|_| name.len() < WORD), "{:?}", name);
            assert_eq!(Key::within(page[..WIDTH].try_into().unwrap(), name.len()), key, "{:?}", name);
            assert_eq!(Key::in_word(name, 0, ENDS_ATTRIBUTE_NAME), None);
        }
    }

    #[test]
    fn other_names_get_codes_as_they_come() {
        let mut names = Names::default();
        assert_eq!(names.existing_code(b"x-one"), NO_TAG);
        let one = names.other_code(b"X-One");
        assert_eq!(one, NAMES.len() as Tag);
        assert_eq!(names.other_code(b"a-name-longer-than-sixteen-bytes"), one + 1);
        assert_eq!(names.existing_code(b"x-ONE"), one);
        assert_eq!(names.name(one), b"x-one");
    }

    #[test]
    fn other_signs_do_not_become_those_of_a_name() {
        // Where a name is looked up does not depend on the bit that tells these from those of `data-src` and `[hidden]`.
        for written in ["data\rsrc", "DATA\rSRC", "{hidden]", "[hidden}"] {
            assert_eq!(read_attribute_name(written.as_bytes(), 0).1, None, "{written:?}");
        }
    }

    #[test]
    fn long_attribute_names_are_compared_in_full() {
        let long = "aria-brailleroledescriptiox";
        assert_eq!(read_attribute_name(long.as_bytes(), 0), (long.len(), None));
    }
}
