//! How common the characters of East Asian text are, if its bytes are read in one encoding or another.
//!
//! These encodings take nearly any bytes for characters, so damage hardly tells a wrong one. But each has its common
//! characters in a part of its table: of text that is read right nearly all are there, of text that is not about half.
#![forbid(unsafe_code)]

use super::charsets::Charset;
use crate::html::ascii_length;
use encoding_rs::{Encoding, BIG5, EUC_JP, EUC_KR, GB18030, GBK, SHIFT_JIS};

/// The encodings, those with the fewest common characters first: where all characters of a text are common in two, it is in
/// the first. Hangul takes 25 rows of a table, of which the 40 with common Chinese characters have all.
pub const EAST_ASIAN: [&Encoding; 5] = [EUC_KR, EUC_JP, SHIFT_JIS, GB18030, BIG5];

/// What the bytes of a page would be in an encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Commonness {
    /// Common characters.
    pub common: usize,
    /// Others, without punctuation.
    pub others: usize,
    /// Bytes that are no character.
    pub broken: usize,
}

impl Commonness {
    /// Characters, without punctuation.
    pub fn characters(self) -> usize {
        self.common + self.others
    }

    /// The share of the characters that is common.
    pub fn share(self) -> f64 {
        self.common as f64 / self.characters().max(1) as f64
    }
}

/// A character that begins with a byte beyond ASCII: how many bytes it has, and what it is.
struct Character {
    length: usize,
    kind: Kind,
}

enum Kind {
    Common,
    Other,
    Punctuation,
    Broken,
}

/// How common the characters are; nothing for other encodings.
pub fn commonness(bytes: &[u8], charset: Charset) -> Option<Commonness> {
    let Charset::Standard(encoding) = charset else { return None };
    let read = match encoding {
        _ if encoding == GBK || encoding == GB18030 => chinese,
        _ if encoding == BIG5 => traditional,
        _ if encoding == EUC_KR => korean,
        _ if encoding == EUC_JP => japanese_euc,
        _ if encoding == SHIFT_JIS => japanese_shifted,
        _ => return None,
    };
    let mut found = Commonness::default();
    let mut at = ascii_length(bytes);
    while at < bytes.len() {
        let Character { length, kind } = read(&bytes[at..]);
        match kind {
            Kind::Common => found.common += 1,
            Kind::Other => found.others += 1,
            Kind::Punctuation => (),
            Kind::Broken => found.broken += 1,
        }
        at += length;
        at += ascii_length(&bytes[at.min(bytes.len())..]);
    }
    Some(found)
}

fn character(length: usize, kind: Kind) -> Character {
    Character { length, kind }
}

/// GB 18030: common characters are those of the first level of GB 2312.
fn chinese(bytes: &[u8]) -> Character {
    match bytes {
        [0xB0..=0xD7, 0xA1..=0xFE, ..] => character(2, Kind::Common),
        [0xA1..=0xA3, 0xA1..=0xFE, ..] => character(2, Kind::Punctuation),
        [0x81..=0xFE, 0x30..=0x39, 0x81..=0xFE, 0x30..=0x39, ..] => character(4, Kind::Other),
        [0x81..=0xFE, 0x40..=0x7E | 0x80..=0xFE, ..] => character(2, Kind::Other),
        _ => character(1, Kind::Broken),
    }
}

/// Big5: those of its first level.
fn traditional(bytes: &[u8]) -> Character {
    match bytes {
        [0xA4..=0xC6, 0x40..=0x7E | 0xA1..=0xFE, ..] => character(2, Kind::Common),
        [0xA1..=0xA3, 0x40..=0x7E | 0xA1..=0xFE, ..] => character(2, Kind::Punctuation),
        [0x81..=0xFE, 0x40..=0x7E | 0xA1..=0xFE, ..] => character(2, Kind::Other),
        _ => character(1, Kind::Broken),
    }
}

/// EUC-KR: Hangul.
fn korean(bytes: &[u8]) -> Character {
    match bytes {
        [0xB0..=0xC8, 0xA1..=0xFE, ..] => character(2, Kind::Common),
        [0xA1..=0xA3, 0xA1..=0xFE, ..] => character(2, Kind::Punctuation),
        [0x81..=0xFE, 0x41..=0x5A | 0x61..=0x7A | 0x81..=0xFE, ..] => character(2, Kind::Other),
        _ => character(1, Kind::Broken),
    }
}

