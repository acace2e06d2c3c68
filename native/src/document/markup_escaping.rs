//! Texts and values of attributes as HTML and XML have them: markup escaped, and no character that XML forbids.
#![forbid(unsafe_code)]

use super::steps::count;
use crate::blocks::white_space::shown_character;

/// Where a text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Between tags.
    Content,
    /// Between double quotes.
    Attribute,
}

/// Bytes that begin a character which is written in another way, or may be.
static MAY_BE_SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        special[byte] = match byte as u8 {
            b'\t' | b'\n' => false,
            // Control characters of ASCII, and the first bytes of others and of U+FFFE and U+FFFF.
            0..=0x1F | 0x7F | 0xC2 | 0xEF => true,
            b'&' | b'<' | b'>' | b'"' => true,
            _ => false,
        };
        byte += 1;
    }
    special
};

/// Appends a text, escaped.
pub fn append_escaped_markup(output: &mut String, text: &str, place: Place) {
    count(text.len());
    let (mut written, mut next) = (0, 0);
    while let Some(found) = text.as_bytes()[next..].iter().position(|&byte| MAY_BE_SPECIAL[usize::from(byte)]) {
        let begin = next + found;
        let Some(character) = text[begin..].chars().next() else { break };
        next = begin + character.len_utf8();
        let mut buffer = [0; 4];
        if let Some(written_as) = other_form(character, place, &mut buffer) {
            output.push_str(&text[written..begin]);
            output.push_str(written_as);
            written = next;
        }
    }
    output.push_str(&text[written..]);
}

/// How a character is written, if not as it is.
fn other_form(character: char, place: Place, buffer: &mut [u8; 4]) -> Option<&str> {
    match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => (place == Place::Attribute).then_some("&quot;"),
        '\x0C' | '\r' => Some(" "),
        '\u{FFFE}' | '\u{FFFF}' => Some("\u{FFFD}"),
        '\0' => Some(""),
        _ => match shown_character(character) {
            None => Some(""),
            Some(shown) => (shown != character).then(|| &*shown.encode_utf8(buffer)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str, place: Place) -> String {
        let mut output = String::new();
        append_escaped_markup(&mut output, text, place);
        output
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escaped("a < b & \"c\" > d", Place::Content), "a &lt; b &amp; \"c\" &gt; d");
        assert_eq!(escaped("a\"&é", Place::Attribute), "a&quot;&amp;é");
        assert_eq!(escaped("", Place::Content), "");
    }

    #[test]
    fn characters_that_xml_forbids_go() {
        let cases = [
            ("a\x01\x0B\tb\n", "a\tb\n"),
            ("don\u{92}t\u{81}", "don’t"),
            ("a\x0Cb\r\n", "a b \n"),
            ("\u{FFFE}\u{FFFD}\u{FEFF}", "\u{FFFD}\u{FFFD}\u{FEFF}"),
            ("\u{a0}\0\x7F¿", "\u{a0}¿"),
        ];
        for (text, expected) in cases {
            assert_eq!(escaped(text, Place::Content), expected, "{text:?}");
        }
    }
}
