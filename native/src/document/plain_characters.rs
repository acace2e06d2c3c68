//! Characters as plain text has them: one kind of blank, and none that a reader cannot see.
//!
//! No-break and other odd spaces become blanks, and runs of these one blank. Soft hyphens and characters without width go;
//! joiners stay where scripts and emoji need them.
#![forbid(unsafe_code)]

use super::steps::count;
use std::borrow::Cow;

/// Bytes that are looked at together.
const CHUNK: usize = 32;
const JOINER: char = '\u{200d}';
const NON_JOINER: char = '\u{200c}';

/// A text with plain characters.
pub fn with_plain_characters(text: &str) -> Cow<'_, str> {
    count(text.len());
    if text.is_ascii() || !has_odd(text) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match character {
            _ if is_blank(character) || character == ' ' => {
                if !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            JOINER | NON_JOINER if !(joins(plain.chars().next_back()) && joins(rest.clone().next())) => (),
            _ if is_invisible(character) => (),
            _ => plain.push(character),
        }
    }
    Cow::Owned(plain)
}

/// Whether a text surely has plain characters, and composed letters (Unicode's NFC): others must be looked at closely.
pub fn is_settled(text: &str) -> bool {
    let mut rest = text;
    loop {
        let begin = match first_beyond_ascii(rest.as_bytes()) {
            Some(begin) => begin,
            None => return !text.contains('\r'),
        };
        rest = &rest[begin..];
        let length = rest.find(|character: char| character.is_ascii()).unwrap_or(rest.len());
        if !rest[..length].chars().all(|character| is_composed(character) && !is_odd(character)) {
            return false;
        }
        rest = &rest[length..];
    }
}

/// Where the first byte is that is not ASCII.
fn first_beyond_ascii(bytes: &[u8]) -> Option<usize> {
    let start = bytes.chunks(CHUNK).take_while(|chunk| chunk.is_ascii()).count() * CHUNK;
    bytes.get(start..)?.iter().position(|byte| !byte.is_ascii()).map(|place| start + place)
}

/// Whether a character is composed, and stays so beside all others of these: a few ranges in which no other is.
fn is_composed(character: char) -> bool {
    matches!(
        character,
        '\0'..='\u{2ff}'
            | '\u{388}'..='\u{482}'
            | '\u{48a}'..='\u{52f}'
            | '\u{5d0}'..='\u{5ea}'
            | '\u{620}'..='\u{64a}'
            | '\u{2010}'..='\u{205e}'
            | '\u{20a0}'..='\u{20cf}'
            | '\u{2100}'..='\u{2125}'
            | '\u{2150}'..='\u{21ff}'
            | '\u{2500}'..='\u{27bf}'
            | '\u{3001}'..='\u{3029}'
            | '\u{3041}'..='\u{3096}'
            | '\u{309b}'..='\u{30ff}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{ff01}'..='\u{ff9d}'
            | '\u{1f300}'..='\u{1faff}'
    )
}

/// Whether a text has a character that is changed, or may be: looked for in its bytes, as most texts have none.
fn has_odd(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_odd_at = |place: usize| {
        matches!(
            bytes[place..],
            [0xc2, 0xa0 | 0xad, ..]
                | [0xe1, 0x9a, 0x80, ..]
                | [0xe1, 0xa0, 0x8e, ..]
                | [0xe2, 0x80, 0x80..=0x8d | 0xa8 | 0xa9 | 0xaf, ..]
                | [0xe2, 0x81, 0x9f | 0xa0, ..]
                | [0xe3, 0x80, 0x80, ..]
                | [0xef, 0xbb, 0xbf, ..]
        )
    };
    (0..bytes.len()).any(|place| bytes[place] >= 0xc2 && is_odd_at(place))
}

/// Whether a character is changed, or may be.
fn is_odd(character: char) -> bool {
    is_blank(character) || is_invisible(character) || matches!(character, JOINER | NON_JOINER)
}

/// A space of any width but the usual one.
fn is_blank(character: char) -> bool {
    matches!(
        character,
        '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// A soft hyphen, or a character without width.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{180e}' | '\u{feff}')
}

/// Whether a joiner beside a character does anything: in scripts with joined letters, and between emoji.
fn joins(character: Option<char>) -> bool {
    character.map_or(false, |character| {
        character >= '\u{590}' && !is_odd(character) && !('\u{2010}'..'\u{2190}').contains(&character)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_settled() {
        for text in [
            "",
            "plain",
            "caf\u{e9} \u{201c}x\u{201d}",
            "\u{8336}\u{3002}",
            "Ελλάδα",
            "שלום",
            "\u{1f375} →",
            &"a".repeat(99),
        ] {
            assert!(is_settled(text), "{text}");
        }
        let after = format!("{}\u{a0}", "a".repeat(40));
        for text in ["a\u{a0}b", "e\u{301}", "a\rb", "\u{212b}", "\u{200d}", "\u{30ab}\u{3099}", &after] {
            assert!(!is_settled(text), "{text:?}");
        }
    }

    #[test]
    fn odd_characters_are_found_by_their_bytes() {
        let every = (0..=u32::from(char::MAX)).filter_map(char::from_u32);
        for character in every.filter(|&character| character != ' ') {
            assert_eq!(has_odd(&format!("a{character}é")), is_odd(character), "{:x}", u32::from(character));
        }
    }

    #[test]
    fn odd_characters_go() {
        let cases = [
            ("a\u{a0}b", "a b"),
            ("a \u{a0}\u{2009} b", "a b"),
            ("re\u{ad}cord\u{200b}s\u{feff}", "records"),
            ("a\u{200d}b\u{200c}", "ab"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("👩\u{200d}💻 क्\u{200d}ष", "👩\u{200d}💻 क्\u{200d}ष"),
            ("漢\u{3000}字 “x”", "漢 字 “x”"),
            ("plain  text", "plain  text"),
        ];
        for (text, expected) in cases {
            assert_eq!(with_plain_characters(text), expected, "{text:?}");
        }
    }
}
