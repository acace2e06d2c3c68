//! What Markdown would read as markup, escaped.
#![forbid(unsafe_code)]

use crate::blocks::characters::{is_digit, is_space, is_word, property_of};
use std::borrow::Cow;

/// Digits of a number that begins an item of a list.
const MOST_DIGITS: usize = 9;
/// Signs that begin a heading at most.
const MOST_HASHES: usize = 6;
/// Parentheses within each other in an address that every parser of CommonMark reads, though it asks for 32 levels only.
const MOST_NESTED: usize = 8;

/// Bytes that are looked at together.
const CHUNK: usize = 64;

/// Whether a character may be special in a line: an underscore is, unless between letters or digits, and an ampersand
/// before the name of a character; a dollar where there are others; the rest always are.
fn may_be_special(byte: u8) -> bool {
    matches!(byte, b'\\' | b'`' | b'*' | b'[' | b']' | b'<' | b'>' | b'~' | b'_' | b'&' | b'$')
}

/// Whether a chunk may have a special character: one of these, or a circumflex. Compilers compare all bytes of a chunk at once,
/// which they do not if the first special one ends the loop.
fn is_like_special(chunk: &[u8]) -> bool {
    let is_like = |byte: u8| {
        // `$` and `&`, `<` and `>` differ in one bit; six others follow each other.
        u8::from(byte & 0xfd == b'$')
            | u8::from(byte & 0xfd == b'<')
            | u8::from(byte == b'*')
            | u8::from(byte.wrapping_sub(b'[') <= b'`' - b'[')
            | u8::from(byte == b'~')
    };
    chunk.iter().fold(0, |found, &byte| found | is_like(byte)) != 0
}

/// What dollars in a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dollars {
    /// One alone, which nobody reads as markup.
    Alone,
    /// Several, or one beside a formula: parsers with formulas take what is between two prices for one.
    Paired,
}

impl Dollars {
    /// Those of the texts of a block, which may also have formulas.
    pub fn of<'a>(texts: impl Iterator<Item = &'a str>, has_formulas: bool) -> Self {
        let found: usize = texts.map(|text| text.bytes().filter(|&byte| byte == b'$').count()).sum();
        if found > usize::from(!has_formulas) {
            Dollars::Paired
        } else {
            Dollars::Alone
        }
    }
}

/// Appends text with inline markup escaped.
pub fn append_escaped(output: &mut String, text: &str, dollars: Dollars) {
    let mut written = 0;
    for (number, chunk) in text.as_bytes().chunks(CHUNK).enumerate() {
        if chunk.len() == CHUNK && !is_like_special(chunk) {
            continue;
        }
        let special = chunk.iter().enumerate().filter(|&(_, &byte)| may_be_special(byte));
        let is_escaped = |&place: &usize| is_special_at(text, place, dollars);
        for place in special.map(|(place, _)| number * CHUNK + place).filter(is_escaped) {
            output.push_str(&text[written..place]);
            output.push('\\');
            written = place;
        }
    }
    output.push_str(&text[written..]);
}

/// Whether the character at a place needs a backslash.
fn is_special_at(text: &str, place: usize, dollars: Dollars) -> bool {
    match text.as_bytes()[place] {
        b'_' => {
            let is_apart = |character: Option<char>| !character.is_some_and(is_alphanumeric);
            is_apart(text[..place].chars().next_back()) || is_apart(text[place + 1..].chars().next())
        }
        b'&' => begins_reference(&text[place..]),
        b'$' => dollars == Dollars::Paired,
        _ => true,
    }
}

/// A letter or a number.
fn is_alphanumeric(character: char) -> bool {
    property_of(character).is_alphanumeric
}

/// Whether a text begins with a character reference: `&amp;`, `&#65;`.
pub fn begins_reference(text: &str) -> bool {
    let name = match text.strip_prefix('&') {
        Some(rest) => rest.strip_prefix('#').unwrap_or(rest),
        None => return false,
    };
    let length = name.find(|character| !is_word(character)).unwrap_or(name.len());
    length > 0 && name[length..].starts_with(';')
}

/// The first character of a text when it is escaped.
pub fn first_when_escaped(text: &str) -> Option<char> {
    let first = text.chars().next()?;
    // Before a mark, a dollar and a backslash are the same.
    let is_special = may_be_special(text.as_bytes()[0]) && is_special_at(text, 0, Dollars::Alone);
    Some(if is_special { '\\' } else { first })
}

/// Where a line needs a backslash, as it would start another kind of block; none if it needs none.
pub fn guarded_at(line: &str) -> Option<usize> {
    match line.bytes().next()? {
        b'0'..=b'9' => after_number(line),
        b'#' | b'-' | b'+' | b'=' | b'|' | b':' => starts_block(line).then_some(0),
        _ => None,
    }
}

/// Where the sign after a number is that makes a line an item of a list.
fn after_number(line: &str) -> Option<usize> {
    let (place, sign) = line.char_indices().take(MOST_DIGITS + 1).find(|&(_, character)| !is_digit(character))?;
    let is_item = matches!(sign, '.' | ')') && ends_or_is_space(&line[place + 1..]);
    is_item.then_some(place)
}

