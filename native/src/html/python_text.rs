//! Questions about text that must be answered as Python's `str` and `re` answer them.

#![forbid(unsafe_code)]

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
#[inline]
pub fn strip(text: &[u8]) -> &[u8] {
    strip_end(strip_start(text))
}

/// The text without the white space it starts with, as `str.lstrip` leaves it.
#[inline]
pub fn strip_start(mut text: &[u8]) -> &[u8] {
    loop {
        // Most texts between tags are an indentation.
        let spaces = text.iter().position(|&byte| !SPACES[usize::from(byte)]).unwrap_or(text.len());
        text = &text[spaces..];
        if text.first().map_or(true, u8::is_ascii) {
            return text;
        }
        let (character, width) = character_at(text, 0);
        if !is_space(character) {
            return text;
        }
        text = &text[width..];
    }
}

/// Which bytes are white space by themselves.
const SPACES: [bool; 256] = {
    let mut spaces = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        spaces[byte] = is_ascii_space(byte as u8);
        byte += 1;
    }
    spaces
};

/// The text without the white space it ends with, as `str.rstrip` leaves it.
#[inline]
pub fn strip_end(mut text: &[u8]) -> &[u8] {
    while let Some(&last) = text.last() {
        if last.is_ascii() {
            if !is_ascii_space(last) {
                break;
            }
            text = &text[..text.len() - 1];
        } else {
            let start = character_start(text, text.len());
            if !is_space(character_at(text, start).0) {
                break;
            }
            text = &text[..start];
        }
    }
    text
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
pub fn style_hides(style: &[u8]) -> bool {
    let mut from = 0;
    while let Some(colon) = style[from..].iter().position(|&byte| byte == b':').map(|at| from + at) {
        if HIDING.iter().any(|(property, value)| declares(style, colon, property, value)) {
            return true;
        }
        from = colon + 1;
    }
    false
}

/// Whether a property stands before a colon and a value after it.
fn declares(style: &[u8], colon: usize, property: &[u8], value: &[u8]) -> bool {
    let before = strip_end(&style[..colon]);
    let after = strip_start(&style[colon + 1..]);
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
