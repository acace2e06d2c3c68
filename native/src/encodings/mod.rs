//! Bytes -> text: which encoding a page is in, and why.
//!
//! Bytes are better evidence than labels. Text interleaved with NUL bytes is UTF-16 or UTF-32, and text that is valid UTF-8, or
//! nearly so, is UTF-8, whatever the byte order mark, HTTP header or `<meta>` says: hundreds of pages in our gold sets carry a
//! stale charset, and text in another encoding is hardly ever valid UTF-8 by chance. For all other bytes the order is byte order
//! mark, HTTP header, `<meta>` or XML declaration, detection. A label gives way if the bytes contradict it: if it leaves too
//! much undecoded, or makes rare characters of what are common ones in another encoding. If labels contradict each other, the
//! bytes decide.
#![forbid(unsafe_code)]

mod charsets;
mod claims;
mod commonness;
pub mod declared_labels;
mod detection;
mod ebcdic;
pub mod encoding_signs;
pub mod labels;
mod seven_bits;
mod twice;
mod wide;

pub use charsets::Charset;

use crate::failure::Failure;
use claims::Claims;
use detection::Bytes;
use ebcdic::{is_code_page_500, is_ebcdic};
use encoding_rs::{GBK, ISO_2022_JP, UTF_16BE, UTF_16LE, UTF_8};
use encoding_signs::{utf8_counts, Reading, Survey, Utf8Counts};
use seven_bits::is_utf_7;
use std::ops::Range;
use twice::{decoded_again, Twice};
use wide::wide_charset;

/// Why a page was read in an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// All bytes are ASCII.
    Ascii,
    /// They are UTF-8.
    Utf8,
    /// A byte order mark says so.
    Mark,
    /// Every other byte is NUL.
    Nuls,
    /// Most bytes beyond ASCII are UTF-8.
    NearlyUtf8,
    /// The HTTP header says so.
    Header,
    /// The page says so.
    InPage,
    /// The bytes look like it.
    Detected,
    /// UTF-8 that was encoded as UTF-8 again.
    Twice,
}

impl Reason {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Reason::Ascii => "plain ASCII",
            Reason::Utf8 => "valid UTF-8 with non-ASCII characters",
            Reason::Mark => "byte order mark",
            Reason::Nuls => "every other byte is NUL",
            Reason::NearlyUtf8 => "nearly valid UTF-8",
            Reason::Header => "HTTP header",
            Reason::InPage => "declared in the page",
            Reason::Detected => "detected",
            Reason::Twice => "UTF-8 that was encoded twice",
        }
    }
}

/// What is wrong with the encoding of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing that anybody has to be told.
    None,
    /// It is not in an encoding that it declares.
    Mislabelled,
    /// Some of its text was encoded twice, and cannot be read.
    Garbled,
    /// It is no text.
    Binary,
}

/// A page as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text.
    pub content: Content,
    /// The encoding.
    pub charset: Charset,
    /// Why it was chosen.
    pub reason: Reason,
    /// How many characters are U+FFFD because their bytes mean nothing.
    pub damaged: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// Text that a page has, or that was made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The bytes of the page that are the text.
    Part(Range<usize>),
    /// The text.
    Made(String),
}

/// What byte order marks stand for, in the order of their numbers.
const MARKED: [Charset; 5] = [
    Charset::Standard(UTF_8),
    Charset::Utf32Le,
    Charset::Utf32Be,
    Charset::Standard(UTF_16LE),
    Charset::Standard(UTF_16BE),
];

/// Decode a page. Bytes that fit nothing become U+FFFD. Half a character at the end is left out.
pub fn decode(page: &[u8], content_type: &str) -> Result<Decoded, Failure> {
    let survey = Survey::of(page);
    let body = &page[survey.text.start..];
    let marked = survey.mark.map(|number| MARKED[number]);
    if let Some(wide) = survey.has_nul.then(|| wide_charset(body)).flatten() {
        let reason = if marked == Some(wide) { Reason::Mark } else { Reason::Nuls };
        return decoded(body, wide, reason, Fault::None);
    }
    match survey.utf8 {
        Some(text) => decoded_utf8(text, &survey),
        None => Undecided::new(body, marked, content_type).decode(),
    }
}

