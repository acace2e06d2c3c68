//! Searches in bytes, and the classes of characters that the reader needs.

#![forbid(unsafe_code)]

use crate::network::vector_width::{with_widest, Arithmetic};
use std::borrow::Cow;
use std::ops::Range;

/// Bytes compared at once while nothing is found: four of the vectors that every machine has, since asking whether there
/// was anything takes longer than to compare.
const BLOCK: usize = 64;

/// Bytes of a vector, in which what is found is located.
const VECTOR: usize = 16;
/// Bytes of a word, for what is shorter than a vector.
const WORD: usize = 8;
/// Bytes that are searched by vectors first: starting on blocks does not pay for less.
const NEAR: usize = 32;
const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The first place from `from` on that holds one of three bytes, or the length.
///
/// Most attribute values end within a few vectors; texts and scripts go on for many blocks.
#[inline(always)]
pub fn find_any(bytes: &[u8], from: usize, wanted: [u8; 3]) -> usize {
    let mut at = from;
    while let Some(vector) = vector_at(bytes, at) {
        let found = places_in_vector(vector, wanted);
        // Asked for byte by byte, this takes an instruction.
        if found.iter().fold(0, |all, place| all | place) != 0 {
            return at + u128::from_le_bytes(found).trailing_zeros() as usize / 8;
        }
        at += VECTOR;
        if at == from + NEAR {
            at = skip_blocks(bytes, at, wanted);
        }
    }
    find_in_words(bytes, at, wanted)
}

/// Whether bytes hold one of three: no vectors, as it does not matter where.
#[inline(always)]
pub fn has_any(bytes: &[u8], wanted: [u8; 3]) -> bool {
    find_in_words(bytes, skip_blocks(bytes, 0, wanted), wanted) < bytes.len()
}

/// Whether bytes, most often a few vectors of them, hold one.
#[inline]
pub fn has(bytes: &[u8], wanted: u8) -> bool {
    let is_in = |vector: &[u8]| vector.iter().fold(false, |found, &byte| found | (byte == wanted));
    match bytes.len().checked_sub(VECTOR) {
        // The last vector begins within the one before it.
        Some(last) => bytes.chunks_exact(VECTOR).any(is_in) || is_in(&bytes[last..]),
        None => bytes.contains(&wanted),
    }
}

/// The vector at a place, if the bytes do not end before.
#[inline(always)]
fn vector_at(bytes: &[u8], at: usize) -> Option<&[u8; VECTOR]> {
    bytes.get(at..)?.get(..VECTOR)?.try_into().ok()
}

/// 0xFF for the bytes of a vector that are one of three, and 0 for others.
#[inline(always)]
fn places_in_vector(vector: &[u8; VECTOR], wanted: [u8; 3]) -> [u8; VECTOR] {
    let mut found = [0; VECTOR];
    // Without branches, so that the compiler compares all bytes at once.
    for (place, &byte) in found.iter_mut().zip(vector) {
        let is_wanted = (byte == wanted[0]) | (byte == wanted[1]) | (byte == wanted[2]);
        *place = if is_wanted { 0xFF } else { 0 };
    }
    found
}

/// Skip blocks that hold none of three bytes.
#[inline(always)]
fn skip_blocks(bytes: &[u8], mut at: usize, wanted: [u8; 3]) -> usize {
    // Without branches inside, so that the compiler turns it into vector instructions.
    while let Some(block) = block_at(bytes, at) {
        let mut found = 0;
        for &byte in block {
            found |= u8::from(byte == wanted[0]) | u8::from(byte == wanted[1]) | u8::from(byte == wanted[2]);
        }
        if found != 0 {
            break;
        }
        at += BLOCK;
    }
    at
}

/// The same as `find_any`, a word at a time: for the last bytes, which few searches reach.
#[inline(never)]
fn find_in_words(bytes: &[u8], mut at: usize, wanted: [u8; 3]) -> usize {
    while at + WORD <= bytes.len() {
        let word = word_at(bytes, at);
        let found = places_of(word, wanted[0]) | places_of(word, wanted[1]) | places_of(word, wanted[2]);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += WORD;
    }
    while at < bytes.len() && !wanted.contains(&bytes[at]) {
        at += 1;
    }
    at
}

