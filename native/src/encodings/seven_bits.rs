//! Encodings whose bytes are all ASCII and that browsers do not read: HZ, ISO-2022-KR and UTF-7.
//!
//! The first two are rewritten in the encoding of the same characters that has eight bits, and decoded as that.
#![forbid(unsafe_code)]

use super::charsets::{decode_standard, Text};
use crate::failure::Failure;
use crate::html::bytes::{count_beyond_ascii, find};
use encoding_rs::{EUC_KR, GBK};

/// A byte that means nothing in GBK and in EUC-KR.
const NOTHING: u8 = 0xFF;
/// The bit that tells the bytes of a pair from ASCII.
const HIGH: u8 = 0x80;

/// Text in HZ.
pub fn from_hz(bytes: &[u8]) -> Result<Text, Failure> {
    let mut pairs = Vec::new();
    pairs.try_reserve_exact(bytes.len())?;
    let (mut rest, mut is_chinese) = (bytes, false);
    loop {
        rest = match (is_chinese, rest) {
            (_, []) => return decode_standard(&pairs, GBK),
            (_, [b'~', mode @ (b'{' | b'}'), following @ ..]) => {
                is_chinese = *mode == b'{';
                following
            }
            (_, [b'~', b'\n', following @ ..]) => following,
            (false, [b'~', b'~', following @ ..]) => pushed(&mut pairs, b"~", following),
            // Every line begins in ASCII.
            (true, [b'\n', following @ ..]) => {
                is_chinese = false;
                pushed(&mut pairs, b"\n", following)
            }
            (true, [lead @ 0x21..=0x77, trail @ 0x21..=0x7E, following @ ..]) => {
                pushed(&mut pairs, &[lead | HIGH, trail | HIGH], following)
            }
            (true, [_]) => &[],
            (true, [_, following @ ..]) => pushed(&mut pairs, &[NOTHING], following),
            (false, [byte, following @ ..]) => pushed(&mut pairs, &[ascii_or_nothing(*byte)], following),
        }
    }
}

/// What ISO-2022-KR has once, at the beginning, and what begins and ends Korean.
const DESIGNATION: &[u8] = b"\x1b$)C";
const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// Text in ISO-2022-KR.
pub fn from_iso_2022_kr(bytes: &[u8]) -> Result<Text, Failure> {
    let mut pairs = Vec::new();
    pairs.try_reserve_exact(bytes.len())?;
    let (mut rest, mut is_korean, mut is_designated) = (bytes, false, false);
    loop {
        if let Some(following) = rest.strip_prefix(DESIGNATION) {
            (rest, is_designated) = (following, true);
        }
        rest = match (is_korean, rest) {
            (_, []) => return decode_standard(&pairs, EUC_KR),
            (_, [shift @ (SHIFT_OUT | SHIFT_IN), following @ ..]) if is_designated => {
                is_korean = *shift == SHIFT_OUT;
                following
            }
            (true, [b'\n', following @ ..]) => {
                is_korean = false;
                pushed(&mut pairs, b"\n", following)
            }
            (true, [lead @ 0x21..=0x7E, trail @ 0x21..=0x7E, following @ ..]) => {
                pushed(&mut pairs, &[lead | HIGH, trail | HIGH], following)
            }
            (true, [_]) => &[],
            (true, [_, following @ ..]) => pushed(&mut pairs, &[NOTHING], following),
            (false, [byte, following @ ..]) => pushed(&mut pairs, &[ascii_or_nothing(*byte)], following),
        }
    }
}

/// Append bytes; returns what follows them.
fn pushed<'bytes>(pairs: &mut Vec<u8>, bytes: &[u8], following: &'bytes [u8]) -> &'bytes [u8] {
    pairs.extend_from_slice(bytes);
    following
}

fn ascii_or_nothing(byte: u8) -> u8 {
    if byte.is_ascii() {
        byte
    } else {
        NOTHING
    }
}

/// Text in UTF-7.
pub fn from_utf_7(bytes: &[u8]) -> Result<Text, Failure> {
    let mut text = Text::default();
    text.utf8.try_reserve(bytes.len())?;
    let mut at = 0;
    while at < bytes.len() {
        let sign = find(bytes, at, b'+');
        text.utf8.extend(bytes[at..sign].iter().map(|&byte| ascii_character(byte)));
        text.damaged += count_beyond_ascii(&bytes[at..sign]);
        if sign == bytes.len() {
            break;
        }
        let end = base64_end(bytes, sign + 1);
        match characters(&bytes[sign + 1..end]) {
            _ if end == sign + 1 => text.utf8.push('+'),
            Some(characters) => text.utf8.push_str(&characters),
            None => {
                text.utf8.push(char::REPLACEMENT_CHARACTER);
                text.damaged += 1;
            }
        }
        at = end + usize::from(bytes.get(end) == Some(&b'-'));
    }
    Ok(text)
}

fn ascii_character(byte: u8) -> char {
    if byte.is_ascii() {
        char::from(byte)
    } else {
        char::REPLACEMENT_CHARACTER
    }
}

