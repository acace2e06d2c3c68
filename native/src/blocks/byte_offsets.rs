//! Offsets in characters, as Python counts, -> offsets in bytes of UTF-8.
#![forbid(unsafe_code)]

use std::borrow::Cow;

/// Offsets in bytes for offsets in characters, none of which is less than the one before. In ASCII they are the same.
pub fn byte_offsets<'a>(text: &str, offsets: &'a [i64]) -> Cow<'a, [i64]> {
    if text.is_ascii() {
        return Cow::Borrowed(offsets);
    }
    let bytes = text.as_bytes();
    let (mut characters, mut place) = (0, 0);
    let to_bytes = |&offset: &i64| {
        while characters < offset && place < bytes.len() {
            place += width(bytes[place]);
            characters += 1;
        }
        place as i64
    };
    Cow::Owned(offsets.iter().map(to_bytes).collect())
}

/// Bytes of a character, from its first byte.
fn width(first: u8) -> usize {
    match first {
        0..=0x7F => 1,
        0x80..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xFF => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_of_characters() {
        let text = "aé漢😀b";
        let offsets = [0, 0, 1, 2, 4, 5, 5];
        let naive = offsets.map(|offset| text.chars().take(offset as usize).map(char::len_utf8).sum::<usize>() as i64);
        assert_eq!(byte_offsets(text, &offsets)[..], naive);
        assert_eq!(byte_offsets("abc", &[0, 3])[..], [0, 3]);
        assert_eq!(byte_offsets("é", &[7])[..], [2]);
    }
}
