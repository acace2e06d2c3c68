//! What class names and ids say of an element: that it is a byline, a date, breadcrumbs, and so on.
//!
//! A table of the words of each meaning, in lower case, is searched at every letter of a name whose first two letters begin
//! one of them: names are short, but a page has thousands. Most of them it has many times, so meanings are remembered.
#![forbid(unsafe_code)]

use super::letter_pairs::{beginnings, pair, PAIRS};
use crate::blocks::characters::beginning;
use crate::blocks::characters::{is_space, is_word};
use crate::blocks::remembered_values::RememberedValues;

/// Meanings, one bit each.
pub mod meaning {
    /// Not about the page: comments, teasers, sidebars.
    pub const APART: u16 = 1 << 0;
    /// Names of authors.
    pub const BYLINE: u16 = 1 << 1;
    /// A date.
    pub const DATE: u16 = 1 << 2;
    /// Breadcrumbs.
    pub const TRAIL: u16 = 1 << 3;
    /// A footer, or a note on rights.
    pub const FOOTER: u16 = 1 << 4;
    /// A subtitle.
    pub const SUBTITLE: u16 = 1 << 5;
    /// About publication.
    pub const PUBLISHED: u16 = 1 << 6;
    /// About changes.
    pub const MODIFIED: u16 = 1 << 7;
}

use meaning::{APART, BYLINE, DATE, FOOTER, MODIFIED, PUBLISHED, SUBTITLE, TRAIL};

/// Characters of a class attribute that are searched.
const LONGEST_NAMES: usize = 200;

/// Where in a name a word counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Anywhere.
    Anywhere,
    /// At the start of a word of letters and digits.
    WordStart,
    /// Between white space, hyphens, underscores and the ends.
    Apart,
    /// The same, but one of `BEFORE_DATES` may precede.
    ApartOrPrefixed,
}

use Place::{Anywhere, Apart, ApartOrPrefixed, WordStart};

/// Words, what they mean, and where; those with the same first letter are together.
#[rustfmt::skip]
const WORDS: [(&str, u16, Place); 70] = [
    ("author", BYLINE, Anywhere), ("autor", BYLINE, Anywhere), ("bread-_crumb", TRAIL, Anywhere),
    ("bread-crumb", TRAIL, Anywhere), ("bread_crumb", TRAIL, Anywhere), ("breadcrumb", TRAIL, Anywhere),
    ("by-line", BYLINE, Anywhere), ("byline", BYLINE, Anywhere), ("comment", APART, Anywhere),
    ("copyright", FOOTER, Anywhere), ("created", PUBLISHED, Anywhere), ("date", DATE, ApartOrPrefixed),
    ("dateline", DATE, ApartOrPrefixed), ("dek", SUBTITLE, Apart), ("disqus", APART, Anywhere),
    ("entry-date", PUBLISHED, Anywhere), ("foot", FOOTER, Anywhere), ("imprint", FOOTER, Anywhere),
    ("legal", FOOTER, Anywhere), ("licence", FOOTER, Anywhere), ("license", FOOTER, Anywhere),
    ("modif", MODIFIED, Anywhere), ("more-", APART, Anywhere), ("newsletter", APART, Anywhere),
    ("popular", APART, Anywhere), ("posted", PUBLISHED, Anywhere), ("posted-by", BYLINE, Anywhere),
    ("posted-on", DATE, Anywhere), ("postedby", BYLINE, Anywhere), ("postedon", DATE, Anywhere),
    ("promo", APART, Anywhere), ("publi", PUBLISHED, Anywhere), ("published", DATE, ApartOrPrefixed),
    ("read-more", APART, Anywhere), ("read-next", APART, Anywhere), ("readmore", APART, Anywhere),
    ("readnext", APART, Anywhere), ("recommend", APART, Anywhere), ("redakteur", BYLINE, Anywhere),
    ("related", APART, Anywhere), ("replies", APART, WordStart), ("reply", APART, WordStart),
    ("side-bar", APART, Anywhere), ("sidebar", APART, Anywhere), ("stand-first", SUBTITLE, Apart),
    ("standfirst", SUBTITLE, Apart), ("strapline", SUBTITLE, Apart), ("sub-_head", SUBTITLE, Apart),
    ("sub-_heading", SUBTITLE, Apart), ("sub-_headline", SUBTITLE, Apart), ("sub-_title", SUBTITLE, Apart),
    ("sub-head", SUBTITLE, Apart), ("sub-heading", SUBTITLE, Apart), ("sub-headline", SUBTITLE, Apart),
    ("sub-title", SUBTITLE, Apart), ("sub_head", SUBTITLE, Apart), ("sub_heading", SUBTITLE, Apart),
    ("sub_headline", SUBTITLE, Apart), ("sub_title", SUBTITLE, Apart), ("subhead", SUBTITLE, Apart),
    ("subheading", SUBTITLE, Apart), ("subheadline", SUBTITLE, Apart), ("subtitle", SUBTITLE, Apart),
    ("teaser", APART, Anywhere), ("time", DATE, ApartOrPrefixed), ("timestamp", DATE, ApartOrPrefixed),
    ("trending", APART, Anywhere), ("updat", MODIFIED, Anywhere), ("widget", APART, Anywhere),
    ("writer", BYLINE, Anywhere),
];
/// Words that may precede those of a date, with a hyphen, an underscore, both or nothing between.
const BEFORE_DATES: [&[u8]; 6] = [b"pub", b"post", b"entry", b"article", b"publish", b"published"];