/// EUC-JP: kana, and the first level of JIS X 0208.
fn japanese_euc(bytes: &[u8]) -> Character {
    match bytes {
        [0xA4 | 0xA5 | 0xB0..=0xCF, 0xA1..=0xFE, ..] => character(2, Kind::Common),
        [0xA1..=0xA3, 0xA1..=0xFE, ..] => character(2, Kind::Punctuation),
        [0xA6..=0xFE, 0xA1..=0xFE, ..] | [0x8E, 0xA1..=0xDF, ..] => character(2, Kind::Other),
        [0x8F, 0xA1..=0xFE, 0xA1..=0xFE, ..] => character(3, Kind::Other),
        _ => character(1, Kind::Broken),
    }
}

/// Shift_JIS: the same. Katakana of half the width have one byte each, and are rare.
fn japanese_shifted(bytes: &[u8]) -> Character {
    match bytes {
        [0x82, 0x9F..=0xF1, ..] | [0x83, 0x40..=0x7E | 0x80..=0x96, ..] | [0x88, 0x9F..=0xFC, ..] => {
            character(2, Kind::Common)
        }
        [0x89..=0x97, 0x40..=0x7E | 0x80..=0xFC, ..] | [0x98, 0x40..=0x72, ..] => character(2, Kind::Common),
        [0x81 | 0x82, 0x40..=0x7E | 0x80..=0xFC, ..] => character(2, Kind::Punctuation),
        [0x83..=0x9F | 0xE0..=0xFC, 0x40..=0x7E | 0x80..=0xFC, ..] => character(2, Kind::Other),
        [0xA1..=0xDF, ..] => character(1, Kind::Other),
        _ => character(1, Kind::Broken),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [(&str, &Encoding); 5] = [
        ("清晨的茶园里，人们一边采茶一边唱歌，远处的山被云雾包围着，空气里有淡淡的香味。", GB18030),
        ("清晨的茶園裡，人們一邊採茶一邊唱歌，遠處的山被雲霧包圍著，空氣裡有淡淡的香味。", BIG5),
        ("이른 아침 차밭에서는 사람들이 노래를 부르며 잎을 따고, 먼 산은 안개에 싸여 보였습니다.", EUC_KR),
        ("朝早くから茶畑では人々が歌いながら葉を摘み、遠くの山は霧に包まれて見えていました。", EUC_JP),
        ("朝早くから茶畑では人々が歌いながら葉を摘み、遠くの山は霧に包まれて見えていました。", SHIFT_JIS),
    ];

    fn read_as(text: &str, written: &'static Encoding, read: &'static Encoding) -> Commonness {
        let (bytes, _, _) = written.encode(text);
        commonness(&bytes, Charset::Standard(read)).unwrap()
    }

    #[test]
    fn characters_are_common_in_the_right_encoding() {
        for (text, encoding) in TEXTS {
            let found = read_as(text, encoding, encoding);
            assert!(found.share() > 0.9 && found.broken == 0, "{:?} {:?}", encoding, found);
        }
    }

    #[test]
    fn in_others_they_are_not_unless_these_have_more_of_them() {
        for (number, encoding) in EAST_ASIAN.into_iter().enumerate() {
            let (text, _) = TEXTS.into_iter().find(|(_, known)| *known == encoding).unwrap();
            for other in &EAST_ASIAN[..number] {
                let found = read_as(text, encoding, other);
                assert!(found.share() < 0.85, "{:?} as {:?}: {:?}", encoding, other, found);
            }
        }
        assert!(read_as(TEXTS[2].0, EUC_KR, GB18030).share() > 0.95);
    }

    #[test]
    fn half_a_character_is_broken_and_other_encodings_have_none() {
        let found = commonness(b"\xb2\xe8 \xb2", Charset::Standard(GBK)).unwrap();
        assert_eq!(found, Commonness { common: 1, others: 0, broken: 1 });
        assert_eq!(commonness(b"", Charset::Standard(encoding_rs::KOI8_R)), None);
        assert_eq!(commonness(b"", Charset::Hz), None);
    }
}
