//! Class names, normalised: those that count something or that a build tool generated are the same on every page.
#![forbid(unsafe_code)]

use crate::blocks::character_properties::WordClass;
use crate::blocks::characters::{is_space, property_of};

/// Fewest characters of a generated tail.
const SHORTEST_TAIL: usize = 5;
/// Most characters of one that is letters alone.
const LONGEST_TAIL_OF_LETTERS: usize = 8;
/// Small letters between the capitals of such a tail.
const MOST_SMALL: usize = 2;

/// The names in a class attribute.
pub fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split(is_space).filter(|word| !word.is_empty())
}

/// Add a class name with runs of digits as 0 and without a generated tail: `post-1234` is `post-0`, `css-1x2y3z` is `css-`.
pub fn add_normalised(name: &str, text: &mut String) {
    let head = match name.rfind(['-', '_'].as_slice()) {
        Some(at) if is_generated(&name[at + 1..]) => &name[..at + 1],
        _ => name,
    };
    if head.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_digit()) {
        return text.push_str(head);
    }
    let mut after_digit = false;
    for character in head.chars() {
        let is_digit = property_of(character).class == WordClass::Digit;
        if !is_digit {
            text.push(character);
        } else if !after_digit {
            text.push('0');
        }
        after_digit = is_digit;
    }
}

/// Whether the last part of a name mixes letters and digits, or capitals with fewer than three small letters between them.
fn is_generated(tail: &str) -> bool {
    let bytes = tail.as_bytes();
    let has = |is: fn(&u8) -> bool| bytes.iter().any(is);
    if tail.len() < SHORTEST_TAIL || !bytes.iter().all(u8::is_ascii_alphanumeric) {
        return false;
    }
    if has(u8::is_ascii_digit) {
        return has(u8::is_ascii_alphabetic);
    }
    let capitals = bytes.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let mut small = bytes.split(u8::is_ascii_uppercase);
    tail.len() <= LONGEST_TAIL_OF_LETTERS && capitals >= 2 && small.all(|run| run.len() <= MOST_SMALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_generated_tails() {
        for (name, written) in [
            ("post-1234", "post-0"),
            ("item2b", "item0b"),
            ("css-1x2y3z", "css-"),
            ("a_b-1x2y3", "a_b-"),
            ("sc-bdVaJa", "sc-"),
            ("sc-gZMcBi", "sc-"),
            ("x-ABCDE", "x-"),
            ("x-Title", "x-Title"),
            ("x-TITLE-Ab", "x-TITLE-Ab"),
            ("x-AbcAbcde", "x-AbcAbcde"),
            ("x-AbAbAbAbA", "x-AbAbAbAbA"),
            ("x-12345", "x-0"),
            ("x-1a2b", "x-0a0b"),
            ("1a2b3c", "0a0b0c"),
            ("é-1٣", "é-0"),
            ("", ""),
        ] {
            let mut text = String::new();
            add_normalised(name, &mut text);
            assert_eq!(text, written, "{}", name);
        }
    }
}