/// Whether a page that is valid UTF-8 is what it seems: text, and encoded once.
pub fn is_what_it_seems(text: &str, survey: &Survey) -> bool {
    let is_plain = !survey.kinds.has_control || !is_binary(text, 0);
    is_plain
        && match survey.reading {
            Reading::Ascii => !is_utf_7(text.as_bytes()),
            _ => !Twice::of(text).is_partly(),
        }
}

/// A page that is valid UTF-8, but for what it means.
fn decoded_utf8(text: &str, survey: &Survey) -> Result<Decoded, Failure> {
    if survey.reading == Reading::Ascii && is_utf_7(text.as_bytes()) {
        return decoded(text.as_bytes(), Charset::Utf7, Reason::Detected, Fault::Mislabelled);
    }
    let twice = if survey.reading == Reading::Ascii { Twice::default() } else { Twice::of(text) };
    let reason = match survey.reading {
        _ if twice.is_whole() => Reason::Twice,
        Reading::Ascii => Reason::Ascii,
        Reading::Marked => Reason::Mark,
        _ => Reason::Utf8,
    };
    let fault = match twice {
        _ if is_binary(text, 0) => Fault::Binary,
        _ if twice.is_whole() => Fault::Mislabelled,
        _ if twice.is_partly() => Fault::Garbled,
        _ => Fault::None,
    };
    let content = match reason {
        Reason::Twice => Content::Made(decoded_again(text)),
        _ => Content::Part(survey.text.clone()),
    };
    Ok(Decoded { content, charset: Charset::Standard(UTF_8), reason, damaged: 0, fault })
}

/// A page in an encoding.
fn decoded(body: &[u8], charset: Charset, reason: Reason, fault: Fault) -> Result<Decoded, Failure> {
    let text = charset.decode(body)?;
    let fault = if is_binary(&text.utf8, text.damaged) { Fault::Binary } else { fault };
    Ok(Decoded { content: Content::Made(text.utf8), charset, reason, damaged: text.damaged, fault })
}

/// Fewest control characters that make bytes no text.
const FEWEST_CONTROLS: usize = 4;
/// One character in so many is a control character, at least: of compressed bytes one in ten, of 29,484 pages at most one in 70.
const CHARACTERS_A_CONTROL: usize = 20;
/// Of characters that cannot be read, one in so many makes a page no text: of random bytes that are taken for UTF-8, every second.
const CHARACTERS_A_DAMAGED: usize = 3;

/// Whether what was decoded is no text. Control characters are those that no text has; NUL bytes fill up some pages, and escape
/// sequences colour what a terminal shows.
fn is_binary(text: &str, damaged: usize) -> bool {
    let is_control = |byte: &&u8| matches!(byte, 1..=8 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
    let controls = text.bytes().filter(|byte| is_control(&byte)).count();
    if controls + damaged < FEWEST_CONTROLS {
        return false;
    }
    let characters = crate::html::count_characters(text.as_bytes());
    controls * CHARACTERS_A_CONTROL >= characters && controls >= FEWEST_CONTROLS
        || (controls + damaged) * CHARACTERS_A_DAMAGED >= characters
}

/// Nearly valid UTF-8 has at least one valid sequence for each invalid one. Excerpts of gold texts with 2 to 100 non-ASCII
/// characters in windows-125x, KOI8, Mac and ISO encodings reach that by chance in at most 0.25 % of cases, and never with 10 or
/// more.
const UTF8_DAMAGE: usize = 2;
/// The same where there are fewer than `SHORT` such characters and a label names an encoding in which the bytes of one
/// character, or of common letters beside each other, can be valid UTF-8. Of their texts 12 % to 26 % of the sequences are valid
/// UTF-8; of excerpts with 5 characters up to 7 % have as many valid as invalid sequences, but at most 0.2 % four times as many;
/// of those with 30, up to 0.06 % have as many.
const UTF8_DAMAGE_IF_SHORT: usize = 5;
const SHORT: usize = 30;

/// A page whose bytes alone do not say what they are.
struct Undecided<'page> {
    body: &'page [u8],
    bytes: Bytes<'page>,
    counts: Utf8Counts,
    claims: Claims,
}

