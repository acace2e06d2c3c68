//! White space as a browser shows it, and control characters, which show nothing.
//!
//! Runs of ASCII white space become one blank, with none at line ends. Control characters go, except that those beyond
//! ASCII become what they are in windows-1252, where pages that hold them were written (`don\u{92}t` is `don’t`).
#![forbid(unsafe_code)]

use super::characters::is_space;
use crate::html::append_part;
use std::ops::Range;

/// What a byte of UTF-8 is to the folding of white space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Byte {
    /// Copied.
    Ordinary,
    /// White space of ASCII.
    Blank,
    /// A control character of ASCII.
    Control,
    /// Stands for `<br>`.
    LineBreak,
    /// The first of two bytes that may be a control character beyond ASCII.
    MayBeControl,
}

/// Stands for `<br>` in the text of a page.
pub const LINE_SEPARATOR: char = '\x0B';
const VERTICAL_TAB: u8 = LINE_SEPARATOR as u8;
/// The first byte of control characters beyond ASCII, and of some others.
const FIRST_OF_HIGH_CONTROLS: u8 = 0xC2;
const FIRST_AFTER_HIGH_CONTROLS: u8 = 0xA0;

const BYTE_CLASSES: [Byte; 256] = classify_bytes();
static BYTES: [Byte; 256] = BYTE_CLASSES;

/// What each byte is.
const fn classify_bytes() -> [Byte; 256] {
    let mut bytes = [Byte::Ordinary; 256];
    let mut byte = 0;
    while byte < 256 {
        bytes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\x0C' | b'\r' => Byte::Blank,
            VERTICAL_TAB => Byte::LineBreak,
            0x01..=0x1F | 0x7F => Byte::Control,
            FIRST_OF_HIGH_CONTROLS => Byte::MayBeControl,
            _ => Byte::Ordinary,
        };
        byte += 1;
    }
    bytes
}

/// U+0080 to U+009F in windows-1252; a blank where it has none, which is left out.
const WINDOWS_1252: &str = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/// What stands for a control character beyond ASCII, if anything.
fn in_windows_1252(second_byte: u8) -> Option<char> {
    let character = WINDOWS_1252.chars().nth(usize::from(second_byte - 0x80))?;
    Some(character).filter(|&found| found != ' ')
}

/// Appends a part of a text with its white space folded, and none around it.
pub fn append_folded(output: &mut String, text: &str, part: Range<usize>) {
    let begin = output.len();
    let part = without_blanks_around(text.as_bytes(), part);
    Folding { output, begin, is_blank: false, at_line_start: true, text, end: part.end }.fold(part.start);
    // Few texts begin or end with anything but a letter or a sign of ASCII.
    let is_plain = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_graphic);
    let written = &output.as_bytes()[begin..];
    if !(is_plain(written.first()) && is_plain(written.last())) {
        strip_end(output, begin);
        strip_start(output, begin);
    }
}

/// A part of a text without white space of ASCII around it: most are the only text of an indented element.
fn without_blanks_around(text: &[u8], part: Range<usize>) -> Range<usize> {
    let bytes = &text[..part.end];
    let first = end_of_blanks(bytes, part.start);
    let after_last = bytes[first..].iter().rposition(|&byte| BYTES[usize::from(byte)] != Byte::Blank);
    first..after_last.map_or(first, |last| first + last + 1)
}

/// Where white space of ASCII ends that begins at a place. Indentations are skipped eight bytes at a time.
fn end_of_blanks(bytes: &[u8], first: usize) -> usize {
    let mut end = first;
    while array_at::<8>(bytes, end) == Some(&[b' '; 8]) {
        end += 8;
    }
    while bytes.get(end).is_some_and(|&byte| BYTES[usize::from(byte)] == Byte::Blank) {
        end += 1;
    }
    end
}

/// Some bytes at a place, if there are as many.
#[inline(always)]
fn array_at<const SIZE: usize>(bytes: &[u8], place: usize) -> Option<&[u8; SIZE]> {
    bytes.get(place..)?.get(..SIZE)?.try_into().ok()
}

/// Appends text with its white space folded, a blank at its ends included. Line breaks stay vertical tabs.
pub fn append_shown(output: &mut String, text: &str) {
    let bytes = text.as_bytes();
    let (mut place, mut is_blank) = (0, false);
    while place < bytes.len() {
        let first = place;
        place = end_of_regular(bytes, first..bytes.len());
        let mut shown = &text[first..place];
        let character = text[place..].chars().next().filter(|_| place == first);
        let mut buffer = [0; 4];
        if let Some(character) = character {
            place += character.len_utf8();
            let is_white = BYTES[usize::from(bytes[first])] == Byte::Blank;
            is_blank |= is_white;
            let changed = if character == LINE_SEPARATOR { Some(character) } else { shown_character(character) };
            shown = changed.filter(|_| !is_white).map_or("", |character| character.encode_utf8(&mut buffer));
        }
        if !shown.is_empty() {
            output.push_str(if is_blank { " " } else { "" });
            output.push_str(shown);
            is_blank = false;
        }
    }
    output.push_str(if is_blank { " " } else { "" });
}

