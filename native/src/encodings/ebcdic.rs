//! EBCDIC: how mainframes write text.
#![forbid(unsafe_code)]

use super::charsets::Text;
use crate::failure::Failure;

/// The Latin-1 characters of code page 037. Both signs for a new line are one.
#[rustfmt::skip]
static CODE_PAGE_037: [u8; 256] = [
    0x00, 0x01, 0x02, 0x03, 0x9c, 0x09, 0x86, 0x7f, 0x97, 0x8d, 0x8e, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
    0x10, 0x11, 0x12, 0x13, 0x9d, 0x0a, 0x08, 0x87, 0x18, 0x19, 0x92, 0x8f, 0x1c, 0x1d, 0x1e, 0x1f,
    0x80, 0x81, 0x82, 0x83, 0x84, 0x0a, 0x17, 0x1b, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x05, 0x06, 0x07,
    0x90, 0x91, 0x16, 0x93, 0x94, 0x95, 0x96, 0x04, 0x98, 0x99, 0x9a, 0x9b, 0x14, 0x15, 0x9e, 0x1a,
    b' ', 0xa0, 0xe2, 0xe4, 0xe0, 0xe1, 0xe3, 0xe5, 0xe7, 0xf1, 0xa2, b'.', b'<', b'(', b'+', b'|',
    b'&', 0xe9, 0xea, 0xeb, 0xe8, 0xed, 0xee, 0xef, 0xec, 0xdf, b'!', b'$', b'*', b')', b';', 0xac,
    b'-', b'/', 0xc2, 0xc4, 0xc0, 0xc1, 0xc3, 0xc5, 0xc7, 0xd1, 0xa6, b',', b'%', b'_', b'>', b'?',
    0xf8, 0xc9, 0xca, 0xcb, 0xc8, 0xcd, 0xce, 0xcf, 0xcc, b'`', b':', b'#', b'@', b'\'', b'=', b'"',
    0xd8, b'a', b'b', b'c', b'd', b'e', b'f', b'g', b'h', b'i', 0xab, 0xbb, 0xf0, 0xfd, 0xfe, 0xb1,
    0xb0, b'j', b'k', b'l', b'm', b'n', b'o', b'p', b'q', b'r', 0xaa, 0xba, 0xe6, 0xb8, 0xc6, 0xa4,
    0xb5, b'~', b's', b't', b'u', b'v', b'w', b'x', b'y', b'z', 0xa1, 0xbf, 0xd0, 0xdd, 0xde, 0xae,
    b'^', 0xa3, 0xa5, 0xb7, 0xa9, 0xa7, 0xb6, 0xbc, 0xbd, 0xbe, b'[', b']', 0xaf, 0xa8, 0xb4, 0xd7,
    b'{', b'A', b'B', b'C', b'D', b'E', b'F', b'G', b'H', b'I', 0xad, 0xf4, 0xf6, 0xf2, 0xf3, 0xf5,
    b'}', b'J', b'K', b'L', b'M', b'N', b'O', b'P', b'Q', b'R', 0xb9, 0xfb, 0xfc, 0xf9, 0xfa, 0xff,
    b'\\', 0xf7, b'S', b'T', b'U', b'V', b'W', b'X', b'Y', b'Z', 0xb2, 0xd4, 0xd6, 0xd2, 0xd3, 0xd5,
    b'0', b'1', b'2', b'3', b'4', b'5', b'6', b'7', b'8', b'9', 0xb3, 0xdb, 0xdc, 0xd9, 0xda, 0x9f,
];

/// What code page 500 has elsewhere.
const OF_CODE_PAGE_500: [(u8, char); 7] =
    [(0x4A, '['), (0x4F, '!'), (0x5A, ']'), (0x5F, '^'), (0xB0, '¢'), (0xBA, '¬'), (0xBB, '|')];
const SPACE: u8 = 0x40;
/// `<!` in code page 500, where a page begins with its document type.
const DECLARATION_500: [u8; 2] = [0x4C, 0x4F];

/// Bytes of EBCDIC as text, by code page 037 or 500.
pub fn decode(bytes: &[u8], is_500: bool) -> Result<Text, Failure> {
    let mut utf8 = String::new();
    utf8.try_reserve(2 * bytes.len())?;
    let elsewhere = |byte: u8| OF_CODE_PAGE_500.iter().find(|(code, _)| is_500 && *code == byte);
    utf8.extend(bytes.iter().map(|&byte| match elsewhere(byte) {
        Some(&(_, character)) => character,
        None => char::from(CODE_PAGE_037[usize::from(byte)]),
    }));
    Ok(Text { utf8, damaged: 0 })
}

/// Of bytes that are text, one in this many is a space, at least. In ASCII, this code is `@`.
const MOST_BYTES_A_SPACE: usize = 40;
/// How many times as many bytes are a space in EBCDIC as in ASCII.
const TIMES_AS_MANY: usize = 8;
/// Three of so many bytes of text are letters, digits or spaces, at least; of bytes at random, one in four.
const OF_LETTERS: usize = 5;

/// Whether bytes are text in EBCDIC.
pub fn is_ebcdic(bytes: &[u8]) -> bool {
    let (mut spaces, mut ascii_spaces, mut letters) = (0, 0, 0);
    for &byte in bytes {
        spaces += usize::from(byte == SPACE);
        ascii_spaces += usize::from(byte == b' ');
        letters += usize::from(CODE_PAGE_037[usize::from(byte)].is_ascii_alphanumeric());
    }
    spaces * MOST_BYTES_A_SPACE >= bytes.len()
        && spaces > TIMES_AS_MANY * ascii_spaces
        && OF_LETTERS * (letters + spaces) >= 3 * bytes.len()
}

/// Whether a page is in code page 500, if it is in EBCDIC.
pub fn is_code_page_500(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| pair == DECLARATION_500)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text in code page 037.
    pub fn encode(text: &str) -> Vec<u8> {
        let code = |byte: u8| CODE_PAGE_037.iter().position(|&known| known == byte).unwrap() as u8;
        text.bytes().map(code).collect()
    }

    #[test]
    fn text_is_told_from_other_bytes() {
        let page = encode("<p>Steep the leaves for 3 minutes.</p>\n");
        assert!(is_ebcdic(&page));
        assert_eq!(decode(&page, false).unwrap().utf8, "<p>Steep the leaves for 3 minutes.</p>\n");
        for other in [&b"<p>Steep the leaves</p>"[..], b"a@b.example, c@d.example, e@f.example", &[0x81; 80]] {
            assert!(!is_ebcdic(other), "{:?}", other);
        }
        let all: Vec<u8> = (0..=255).collect();
        assert!(!is_ebcdic(&all.repeat(40)));
    }

    #[test]
    fn the_document_type_tells_the_code_page() {
        assert!(is_code_page_500(&[0x4C, 0x4F, 0xC4]) && !is_code_page_500(&[0x4C, 0x5A, 0xC4]));
        assert_eq!(decode(&[0x4C, 0x4F, 0xC4], true).unwrap().utf8, "<!D");
    }
}
