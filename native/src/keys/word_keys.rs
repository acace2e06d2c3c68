//! The words of a text as keys: what pages of a site are compared by, to find those that say the same.
//!
//! The key of a word is the sum of keys for each letter at its position in the word; upper case is not lower case.
#![forbid(unsafe_code)]

use super::stable_hash::{combine, digest_of};
use crate::blocks::character_properties::WordClass;
use crate::blocks::characters::{is_digit, property_of};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::number_of;

const BODY: i32 = number_of("body");
/// One word in so many may be a number without numbers being the content of a page: a date and some counters are less even
/// on a page of a few lines, a table of results is more.
const MOST_NUMBERS: usize = 5;
/// Words: on a page with fewer, a number may be all that it has of its own.
const SHORT_PAGE: usize = 100;
/// Characters that stand for a digit without being decimal ones, as Python's `str.isdigit` says; first and last.
const OTHER_DIGITS: [(u32, u32); 20] = [
    (0xb2, 0xb3),
    (0xb9, 0xb9),
    (0x1369, 0x1371),
    (0x19da, 0x19da),
    (0x2070, 0x2070),
    (0x2074, 0x2079),
    (0x2080, 0x2089),
    (0x2460, 0x2468),
    (0x2474, 0x247c),
    (0x2488, 0x2490),
    (0x24ea, 0x24ea),
    (0x24f5, 0x24fd),
    (0x24ff, 0x24ff),
    (0x2776, 0x277e),
    (0x2780, 0x2788),
    (0x278a, 0x2792),
    (0x10a40, 0x10a43),
    (0x10e60, 0x10e68),
    (0x11052, 0x1105a),
    (0x1f100, 0x1f10a),
];

/// Of the characters of ASCII: 0 if words end there.
const WORDS_OF_ASCII: [u8; 128] = words_of_ascii();
const LETTER: u8 = 1;
const DIGIT: u8 = 2;

const fn words_of_ascii() -> [u8; 128] {
    let mut kinds = [0; 128];
    let mut code = 0;
    while code < 128 {
        let byte = code as u8;
        kinds[code] = match byte {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => LETTER,
            _ => 0,
        };
        code += 1;
    }
    kinds
}

/// The words of a text, in order. One entry per word.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WordKeys {
    /// Equal for equal words.
    pub key: Vec<u64>,
    /// 1 if the word has a digit, or else 0.
    pub is_number: Vec<u8>,
}

/// A word that may go on.
#[derive(Default)]
struct Word {
    key: u64,
    is_number: bool,
    /// Letters so far.
    length: u64,
}

impl Word {
    /// Add a letter, of which it is known whether it stands for a digit.
    #[inline(always)]
    fn add_known(&mut self, character: char, is_digit: bool) {
        self.key = self.key.wrapping_add(combine(u64::from(u32::from(character)), self.length));
        self.is_number |= is_digit;
        self.length += 1;
    }

    /// Add any other letter, or digit.
    fn add(&mut self, character: char) {
        self.add_known(character, stands_for_digit(character));
    }
}

impl WordKeys {
    /// The words of a text.
    pub fn of_text(text: &str) -> WordKeys {
        let mut words = WordKeys::default();
        words.add(text);
        words
    }

    /// The words that a page shows in its body.
    pub fn of_page(page: &PageView) -> WordKeys {
        let mut words = WordKeys::default();
        let mut body_end = 0;
        for row in 0..page.len() {
            if page.tag[row] == BODY {
                body_end = body_end.max(page.subtree_end[row] as usize);
            }
            if row < body_end && page.hidden[row] == 0 && page.text_length[row] > 0 {
                words.add(page.text_between(row, row));
            }
        }
        words
    }

    /// The same for texts with the same words. Numbers are left out where they are few: 1,234 has another number of parts than
    /// 999.
    pub fn digest(&self) -> [u8; 16] {
        let numbers = self.is_number.iter().filter(|&&is_number| is_number != 0).count();
        let are_content = self.key.len() < SHORT_PAGE || MOST_NUMBERS * numbers > self.key.len();
        let words = self.key.iter().zip(&self.is_number);
        let counted = words.filter(|&(_, &is_number)| are_content || is_number == 0);
        let mut bytes = Vec::with_capacity(8 * self.key.len());
        counted.for_each(|(key, _)| bytes.extend_from_slice(&key.to_le_bytes()));
        digest_of(&bytes)
    }

