//! Names of tags and attributes as numbers.
//!
//! A name of up to seven bytes and its length are one number, which a multiplication leads to its place in a table: no two
//! names have the same, so there is one comparison and nothing that depends on how long a name is, which no processor can
//! foresee. Of longer names the first and second eight bytes and the length are looked up in a hash table, and the finder
//! compares the rest. Capitals, which few names have, do not change where a name is looked up, and are made small only if it
//! is not found there as it is written.

#![forbid(unsafe_code)]

use super::bytes::{find_name_end, is_of, lowercase_word, ENDS_TAG_NAME};
use super::tags::{Tag, NAMES, NO_TAG};
use std::collections::HashMap;

/// Bytes of the longest name that its key determines.
const WIDTH: usize = 2 * WORD;
const WORD: usize = 8;
/// Blanks: the bit that tells small letters from capitals, in every byte.
const SMALL: u64 = u64::from_le_bytes([b' '; WORD]);

/// A name of less than a word as a number: its bytes, the last one highest, and its length lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ShortKey(u64);

impl ShortKey {
    /// The key of a name of this length, given the bytes from its start on. What follows the name is shifted out.
    #[inline(always)]
    const fn within(word: u64, length: usize) -> Self {
        Self(word << (8 * (WORD - length)) | length as u64)
    }

    /// The key of a name, byte by byte; nothing if it is too long.
    const fn of(name: &[u8]) -> Option<Self> {
        if name.is_empty() || name.len() >= WORD {
            return None;
        }
        let (mut word, mut index) = (0, 0);
        while index < name.len() {
            word |= (name[index] as u64) << (8 * index);
            index += 1;
        }
        Some(Self::within(word, name.len()))
    }

    /// The key of the name that starts at a place, if it ends, before a byte of a class, within a word; and its length.
    #[inline(always)]
    fn read(source: &[u8], start: usize, class: u8) -> Option<(Self, usize)> {
        let word = u64::from_le_bytes(source.get(start..)?.get(..WORD)?.try_into().ok()?);
        // All letters have this bit, and nothing that ends a name. The first byte is a part of it, whatever it is.
        let mut others = !word & u64::from_le_bytes([0, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40]);
        while others != 0 {
            let length = others.trailing_zeros() as usize / 8;
            if is_of((word >> (8 * length)) as u8, class) {
                return Some((Self::within(word, length), length));
            }
            // A digit, a hyphen, or whatever else is no letter.
            others &= others - 1;
        }
        None
    }

    /// The key of the same name in lower case.
    const fn lowercase(self) -> Self {
        // No length is a capital.
        Self(lowercase_word(self.0))
    }

    /// Where to look, the same for capitals; slots are a power of two.
    #[inline(always)]
    const fn slot(self, factor: u64, slots: usize) -> usize {
        ((self.0 | SMALL).wrapping_mul(factor) >> (u64::BITS - slots.trailing_zeros())) as usize
    }
}

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
        let (mut words, mut index) = ([0, 0], 0);
        while index < name.len() && index < WIDTH {
            words[index / WORD] |= (name[index] as u64) << (8 * (index % WORD));
            index += 1;
        }
        Self { first: words[0], second: words[1], length: name.len() }
    }

    /// The key of the same name in lower case.
    fn lowercase(&self) -> Self {
        Self { first: lowercase_word(self.first), second: lowercase_word(self.second), length: self.length }
    }

    /// Where to look first, the same for capitals; slots are a power of two.
    const fn slot(&self, slots: usize) -> usize {
        let folded = (self.first | SMALL) ^ (self.second | SMALL).rotate_left(23) ^ ((self.length as u64) << 56);
        (folded.wrapping_mul(0xB510_DEBD_C773_1593) >> (u64::BITS - slots.trailing_zeros())) as usize
    }

    const fn is(&self, other: &Self) -> bool {
        self.first == other.first && self.second == other.second && self.length == other.length
    }
}

/// A short name in a table, by its key, and its position in the list.
#[derive(Clone, Copy)]
struct ShortName {
    key: ShortKey,
    code: u8,
}

/// Tables from names to their positions in a list of at most 256, made at compile time.
pub struct NameTable<const SLOTS: usize> {
    names: &'static [&'static str],
    /// With it, no two short names have the same slot.
    factor: u64,
    short: [ShortName; SLOTS],
    /// Those of longer names, each in its slot or, where that was taken, after it.
    keys: [Key; SLOTS],
    codes: [u8; SLOTS],
}