/// By the lower bits of two letters: whether a word begins with such a pair.
static BEGINNINGS: [bool; PAIRS] = beginnings(&words());

/// The words alone.
const fn words() -> [&'static str; WORDS.len()] {
    let mut words = [""; WORDS.len()];
    let mut number = 0;
    while number < WORDS.len() {
        words[number] = WORDS[number].0;
        number += 1;
    }
    words
}

/// By the lower bits of a letter: the first word that begins with it, and one past the last.
static WITH_LETTER: [(usize, usize); 32] = with_letter();

/// See `WITH_LETTER`.
const fn with_letter() -> [(usize, usize); 32] {
    let mut found = [(0, 0); 32];
    let mut number = 0;
    while number < WORDS.len() {
        let letter = WORDS[number].0.as_bytes()[0] as usize & 31;
        found[letter] = (if found[letter].1 == 0 { number } else { found[letter].0 }, number + 1);
        number += 1;
    }
    found
}

/// Reads names, and remembers them.
#[derive(Default)]
pub struct ClassNames<'a> {
    known: RememberedValues<'a>,
    /// Used again from name to name.
    lower: Vec<u8>,
}

impl<'a> ClassNames<'a> {
    /// The meanings of a `class` or an `id`: bits of `meaning`.
    pub fn meanings(&mut self, names: &'a str) -> u16 {
        let ClassNames { known, lower } = self;
        known.number_of(names.as_bytes(), || meanings_read(names, lower))
    }
}

/// The same for names that are not remembered, given a buffer.
fn meanings_read(names: &str, lower: &mut Vec<u8>) -> u16 {
    let names = beginning(names, LONGEST_NAMES);
    lower.clear();
    if names.is_ascii() {
        lower.extend(names.bytes().map(|byte| byte.to_ascii_lowercase()));
    } else {
        names.chars().for_each(|character| append_lower(lower, character));
    }
    let mut found = 0;
    for at in 0..lower.len().saturating_sub(1) {
        if BEGINNINGS[pair(lower[at], lower[at + 1])] {
            found |= meanings_at(lower, at);
        }
    }
    found
}

/// Append a character in lower case. Beyond ASCII only its kind counts, and a few letters whose other case is ASCII.
fn append_lower(lower: &mut Vec<u8>, character: char) {
    lower.push(match character {
        'İ' | 'ı' => b'i',
        'ſ' => b's',
        '\u{212a}' => b'k',
        _ if character.is_ascii() => character.to_ascii_lowercase() as u8,
        _ if is_space(character) => b' ',
        _ if is_word(character) => OTHER_LETTER,
        _ => OTHER_SIGN,
    });
}

/// Stand for characters beyond ASCII; no word has them.
const OTHER_LETTER: u8 = 0xff;
const OTHER_SIGN: u8 = 0xfe;

/// The meanings of the words that begin at a place, which is not the last one.
fn meanings_at(lower: &[u8], at: usize) -> u16 {
    let rest = &lower[at..];
    // Most words fail at the second letter, for which nothing need be called.
    let counts = |&&(word, _, place): &&(&str, u16, Place)| {
        let word = word.as_bytes();
        rest[1] == word[1] && rest.starts_with(word) && is_placed(lower, at, at + word.len(), place)
    };
    let (first, end) = WITH_LETTER[usize::from(lower[at] & 31)];
    WORDS[first..end].iter().filter(counts).fold(0, |found, &(_, meaning, _)| found | meaning)
}

