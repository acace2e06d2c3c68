//! Which encodings a page is said to be in.
#![forbid(unsafe_code)]

use super::charsets::Charset;
use super::declared_labels::{all_labels, first_labels};
use super::detection::Bytes;
use super::labels::{in_header, in_page, label_of_header};
use super::Reason;
use crate::html::bytes::find;
use encoding_rs::{Encoding, BIG5, EUC_JP, EUC_KR, GB18030, GBK, IBM866, SHIFT_JIS, UTF_16BE, UTF_16LE};
use encoding_rs::{WINDOWS_1256, WINDOWS_874};

/// Encodings in which the bytes of one character, or of common letters beside each other, can be valid UTF-8.
const LIKE_UTF8: [&Encoding; 9] = [BIG5, EUC_JP, EUC_KR, GB18030, GBK, IBM866, SHIFT_JIS, WINDOWS_874, WINDOWS_1256];

/// Most encodings that are tried: each takes as long as to read the page.
const MOST: usize = 5;

/// What names an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The encoding.
    pub charset: Charset,
    /// What names it.
    pub reason: Reason,
}

/// All that a page is said to be in, what counts most first.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    all: Vec<Claim>,
}

impl Claims {
    /// The mark, the label in the header, and those in the page.
    pub fn of(body: &[u8], marked: Option<Charset>, content_type: &str) -> Claims {
        let mut claims = Claims::default();
        let header = label_of_header(content_type).and_then(in_header);
        marked.into_iter().for_each(|charset| claims.add(charset, Reason::Mark));
        header.into_iter().for_each(|charset| claims.add(charset, Reason::Header));
        declared(body).into_iter().for_each(|charset| claims.add(charset, Reason::InPage));
        claims
    }

    fn add(&mut self, charset: Charset, reason: Reason) {
        if self.all.len() < MOST && !self.all.iter().any(|claim| claim.charset == charset) {
            self.all.push(Claim { charset, reason });
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether one names this encoding, or one that is as good.
    pub fn has(&self, charset: Charset) -> bool {
        self.all.iter().any(|claim| claim.charset.is_as_good_as(charset))
    }

    /// Whether one names an encoding whose text can pass for UTF-8.
    pub fn are_like_utf8(&self) -> bool {
        self.all.iter().any(|claim| matches!(claim.charset, Charset::Standard(named) if LIKE_UTF8.contains(&named)))
    }

    /// Leave out what the bytes refute, and put first what they bear out if the others contradict each other.
    pub fn settle(&mut self, body: &[u8], bytes: &Bytes) {
        // Of tags in UTF-16, which have NUL bytes, we would know.
        let has_tags = has_tags(body);
        self.all.retain(|claim| !is_wide(claim.charset) || (claim.reason == Reason::Mark && !has_tags));
        if self.all.len() > 1 {
            let guess = bytes.guess();
            self.all.sort_by_key(|claim| !claim.charset.is_as_good_as(guess));
        }
    }

    /// The claims, those first whose text is all ASCII: other encodings fit its bytes, too.
    pub fn in_order(&self) -> impl Iterator<Item = Claim> + '_ {
        let of_kind =
            |has_seven: bool| self.all.iter().copied().filter(move |c| c.charset.has_seven_bits() == has_seven);
        of_kind(true).chain(of_kind(false))
    }
}

/// The encodings that a page declares; labels that nobody knows are passed over.
fn declared(body: &[u8]) -> Vec<Charset> {
    let known = |labels: Vec<&[u8]>| -> Vec<Charset> {
        labels.into_iter().filter_map(|label| in_page(&String::from_utf8_lossy(label))).collect()
    };
    let first = first_labels(body);
    let are_any = !first.is_empty();
    let found = known(first);
    if found.is_empty() && are_any {
        return known(all_labels(body));
    }
    found
}

/// Whether an encoding has two bytes a character or more.
fn is_wide(charset: Charset) -> bool {
    let is_utf_16 = |encoding| encoding == UTF_16LE || encoding == UTF_16BE;
    matches!(charset, Charset::Utf32Le | Charset::Utf32Be) || matches!(charset, Charset::Standard(e) if is_utf_16(e))
}

/// Whether there are tags of one byte a character.
fn has_tags(body: &[u8]) -> bool {
    let mut at = find(body, 0, b'<');
    while at < body.len() {
        if body.get(at + 1).is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!')) {
            return true;
        }
        at = find(body, at + 1, b'<');
    }
    false
}
