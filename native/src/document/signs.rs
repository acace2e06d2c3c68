//! Signs: what Python's `unicodedata` says of a character.
#![forbid(unsafe_code)]

use super::sign_table::{PUNCTUATION, SYMBOLS};

/// Whether a character is of one of the ranges.
fn is_in(ranges: &[(u32, u32)], character: char) -> bool {
    let code = character as u32;
    let place = ranges.partition_point(|&(_, last)| last < code);
    ranges.get(place).is_some_and(|&(first, _)| first <= code)
}

/// Punctuation (category P).
pub fn is_punctuation(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_punctuation() && !is_ascii_symbol(character);
    }
    is_in(&PUNCTUATION, character)
}

/// A symbol: currency, arrows, pictures (category S).
pub fn is_symbol(character: char) -> bool {
    is_ascii_symbol(character) || (!character.is_ascii() && is_in(&SYMBOLS, character))
}

/// A symbol of ASCII.
pub fn is_ascii_symbol(character: char) -> bool {
    matches!(character, '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_ascii_and_beyond() {
        assert!(is_punctuation('.') && is_punctuation('_') && is_punctuation('“') && is_punctuation('。'));
        assert!(is_symbol('$') && is_symbol('~') && is_symbol('€') && is_symbol('😀') && is_symbol('→'));
        assert!(!is_punctuation('$') && !is_symbol('.') && !is_punctuation('a') && !is_symbol(' '));
    }
}