/// What a character shows: nothing for control characters, except those beyond ASCII that windows-1252 has.
pub fn shown_character(character: char) -> Option<char> {
    match character {
        '\t' | '\n' | '\x0C' | '\r' => Some(character),
        '\x01'..='\x1F' | '\x7F' => None,
        '\u{80}'..='\u{9F}' => in_windows_1252(character as u8),
        _ => Some(character),
    }
}

/// Takes off white space that the folding itself leaves: of Unicode, and line breaks.
fn strip_end(output: &mut String, begin: usize) {
    let stripped = output[begin..].trim_end_matches(is_space).len();
    output.truncate(begin + stripped);
}

/// The same at the start, where only white space beyond ASCII is left.
fn strip_start(output: &mut String, begin: usize) {
    let written = &output[begin..];
    let spaces = written.len() - written.trim_start_matches(is_space).len();
    if spaces > 0 {
        output.replace_range(begin..begin + spaces, "");
    }
}

/// A text being folded, up to its end.
struct Folding<'a> {
    text: &'a str,
    end: usize,
    output: &'a mut String,
    begin: usize,
    /// White space was read that is not written yet.
    is_blank: bool,
    at_line_start: bool,
}

impl Folding<'_> {
    /// Appends the text from a place on, folded.
    fn fold(&mut self, mut place: usize) {
        while place < self.end {
            let first = place;
            place = end_of_regular(self.text.as_bytes(), first..self.end);
            if place > first {
                self.write_blank();
                append_part(self.output, self.text, first..place);
            }
            place = self.fold_irregular(place);
        }
    }

    /// Deals with one character that is not copied as it is; returns the place after it.
    fn fold_irregular(&mut self, place: usize) -> usize {
        let bytes = &self.text.as_bytes()[..self.end];
        match bytes.get(place).map(|&byte| BYTES[usize::from(byte)]) {
            Some(Byte::Blank) => {
                self.is_blank = true;
                return end_of_blanks(bytes, place + 1);
            }
            Some(Byte::LineBreak) => self.break_line(),
            Some(Byte::MayBeControl) => {
                if bytes[place + 1] >= FIRST_AFTER_HIGH_CONTROLS {
                    self.write_blank();
                    self.output.push_str(&self.text[place..place + 2]);
                } else if let Some(character) = in_windows_1252(bytes[place + 1]) {
                    self.write_blank();
                    self.output.push(character);
                }
                return place + 2;
            }
            Some(Byte::Control) => (),
            Some(Byte::Ordinary) | None => return place,
        }
        place + 1
    }

    /// Appends the blank that is due before what is written next.
    #[inline]
    fn write_blank(&mut self) {
        if self.is_blank && !self.at_line_start {
            self.output.push(' ');
        }
        self.is_blank = false;
        self.at_line_start = false;
    }

    /// Appends a line break, except at the start.
    fn break_line(&mut self) {
        self.is_blank = false;
        self.at_line_start = true;
        if self.output.len() > self.begin {
            self.output.push('\n');
        }
    }
}

/// By byte: 0 if it is copied, 1 for a blank that may stay, 2 for all others.
static IRREGULARITY: [u8; 256] = irregularity();

/// How irregular each byte is.
const fn irregularity() -> [u8; 256] {
    let mut irregularity = [2; 256];
    let mut byte = 0;
    while byte < 256 {
        if let Byte::Ordinary = BYTE_CLASSES[byte] {
            irregularity[byte] = 0;
        }
        byte += 1;
    }
    irregularity[b' ' as usize] = 1;
    irregularity
}

/// Where in a stretch the part ends that is the same when folded: ordinary bytes, and single blanks between them.
#[inline]
fn end_of_regular(bytes: &[u8], stretch: Range<usize>) -> usize {
    if stretch.is_empty() || IRREGULARITY[usize::from(bytes[stretch.start])] != 0 {
        return stretch.start;
    }
    let end = end_of_single_blanks(bytes, stretch.start + 1..stretch.end);
    // A blank at the end belongs to what follows.
    end - usize::from(bytes[end - 1] == b' ')
}

/// The first place in a stretch that holds an irregular byte, or a blank after a blank, or its end: sixteen bytes at a time,
/// which may go on after the end.
#[inline]
fn end_of_single_blanks(bytes: &[u8], stretch: Range<usize>) -> usize {
    let mut place = stretch.start;
    while let Some(found) = irregular_places(bytes, place).filter(|_| place < stretch.end) {
        // Asked for byte by byte, this takes an instruction.
        if found.iter().fold(0, |all, place| all | place) != 0 {
            return stretch.end.min(place + u128::from_le_bytes(found).trailing_zeros() as usize / 8);
        }
        place += VECTOR;
    }
    let is_irregular =
        |&place: &usize| IRREGULARITY[usize::from(bytes[place])] + u8::from(bytes[place - 1] == b' ') >= 2;
    (place..stretch.end).find(is_irregular).unwrap_or(stretch.end)
}

