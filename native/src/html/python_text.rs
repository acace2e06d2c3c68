//! Questions about text that must be answered as Python's `str` and `re` answer them.

#![forbid(unsafe_code)]

use super::bytes::find;
use std::ops::Range;

/// White space to Python: that of Unicode, and four separators of ASCII.
fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\x1c'..='\x1f').contains(&character)
}

/// The same for a character of ASCII.
#[inline]
const fn is_ascii_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | 0x1c..=0x1f)
}

/// The text without the white space around it, as `str.strip` leaves it.
#[inline(always)]
pub fn strip(text: &[u8]) -> &[u8] {
    strip_end(strip_start(text))
}

/// A part of a text without the white space around it.
#[inline(always)]
pub fn strip_part(text: &[u8], part: Range<usize>) -> &[u8] {
    strip_end(strip_start_of_part(text, part))
}

/// The text without the white space it starts with, as `str.lstrip` leaves it.
#[inline(always)]
pub fn strip_start(text: &[u8]) -> &[u8] {
    strip_start_of_part(text, 0..text.len())
}

#[inline(always)]
fn strip_start_of_part(text: &[u8], part: Range<usize>) -> &[u8] {
    let stripped = &text[part.clone()];
    match stripped.first() {
        Some(&first) if may_be_space(first) => strip_spaces_at_start(text, part),
        _ => stripped,
    }
}

#[inline(always)]
fn strip_spaces_at_start(text: &[u8], part: Range<usize>) -> &[u8] {
    let text = &text[end_of_ascii_spaces(text, part.clone())..part.end];
    match text.first() {
        Some(byte) if !byte.is_ascii() => strip_wide_spaces_at_start(text),
        _ => text,
    }
}

/// The same for a text that starts with a character beyond ASCII.
#[inline(never)]
fn strip_wide_spaces_at_start(mut text: &[u8]) -> &[u8] {
    while text.first().is_some_and(|&first| may_begin_space(first)) {
        let (character, width) = character_at(text, 0);
        if !is_space(character) {
            break;
        }
        text = &text[width..];
    }
    text
}

/// Where the white space of ASCII ends that a part of a text starts with. Most texts between tags are an indentation: eight
/// bytes are looked at together, even if the part ends amid them.
#[inline(never)]
fn end_of_ascii_spaces(text: &[u8], part: Range<usize>) -> usize {
    let mut at = part.start;
    while at < part.end {
        match text.get(at..at + 8).map(<[u8; 8]>::try_from) {
            Some(Ok(bytes)) => {
                let others = places_of_others(u64::from_le_bytes(bytes));
                if others != 0 {
                    return part.end.min(at + others.trailing_zeros() as usize / 8);
                }
                at += 8;
            }
            _ if SPACES[usize::from(text[at])] => at += 1,
            _ => return at,
        }
    }
    part.end
}

/// Which bytes are white space by themselves.
static SPACES: [bool; 256] = {
    let mut spaces = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        spaces[byte] = is_ascii_space(byte as u8);
        byte += 1;
    }
    spaces
};

/// The high bits of the bytes of a word that are no white space of ASCII.
const fn places_of_others(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH_BITS: u64 = 0x80 * EACH;
    let low_parts = word & !HIGH_BITS;
    let from_tab = low_parts + EACH * (0x80 - b'\t' as u64);
    let after_return = low_parts + EACH * (0x7f - b'\r' as u64);
    let from_separator = low_parts + EACH * (0x80 - 0x1c);
    let after_space = low_parts + EACH * (0x7f - b' ' as u64);
    (!(from_tab & !after_return | from_separator) | after_space | word) & HIGH_BITS
}

/// The text without the white space it ends with, as `str.rstrip` leaves it.
#[inline(always)]
pub fn strip_end(text: &[u8]) -> &[u8] {
    match text.last() {
        Some(&last) if may_be_space(last) => strip_spaces_at_end(text),
        _ => text,
    }
}

fn strip_spaces_at_end(mut text: &[u8]) -> &[u8] {
    while let Some(&last) = text.last() {
        if last.is_ascii() {
            if !is_ascii_space(last) {
                break;
            }
            text = &text[..text.len() - 1];
        } else {
            let start = character_start(text, text.len());
            if !(may_begin_space(text[start]) && is_space(character_at(text, start).0)) {
                break;
            }
            text = &text[..start];
        }
    }
    text
}

/// Whether a byte may belong to white space: letters of ASCII do not.
#[inline(always)]
const fn may_be_space(byte: u8) -> bool {
    byte <= b' ' || byte >= 0x80
}