/// The block at a place, if the bytes do not end before.
#[inline(always)]
fn block_at(bytes: &[u8], at: usize) -> Option<&[u8; BLOCK]> {
    bytes.get(at..at + BLOCK)?.try_into().ok()
}

/// The high bits of the bytes of a word that are the one wanted. The lowest is right; higher ones may be false.
#[inline(always)]
fn places_of(word: u64, wanted: u8) -> u64 {
    let zero_where_equal = word ^ (LOW_BITS * wanted as u64);
    zero_where_equal.wrapping_sub(LOW_BITS) & !zero_where_equal & HIGH_BITS
}

/// Eight bytes as a number, the first one lowest.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    // A slice becomes an array by one load; eight bytes that are asked for one by one are loaded so.
    bytes[at..at + WORD].try_into().map_or(0, u64::from_le_bytes)
}

/// A word of bytes with its ASCII letters in lower case.
#[inline(always)]
pub const fn lowercase_word(word: u64) -> u64 {
    let low_parts = word & !HIGH_BITS;
    let is_after_z = low_parts + LOW_BITS * (0x7F - b'Z') as u64;
    let is_a_or_after = low_parts + LOW_BITS * (0x80 - b'A') as u64;
    let is_capital = (is_a_or_after ^ is_after_z) & !word & HIGH_BITS;
    // From the high bit to 0x20, which tells small letters from capitals.
    word | (is_capital >> 2)
}

/// The first place from `from` on that holds a byte, or the length.
#[inline(always)]
pub fn find(bytes: &[u8], from: usize, wanted: u8) -> usize {
    find_any(bytes, from, [wanted; 3])
}

/// How many bytes of ASCII come first.
#[inline]
pub fn ascii_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(block) = block_at(bytes, at).filter(|block| block.is_ascii()) {
        at += block.len();
    }
    while at + WORD <= bytes.len() {
        let beyond = word_at(bytes, at) & HIGH_BITS;
        if beyond != 0 {
            return at + beyond.trailing_zeros() as usize / 8;
        }
        at += WORD;
    }
    at + bytes[at..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// Which kinds of bytes occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteKinds {
    /// 0x80 or higher.
    pub has_beyond_ascii: bool,
    /// NUL.
    pub has_nul: bool,
    /// CR.
    pub has_carriage_return: bool,
    /// What can introduce other characters in encodings that use ASCII bytes only: ESC or `~`.
    pub has_escape: bool,
    /// Control characters that no text has; NUL, white space and ESC are none of them.
    pub has_control: bool,
}

impl ByteKinds {
    /// Look through bytes once.
    pub fn of(bytes: &[u8]) -> Self {
        with_widest(Census { bytes })
    }

    /// Whether there are neither carriage returns nor NUL.
    pub fn are_ordinary(&self) -> bool {
        !self.has_carriage_return && !self.has_nul
    }
}

/// Bytes that are looked through.
struct Census<'a> {
    bytes: &'a [u8],
}

impl Arithmetic for Census<'_> {
    type Output = ByteKinds;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> ByteKinds {
        const LANES: usize = 32;
        let (mut all, mut nul, mut carriage_return, mut escape) = ([0; LANES], [0; LANES], [0; LANES], [0; LANES]);
        let mut control = [0; LANES];
        // Without branches, and no result before the end, so that nothing is done but to compare vectors.
        let mark = |is_found: bool| if is_found { 0xFF } else { 0 };
        let mut look = |lane: usize, byte: u8| {
            all[lane] |= byte;
            nul[lane] |= mark(byte == 0);
            carriage_return[lane] |= mark(byte == b'\r');
            escape[lane] |= mark(byte == 0x1B) | mark(byte == b'~');
            control[lane] |= mark(byte.wrapping_sub(1) < 8) | mark(byte.wrapping_sub(0x0E) < 0x12) & mark(byte != 0x1B);
        };
        let chunks = self.bytes.chunks_exact(LANES);
        chunks.remainder().iter().enumerate().for_each(|(lane, &byte)| look(lane, byte));
        for chunk in chunks {
            (0..LANES).for_each(|lane| look(lane, chunk[lane]));
        }
        let joined = |lanes: [u8; LANES]| lanes.iter().fold(0, |all, lane| all | lane);
        ByteKinds {
            has_beyond_ascii: joined(all) >= 0x80,
            has_nul: joined(nul) != 0,
            has_carriage_return: joined(carriage_return) != 0,
            has_escape: joined(escape) != 0,
            has_control: joined(control) != 0,
        }
    }
}

