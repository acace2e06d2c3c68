//! What the bytes of a page that is not UTF-8 say about their encoding.
//!
//! `dehusk.page.decoding` decides; here is what it counts. Decoding a page that is not UTF-8 only to count what is wrong
//! takes longer than to parse it, and a detector that tries every encoding takes 0.3 microseconds a byte of Chinese.
#![forbid(unsafe_code)]

use crate::html::bytes::{as_utf8, ascii_length, find_any, ByteKinds};
use std::ops::Range;

/// Byte order marks. Python names their encodings.
const MARKS: [&[u8]; 5] =
    // That of UTF-32 begins with the one of UTF-16.
    [b"\xef\xbb\xbf", b"\xff\xfe\0\0", b"\0\0\xfe\xff", b"\xff\xfe", b"\xfe\xff"];
/// The number of that of UTF-8.
const MARK_OF_UTF8: usize = 0;
/// What introduces other characters in encodings that use ASCII bytes only: ISO-2022-JP and HZ.
const ESCAPE: u8 = 0x1B;
const HZ_ESCAPE: &[u8] = b"~{";

/// How a page can be read without a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Its bytes alone do not say.
    Unknown,
    /// ASCII that can mean nothing else.
    Ascii,
    /// Valid UTF-8 with other characters.
    Utf8,
    /// Valid UTF-8 after its mark.
    Marked,
}

/// What is known of a page before any label is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey<'page> {
    /// How it can be read, unless NUL bytes mean that it is UTF-16.
    pub reading: Reading,
    /// The bytes to read: without the mark, and if they are UTF-8 without half a character at the end.
    pub text: Range<usize>,
    /// The number of its mark.
    pub mark: Option<usize>,
    /// Whether there are NUL bytes.
    pub has_nul: bool,
    /// The bytes to read as UTF-8, if they are.
    pub utf8: Option<&'page str>,
    /// Which kinds of bytes the page has after its mark.
    pub kinds: ByteKinds,
}

impl<'page> Survey<'page> {
    /// Look at the bytes of a page.
    pub fn of(page: &'page [u8]) -> Self {
        let mark = MARKS.iter().position(|mark| page.starts_with(mark));
        let start = mark.map_or(0, |number| MARKS[number].len());
        let body = &page[start..];
        let kinds = ByteKinds::of(body);
        let utf8 = as_utf8(body);
        // What is left may be ASCII before half a character.
        let is_beyond_ascii = |text: &str| kinds.has_beyond_ascii && (text.len() == body.len() || !text.is_ascii());
        let reading = match utf8 {
            Some(_) if mark == Some(MARK_OF_UTF8) => Reading::Marked,
            Some(text) if is_beyond_ascii(text) => Reading::Utf8,
            Some(_) if !(kinds.has_beyond_ascii || kinds.has_escape && has_escapes(body)) => Reading::Ascii,
            _ => Reading::Unknown,
        };
        let has_nul = reading != Reading::Marked && kinds.has_nul;
        let utf8 = utf8.filter(|_| reading != Reading::Unknown);
        let length = utf8.map_or(body.len(), str::len);
        Survey { reading, text: start..start + length, mark, has_nul, utf8, kinds }
    }

    /// Whether the page can be read so beyond doubt.
    pub fn is_settled(&self) -> bool {
        self.reading == Reading::Marked || (self.reading != Reading::Unknown && !self.has_nul)
    }
}

/// Whether ASCII may stand for other characters.
fn has_escapes(ascii: &[u8]) -> bool {
    let mut at = 0;
    loop {
        at = find_any(ascii, at, [ESCAPE, HZ_ESCAPE[0], HZ_ESCAPE[0]]);
        if at == ascii.len() {
            return false;
        }
        if ascii[at] == ESCAPE || ascii[at..].starts_with(HZ_ESCAPE) {
            return true;
        }
        at += 1;
    }
}