/// Whether a byte may begin a character that is white space: of those beyond ASCII, very few do.
const fn may_begin_space(byte: u8) -> bool {
    byte.is_ascii() || matches!(byte, 0xC2 | 0xE1..=0xE3)
}

/// Where the character starts that ends at `end`.
fn character_start(text: &[u8], end: usize) -> usize {
    let mut start = end - 1;
    while start > 0 && text[start] & 0xC0 == 0x80 {
        start -= 1;
    }
    start
}

/// The character at a place, and how many bytes it has.
fn character_at(text: &[u8], start: usize) -> (char, usize) {
    let width = match text[start] {
        0..=0x7F => 1,
        0x80..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    };
    let end = text.len().min(start + width);
    let character = std::str::from_utf8(&text[start..end]).ok().and_then(|one| one.chars().next());
    (character.unwrap_or(char::REPLACEMENT_CHARACTER), end - start)
}

/// A letter, digit or underscore: `\w`.
fn is_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

/// Whether the character that ends at `end` continues a word or a name with hyphens: `[\w-]`.
fn follows_name(text: &[u8], end: usize) -> bool {
    end > 0 && {
        let (character, _) = character_at(text, character_start(text, end));
        character == '-' || is_word(character)
    }
}

/// The declarations that hide an element: property and value.
const HIDING: [(&[u8], &[u8]); 2] = [(b"display", b"none"), (b"visibility", b"hidden")];

/// Whether an inline style hides its element:
/// `(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*hidden)\b`, in any case.
#[inline(never)]
pub fn style_hides(style: &[u8]) -> bool {
    let mut colon = find(style, 0, b':');
    while colon < style.len() {
        let before = strip_end(&style[..colon]);
        // Few other properties end like these two.
        let may_hide = matches!(before.last(), Some(b'y' | b'Y'));
        if may_hide && HIDING.iter().any(|(property, value)| declares(before, &style[colon + 1..], property, value)) {
            return true;
        }
        colon = find(style, colon + 1, b':');
    }
    false
}

/// Whether a property stands at the end of what is before a colon, and a value at the start of what is after it.
fn declares(before: &[u8], after: &[u8], property: &[u8], value: &[u8]) -> bool {
    let after = strip_start(after);
    if before.len() < property.len() {
        return false;
    }
    let start = before.len() - property.len();
    before[start..].eq_ignore_ascii_case(property)
        && !follows_name(before, start)
        && after.len() >= value.len()
        && after[..value.len()].eq_ignore_ascii_case(value)
        && (after.len() == value.len() || !is_word(character_at(after, value.len()).0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_what_python_strips() {
        for space in ["\x1c", "\x1f", "\u{85}", "\u{a0}", "\u{2028}", "\u{3000}", "\x0b", "\n"] {
            assert_eq!(strip(format!("{space}a b{space}{space}").as_bytes()), b"a b", "{space:?}");
        }
        for kept in ["\u{200b}", "\u{feff}", "\x1b", "é"] {
            assert_eq!(strip(kept.as_bytes()), kept.as_bytes());
        }
        assert_eq!(strip(b" \n\t "), b"");
    }

    #[test]
    fn all_white_space_begins_with_a_byte_that_may() {
        for character in ('\0'..=char::MAX).filter(|&character| is_space(character)) {
            assert!(may_begin_space(character.to_string().as_bytes()[0]), "{character:?}");
        }
    }

    #[test]
    fn white_space_of_ascii_ends_at_the_first_other_byte() {
        for byte in 0..=255 {
            for place in 0..20 {
                let mut text = [b'\n'; 20];
                text[place] = byte;
                let expected = text.iter().take_while(|&&byte| byte.is_ascii() && is_ascii_space(byte)).count();
                for end in 0..=text.len() {
                    let found = end_of_ascii_spaces(&text, 0..end);
                    assert_eq!(found, end.min(expected), "{byte} at {place} of {end}");
                }
            }
        }
    }

    #[test]
    fn finds_hiding_styles() {
        for hiding in
            ["display:none", "color:red; DISPLAY : None;", "visibility:\u{a0}hidden!important", "a;display:none b"]
        {
            assert!(style_hides(hiding.as_bytes()), "{hiding}");
        }
        for shown in
            ["display:nonesuch", "-display:none", "édisplay:none", "display:block", "none:display", ":", "x:none", ""]
        {
            assert!(!style_hides(shown.as_bytes()), "{shown}");
        }
    }
}
