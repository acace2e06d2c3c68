//! Characters as plain text has them: one kind of blank, and none that a reader cannot see.
//!
//! No-break and other odd spaces become blanks, and runs of these one blank. Soft hyphens and characters without width go;
//! joiners stay where scripts and emoji need them.
#![forbid(unsafe_code)]

use super::steps::count;
use crate::html::{ascii_length, has_any};
use std::borrow::Cow;

const JOINER: char = '\u{200d}';
const NON_JOINER: char = '\u{200c}';
/// Of the first byte of characters of which some are changed, or may be.
const MAYBE_ODD: u8 = 1;
/// Of the first byte of characters of which some are not settled.
const MAYBE_UNSETTLED: u8 = 2;
/// By byte: what the characters may be that begin with it.
static OF_FIRST_BYTES: [u8; 256] = {
    let mut meanings = [MAYBE_UNSETTLED; 256];
    let mut byte = 0;
    while byte < 256 {
        meanings[byte] = match byte as u8 {
            0xc2 | 0xe1 | 0xe2 | 0xe3 | 0xef => MAYBE_ODD | MAYBE_UNSETTLED,
            // ASCII, bytes that begin nothing, Latin, Greek and Cyrillic letters, Chinese characters, Korean syllables.
            0..=0xbf | 0xc3..=0xcb | 0xcf..=0xd1 | 0xe5..=0xe9 | 0xeb | 0xec => 0,
            _ => MAYBE_UNSETTLED,
        };
        byte += 1;
    }
    meanings
};

/// A text with plain characters.
pub fn with_plain_characters(text: &str) -> Cow<'_, str> {
    count(text.len());
    if !has_character(text, MAYBE_ODD, is_odd) {
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
    !has_any(text.as_bytes(), [b'\r'; 3])
        && !has_character(text, MAYBE_UNSETTLED, |character| !is_settled_character(character))
}

/// Whether a text has a wanted character, all of which begin with bytes of one meaning. ASCII is passed over.
fn has_character(text: &str, meaning: u8, is_wanted: impl Fn(char) -> bool) -> bool {
    let bytes = text.as_bytes();
    let is_wanted_at = |place: usize| text[place..].chars().next().is_some_and(&is_wanted);
    let mut place = ascii_length(bytes);
    while let Some(&byte) = bytes.get(place) {
        if byte.is_ascii() {
            place += ascii_length(&bytes[place..]);
            continue;
        }
        if OF_FIRST_BYTES[usize::from(byte)] & meaning != 0 && is_wanted_at(place) {
            return true;
        }
        // The first byte of a character says how many there are.
        place += 2 + usize::from(byte >= 0xe0) + usize::from(byte >= 0xf0);
    }
    false
}

/// Whether a character is plain and composed.
fn is_settled_character(character: char) -> bool {
    is_composed(character) && !is_odd(character)
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
    character.is_some_and(|character| {
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
    fn characters_are_found_by_their_first_bytes() {
        for character in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let text = format!("a{character}é");
            assert_eq!(has_character(&text, MAYBE_ODD, is_odd), is_odd(character), "{:x}", u32::from(character));
            let is_return = character == '\r';
            assert_eq!(is_settled(&text), is_settled_character(character) && !is_return, "{:x}", u32::from(character));
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
