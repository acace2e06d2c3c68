//! Names of tags and attributes as numbers.
//!
//! The first and second eight bytes of a name and its length are three numbers, which tell all names of up to 16 bytes
//! apart: looking one up is a multiplication and, nearly always, one comparison. Of longer names the finder compares the
//! rest. Up to eight bytes nothing depends on how long a name is, which no processor can foresee. Capitals, which few names
//! have, do not change where a name is looked up, and are made small only if it is not found there as it is written.

#![forbid(unsafe_code)]

use super::bytes::lowercase_word;
use super::tags::{Tag, NAMES, NO_TAG};
use super::tokenizer::Span;
use std::collections::HashMap;

/// Bytes of the longest name that its key determines.
pub const WIDTH: usize = 2 * WORD;
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

/// A name as it is written in the page.
#[derive(Clone, Copy, Debug)]
pub struct Name<'source> {
    written: &'source [u8],
    key: Key,
}

impl<'source> Name<'source> {
    /// The name at a place of a page.
    #[inline(always)]
    pub fn at(source: &'source [u8], span: &Span) -> Self {
        let rest = &source[span.start..];
        let written = &rest[..span.len()];
        match rest.get(..WIDTH).map(<&[u8; WIDTH]>::try_from) {
            Some(Ok(bytes)) => Self { written, key: Key::within(bytes, written.len()) },
            _ => Self { written, key: Key::of(written) },
        }
    }

    /// Whether this is a name that has the same key.
    #[inline]
    pub fn is(&self, found: &str) -> bool {
        self.written.len() <= WIDTH || found.as_bytes().eq_ignore_ascii_case(self.written)
    }
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
    #[inline(always)]
    pub fn find(&self, name: &Name) -> Option<u16> {
        let slot = name.key.slot(SLOTS);
        if self.keys[slot].is(&name.key) {
            return Some(self.codes[slot]);
        }
        self.find_from(slot, &name.key.lowercase())
    }

    /// The position of a name in lower case that is in this slot or after it, if anywhere.
    #[inline(never)]
    fn find_from(&self, mut slot: usize, key: &Key) -> Option<u16> {
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
    pub fn code(&mut self, name: &Name) -> Tag {
        match Self::known(name) {
            Some(tag) => tag,
            None => self.other_code(name.written),
        }
    }

    /// The code of a name, or `NO_TAG` if no element so far has it.
    #[inline]
    pub fn existing_code(&mut self, name: &Name) -> Tag {
        match Self::known(name) {
            Some(tag) => tag,
            None => {
                tag_name(name.written, &mut self.lowercase);
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
    fn known(name: &Name) -> Option<Tag> {
        if name.written.len() > WIDTH {
            return None;
        }
        KNOWN_TAGS.find(name).map(Tag::from)
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

    /// A name at the end of a page, or with more of the page behind it.
    fn name<'source>(page: &'source str, written: &str) -> Name<'source> {
        Name::at(page.as_bytes(), &(0..written.len()))
    }

    #[test]
    fn every_name_is_found_in_any_case() {
        let mut names = Names::default();
        for more in ["", " id=x>and so on, for more than sixteen bytes"] {
            for (code, known) in NAMES.iter().enumerate().skip(1) {
                let page = known.to_uppercase() + more;
                assert_eq!(names.code(&name(&page, known)), code as Tag);
            }
            for (code, known) in ATTRIBUTES.iter().enumerate() {
                let page = known.to_uppercase() + more;
                assert_eq!(find_attribute(&name(&page, known)), Some(code as u8));
            }
        }
    }

    #[test]
    fn keys_depend_on_the_name_alone() {
        let page = "An-attribute-name-of-many-bytes and whatever follows it";
        for length in 1..32 {
            assert_eq!(name(page, &page[..length]).key, Key::of(&page.as_bytes()[..length]));
        }
    }

    #[test]
    fn other_names_get_codes_as_they_come() {
        let mut names = Names::default();
        let of = |written: &'static str| name(written, written);
        assert_eq!(names.existing_code(&of("x-one")), NO_TAG);
        let one = names.code(&of("X-One"));
        assert_eq!(one, NAMES.len() as Tag);
        assert_eq!(names.code(&of("a-name-longer-than-sixteen-bytes")), one + 1);
        assert_eq!(names.existing_code(&of("x-ONE")), one);
        assert_eq!(names.name(one), b"x-one");
    }

    #[test]
    fn other_signs_do_not_become_those_of_a_name() {
        // Where a name is looked up does not depend on the bit that tells these from those of `data-src` and `[hidden]`.
        for written in ["data\rsrc", "DATA\rSRC", "{hidden]", "[hidden}"] {
            assert_eq!(find_attribute(&name(written, written)), None, "{written:?}");
        }
    }

    #[test]
    fn long_attribute_names_are_compared_in_full() {
        let long = "aria-brailleroledescriptiox";
        assert_eq!(find_attribute(&name(long, long)), None);
    }
}