/// Whether there are bytes beyond ASCII, and they are only what text in English uses of windows-1252: signs, pounds, and
/// letters by themselves, as in `café`.
///
/// The signs are … ‘ ’ “ ” • – — ™ © « ® ° · » and the no-break space. The encodings of other alphabets have nearly the same
/// at these codes. The letters are Ä É Ó Ö Ü ß ä é ó ö ü, which all encodings of Latin letters have there; in text of another
/// alphabet letters stand beside each other.
pub fn is_western(bytes: &[u8]) -> bool {
    let is_ascii_at = |place: Option<usize>| place.and_then(|place| bytes.get(place)).is_none_or(u8::is_ascii);
    let mut at = ascii_length(bytes);
    let has_any = at < bytes.len();
    while let Some(&byte) = bytes.get(at) {
        let is_western = match byte {
            0x85 | 0x91..=0x97 | 0x99 | 0xA0 | 0xA9 | 0xAB | 0xAE | 0xB0 | 0xB7 | 0xBB => true,
            // Before a letter it may be the Polish Ł.
            0xA3 => bytes.get(at + 1).is_none_or(|next| next.is_ascii() && !next.is_ascii_alphabetic()),
            0xC4 | 0xC9 | 0xD3 | 0xD6 | 0xDC | 0xDF | 0xE4 | 0xE9 | 0xF3 | 0xF6 | 0xFC => {
                is_ascii_at(at.checked_sub(1)) && is_ascii_at(Some(at + 1))
            }
            _ => false,
        };
        if !is_western {
            return false;
        }
        at += 1 + ascii_length(&bytes[at + 1..]);
    }
    has_any
}

/// Pairs from which on their bytes tell Chinese from other encodings.
const FEWEST_PAIRS: usize = 50;
/// Of pairs that are no punctuation, one in this many at most is no common character.
const RARE: usize = 10;
/// Common characters of which one is beyond the Korean ones, at least: half of them are, in any Chinese text.
const BEYOND_KOREAN: usize = 4;

/// How much of a page is UTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Utf8Counts {
    /// Characters beyond ASCII, each sequence that means nothing included.
    pub beyond_ascii: usize,
    /// Sequences that mean nothing: as many U+FFFD as a decoder makes of them. Half a character at the end is none.
    pub damaged: usize,
}

/// Count what a decoder of UTF-8 would make of bytes.
pub fn utf8_counts(mut bytes: &[u8]) -> Utf8Counts {
    // Python's decoder takes this for half a character, too: of a surrogate, which it then refuses.
    if let [before @ .., 0xED, 0xA0..=0xBF] = bytes {
        bytes = before;
    }
    let (mut state, mut damaged, mut whole) = (START, 0, 0);
    let mut read = |byte: u8| {
        let step = STEPS[usize::from(state)][usize::from(byte)];
        damaged += usize::from(step.damaged);
        whole += usize::from(step.whole);
        state = step.next;
        state == START
    };
    let mut is_at_start = true;
    let words = bytes.chunks_exact(8);
    let rest = words.remainder();
    for word in words {
        // Most of a page is ASCII, whatever its language.
        if !(is_at_start && word.is_ascii()) {
            is_at_start = word.iter().fold(true, |_, &byte| read(byte));
        }
    }
    for &byte in rest {
        read(byte);
    }
    Utf8Counts { beyond_ascii: damaged + whole, damaged }
}

/// What a byte means to a decoder of UTF-8: no branches, since what follows a byte of another encoding cannot be foreseen.
#[derive(Clone, Copy)]
struct Step {
    next: u8,
    damaged: u8,
    whole: u8,
}

/// The state between characters. The others are positions in `INSIDE`, plus one.
const START: u8 = 0;
/// The states inside a character: the bytes that may follow, and the state after them.
const INSIDE: [(u8, u8, u8); 7] = [
    (0x80, 0xBF, START),
    (0x80, 0xBF, 1),
    (0x80, 0xBF, 2),
    // After 0xE0, 0xED, 0xF0 and 0xF4: no character has two forms, or is a surrogate, or beyond Unicode.
    (0xA0, 0xBF, 1),
    (0x80, 0x9F, 1),
    (0x90, 0xBF, 2),
    (0x80, 0x8F, 2),
];

