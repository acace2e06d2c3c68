//! Names of tags and attributes as numbers.
//!
//! A name of up to 16 bytes fits a `u128`, so looking it up is one multiplication and, nearly always, one comparison. Of
//! longer names the first and last eight bytes count, and the finder compares the rest.

#![forbid(unsafe_code)]

use super::tags::{Tag, NAMES, NO_TAG};
use std::collections::HashMap;

const WIDTH: usize = 16;

/// A name in lower case as a number; different names of at most `WIDTH` bytes are different numbers.
#[inline]
fn packed(name: &[u8]) -> u128 {
    let mut bytes = [0; WIDTH];
    if name.len() <= WIDTH {
        for (byte, letter) in bytes.iter_mut().zip(name) {
            *byte = letter.to_ascii_lowercase();
        }
    } else {
        bytes[..WIDTH / 2].copy_from_slice(&name[..WIDTH / 2]);
        bytes[WIDTH / 2..].copy_from_slice(&name[name.len() - WIDTH / 2..]);
        bytes.make_ascii_lowercase();
    }
    u128::from_le_bytes(bytes)
}

/// The same at compile time, for names in lower case.
const fn packed_constant(name: &[u8]) -> u128 {
    let mut number = 0;
    let mut index = 0;
    while index < WIDTH && index < name.len() {
        let from = if name.len() > WIDTH && index >= WIDTH / 2 { name.len() - WIDTH + index } else { index };
        number |= (name[from] as u128) << (8 * index);
        index += 1;
    }
    number
}

/// Where to look for a name first.
const fn slot_of(name: u128, slots: usize) -> usize {
    let folded = (name as u64) ^ ((name >> 64) as u64).rotate_left(23);
    // The golden ratio's fraction spreads the upper bits; slots are a power of two.
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & (slots - 1)
}

/// A hash table from names to their positions in a list, made at compile time.
pub struct NameTable<const SLOTS: usize> {
    names: [u128; SLOTS],
    codes: [u16; SLOTS],
}

impl<const SLOTS: usize> NameTable<SLOTS> {
    pub const fn new(list: &[&str]) -> Self {
        let mut names = [0; SLOTS];
        let mut codes = [0; SLOTS];
        let mut code = 0;
        while code < list.len() {
            let name = packed_constant(list[code].as_bytes());
            let mut slot = slot_of(name, SLOTS);
            while names[slot] != 0 {
                slot = (slot + 1) & (SLOTS - 1);
            }
            names[slot] = name;
            codes[slot] = code as u16;
            code += 1;
        }
        Self { names, codes }
    }

    /// The position of a name, in any case. Of a name longer than `WIDTH`, one that may be it.
    #[inline]
    pub fn find(&self, name: &[u8]) -> Option<u16> {
        let name = packed(name);
        let mut slot = slot_of(name, SLOTS);
        while self.names[slot] != name {
            if self.names[slot] == 0 {
                return None;
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
        Some(self.codes[slot])
    }
}

/// Slots for 150 names: so many that most look-ups end at the first.
const TAG_SLOTS: usize = 1024;
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
        assert_eq!(find_attribute(b""), None);
    }
}
