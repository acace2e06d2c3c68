//! What a character is: to features that count kinds, to words, and to names of elements.
//!
//! Two tables of a byte a character lead to the few combinations of properties there are. `char`'s own methods follow
//! the Unicode version of the compiler; trained weights need one that stays.
#![forbid(unsafe_code)]

use super::character_properties::Property;
use super::character_table::{BEYOND, PAGE_OF, PROPERTIES, PROPERTY_OF};

/// All that is known of a character.
#[inline]
pub fn property_of(character: char) -> &'static Property {
    let code = character as usize;
    match PAGE_OF.get(code / 64) {
        Some(&page) => &PROPERTIES[usize::from(PROPERTY_OF[usize::from(page)][code % 64])],
        None => property_beyond(character as u32),
    }
}

/// The property of a character beyond the basic plane: pictures, or letters of rare scripts.
#[cold]
fn property_beyond(code: u32) -> &'static Property {
    let place = BEYOND.partition_point(|&(_, last, _)| last < code);
    match BEYOND.get(place) {
        Some(&(first, _, number)) if first <= code => &PROPERTIES[usize::from(number)],
        _ => &PROPERTIES[0],
    }
}

/// Whether Python's `str.strip` takes the character off: the white space of Unicode and four separators of ASCII.
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// Whether a character is part of words to Python's `\w`: a letter, a number or an underscore.
pub fn is_word(character: char) -> bool {
    character == '_' || property_of(character).is_alphanumeric
}

/// Whether a character is a decimal digit of any script, as Python's `\d` says: a letter or number that names of elements
/// are not made of, but for the letters of ASCII. `WordClass::Digit` leaves out scripts without blanks and rare ones.
pub fn is_digit(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_digit();
    }
    let property = property_of(character);
    property.is_alphanumeric && !property.in_names
}

/// The text without white space around it.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// The first characters of a text, at most so many.
pub fn beginning(text: &str, characters: usize) -> &str {
    if text.len() <= characters {
        return text;
    }
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}

/// Letters and digits in lower case: spaces and punctuation often differ between two copies of a text.
pub fn letters(text: &str) -> String {
    let mut letters = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            if character.is_ascii_alphanumeric() {
                letters.push(character.to_ascii_lowercase());
            }
            continue;
        }
        let property = property_of(character);
        if property.is_alphanumeric {
            let lower = u32::try_from(character as i32 + property.to_lower).ok().and_then(char::from_u32);
            letters.push(lower.unwrap_or(character));
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::super::character_properties::{kind, WordClass};
    use super::*;

    #[test]
    fn letters_are_those_of_words_in_lower_case() {
        assert_eq!(letters("A_b-C 3, ÄÖ 漢字!"), "abc3äö漢字");
    }

    #[test]
    fn letters_digits_and_marks() {
        assert!(property_of('a').is(kind::LETTER) && !property_of('a').is(kind::UPPER));
        assert!(property_of('Ä').is(kind::UPPER) && property_of('Ä').to_lower == 32);
        assert!(property_of('.').is(kind::STOP) && property_of('.').is(kind::PUNCTUATION));
        assert!(property_of('→').is(kind::SEPARATOR) && property_of('→').is(kind::SIGN));
        assert_eq!(property_of('7').class, WordClass::Digit);
        assert_eq!(property_of('_').class, WordClass::InWord);
        assert!(!property_of('_').is_alphanumeric);
        assert_eq!(property_of('漢').class, WordClass::Alone);
        assert_eq!(property_of(' ').counts, 0);
    }

    #[test]
    fn a_letter_whose_lower_case_is_two_characters_stays() {
        assert_eq!(property_of('İ').to_lower, 0);
    }

    #[test]
    fn beyond_the_basic_plane() {
        assert_eq!(property_of('😀'), &PROPERTIES[0]);
        assert_eq!(property_of('𐐀').class, WordClass::InWord);
        assert_eq!(property_of('𠀀').class, WordClass::Alone);
        assert!(property_of('𝟎').is_alphanumeric && !property_of('𝟎').in_names);
        assert_eq!(property_of(char::MAX), &PROPERTIES[0]);
    }

    #[test]
    fn first_property_is_none() {
        assert_eq!(PROPERTIES[0], Property::new(0, WordClass::Outside, false, false, 0));
    }

    #[test]
    fn digits_of_all_scripts() {
        assert!("7٣๓５𝟎".chars().all(is_digit));
        assert!(!"x²½Ⅷ六_é\u{378}".chars().any(is_digit));
        // Category Nd of Unicode 14.
        assert_eq!(('\0'..=char::MAX).filter(|&character| is_digit(character)).count(), 660);
    }

    #[test]
    fn strips_what_python_strips() {
        assert_eq!(strip("\u{1f}\u{a0}\u{85} a b \u{3000}\n"), "a b");
        assert_eq!(strip("\u{200b}a"), "\u{200b}a");
    }
}
