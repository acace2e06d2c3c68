//! Bytes of other encodings -> UTF-8, by tables that Python lends: those of its own codecs.
//!
//! Otherwise Python makes a string of the page, looks through it for damage, and encodes it again for the reader.
#![forbid(unsafe_code)]

use super::bytes::{ascii_length, count_beyond_ascii};
use crate::failure::Failure;

/// Characters of an encoding of one byte a character beyond ASCII.
pub const SINGLE_BYTES: usize = 128;
/// Characters of two bytes in GB 18030: any lead byte with any trail byte.
pub const PAIRS: usize = 126 * TRAILS;
const TRAILS: usize = 190;
/// The character that stands for bytes without meaning.
const REPLACEMENT: u16 = 0xFFFD;
/// Bytes that are written for any character, of which those that it does not have are cut off: a copy of a fixed length
/// takes one instruction.
const WIDEST: usize = 4;

/// Bytes as UTF-8, and how many of them mean nothing, in an encoding of one byte a character that extends ASCII. The table
/// has its `SINGLE_BYTES`.
pub fn from_single_bytes(bytes: &[u8], table: &[u16]) -> Result<(Vec<u8>, usize), Failure> {
    let (mut utf8, mut damaged) = (Vec::new(), 0);
    utf8.try_reserve_exact(bytes.len() + 2 * count_beyond_ascii(bytes) + WIDEST)?;
    let mut rest = bytes;
    loop {
        rest = match rest {
            [] => return Ok((utf8, damaged)),
            [0..=0x7F, ..] => append_ascii(&mut utf8, rest),
            [byte, following @ ..] => {
                let character = table[usize::from(byte & 0x7F)];
                append(&mut utf8, character);
                damaged += usize::from(character == REPLACEMENT);
                following
            }
        };
    }
}

/// Bytes of GB 18030 as UTF-8, if all characters are of one byte or two, as in nearly all pages; otherwise nothing. Half a
/// character at the end is left out. The table has its `PAIRS` in the order of their bytes.
pub fn from_pairs(bytes: &[u8], table: &[u16]) -> Result<Option<Vec<u8>>, Failure> {
    let mut utf8 = Vec::new();
    utf8.try_reserve_exact(bytes.len() + bytes.len() / 2 + WIDEST)?;
    let mut rest = bytes;
    loop {
        rest = match rest {
            [] | [0x81..=0xFE] => return Ok(Some(utf8)),
            [0..=0x7F, ..] => append_ascii(&mut utf8, rest),
            [lead @ 0x81..=0xFE, trail @ (0x40..=0x7E | 0x80..=0xFE), following @ ..] => {
                let place = usize::from(trail - 0x40) - usize::from(*trail > 0x7F);
                append(&mut utf8, table[usize::from(lead - 0x81) * TRAILS + place]);
                following
            }
            _ => return Ok(None),
        };
    }
}

/// Append the ASCII that bytes begin with; returns the others.
fn append_ascii<'bytes>(utf8: &mut Vec<u8>, bytes: &'bytes [u8]) -> &'bytes [u8] {
    let (ascii, others) = bytes.split_at(ascii_length(bytes));
    utf8.extend_from_slice(ascii);
    others
}

/// Append a character.
#[inline]
fn append(utf8: &mut Vec<u8>, character: u16) {
    let low_bits = |shift: u32| 0x80 | (character >> shift) as u8 & 0x3F;
    let (width, bytes): (usize, [u8; WIDEST]) = match character {
        0..=0x7F => (1, [character as u8, 0, 0, 0]),
        0x80..=0x7FF => (2, [0xC0 | (character >> 6) as u8, low_bits(0), 0, 0]),
        _ => (3, [0xE0 | (character >> 12) as u8, low_bits(6), low_bits(0), 0]),
    };
    let length = utf8.len() + width;
    utf8.extend_from_slice(&bytes);
    utf8.truncate(length);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_any_width() {
        for character in ['\0', 'a', '\x7f', '\u{80}', 'é', '\u{7ff}', '\u{800}', '漢', '\u{fffd}', '\u{ffff}'] {
            let mut utf8 = Vec::new();
            append(&mut utf8, character as u16);
            assert_eq!(utf8, character.to_string().into_bytes());
        }
    }

    #[test]
    fn bytes_without_meaning_are_counted() {
        let mut table = [REPLACEMENT; SINGLE_BYTES];
        table[0] = '€' as u16;
        table[0x69] = 'é' as u16;
        let decoded = from_single_bytes(b"\x80 1, \xe9t\xe9 \x81\xff", &table).unwrap();
        assert_eq!(decoded, ("€ 1, été \u{fffd}\u{fffd}".as_bytes().to_vec(), 2));
        assert_eq!(from_single_bytes(b"", &table).unwrap(), (Vec::new(), 0));
    }

    #[test]
    fn pairs_stand_in_the_order_of_their_bytes() {
        let table: Vec<u16> = (0..PAIRS as u16).map(|place| 0x1000 + place).collect();
        let text = |bytes: &[u8]| from_pairs(bytes, &table).unwrap().map(|utf8| String::from_utf8(utf8).unwrap());
        for (pair, place) in
            [([0x81, 0x40], 0), ([0x81, 0x7E], 62), ([0x81, 0x80], 63), ([0x82, 0x40], 190), ([0xFE; 2], PAIRS - 1)]
        {
            let character = char::from_u32(0x1000 + place as u32).unwrap();
            assert_eq!(text(&[b"a".as_slice(), &pair, b"b"].concat()), Some(format!("a{}b", character)));
        }
        assert_eq!(text(b"ab\x81").as_deref(), Some("ab"));
        for other in [b"\x80ab", b"\x81\x30\x81", b"\xff\x40a", b"\x81\x7fa", b"\x81\xffa", b"\x81\na"] {
            assert_eq!(text(other), None);
        }
    }
}
