//! UTF-16 and UTF-32, which the NUL bytes of their ASCII characters give away.
#![forbid(unsafe_code)]

use super::charsets::Charset;
use crate::html::bytes::find;
use encoding_rs::{UTF_16BE, UTF_16LE};

const LITTLE: Charset = Charset::Standard(UTF_16LE);
const BIG: Charset = Charset::Standard(UTF_16BE);

/// Bytes in which NUL bytes are counted.
const WINDOW: usize = 4_096;
/// Markup is mostly ASCII, so half of its UTF-16 bytes are NUL; one in five units allows for dense Chinese between tags.
const UNITS_WITH_NUL: usize = 5;
/// Two bytes of four of five UTF-32 units are NUL, at least: of all but emoji and rare characters.
const OF_FIVE: usize = 4;
/// More NUL bytes than this make a pattern. Shorter text in UTF-16 has a tag, or is read right without its NUL bytes.
const FEWEST_NULS: usize = 3;
/// How many times as many NUL bytes UTF-16 has in one half of its units as in the other.
const ONE_SIDED: usize = 8;

/// The encoding, if it is one of these.
pub fn wide_charset(body: &[u8]) -> Option<Charset> {
    by_nuls(&body[..body.len().min(WINDOW)]).or_else(|| by_tags(body))
}

/// By the NUL bytes of ASCII characters.
fn by_nuls(head: &[u8]) -> Option<Charset> {
    if Tags::of(head).narrow > 0 {
        return None; // more likely NUL bytes in other text; `by_tags` looks again
    }
    let nuls: [usize; 4] = std::array::from_fn(|place| head.iter().skip(place).step_by(4).filter(|&&b| b == 0).count());
    let are_more = |count: usize, most_others: usize, units: usize, times: usize, of: usize| {
        count > FEWEST_NULS && count * of > units * times && count > ONE_SIDED * most_others
    };
    let units = head.len() / 4;
    if are_more(nuls[2].min(nuls[3]), nuls[0], units, OF_FIVE, 5) {
        return Some(Charset::Utf32Le);
    }
    if are_more(nuls[0].min(nuls[1]), nuls[3], units, OF_FIVE, 5) {
        return Some(Charset::Utf32Be);
    }
    let (first, second) = (nuls[0] + nuls[2], nuls[1] + nuls[3]);
    let units = head.len() / 2;
    if are_more(second, first, units, 1, UNITS_WITH_NUL) {
        return Some(LITTLE);
    }
    are_more(first, second, units, 1, UNITS_WITH_NUL).then_some(BIG)
}

/// UTF-16, if most tags are written in it. Text that is not Latin can have few NUL bytes between them, or many of its own
/// (`一` is 4E 00).
fn by_tags(body: &[u8]) -> Option<Charset> {
    let tags = Tags::of(body);
    if tags.little > tags.narrow {
        return Some(LITTLE);
    }
    (tags.big > tags.narrow).then_some(BIG)
}

/// How many tags begin in one byte a character, and in two of either order.
#[derive(Default)]
struct Tags {
    narrow: usize,
    little: usize,
    big: usize,
}

impl Tags {
    fn of(body: &[u8]) -> Tags {
        let mut tags = Tags::default();
        let starts =
            |place: usize| body.get(place).is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!'));
        let is_nul = |place: usize| body.get(place) == Some(&0);
        let mut place = find(body, 0, b'<');
        while place < body.len() {
            let is_spaced = is_nul(place + 1) && starts(place + 2);
            tags.narrow += usize::from(starts(place + 1));
            tags.little += usize::from(is_spaced && place % 2 == 0 && is_nul(place + 3));
            tags.big += usize::from(is_spaced && place % 2 == 1 && is_nul(place - 1));
            place = find(body, place + 1, b'<');
        }
        tags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(body: &[u8]) -> Option<String> {
        wide_charset(body).map(Charset::name)
    }

    fn spaced(text: &str, before: usize, after: usize) -> Vec<u8> {
        text.bytes().flat_map(|byte| [vec![0; before], vec![byte], vec![0; after]].concat()).collect()
    }

    #[test]
    fn nul_bytes_in_order() {
        for text in ["plain words", "<p>Tea.</p>", "<html><body><p>Steep the leaves.</p>"] {
            assert_eq!(name(&spaced(text, 0, 1)).as_deref(), Some("utf-16le"), "{text}");
            assert_eq!(name(&spaced(text, 1, 0)).as_deref(), Some("utf-16be"), "{text}");
            assert_eq!(name(&spaced(text, 0, 3)).as_deref(), Some("utf-32le"), "{text}");
            assert_eq!(name(&spaced(text, 3, 0)).as_deref(), Some("utf-32be"), "{text}");
            assert_eq!(name(text.as_bytes()), None);
        }
    }

    #[test]
    fn nul_bytes_in_disorder() {
        for other in [&b"a\0b"[..], b"\0", b"", b"<p>\0a\0</p>", b"<b\0>\0x\0y\0z", b"\0\0\0\0\0\0\0\0\0\0"] {
            assert_eq!(name(other), None, "{:?}", other);
        }
    }

    #[test]
    fn tags_between_characters_that_have_no_nul_byte() {
        let text: Vec<u8> =
            "<p>茶茶茶茶茶茶茶茶茶茶茶茶茶茶茶茶茶茶茶茶".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(name(&text).as_deref(), Some("utf-16be"));
    }
}