impl<const SLOTS: usize> NameTable<SLOTS> {
    /// A table of these names. Stops the compiler if the factor leads two short ones to the same slot: then it takes another
    /// one. Of the odd numbers, one in some thousands will do if there are eight times as many slots as names.
    pub const fn new(names: &'static [&'static str], factor: u64) -> Self {
        let mut short = [ShortName { key: ShortKey(0), code: 0 }; SLOTS];
        let (mut keys, mut codes) = ([Key::NONE; SLOTS], [0; SLOTS]);
        let mut code = 0;
        while code < names.len() {
            let name = names[code].as_bytes();
            match ShortKey::of(name) {
                Some(key) => {
                    let slot = key.slot(factor, SLOTS);
                    assert!(short[slot].key.0 == 0, "two names have the same slot");
                    short[slot] = ShortName { key, code: code as u8 };
                }
                None => {
                    let key = Key::of(name);
                    let mut slot = key.slot(SLOTS);
                    while keys[slot].length != 0 {
                        slot = (slot + 1) & (SLOTS - 1);
                    }
                    keys[slot] = key;
                    codes[slot] = code as u8;
                }
            }
            code += 1;
        }
        Self { names, factor, short, keys, codes }
    }

    /// Where the name ends that starts at a place, at least one byte further on, and its position in the list, in any case.
    #[inline(always)]
    pub fn read(&self, source: &[u8], start: usize, class: u8) -> (usize, Option<u8>) {
        match ShortKey::read(source, start, class) {
            Some((key, length)) => (start + length, self.find_short(key)),
            None => self.read_long(source, start, class),
        }
    }

    /// The same for a name that does not end within a word, or near the end of the source.
    #[inline(never)]
    fn read_long(&self, source: &[u8], start: usize, class: u8) -> (usize, Option<u8>) {
        let end = find_name_end(source, start + 1, class);
        let name = &source[start..end];
        if let Some(key) = ShortKey::of(name) {
            return (end, self.find_short(key));
        }
        // Longer names may have the same key.
        let is_it =
            |&code: &u8| name.len() <= WIDTH || self.names[usize::from(code)].as_bytes().eq_ignore_ascii_case(name);
        (end, self.find(&Key::of(name)).filter(is_it))
    }

    /// The position of a short name.
    #[inline(always)]
    fn find_short(&self, key: ShortKey) -> Option<u8> {
        let found = &self.short[key.slot(self.factor, SLOTS)];
        if found.key == key {
            return Some(found.code);
        }
        found.code_if(key.lowercase())
    }

    /// The position of a longer name that has a key, or of one that begins like it if it is longer than `WIDTH`.
    fn find(&self, key: &Key) -> Option<u8> {
        let slot = key.slot(SLOTS);
        if self.keys[slot].is(key) {
            return Some(self.codes[slot]);
        }
        self.find_from(slot, &key.lowercase())
    }

    /// The position of a name in lower case that is in this slot or after it, if anywhere.
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

impl ShortName {
    /// The position, if this is the name. Not a part of every look-up: few names have capitals.
    #[inline(never)]
    fn code_if(&self, key: ShortKey) -> Option<u8> {
        Some(self.code).filter(|_| self.key == key)
    }
}

/// Slots for 133 short names.
const TAG_SLOTS: usize = 1024;
static KNOWN_TAGS: NameTable<TAG_SLOTS> = NameTable::new(NAMES, 0xE9A5_2CB9_E877_A4E5);

/// Where the name of a tag ends that starts at a place, and its code if it has a fixed one.
#[inline(always)]
pub fn read_tag_name(source: &[u8], start: usize) -> (usize, Option<Tag>) {
    let (end, code) = KNOWN_TAGS.read(source, start, ENDS_TAG_NAME);
    (end, code.map(Tag::from))
}

/// The tag names of one page.
#[derive(Default)]
pub struct Names {
    codes: HashMap<String, Tag>,
    others: Vec<String>,
    lowercase: String,
}

impl Names {
    /// The code of a name without a fixed one, as it is written in the page; new names get the next code.
    #[inline(never)]
    pub fn other_code(&mut self, written: &str) -> Tag {
        tag_name(written, &mut self.lowercase);
        self.intern()
    }

    /// The code of such a name, or `NO_TAG` if no element so far has it.
    #[inline(never)]
    pub fn existing_code(&mut self, written: &str) -> Tag {
        tag_name(written, &mut self.lowercase);
        self.codes.get(&self.lowercase).copied().unwrap_or(NO_TAG)
    }

    /// The code of a name that keeps its capitals, as some names of SVG do.
    pub fn code_of_adjusted(&mut self, name: &str) -> Tag {
        self.lowercase.clear();
        self.lowercase.push_str(name);
        self.intern()
    }

    /// The name behind a code.
    pub fn name(&self, tag: Tag) -> &str {
        match NAMES.get(tag as usize) {
            Some(name) => name,
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
pub fn tag_name(written: &str, name: &mut String) {
    name.clear();
    for (index, part) in written.split('\0').enumerate() {
        if index > 0 {
            name.push(char::REPLACEMENT_CHARACTER);
        }
        name.push_str(part);
    }
    name.make_ascii_lowercase();
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
            let found = ShortKey::read(&page, 0, ENDS_ATTRIBUTE_NAME);
            assert_eq!(found, ShortKey::of(name).map(|key| (key, name.len())), "{:?}", name);
            assert_eq!(ShortKey::read(name, 0, ENDS_ATTRIBUTE_NAME), None);
        }
        assert!(ShortKey::of(b"\0id") != ShortKey::of(b"id"));
    }

    #[test]
    fn other_names_get_codes_as_they_come() {
        let mut names = Names::default();
        assert_eq!(names.existing_code("x-one"), NO_TAG);
        let one = names.other_code("X-One");
        assert_eq!(one, NAMES.len() as Tag);
        assert_eq!(names.other_code("a-name-longer-than-sixteen-bytes"), one + 1);
        assert_eq!(names.existing_code("x-ONE"), one);
        assert_eq!(names.name(one), "x-one");
    }

    #[test]
    fn other_signs_do_not_become_those_of_a_name() {
        // Where a name is looked up does not depend on the bit that tells these from those of `aria-label` and `[hidden]`.
        for written in ["aria\rlabel", "ARIA\rLABEL", "{hidden]", "[hidden}"] {
            assert_eq!(read_attribute_name(written.as_bytes(), 0).1, None, "{written:?}");
        }
    }

    #[test]
    fn long_attribute_names_are_compared_in_full() {
        let long = "aria-brailleroledescriptiox";
        assert_eq!(read_attribute_name(long.as_bytes(), 0), (long.len(), None));
    }
}