/// Whether a word counts where it stands.
fn is_placed(lower: &[u8], begin: usize, end: usize, place: Place) -> bool {
    match place {
        Anywhere => true,
        WordStart => begin == 0 || !is_in_word(lower[begin - 1]),
        Apart => is_start(lower, begin) && is_end(lower, end),
        ApartOrPrefixed => is_end(lower, end) && (is_start(lower, begin) || is_prefixed(lower, begin)),
    }
}

/// Whether a word of `BEFORE_DATES` precedes a place, and is itself set apart.
fn is_prefixed(lower: &[u8], begin: usize) -> bool {
    let before = &lower[..begin];
    let before = before.strip_suffix(b"_").unwrap_or(before);
    let before = before.strip_suffix(b"-").unwrap_or(before);
    BEFORE_DATES.iter().any(|word| before.ends_with(word) && is_start(lower, before.len() - word.len()))
}

/// Whether a part of a name begins here.
fn is_start(lower: &[u8], begin: usize) -> bool {
    begin == 0 || is_separator(lower[begin - 1])
}

/// Whether a part of a name ends here.
fn is_end(lower: &[u8], end: usize) -> bool {
    end == lower.len() || is_separator(lower[end])
}

/// White space, a hyphen or an underscore.
fn is_separator(byte: u8) -> bool {
    byte == b'-' || byte == b'_' || (byte.is_ascii() && is_space(char::from(byte)))
}

/// A letter, a digit or an underscore.
fn is_in_word(byte: u8) -> bool {
    byte == b'_' || byte == OTHER_LETTER || byte.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meanings(names: &str) -> u16 {
        ClassNames::default().meanings(names)
    }

    #[test]
    fn words_anywhere() {
        assert_eq!(meanings("article-AUTHOR"), BYLINE);
        assert_eq!(meanings("xcommentsx"), APART);
        assert_eq!(meanings("bread-_crumbs license"), TRAIL | FOOTER);
        assert_eq!(meanings("posted-by"), BYLINE | PUBLISHED);
        assert_eq!(meanings("content plain"), 0);
        assert_eq!(meanings(""), 0);
        assert_eq!(meanings("f"), 0);
    }

    #[test]
    fn words_at_the_start_of_others() {
        for (names, found) in [("reply", APART), ("no-replies", APART), ("a reply", APART), ("noreply", 0)] {
            assert_eq!(meanings(names), found, "{}", names);
        }
        assert_eq!(meanings("éreply"), 0);
        assert_eq!(meanings("→reply"), APART);
        assert_eq!(meanings("_reply"), 0);
    }

    #[test]
    fn words_set_apart() {
        for names in ["dek", "a dek", "dek_b", "x-sub-_heading-y", "Standfirst\u{3000}"] {
            assert_eq!(meanings(names), SUBTITLE, "{}", names);
        }
        for names in ["deka", "adek", "subtitles", "dek.x"] {
            assert_eq!(meanings(names), 0, "{}", names);
        }
    }

    #[test]
    fn dates_and_what_precedes_them() {
        for names in ["date", "post-date", "postdate", "article_time", "x entry-_dateline", "pubdate", "x--date"] {
            assert_eq!(meanings(names) & DATE, DATE, "{}", names);
        }
        for names in ["update", "xpostdate", "dates", "datex", "post.date"] {
            assert_eq!(meanings(names) & DATE, 0, "{}", names);
        }
        assert_eq!(meanings("published"), DATE | PUBLISHED);
        assert_eq!(meanings("entry-date updated"), DATE | PUBLISHED | MODIFIED);
    }

    #[test]
    fn letters_whose_other_case_is_ascii() {
        assert_eq!(meanings("w\u{131}dget"), APART);
        assert_eq!(meanings("\u{17f}idebar"), APART);
        assert_eq!(meanings("de\u{212a}"), SUBTITLE);
    }

    #[test]
    fn only_the_beginning_is_read() {
        assert_eq!(meanings(&format!("{}author", "é".repeat(194))), BYLINE);
        assert_eq!(meanings(&format!("{}author", "é".repeat(195))), 0);
    }
}
