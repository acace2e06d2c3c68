//! The first two letters of words, to tell at once for nearly all others that they are none of these.
#![forbid(unsafe_code)]

/// Pairs of letters that are told apart, by the lower five bits of each: both cases of a letter are the same.
pub const PAIRS: usize = 1 << 10;

/// The number of a pair of letters.
pub const fn pair(first: u8, second: u8) -> usize {
    (first as usize & 31) << 5 | second as usize & 31
}

/// By pair: whether one of the words begins with it. All words have two letters or more.
pub const fn beginnings(words: &[&str]) -> [bool; PAIRS] {
    let mut found = [false; PAIRS];
    let mut number = 0;
    while number < words.len() {
        let word = words[number].as_bytes();
        found[pair(word[0], word[1])] = true;
        number += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_of_words_in_any_case() {
        let found = beginnings(&["author", "by"]);
        assert!(found[pair(b'A', b'u')] && found[pair(b'b', b'y')] && !found[pair(b'b', b'u')]);
    }
}
