//! What a character is: to features that count kinds, to words, and to names of elements.
//!
//! Two tables of a byte a character lead to the few combinations of properties there are. `char`'s own methods follow
//! the Unicode version of the compiler; trained weights need one that stays.
#![forbid(unsafe_code)]

use super::character_table::{BEYOND, PAGE_OF, PROPERTIES, PROPERTY_OF};

/// Kinds of characters that features count, one bit each, in the order of the features.
pub mod kind {
    /// Letters and the marks that belong to them.
    pub const LETTER: usize = 0;
    /// Digits and other numbers.
    pub const DIGIT: usize = 1;
    /// Capital letters.
    pub const UPPER: usize = 2;
    /// Punctuation.
    pub const PUNCTUATION: usize = 3;
    /// Commas and semicolons.
    pub const COMMA: usize = 4;
    /// Ends a sentence.
    pub const STOP: usize = 5;
    /// Neither letter, digit, punctuation nor white space: currency, arrows, pictures.
    pub const SIGN: usize = 6;
    /// Separates the items of a menu or a line of facts.
    pub const SEPARATOR: usize = 7;
    /// How many kinds there are.
    pub const NUMBER: usize = 8;
}

/// What a character is to the words of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordClass {
    /// Between words.
    Outside,
    /// Part of a word.
    InWord,
    /// A word by itself: a letter of a script that puts no blanks between words.
    Alone,
    /// Part of a word; a word of nothing else is a number.
    Digit,
}

/// All that is known of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    /// 8 bits a kind, 1 for each that the character is of: sums count eight kinds at once.
    pub counts: u64,
    /// What it is to words.
    pub class: WordClass,
    /// A letter or a number.
    pub is_alphanumeric: bool,
    /// A letter beyond ASCII, or a number that is no decimal digit: what names of elements are made of besides ASCII.
    pub in_names: bool,
    /// What to add for the lower case, where that is one character.
    pub to_lower: i32,
}

impl Property {
    /// From the bits of the kinds and the rest.
    pub const fn new(kinds: u8, class: WordClass, is_alphanumeric: bool, in_names: bool, to_lower: i32) -> Self {
        let mut counts = 0;
        let mut number = 0;
        while number < kind::NUMBER {
            counts |= ((kinds >> number & 1) as u64) << (8 * number);
            number += 1;
        }
        Property { counts, class, is_alphanumeric, in_names, to_lower }
    }

    /// Whether the character is of a kind.
    pub fn is(&self, kind: usize) -> bool {
        self.counts >> (8 * kind) & 1 == 1
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

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