/// The text with every carriage return, alone or before a line feed, turned into a line feed.
pub fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut at = find(bytes, 0, b'\r');
    if at == bytes.len() {
        return Cow::Borrowed(text);
    }
    let mut normalised = String::with_capacity(text.len());
    let mut copied = 0;
    while at < bytes.len() {
        normalised.push_str(&text[copied..at]);
        // The line feed of a pair is copied with what follows.
        if bytes.get(at + 1) != Some(&b'\n') {
            normalised.push('\n');
        }
        copied = at + 1;
        at = find(bytes, copied, b'\r');
    }
    normalised.push_str(&text[copied..]);
    Cow::Owned(normalised)
}

/// Bytes of a part of a text that are copied at once.
const SHORT: usize = 64;

/// Append a part of a text. Most parts are short: they are copied together with what follows, which is cut off again, as a
/// copy of a fixed length takes two instructions, and one of any length a call whose branches no processor can foresee.
#[inline(always)]
pub fn append_part(appended: &mut String, text: &str, part: Range<usize>) {
    match text.get(part.start..part.start + SHORT) {
        Some(more) if part.len() <= SHORT => {
            let length = appended.len() + part.len();
            appended.push_str(more);
            appended.truncate(length);
        }
        _ => append_long_part(appended, text, part),
    }
}

/// The same for a part that is long, or near the end.
#[inline(never)]
fn append_long_part(appended: &mut String, text: &str, part: Range<usize>) {
    appended.push_str(&text[part]);
}

/// Classes of bytes in markup; each is a bit of `CLASSES`.
pub const SPACE: u8 = 1;
pub const ENDS_TAG_NAME: u8 = 1 << 1;
pub const ENDS_ATTRIBUTE_NAME: u8 = 1 << 2;
pub const ENDS_UNQUOTED_VALUE: u8 = 1 << 3;
pub const SPACE_OR_SLASH: u8 = 1 << 4;
pub const LETTER: u8 = 1 << 5;
/// After `<`, if it is not a slash.
pub const STARTS_MARKUP: u8 = 1 << 6;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let spaces = [b' ', b'\n', b'\t', b'\x0c', b'\r'];
    let mut index = 0;
    while index < spaces.len() {
        let all = SPACE | ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | ENDS_UNQUOTED_VALUE | SPACE_OR_SLASH;
        classes[spaces[index] as usize] = all;
        index += 1;
    }
    classes[b'/' as usize] = ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | SPACE_OR_SLASH;
    classes[b'>' as usize] = ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | ENDS_UNQUOTED_VALUE;
    classes[b'=' as usize] = ENDS_ATTRIBUTE_NAME;
    classes[b'!' as usize] = STARTS_MARKUP;
    classes[b'?' as usize] = STARTS_MARKUP;
    let mut letter = b'a';
    while letter <= b'z' {
        classes[letter as usize] = LETTER | STARTS_MARKUP;
        classes[letter.to_ascii_uppercase() as usize] = LETTER | STARTS_MARKUP;
        letter += 1;
    }
    classes
};

