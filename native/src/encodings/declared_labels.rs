//! Labels of encodings that a page declares, in `<meta>` or in an XML declaration.
#![forbid(unsafe_code)]

use crate::html::bytes::find;

/// What comes before the equals sign of a declaration.
const WORDS: [&[u8]; 2] = [b"charset", b"encoding"];
/// Tags that can declare an encoding.
const DECLARING_TAGS: [&[u8]; 2] = [b"<meta", b"<?xml"];
/// White space on each side of the equals sign and of a quotation mark, at most.
const MOST_SPACE: usize = 9;
const LONGEST_LABEL: usize = 40;
/// Most possible declarations that are looked at; each takes time linear in the window.
const MOST_CANDIDATES: usize = 50;
/// Where labels are looked for first: nearly all are there, and the whole window takes 50 times as long.
const FIRST_WINDOW: usize = 4_096;
/// How far into a page they are looked for. Browsers stop at 1,024 bytes; templates that put style and script first do not.
const WINDOW: usize = 262_144;

/// Labels in the first window in which there are any, as they are written.
pub fn first_labels(page: &[u8]) -> Vec<&[u8]> {
    let first = Labels::new(&page[..page.len().min(FIRST_WINDOW)]);
    let goes_on = page.len() > FIRST_WINDOW;
    // One that ends with the window may be half a label.
    let found: Vec<_> = first.declared().take_while(|label| !goes_on || label.end < FIRST_WINDOW).collect();
    if found.is_empty() {
        return all_labels(page);
    }
    found.into_iter().map(|label| &page[label.start..label.end]).collect()
}

/// All labels that a page declares.
pub fn all_labels(page: &[u8]) -> Vec<&[u8]> {
    let window = &page[..page.len().min(WINDOW)];
    Labels::new(window).declared().map(|label| &window[label.start..label.end]).collect()
}

/// Where a possible declaration is.
#[derive(Clone, Copy)]
struct Label {
    /// Where its word begins.
    word: usize,
    start: usize,
    end: usize,
}

/// Goes through possible declarations in the order in which they stand; of two that overlap, it takes the first.
struct Labels<'a> {
    window: &'a [u8],
    /// Where the next equals sign is looked for.
    at: usize,
    /// Where the last declaration ends, and the last one of each word.
    end: usize,
    ends: [usize; WORDS.len()],
}

impl<'a> Labels<'a> {
    fn new(window: &'a [u8]) -> Self {
        Labels { window, at: 0, end: 0, ends: [0; WORDS.len()] }
    }

    /// Those that stand in a declaring tag, and not in a comment.
    fn declared(self) -> impl Iterator<Item = Label> + 'a {
        let window = self.window;
        self.take(MOST_CANDIDATES).filter(move |label| is_declaration(&window[..label.word]))
    }

    /// The number of the word before an equals sign, and where it begins.
    fn word_before(&self, sign: usize) -> Option<(usize, usize)> {
        let before = &self.window[..sign];
        let spaces = before.iter().rev().take(MOST_SPACE).take_while(|&&byte| is_space(byte)).count();
        let before = &before[..sign - spaces];
        let number = WORDS.iter().position(|word| ends_with(before, word))?;
        Some((number, before.len() - WORDS[number].len()))
    }

    /// Where a label after an equals sign begins and ends.
    fn label_after(&self, sign: usize) -> Option<(usize, usize)> {
        let mut start = self.after_space(sign + 1);
        if matches!(self.window.get(start), Some(b'"' | b'\'')) {
            start += 1;
        }
        start = self.after_space(start);
        let is_label = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(byte);
        let length = self.window[start..].iter().take(LONGEST_LABEL).take_while(is_label).count();
        Some((start, start + length)).filter(|_| length > 0)
    }

    fn after_space(&self, from: usize) -> usize {
        from + self.window[from..].iter().take(MOST_SPACE).take_while(|&&byte| is_space(byte)).count()
    }
}

impl Iterator for Labels<'_> {
    type Item = Label;

    fn next(&mut self) -> Option<Label> {
        loop {
            let sign = find(self.window, self.at, b'=');
            if sign >= self.window.len() {
                return None;
            }
            self.at = sign + 1;
            let found = self.word_before(sign).zip(self.label_after(sign));
            if let Some(((number, word), (start, end))) = found.filter(|&((number, word), _)| word >= self.ends[number])
            {
                self.ends[number] = end;
                if word >= self.end {
                    self.end = end;
                    return Some(Label { word, start, end });
                }
            }
        }
    }
}

/// White space to Python.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'\x0b')
}

/// Whether bytes end with a word, in any case.
fn ends_with(bytes: &[u8], word: &[u8]) -> bool {
    bytes.len() >= word.len() && bytes[bytes.len() - word.len()..].eq_ignore_ascii_case(word)
}

/// Whether bytes begin with a word, in any case.
fn starts_with(bytes: &[u8], word: &[u8]) -> bool {
    bytes.len() >= word.len() && bytes[..word.len()].eq_ignore_ascii_case(word)
}

/// Whether what follows stands in a declaring tag, and not in a comment.
fn is_declaration(before: &[u8]) -> bool {
    let tag = before.iter().rposition(|&byte| byte == b'<').unwrap_or(0);
    DECLARING_TAGS.iter().any(|name| starts_with(&before[tag..], name)) && last(before, b"<!--") <= last(before, b"-->")
}

/// One past where a word begins last, or 0.
fn last(bytes: &[u8], word: &[u8]) -> usize {
    bytes.windows(word.len()).rposition(|window| window == word).map_or(0, |place| place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(page: &str) -> Vec<&str> {
        let found = first_labels(page.as_bytes());
        assert_eq!(found, all_labels(page.as_bytes()));
        found.into_iter().map(|label| std::str::from_utf8(label).unwrap()).collect()
    }

    #[test]
    fn labels_stand_in_declaring_tags() {
        assert_eq!(labels("<?xml version='1.0' ENCODING = \"EUC-KR\"?><Meta charset=big5>"), ["EUC-KR", "big5"]);
        assert_eq!(labels("<meta content='text/html; charset = koi8-r'>"), ["koi8-r"]);
        assert_eq!(labels("<p charset=big5><!-- <meta charset=big5> --><meta charset=>"), [""; 0]);
        assert_eq!(labels("charset=big5"), [""; 0]);
    }

    #[test]
    fn of_two_that_overlap_the_first_counts() {
        assert_eq!(labels("<meta charset=encoding=big5>"), ["encoding"]);
        assert_eq!(labels("<meta encoding=charset=charset=x>"), ["charset"]);
        assert_eq!(labels("<meta encoding=charset=encoding=x>"), ["charset", "x"]);
    }

    #[test]
    fn white_space_is_bounded() {
        let spaced = |count: usize| format!("<meta charset{0}={0}'{0}big5>", " ".repeat(count));
        assert_eq!(labels(&spaced(9)), ["big5"]);
        assert_eq!(labels(&spaced(10)), [""; 0]);
    }

    #[test]
    fn half_a_label_is_looked_at_again() {
        for length in FIRST_WINDOW - 20..FIRST_WINDOW + 20 {
            let page = format!("{}<meta charset=shift_jis>", " ".repeat(length));
            assert_eq!(first_labels(page.as_bytes()), [b"shift_jis"], "{}", length);
        }
        let page = format!("<meta charset=big5>{}<meta charset=koi8-r>", " ".repeat(FIRST_WINDOW));
        assert_eq!(first_labels(page.as_bytes()), [b"big5"]);
        assert_eq!(all_labels(page.as_bytes()), [&b"big5"[..], b"koi8-r"]);
    }
}
