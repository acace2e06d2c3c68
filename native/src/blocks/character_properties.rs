//! The properties that characters can have: what the table of characters is made of.
#![forbid(unsafe_code)]

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
