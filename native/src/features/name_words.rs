//! The words within names of elements: `postBody`, `post-body` and `POST_BODY2` are `post` and `body`.
#![forbid(unsafe_code)]

use crate::blocks::characters::beginning;
use crate::blocks::characters::property_of;

/// Characters of an attribute or a tag that are read: utility style sheets give an element fifty classes.
const LONGEST_VALUE: usize = 200;
const SHORTEST_WORD: usize = 2;

/// The first characters of a value, as many as are read.
pub fn read_part(value: &str) -> &str {
    beginning(value, LONGEST_VALUE)
}

/// What a byte of a name is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Between words.
    Other,
    Capital,
    Small,
    /// Of a character beyond ASCII.
    Beyond,
}

/// By byte.
static KINDS: [Kind; 256] = {
    let (mut kinds, mut byte) = ([Kind::Other; 256], 0);
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'A'..=b'Z' => Kind::Capital,
            b'a'..=b'z' => Kind::Small,
            0x80..=0xff => Kind::Beyond,
            _ => Kind::Other,
        };
        byte += 1;
    }
    kinds
};

/// Words in a value, as they are written: one capital at most and small letters, or capitals, or letters beyond ASCII;
/// two of them at least. The last capital before a small letter begins the next word.
pub struct NameWords<'a> {
    text: &'a str,
    /// Where the next word is looked for.
    at: usize,
}

impl<'a> NameWords<'a> {
    /// The words in the beginning of a value.
    pub fn new(value: &'a str) -> Self {
        NameWords { text: read_part(value), at: 0 }
    }
}

impl<'a> Iterator for NameWords<'a> {
    type Item = &'a str;

    /// The next word.
    #[inline(always)]
    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        loop {
            let start = end_of(bytes, self.at, Kind::Other);
            let (end, is_word) = match KINDS[usize::from(*bytes.get(start)?)] {
                Kind::Beyond => read_beyond_ascii(self.text, start),
                _ => read_ascii(bytes, start),
            };
            self.at = end;
            if is_word {
                return Some(&self.text[start..end]);
            }
        }
    }
}

/// The first place from one on with a byte that is not of a kind, or the length.
#[inline(always)]
fn end_of(bytes: &[u8], from: usize, kind: Kind) -> usize {
    let mut at = from;
    while at < bytes.len() && KINDS[usize::from(bytes[at])] == kind {
        at += 1;
    }
    at
}

/// Where the word ends that starts with a letter of ASCII; or where to go on, if there is none.
#[inline(always)]
fn read_ascii(bytes: &[u8], start: usize) -> (usize, bool) {
    let end_of_capitals = end_of(bytes, start, Kind::Capital);
    let end = end_of(bytes, end_of_capitals, Kind::Small);
    match (end_of_capitals - start, end - end_of_capitals) {
        (0 | 1, SHORTEST_WORD..) | (SHORTEST_WORD.., 0) => (end, true),
        // The last capital is not of this word, since a small letter follows it.
        (3.., _) => (end_of_capitals - 1, true),
        _ => (start + 1, false),
    }
}

/// The same for letters beyond ASCII, which start with any character beyond ASCII.
#[inline(never)]
fn read_beyond_ascii(text: &str, start: usize) -> (usize, bool) {
    let letters = || text[start..].chars().take_while(|&each| property_of(each).in_names);
    if letters().count() < SHORTEST_WORD {
        return (start + text[start..].chars().next().map_or(1, char::len_utf8), false);
    }
    (start + letters().map(char::len_utf8).sum::<usize>(), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(value: &str) -> Vec<&str> {
        NameWords::new(value).collect()
    }

    #[test]
    fn words_of_names() {
        assert_eq!(words("postBody post-body POST_BODY2"), ["post", "Body", "post", "body", "POST", "BODY"]);
        assert_eq!(words("HTMLPage ABc Ab aB x1y"), ["HTML", "Page"]);
        assert_eq!(words("Straße überÄÖ 漢字1漢"), ["Stra", "ber", "ÄÖ", "漢字"]);
        assert_eq!(words("navBAR"), ["nav", "BAR"]);
    }

    #[test]
    fn reads_the_beginning_only() {
        assert_eq!(words(&"ab ".repeat(100)).len(), 67);
        assert_eq!(read_part(&"é".repeat(300)).chars().count(), 200);
        assert_eq!(read_part(&"é".repeat(150)).chars().count(), 150);
    }
}
