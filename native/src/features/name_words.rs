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

/// Words in a value, as they are written: one capital at most and small letters, or capitals, or letters beyond ASCII;
/// two of them at least. The last capital before a small letter begins the next word.
pub struct NameWords<'a> {
    rest: &'a str,
}

impl<'a> NameWords<'a> {
    /// The words in the beginning of a value.
    pub fn new(value: &'a str) -> Self {
        NameWords { rest: read_part(value) }
    }
}

impl<'a> Iterator for NameWords<'a> {
    type Item = &'a str;

    /// The next word.
    fn next(&mut self) -> Option<&'a str> {
        loop {
            // What no word begins with.
            let between = count(self.rest.as_bytes(), |byte| byte.is_ascii() && !byte.is_ascii_alphabetic());
            self.rest = &self.rest[between..];
            let first = self.rest.chars().next()?;
            let length = word_length(self.rest);
            let (word, rest) = self.rest.split_at(if length > 0 { length } else { first.len_utf8() });
            self.rest = rest;
            if length > 0 {
                return Some(word);
            }
        }
    }
}

/// The bytes of the word at the start of a text; 0 if there is none.
fn word_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    if !bytes[0].is_ascii() {
        return letters_beyond_ascii(text);
    }
    let capitals = count(bytes, u8::is_ascii_uppercase);
    let small = count(&bytes[capitals..], u8::is_ascii_lowercase);
    match (capitals, small) {
        (0 | 1, SHORTEST_WORD..) => capitals + small,
        (SHORTEST_WORD.., 0) => capitals,
        // The last capital is not of this word, since a small letter follows it.
        (3.., _) => capitals - 1,
        _ => 0,
    }
}

/// How many bytes at the start are wanted.
fn count(bytes: &[u8], is_wanted: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is_wanted(byte)).count()
}

/// The bytes of the letters beyond ASCII at the start of a text; 0 if they are too few.
fn letters_beyond_ascii(text: &str) -> usize {
    let letters = text.chars().take_while(|&each| property_of(each).in_names);
    let (number, bytes) = letters.fold((0, 0), |(number, bytes), each| (number + 1, bytes + each.len_utf8()));
    if number < SHORTEST_WORD {
        0
    } else {
        bytes
    }
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