/// What each byte means in each state.
static STEPS: [[Step; 256]; 1 + INSIDE.len()] = {
    let mut steps = [[Step { next: START, damaged: 0, whole: 0 }; 256]; 1 + INSIDE.len()];
    let mut byte = 0;
    while byte < 256 {
        let first = first_step(byte as u8);
        steps[0][byte] = first;
        let mut inside = 0;
        while inside < INSIDE.len() {
            let (low, high, next) = INSIDE[inside];
            let fits = low as usize <= byte && byte <= high as usize;
            steps[1 + inside][byte] = if fits {
                Step { next, damaged: 0, whole: (next == START) as u8 }
            } else {
                // What came before means nothing, and the byte begins anew.
                Step { damaged: first.damaged + 1, ..first }
            };
            inside += 1;
        }
        byte += 1;
    }
    steps
};

/// What a byte means that begins a character.
const fn first_step(byte: u8) -> Step {
    let next = match byte {
        0xC2..=0xDF => 1,
        0xE0 => 4,
        0xED => 5,
        0xE1..=0xEF => 2,
        0xF0 => 6,
        0xF1..=0xF3 => 3,
        0xF4 => 7,
        _ => START,
    };
    Step { next, damaged: (next == START && byte >= 0x80) as u8, whole: 0 }
}

