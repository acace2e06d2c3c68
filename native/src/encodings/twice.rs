//! Text that was written as UTF-8, taken for windows-1252 or Latin-1, and written as UTF-8 again: `cafÃ©`.
#![forbid(unsafe_code)]

use crate::html::ascii_length;
use crate::html::bytes::find;
use encoding_rs::WINDOWS_1252;
use std::borrow::Cow;
use std::ops::Range;

/// How much of a text was encoded twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Twice {
    /// Characters beyond ASCII that runs of others stand for: runs that are UTF-8 if they are taken for bytes.
    pub twice: usize,
    /// Characters beyond ASCII of other runs.
    pub once: usize,
}

/// Fewest characters that say anything about a page: after an `é` and a space that does not break, ` »` makes one in good French.
const FEWEST: usize = 4;
/// If one character in so many was encoded twice, words are lost.
const TOLD: usize = 5;

impl Twice {
    /// Count the characters of a text.
    pub fn of(text: &str) -> Twice {
        let mut found = Twice::default();
        if !may_be_twice(text.as_bytes()) {
            return found;
        }
        for run in runs(text) {
            match once(&text[run.clone()]) {
                Some(before) => found.twice += before.chars().count(),
                None => found.once += text[run].chars().count(),
            }
        }
        found
    }

    /// Whether all of the page was encoded twice.
    pub fn is_whole(self) -> bool {
        self.twice >= FEWEST && self.once == 0
    }

    /// Whether much of it was.
    pub fn is_partly(self) -> bool {
        self.twice >= FEWEST && self.twice * TOLD >= self.twice + self.once
    }
}

/// How often a text may have been encoded.
const MOST_TIMES: usize = 4;

/// A text that was encoded twice or more, as it was before.
pub fn decoded_again(text: &str) -> String {
    let mut decoded = decoded_once(text);
    for _ in 2..MOST_TIMES {
        let left = Twice::of(&decoded);
        if left.twice == 0 || left.once > 0 {
            break;
        }
        decoded = decoded_once(&decoded);
    }
    decoded
}

/// A text with every run decoded once that can be.
fn decoded_once(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut copied = 0;
    for run in runs(text) {
        decoded.push_str(&text[copied..run.start]);
        copied = run.end;
        decoded.push_str(&once(&text[run.clone()]).unwrap_or_else(|| text[run].to_string()));
    }
    decoded.push_str(&text[copied..]);
    decoded
}

/// Whether there is any character that bytes C2 to F4 stand for before one that others do. The text of most pages has none.
fn may_be_twice(utf8: &[u8]) -> bool {
    let mut at = find(utf8, 0, 0xC3);
    while let Some(&[second, third]) = utf8.get(at + 1..at + 3) {
        // U+00C2 to U+00F4; then one of U+0080 to U+00BF, or a sign or letter that windows-1252 has there.
        if (0x82..=0xB4).contains(&second) && matches!(third, 0xC2 | 0xC5 | 0xC6 | 0xCB | 0xE2) {
            return true;
        }
        at = find(utf8, at + 1, 0xC3);
    }
    false
}

/// Stretches of characters beyond ASCII.
fn runs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + ascii_length(&bytes[at..]);
        let length = bytes[start..].iter().take_while(|byte| !byte.is_ascii()).count();
        at = start + length;
        (length > 0).then_some(start..at)
    })
}

/// A run as it was before it was encoded the second time, if it can have been.
fn once(run: &str) -> Option<String> {
    let bytes: Option<Vec<u8>> = run.chars().map(byte_of).collect();
    String::from_utf8(bytes?).ok().filter(|before| !before.contains(is_rare))
}

/// Letters of phonetic spelling and of few languages, and marks that are written above others: `É®` is no `ɮ`.
fn is_rare(character: char) -> bool {
    matches!(character, '\u{180}'..='\u{36f}')
}

/// The byte that a character stands for in windows-1252, or in Latin-1.
fn byte_of(character: char) -> Option<u8> {
    if let Ok(byte) = u8::try_from(u32::from(character)) {
        return Some(byte);
    }
    let mut written = [0; 4];
    match WINDOWS_1252.encode(character.encode_utf8(&mut written)) {
        (Cow::Owned(bytes), _, false) if bytes.len() == 1 => Some(bytes[0]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn twice(text: &str) -> String {
        let (again, _) = WINDOWS_1252.decode_without_bom_handling(text.as_bytes());
        again.into_owned()
    }

    #[test]
    fn text_that_was_encoded_twice_is_decoded_twice() {
        for text in ["été à côté, Ö – “tea”", "茶园里，有淡淡的", "чай и вода и мёд"] {
            let found = Twice::of(&twice(text));
            assert!(found.is_whole(), "{text} {:?}", found);
            assert_eq!(decoded_again(&twice(text)), text);
            assert_eq!(decoded_again(&twice(&twice(text))), text);
        }
    }

    #[test]
    fn other_text_was_not() {
        for text in [
            "plain",
            "été à côté, Ö – “tea”",
            "« à »\u{a0}« é\u{a0}» « é\u{a0}» é é é",
            "茶 Ã© Ã©",
            "CAFÉ® CAFÉ® CAFÉ® CAFÉ®",
            "ñ ã õ Ä Ã Â ã",
        ] {
            let found = Twice::of(text);
            assert!(!found.is_whole() && !found.is_partly(), "{text} {:?}", found);
        }
    }

    #[test]
    fn part_of_a_page_is_counted() {
        let found = Twice::of("café thé Ã©tÃ© dâ€™ici lâ€™eau");
        assert_eq!(found, Twice { twice: 4, once: 2 });
        assert!(found.is_partly() && !found.is_whole());
    }
}