/// Whether a byte belongs to a class.
#[inline(always)]
pub fn is_of(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

/// The first place from `from` on that holds a byte of a class, or the length.
#[inline(always)]
pub fn find_class(bytes: &[u8], from: usize, class: u8) -> usize {
    let mut at = from;
    while at < bytes.len() && !is_of(bytes[at], class) {
        at += 1;
    }
    at
}

/// The first place from `from` on that ends the name of a tag or of an attribute, or the length.
///
/// The same as `find_class` finds, a word at a time: most names end in the first, whatever their length.
#[inline(always)]
pub fn find_name_end(bytes: &[u8], from: usize, class: u8) -> usize {
    let mut at = from;
    while at + WORD <= bytes.len() {
        let word = word_at(bytes, at);
        // All letters have this bit, and nothing that ends a name.
        let ends = !word & (LOW_BITS * 0x40);
        if ends == 0 {
            at += WORD;
            continue;
        }
        at += ends.trailing_zeros() as usize / 8;
        if is_of(bytes[at], class) {
            return at;
        }
        // A digit, a hyphen, or whatever else is no letter.
        at += 1;
    }
    find_class(bytes, at, class)
}

/// The first place in a stretch that holds white space, or its end: a word at a time, too, which may go on after the end.
#[inline(always)]
pub fn find_space(bytes: &[u8], stretch: Range<usize>) -> usize {
    let mut at = stretch.start;
    while at < stretch.end {
        if at + WORD > bytes.len() {
            return find_class(&bytes[..stretch.end], at, SPACE);
        }
        let spaces = places_up_to_space(word_at(bytes, at));
        if spaces == 0 {
            at += WORD;
            continue;
        }
        at += spaces.trailing_zeros() as usize / 8;
        if at < stretch.end && is_space(bytes[at]) {
            return at;
        }
        at += 1;
    }
    stretch.end
}

/// The high bits of the bytes of a word that are a space or a control character, as of `places_of`.
#[inline(always)]
fn places_up_to_space(word: u64) -> u64 {
    word.wrapping_sub(LOW_BITS * (b' ' as u64 + 1)) & !word & HIGH_BITS
}

/// The first place from `from` on that holds no byte of a class, or the length.
#[inline(always)]
pub fn skip_class(bytes: &[u8], from: usize, class: u8) -> usize {
    let mut at = from;
    while at < bytes.len() && is_of(bytes[at], class) {
        at += 1;
    }
    at
}

/// White space to the html standard (a carriage return has not become a line feed yet).
#[inline(always)]
pub fn is_space(byte: u8) -> bool {
    is_of(byte, SPACE)
}

/// How many bytes of white space a text starts with.
pub fn leading_space(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_space(byte)).count()
}

/// The number of bytes that fit.
#[inline(always)]
fn count(bytes: &[u8], fits: impl Fn(u8) -> bool) -> usize {
    // Counted in bytes, as many whole vectors as one can count, so that the compiler adds up vectors and nothing else.
    const COUNTED_AT_ONCE: usize = 240;
    let of_chunk = |chunk: &[u8]| chunk.iter().fold(0_u8, |number, &byte| number + u8::from(fits(byte)));
    bytes.chunks(COUNTED_AT_ONCE).map(|chunk| usize::from(of_chunk(chunk))).sum()
}

/// How often a byte occurs.
pub fn count_byte(bytes: &[u8], wanted: u8) -> usize {
    count(bytes, |byte| byte == wanted)
}

/// How many bytes are not ASCII.
pub fn count_beyond_ascii(bytes: &[u8]) -> usize {
    count(bytes, |byte| !byte.is_ascii())
}

/// The number of characters in UTF-8.
#[inline(always)]
pub fn count_characters(text: &[u8]) -> usize {
    if text.len() < BLOCK {
        return text.len() - continuing_bytes(text);
    }
    // Bytes that continue a character are 0b10xxxxxx: the smallest as signed numbers.
    count(text, |byte| (byte as i8) >= -0x40)
}

/// How many bytes continue a character, a word at a time: vectors do not pay for a few.
#[inline(always)]
fn continuing_bytes(text: &[u8]) -> usize {
    // The product adds up all bytes in the highest.
    let in_word = |word: u64| ((word >> 7 & !(word >> 6) & LOW_BITS).wrapping_mul(LOW_BITS) >> 56) as usize;
    if text.len() < WORD {
        return text.iter().filter(|&&byte| byte & 0xC0 == 0x80).count();
    }
    let mut at = 0;
    let mut number = 0;
    while at + WORD <= text.len() {
        number += in_word(word_at(text, at));
        at += WORD;
    }
    // The rest is in the last word, behind what is counted already.
    let counted = 8 * (at + WORD - text.len()) as u32;
    number + in_word(word_at(text, text.len() - WORD).checked_shr(counted).unwrap_or(0))
}