/// Whether bytes are Chinese in GB 2312 or one of its extensions beyond doubt: pairs without exception, nearly all of
/// them common characters, and these from all over the table.
///
/// The table is in the order of pronunciation. EUC-KR has Hangul in its first half and hardly anything in the second,
/// half of Japanese text is kana, Big5 uses trail bytes that common characters do not have, and text in encodings of one
/// byte a character has words of odd length.
pub fn is_simplified_chinese(bytes: &[u8]) -> bool {
    let (mut common, mut beyond_korean, mut others) = (0, 0, 0);
    let mut at = 0;
    while at < bytes.len() {
        let lead = bytes[at];
        if lead.is_ascii() {
            at += ascii_length(&bytes[at..]);
            continue;
        }
        match (lead, bytes.get(at + 1)) {
            // Half a character at the end of what a crawl has fetched.
            (_, None) => break,
            (0xB0..=0xD7, Some(0xA1..=0xFE)) => {
                common += 1;
                beyond_korean += usize::from(lead > 0xC8);
            }
            (0xA1..=0xA3, Some(0xA1..=0xFE)) => (),
            (0x81..=0xFE, Some(0x40..=0x7E | 0x80..=0xFE)) => others += 1,
            _ => return false,
        }
        at += 2;
    }
    common >= FEWEST_PAIRS && (common + others) >= RARE * others && BEYOND_KOREAN * beyond_korean >= common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_need_no_label() {
        for (page, reading, text) in [
            (&b"<p>tea"[..], Reading::Ascii, 0..6),
            (b"", Reading::Ascii, 0..0),
            (b"a ~ b", Reading::Ascii, 0..5),
            (b"a ~{ b", Reading::Unknown, 0..6),
            (b"a \x1b b", Reading::Unknown, 0..5),
            (b"caf\xc3\xa9 \xc3", Reading::Utf8, 0..6),
            (b"caf\xc3", Reading::Unknown, 0..4),
            (b"caf\xe9 ", Reading::Unknown, 0..5),
            (b"\xef\xbb\xbfcaf\xc3", Reading::Marked, 3..6),
            (b"\xef\xbb\xbfcaf\xe9 ", Reading::Unknown, 3..8),
            (b"\xff\xfetea", Reading::Ascii, 2..5),
        ] {
            let survey = Survey::of(page);
            assert_eq!((survey.reading, survey.text.clone()), (reading, text), "{:?}", page);
            assert_eq!(survey.is_settled(), reading != Reading::Unknown);
        }
        let wide = Survey::of(b"t\0e\0a\0");
        assert_eq!((wide.reading, wide.has_nul, wide.is_settled()), (Reading::Ascii, true, false));
    }

    #[test]
    fn what_western_text_is() {
        for western in [&b"don\x92t \x96 \xa9 tea"[..], b"caf\xe9", b"\xc9mile pays \xa39.99, or \xa3", b"M\xfcnchen"] {
            assert!(is_western(western), "{:?}", western);
        }
        // Nothing beyond ASCII; Łódź and Łukasz; a Russian word; a letter that others have at this code; Korean.
        for other in [&b"tea"[..], b"\xa3\xf3d\x9f", b"\xa3ukasz", b"\xf6\xe9\xe4", b"ma\xf1ana", b"a \xb0\xa1\xb3"] {
            assert!(!is_western(other), "{:?}", other);
        }
    }

    #[test]
    fn counts_what_a_decoder_makes() {
        for (bytes, beyond_ascii, damaged) in [
            (&b"abc"[..], 0, 0),
            ("é漢😀".as_bytes(), 3, 0),
            (b"a\xe9b\xff", 2, 2),
            (b"\xe6\xbcx\xc3\xa9", 2, 1),
            (b"\xed\xa0\x80", 3, 3),
            (b"\xc3\xa9\xe6\xbc", 1, 0),
            ("\u{fffd}".as_bytes(), 1, 0),
            (b"\xed\xa0", 0, 0),
        ] {
            assert_eq!(utf8_counts(bytes), Utf8Counts { beyond_ascii, damaged }, "{:?}", bytes);
        }
    }

    /// The same by the decoder of the standard library.
    fn naive_counts(mut bytes: &[u8]) -> Utf8Counts {
        // Python's decoder takes this for half a character, too: of a surrogate, which it then refuses.
        if let [before @ .., 0xED, 0xA0..=0xBF] = bytes {
            bytes = before;
        }
        let mut counts = Utf8Counts::default();
        loop {
            let (valid, damaged, rest) = match std::str::from_utf8(bytes) {
                Ok(_) => (bytes, 0, None),
                Err(error) => {
                    let (valid, rest) = bytes.split_at(error.valid_up_to());
                    (valid, usize::from(error.error_len().is_some()), error.error_len().map(|length| &rest[length..]))
                }
            };
            counts.beyond_ascii += valid.iter().filter(|&&byte| byte >= 0xC0).count() + damaged;
            counts.damaged += damaged;
            match rest {
                Some(rest) => bytes = rest,
                None => return counts,
            }
        }
    }

    #[test]
    fn counts_like_the_naive_twin() {
        let pieces = b"a\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff";
        let mut state = 1u64;
        for _ in 0..50_000 {
            let mut bytes = Vec::new();
            for _ in 0..state >> 60 {
                state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                bytes.push(pieces[(state >> 33) as usize % pieces.len()]);
            }
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            assert_eq!(utf8_counts(&bytes), naive_counts(&bytes), "{:x?}", bytes);
        }
    }

    /// Pairs whose lead bytes go round a range, between blanks.
    fn pairs(leads: std::ops::RangeInclusive<u8>, number: usize) -> Vec<u8> {
        leads.cycle().take(number).flat_map(|lead| [b' ', lead, 0xA1 + lead % 90]).collect()
    }

    #[test]
    fn chinese_has_common_characters_from_all_over_the_table() {
        assert!(is_simplified_chinese(&pairs(0xB0..=0xD7, 200)));
        assert!(is_simplified_chinese(&[&pairs(0xB0..=0xD7, 200)[..], &pairs(0xD8..=0xF7, 20), b"\xb0"].concat()));
        for other in [
            pairs(0xB0..=0xD7, 20),
            pairs(0xB0..=0xC8, 200),
            [pairs(0xB0..=0xD7, 200), pairs(0xA4..=0xA5, 30)].concat(),
            [&pairs(0xB0..=0xD7, 200)[..], b"\xb0 and so on"].concat(),
            b"plain".to_vec(),
        ] {
            assert!(!is_simplified_chinese(&other), "{:?}", other);
        }
    }
}