/// Fewest sequences of Base64 that make a page UTF-7. Of other signs for plus with three letters or more after them, one in
/// twelve looks like such a sequence.
const FEWEST_SEQUENCES: usize = 4;
/// Fewest different ones among them.
const FEWEST_DIFFERENT: usize = 3;
/// Characters in sequences that make a page UTF-7, however few these are. Of random ones every second is of no text.
const ENOUGH_CHARACTERS: usize = 20;

/// Whether ASCII is UTF-7: every plus begins a sequence of it. The first one on nearly every other page does not.
pub fn is_utf_7(ascii: &[u8]) -> bool {
    let (mut sequences, mut count, mut different) = (0, 0, Vec::new());
    let mut at = find(ascii, 0, b'+');
    while at < ascii.len() {
        let end = base64_end(ascii, at + 1);
        let sequence = &ascii[at + 1..end];
        let is_sign = sequence.is_empty() && ascii.get(end) == Some(&b'-');
        // What is cut off says nothing.
        if !(is_sign || end == ascii.len()) {
            let Some(text) = characters(sequence).filter(|text| text.chars().all(is_of_text)) else { return false };
            sequences += 1;
            count += text.chars().count();
            if different.len() < FEWEST_DIFFERENT && !different.contains(&sequence) {
                different.push(sequence);
            }
        }
        at = find(ascii, end, b'+');
    }
    (sequences >= FEWEST_SEQUENCES && different.len() == FEWEST_DIFFERENT) || count >= ENOUGH_CHARACTERS
}

/// Whether a character is of a script or a kind of signs that many pages have.
fn is_of_text(character: char) -> bool {
    matches!(
        character,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{a0}'..='\u{6ff}' | '\u{900}'..='\u{eff}' | '\u{1e00}'..='\u{20ff}'
            | '\u{3000}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff00}'..='\u{ffef}'
            | '\u{1f000}'..='\u{1faff}'
    )
}

/// Where Base64 ends.
fn base64_end(bytes: &[u8], from: usize) -> usize {
    let is_base64 = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    from + bytes[from..].iter().take_while(is_base64).count()
}

/// The characters of a sequence of Base64, if it is UTF-16 without a bit that is too many.
fn characters(base64: &[u8]) -> Option<String> {
    let (mut bits, mut count) = (0_u32, 0);
    let mut units = Vec::with_capacity(base64.len());
    for &byte in base64 {
        (bits, count) = (bits << 6 | sextet(byte), count + 6);
        if count >= 16 {
            count -= 16;
            units.push((bits >> count) as u16);
            bits &= (1 << count) - 1;
        }
    }
    let is_whole = !units.is_empty() && count < 6 && bits == 0;
    if is_whole {
        String::from_utf16(&units).ok()
    } else {
        None
    }
}

/// The six bits of a letter of Base64.
fn sextet(byte: u8) -> u32 {
    u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(found: Result<Text, Failure>) -> (String, usize) {
        let Text { utf8, damaged } = found.unwrap();
        (utf8, damaged)
    }

    #[test]
    fn chinese_between_braces() {
        assert_eq!(text(from_hz(b"a ~{2h~} ~~ ~\nb")), ("a 茶 ~ b".to_string(), 0));
        assert_eq!(text(from_hz(b"~{2h\nplain ~{2")), ("茶\nplain ".to_string(), 0));
        assert_eq!(text(from_hz(b"~{a bb~}c\xff")).1, 3);
    }

    #[test]
    fn korean_between_shifts() {
        assert_eq!(text(from_iso_2022_kr(b"\x1b$)Ca \x0eBw\x0f b")), ("a 차 b".to_string(), 0));
        assert_eq!(text(from_iso_2022_kr(b"\x1b$)C\x0eBw\nplain")), ("차\nplain".to_string(), 0));
        assert_eq!(text(from_iso_2022_kr(b"\x1b$)C\x0eB w\x0f")).1, 3);
        // Without its designation, a shift is a control character.
        assert_eq!(text(from_iso_2022_kr(b"a \x0e b")), ("a \x0e b".to_string(), 0));
    }

    #[test]
    fn base64_of_utf_16() {
        assert_eq!(text(from_utf_7(b"caf+AOk-, 1 +- 1, +2Dzfdg-!")), ("café, 1 + 1, 🍶!".to_string(), 0));
        assert_eq!(text(from_utf_7(b"+AOk +A b\xff")), ("é \u{fffd} b\u{fffd}".to_string(), 2));
    }

    #[test]
    fn a_page_is_utf_7_if_every_plus_says_so() {
        let page = b"<p>th+AOk-, caf+AOk-, for+AOo-t, o+APk- 1 +- 1";
        assert!(is_utf_7(page));
        assert!(!is_utf_7(&[page, &b" i + j"[..]].concat()));
        assert!(is_utf_7(b"<p>+MFMwjDBvMEowRDBXMEQwSjCDMGcwWTAC-</p><p>+MFMwjDBvMEowRDBXMEQwSjCDMGcwWTAC-"));
        for other in [&b"no plus"[..], b"a+-b", b"+AOk- +AOk- +AOk- +AOk-", b"+AOk-", b"call +358 9 12, +380 4, +886 2"]
        {
            assert!(!is_utf_7(other), "{:?}", other);
        }
    }
}