/// Bytes as UTF-8: all of them, but for half a character at the end; `None` if others are not UTF-8.
pub fn as_utf8(bytes: &[u8]) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok(),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_three_anywhere() {
        for size in 0..2 * BLOCK {
            for place in 0..size {
                let mut bytes = vec![b'a'; size];
                assert!(!has_any(&bytes, *b"#$%") && !has(&bytes, b'#'), "{size}");
                bytes[place] = b'$';
                assert!(has_any(&bytes, *b"#$%"), "{size} {place}");
            }
        }
    }

    #[test]
    fn half_a_character_at_the_end_is_left_out() {
        for (written, expected) in [
            (&b"abc"[..], Some(3)),
            (b"", Some(0)),
            ("né".as_bytes(), Some(3)),
            (b"n\xc3", Some(1)),
            (b"n\xe6\xbc", Some(1)),
            (b"n\xf0\x9f\x98", Some(1)),
            (b"n\xed\xa0", None),
            (b"n\xc3n", None),
            (b"n\xff", None),
        ] {
            assert_eq!(as_utf8(written).map(str::len), expected, "{:?}", written);
        }
    }

    #[test]
    fn finds_what_a_plain_search_finds() {
        let bytes: Vec<u8> = (0..300_usize).map(|index| (index * index % 251) as u8).collect();
        for from in 0..bytes.len() {
            for wanted in [[0, 1, 4], [9, 9, 9], [255, 250, 2], [3, 7, 11]] {
                let plain = bytes[from..].iter().position(|byte| wanted.contains(byte));
                assert_eq!(find_any(&bytes, from, wanted), plain.map_or(bytes.len(), |at| from + at));
            }
        }
    }

    #[test]
    fn names_end_where_a_plain_search_ends_them() {
        let bytes: Vec<u8> = (0..2000_usize).map(|index| (index * index % 251) as u8 & 0x7F).collect();
        for from in 0..bytes.len() {
            for class in [ENDS_TAG_NAME, ENDS_ATTRIBUTE_NAME] {
                assert_eq!(find_name_end(&bytes, from, class), find_class(&bytes, from, class));
            }
            for end in [from, bytes.len().min(from + 5), bytes.len().min(from + 40), bytes.len()] {
                assert_eq!(find_space(&bytes, from..end), find_class(&bytes[..end], from, SPACE));
            }
        }
    }

    #[test]
    fn line_ends_become_line_feeds() {
        for (written, expected) in
            [("a\nb", "a\nb"), ("\r\n\r", "\n\n"), ("a\rb\r\nc\n\r", "a\nb\nc\n\n"), ("\r\r\n", "\n\n"), ("", "")]
        {
            assert_eq!(with_line_feeds(written), expected);
        }
        let lines: Vec<String> = (0..200).map(|length| "aé漢".chars().cycle().take(length).collect()).collect();
        assert_eq!(with_line_feeds(&lines.join("\r\n")), lines.join("\n"));
    }

    #[test]
    fn makes_letters_small_as_the_library_does() {
        for byte in 0..=255_u8 {
            let bytes = [byte, b'A', byte, b'z', 0, byte, 0xC1, byte];
            assert_eq!(lowercase_word(word_at(&bytes, 0)), word_at(&bytes.to_ascii_lowercase(), 0));
        }
    }

    #[test]
    fn ascii_ends_at_the_first_other_byte() {
        for length in 0..40 {
            let ascii = vec![0x7F; length];
            assert_eq!(ascii_length(&ascii), length);
            assert_eq!(ascii_length(&[&ascii[..], b"\x80", &ascii].concat()), length);
        }
    }

    #[test]
    fn kinds_of_bytes_are_found_anywhere() {
        let has = |ByteKinds { has_beyond_ascii, has_nul, has_carriage_return, has_escape, has_control }| {
            [has_beyond_ascii, has_nul, has_carriage_return, has_escape, has_control]
        };
        let letters = [(b'a', 9), (0x80, 0), (0xFF, 0), (0, 1), (b'\r', 2), (0x1B, 3), (b'~', 3), (b'\n', 9)];
        let controls = [(1, 4), (8, 4), (9, 9), (11, 9), (14, 4), (31, 4), (32, 9), (0x8E, 0)];
        for (byte, found) in letters.into_iter().chain(controls) {
            for (before, after) in [(0, 0), (0, 40), (31, 0), (40, 0), (70, 70)] {
                let bytes = [&vec![b'a'; before][..], &[byte], &vec![b'a'; after]].concat();
                assert_eq!(has(ByteKinds::of(&bytes)), [0, 1, 2, 3, 4].map(|kind| kind == found), "{}", byte);
            }
        }
    }

    #[test]
    fn counts_characters_of_any_width() {
        let text = "aé漢😀".repeat(60);
        for (end, _) in text.char_indices() {
            assert_eq!(count_characters(&text.as_bytes()[..end]), text[..end].chars().count());
        }
    }
}