impl<'page> Undecided<'page> {
    fn new(body: &'page [u8], marked: Option<Charset>, content_type: &str) -> Self {
        let claims = Claims::of(body, marked, content_type);
        Undecided { body, bytes: Bytes::of(body), counts: utf8_counts(body), claims }
    }

    fn decode(mut self) -> Result<Decoded, Failure> {
        if self.is_nearly_utf8(self.claims.are_like_utf8()) {
            return decoded(self.body, Charset::Standard(UTF_8), Reason::NearlyUtf8, Fault::None);
        }
        if let Some((charset, reason)) = self.by_all_bytes()? {
            return self.decoded(charset, reason);
        }
        self.claims.settle(self.body, &self.bytes);
        for claim in self.claims.in_order() {
            if let Some(charset) = self.bytes.judge(claim.charset)? {
                let is_as_claimed = charset == claim.charset;
                return self.decoded(charset, if is_as_claimed { claim.reason } else { Reason::Detected });
            }
        }
        if self.body.is_ascii() {
            return decoded(self.body, Charset::Standard(UTF_8), Reason::Ascii, Fault::None);
        }
        if self.is_nearly_utf8(false) {
            return decoded(self.body, Charset::Standard(UTF_8), Reason::NearlyUtf8, Fault::None);
        }
        self.decoded(self.bytes.guess(), Reason::Detected)
    }

    /// The page in an encoding, with a fault if that is none which is declared.
    fn decoded(&self, charset: Charset, reason: Reason) -> Result<Decoded, Failure> {
        let is_claimed = self.claims.is_empty() || self.claims.has(charset);
        decoded(self.body, charset, reason, if is_claimed { Fault::None } else { Fault::Mislabelled })
    }

    /// Whether most of what is not ASCII is valid UTF-8. Other text of Latin letters and signs is as good as never.
    fn is_nearly_utf8(&self, is_doubtful: bool) -> bool {
        let Utf8Counts { beyond_ascii, damaged } = self.counts;
        let times = if is_doubtful && beyond_ascii < SHORT { UTF8_DAMAGE_IF_SHORT } else { UTF8_DAMAGE };
        beyond_ascii > 0 && times * damaged <= beyond_ascii
    }

    /// Encodings that no byte of others looks like.
    fn by_all_bytes(&self) -> Result<Option<(Charset, Reason)>, Failure> {
        if is_ebcdic(self.body) {
            let by_type = if is_code_page_500(self.body) { Charset::Ebcdic500 } else { Charset::Ebcdic037 };
            let claimed =
                self.claims.in_order().find(|claim| matches!(claim.charset, Charset::Ebcdic037 | Charset::Ebcdic500));
            return Ok(Some(claimed.map_or((by_type, Reason::Detected), |claim| (claim.charset, claim.reason))));
        }
        if !self.body.is_ascii() {
            return Ok(None);
        }
        for charset in [Charset::Standard(ISO_2022_JP), Charset::Iso2022Kr, Charset::Hz] {
            if !self.claims.has(charset) && self.is_seven_bits(charset)? {
                return Ok(Some((charset, Reason::Detected)));
            }
        }
        Ok(None)
    }

    /// Whether ASCII stands for other characters, though nothing says so: nearly all of its escape sequences mean something.
    /// Those of HZ are so short that they have to stand for common characters, too.
    fn is_seven_bits(&self, charset: Charset) -> Result<bool, Failure> {
        let text = charset.decode(self.body)?;
        let characters = detection::beyond_ascii(&text.utf8);
        if characters < FEWEST_IN_ASCII || text.damaged * CHARACTERS_A_BROKEN > characters {
            return Ok(false);
        }
        let (pairs, _, _) = GBK.encode(&text.utf8);
        let common = commonness::commonness(&pairs, Charset::Standard(GBK)).unwrap_or_default();
        Ok(charset != Charset::Hz
            || (common.characters() >= FEWEST_IN_HZ && common.share() >= detection::MOSTLY_COMMON))
    }
}

/// Fewest characters that escape sequences stand for.
const FEWEST_IN_ASCII: usize = 2;
const FEWEST_IN_HZ: usize = 8;
/// Of so many characters one may be broken.
const CHARACTERS_A_BROKEN: usize = 50;