    /// The distinct runs of so many words, sorted; those with the smallest keys if there are more than `most`.
    pub fn windows(&self, length: usize, most: usize) -> Vec<u64> {
        let mut windows: Vec<u64> = self.key.windows(length).map(key_of_window).collect();
        windows.sort_unstable();
        windows.dedup();
        windows.truncate(most);
        windows
    }

    /// Add the words of a text: none goes on in the next.
    fn add(&mut self, text: &str) {
        let mut word = Word::default();
        for character in text.chars() {
            if character.is_ascii() {
                match WORDS_OF_ASCII[character as usize] {
                    0 => self.end(&mut word),
                    kind => word.add_known(character, kind == DIGIT),
                }
                continue;
            }
            match property_of(character).class {
                WordClass::Outside => self.end(&mut word),
                WordClass::Alone => {
                    self.end(&mut word);
                    word.add(character);
                    self.end(&mut word);
                }
                WordClass::InWord | WordClass::Digit => word.add(character),
            }
        }
        self.end(&mut word);
    }

    /// A word ends here, if there is one.
    #[inline(always)]
    fn end(&mut self, word: &mut Word) {
        if word.length > 0 {
            self.key.push(word.key);
            self.is_number.push(u8::from(word.is_number));
            *word = Word::default();
        }
    }
}

/// The key of words in their order.
fn key_of_window(words: &[u64]) -> u64 {
    words[1..].iter().fold(words[0], |key, &word| combine(key, word))
}

/// Whether a character beyond ASCII stands for a digit, as Python's `str.isdigit` says.
fn stands_for_digit(character: char) -> bool {
    let code = u32::from(character);
    let place = OTHER_DIGITS.partition_point(|&(_, last)| last < code);
    is_digit(character) || OTHER_DIGITS.get(place).is_some_and(|&(first, _)| first <= code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    /// The same, literally.
    fn key(word: &str) -> u64 {
        word.chars()
            .zip(0..)
            .fold(0, |sum, (letter, place)| sum.wrapping_add(combine(u64::from(u32::from(letter)), place)))
    }

    #[test]
    fn the_characters_of_ascii_are_as_all_others() {
        for code in 0..128u8 {
            let kind = match property_of(char::from(code)).class {
                WordClass::Outside => 0,
                WordClass::InWord => LETTER,
                WordClass::Digit => DIGIT,
                WordClass::Alone => unreachable!(),
            };
            assert_eq!(WORDS_OF_ASCII[usize::from(code)], kind, "{}", code);
        }
    }

    #[test]
    fn words_and_numbers() {
        let words = WordKeys::of_text("Tea, tea_2: x² ٣ 漢字 ๑๒ไทย — ");
        let wanted = ["Tea", "tea_2", "x²", "٣", "漢", "字", "๑", "๒", "ไ", "ท", "ย"];
        assert_eq!(words.key, wanted.iter().map(|word| key(word)).collect::<Vec<_>>());
        assert_eq!(words.is_number, [0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0]);
        assert_ne!(key("ab"), key("ba"));
        assert_eq!(WordKeys::of_text(" … "), WordKeys::default());
    }

    #[test]
    fn windows_are_distinct_and_sorted() {
        let words = WordKeys::of_text("one two one two");
        let [one, two] = ["one", "two"].map(key);
        let mut wanted = vec![combine(one, two), combine(two, one)];
        wanted.sort_unstable();
        assert_eq!(words.windows(2, 10), wanted);
        assert_eq!(words.windows(2, 1), wanted[..1]);
        assert_eq!(words.windows(4, 10).len(), 1);
        assert!(words.windows(5, 10).is_empty());
    }

    #[test]
    fn numbers_count_where_they_are_many_or_words_are_few() {
        let digest = |words: usize, numbers: &str| WordKeys::of_text(&("tea ".repeat(words) + numbers)).digest();
        assert_eq!(digest(SHORT_PAGE, "1"), digest(SHORT_PAGE, "2 3"));
        assert_ne!(digest(SHORT_PAGE - 2, "1"), digest(SHORT_PAGE - 2, "2"));
        let numbers = "7 ".repeat(SHORT_PAGE / 4 + 1);
        assert_ne!(digest(SHORT_PAGE, &numbers), digest(SHORT_PAGE, &numbers.replace('7', "8")));
    }

    #[test]
    fn words_of_a_page_are_those_that_are_shown() {
        let html = "<title>no</title><p>One <b>two</b>three<p hidden>no</p><script>no</script>four";
        let words = WordKeys::of_page(&read(html, &Limits::default()).view());
        assert_eq!(words.key, ["One", "two", "three", "four"].map(key));
    }
}