/// Bytes that are compared at once.
const VECTOR: usize = 16;

/// Of the bytes at a place, if there are so many: 0xFF for the irregular ones and for blanks after blanks, 0 for others.
#[inline(always)]
fn irregular_places(bytes: &[u8], place: usize) -> Option<[u8; VECTOR]> {
    let (own, before) = (array_at::<VECTOR>(bytes, place)?, array_at::<VECTOR>(bytes, place - 1)?);
    let mut found = [0; VECTOR];
    // Without branches, so that the compiler compares all bytes at once.
    for index in 0..VECTOR {
        let byte = own[index];
        let is_control = (byte.wrapping_sub(1) < 0x1F) | (byte == 0x7F) | (byte == FIRST_OF_HIGH_CONTROLS);
        let is_irregular = is_control | ((byte == b' ') & (before[index] == b' '));
        found[index] = if is_irregular { 0xFF } else { 0 };
    }
    Some(found)
}

/// Appends preformatted text as it was written, with no line ends around it.
pub fn append_exact(output: &mut String, indent: &str, text: &str) {
    let begin = output.len();
    output.push_str(indent);
    for character in text.chars() {
        let shown = if character == LINE_SEPARATOR { Some('\n') } else { shown_character(character) };
        let is_first = output.len() == begin;
        if let Some(shown) = shown.filter(|&shown| !(is_first && is_line_end(shown))) {
            output.push(shown);
        }
    }
    let stripped = output[begin..].trim_end_matches(is_line_end).len();
    output.truncate(begin + stripped);
}

/// Whether a character ends a line.
fn is_line_end(character: char) -> bool {
    character == '\n' || character == '\r'
}

#[cfg(test)]
mod tests {
    use super::super::characters::strip;
    use super::*;

    fn folded(text: &str) -> String {
        let mut output = String::from("before");
        // Amid a text that goes on.
        let whole = format!("a  {text}\n b\u{92}");
        append_folded(&mut output, &whole, 3..3 + text.len());
        let folded = output.split_off("before".len());
        append_folded(&mut output, text, 0..text.len());
        assert_eq!(output.split_off("before".len()), folded);
        folded
    }

    fn exact(indent: &str, text: &str) -> String {
        let mut output = String::from("before");
        append_exact(&mut output, indent, text);
        output.split_off("before".len())
    }

    /// What folding means, step by step.
    fn naive(text: &str) -> String {
        let mapped: String = text
            .chars()
            .filter_map(|character| match character {
                '\t' | '\n' | '\x0C' | '\r' => Some(' '),
                '\x0B' => Some('\x0B'),
                '\x01'..='\x1F' | '\x7F' => None,
                '\u{80}'..='\u{9F}' => in_windows_1252(character as u8),
                _ => Some(character),
            })
            .collect();
        let mut text = mapped;
        while text.contains("  ") {
            text = text.replace("  ", " ");
        }
        let text = text.replace(" \x0B", "\n").replace('\x0B', "\n");
        strip(&text.replace("\n ", "\n")).to_string()
    }

    #[test]
    fn folds_like_a_browser() {
        assert_eq!(folded("  a \n\t b  "), "a b");
        assert_eq!(folded("a \x0B b\x0B\x0Bc \x0B"), "a\nb\n\nc");
        assert_eq!(folded("\u{a0} a\u{a0}b \u{a0}"), "a\u{a0}b");
        assert_eq!(folded("don\u{92}t \u{81} st\x07op"), "don’t stop");
        assert_eq!(folded(" \x0B \u{81}"), "");
    }

    #[test]
    fn folds_like_the_naive_twin() {
        let pieces = [
            "a", "bc", " ", "  ", "\n", "\x0B", "\u{a0}", "\u{92}", "\u{81}", "\x07", "é", "漢", "\u{2003}", "\x1c",
            "\u{85}",
        ];
        let mut state = 1u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..state >> 60 {
                state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            }
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            assert_eq!(folded(&text), naive(&text), "{text:?}");
        }
    }

    #[test]
    fn a_part_of_a_line_keeps_a_blank_at_its_ends() {
        let mut output = String::new();
        append_shown(&mut output, " \n a  \x01 b\t\x0B don\u{92}t\u{81}\u{a0} \r");
        assert_eq!(output, " a b \x0B don’t\u{a0} ");
    }

    #[test]
    fn preformatted_text_keeps_its_white_space() {
        assert_eq!(exact("  ", "if x:\n\n    y\x0B"), "  if x:\n\n    y");
        assert_eq!(exact("", "\r\n  a\t\u{92}\x01b\n"), "  a\t’b");
        assert_eq!(exact(" ", "\na"), " \na");
    }
}