/// Whether a line is a heading, an item of a list, a rule, or part of a table.
fn starts_block(line: &str) -> bool {
    let hashes = line.bytes().take_while(|&byte| byte == b'#').count();
    let is_heading = (1..=MOST_HASHES).contains(&hashes) && ends_or_is_space(&line[hashes..]);
    let is_item = line.starts_with(['-', '+']) && ends_or_is_space(&line[1..]);
    let is_sign = |character: char| matches!(character, '-' | '=' | '|' | ':');
    let is_rule = line.starts_with(is_sign) && line.chars().all(|character| is_sign(character) || is_space(character));
    is_heading || is_item || is_rule
}

/// Whether there is white space at the start, or nothing at all.
fn ends_or_is_space(rest: &str) -> bool {
    rest.chars().next().is_none_or(is_space)
}

/// Where a heading needs a backslash: before hashes at its end, which would be read as a closing sequence.
pub fn closing_hashes(heading: &str) -> Option<usize> {
    let place = heading.trim_end_matches('#').len();
    let is_apart = heading[..place].chars().next_back().is_none_or(is_space);
    (place < heading.len() && is_apart).then_some(place)
}

/// An address between the brackets of a link: parentheses stay where they come in pairs, as CommonMark reads them.
pub fn destination(address: &str) -> Cow<'_, str> {
    if !address.contains(['(', ')']) || has_paired_parentheses(address) {
        return Cow::Borrowed(address);
    }
    Cow::Owned(address.replace('(', "%28").replace(')', "%29"))
}

/// Whether every parenthesis has its partner, and few are within each other.
fn has_paired_parentheses(text: &str) -> bool {
    let mut open = 0;
    for byte in text.bytes() {
        match byte {
            b'(' if open < MOST_NESTED => open += 1,
            b'(' => return false,
            b')' if open == 0 => return false,
            b')' => open -= 1,
            _ => (),
        }
    }
    open == 0
}

/// The longest run of back-ticks in code.
pub fn longest_ticks(code: &str) -> usize {
    code.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut output = String::new();
        append_escaped(&mut output, text, Dollars::of([text].into_iter(), false));
        output
    }

    #[test]
    fn chunks_with_special_characters_are_known() {
        for byte in 0..=u8::MAX {
            let is_like = is_like_special(&[byte; CHUNK]);
            assert_eq!(is_like, may_be_special(byte) || byte == b'^', "{byte}");
        }
    }

    #[test]
    fn parentheses_in_addresses() {
        assert_eq!(destination("/a_(b)_(c(d))"), "/a_(b)_(c(d))");
        assert_eq!(destination("/a)(b"), "/a%29%28b");
        assert_eq!(destination(&"(".repeat(9)), "%28".repeat(9));
    }

    #[test]
    fn inline_markup_is_escaped() {
        let cases = [
            ("a*b", r"a\*b"),
            ("a_b _c_ d__e", r"a_b \_c\_ d\_\_e"),
            ("&amp; & &#65; &x &é;", r"\&amp; & \&#65; &x \&é;"),
            (r"\[<~>]`", r"\\\[\<\~\>\]\`"),
            ("é_é", "é_é"),
            ("plain", "plain"),
            ("from $5", "from $5"),
        ];
        for (text, expected) in cases {
            assert_eq!(escaped(text), expected);
            assert_eq!(first_when_escaped(text), expected.chars().next());
        }
    }

    #[test]
    fn dollars_that_could_be_a_formula() {
        assert_eq!(escaped("a $5, b $6"), r"a \$5, b \$6");
        let texts = ["$5", "x"];
        assert_eq!(Dollars::of(texts.into_iter(), true), Dollars::Paired);
        assert_eq!(Dollars::of(texts.into_iter(), false), Dollars::Alone);
        assert_eq!(Dollars::of(["x"].into_iter(), true), Dollars::Alone);
    }

    #[test]
    fn lines_that_start_a_block() {
        let guarded =
            [("1. a", 1), ("12)", 2), ("1٣. x", 3), ("# a", 0), ("######", 0), ("- a", 0), ("+", 0), ("---", 0)];
        for (line, place) in guarded.iter().chain(&[("| - :", 0), ("= =", 0)]) {
            assert_eq!(guarded_at(line), Some(*place), "{line}");
        }
        for line in ["", "a", "1.a", "1", "1234567890.", "#a", "####### a", "-a", "+1", "|a|", "*"] {
            assert_eq!(guarded_at(line), None, "{line}");
        }
    }

    #[test]
    fn hashes_at_the_end_of_a_heading() {
        assert_eq!(closing_hashes("a #"), Some(2));
        assert_eq!(closing_hashes("##"), Some(0));
        assert_eq!(closing_hashes("a#"), None);
        assert_eq!(closing_hashes("a"), None);
    }
}
