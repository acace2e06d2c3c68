//! Encodings by name, and bytes of each as text.
//!
//! The crate encoding_rs has those that browsers read. Pages are in others, too: UTF-32, HZ, ISO-2022-KR, UTF-7 and EBCDIC, which
//! the standard leaves out because scripts could hide in them. None is run here, and a page that is not decoded is lost.
#![forbid(unsafe_code)]

use super::ebcdic;
use super::seven_bits;
use crate::failure::Failure;
use encoding_rs::{DecoderResult, Encoding, GB18030, GBK, KOI8_R, KOI8_U, WINDOWS_1252};

/// How a page may be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// One of the encoding standard.
    Standard(&'static Encoding),
    /// Four bytes a character, the lowest first.
    Utf32Le,
    /// Four bytes a character, the highest first.
    Utf32Be,
    /// GB 2312 in ASCII, between `~{` and `~}`.
    Hz,
    /// KS X 1001 in ASCII, between SO and SI.
    Iso2022Kr,
    /// UTF-16 in Base64, between `+` and `-`.
    Utf7,
    /// EBCDIC of the USA and of most others that write Latin letters.
    Ebcdic037,
    /// International EBCDIC.
    Ebcdic500,
}

/// Text, and how well its bytes could be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The text, with U+FFFD where bytes mean nothing. Half a character at the end is left out.
    pub utf8: String,
    /// How many of these there are; those that the page itself has do not count.
    pub damaged: usize,
}

impl Charset {
    /// The name, that of the standard if it has one. GBK is read as GB 18030, which is wider.
    pub fn name(self) -> String {
        match self {
            Charset::Standard(encoding) if encoding == GBK => GB18030.name().to_ascii_lowercase(),
            Charset::Standard(encoding) => encoding.name().to_ascii_lowercase(),
            Charset::Utf32Le => "utf-32le".to_string(),
            Charset::Utf32Be => "utf-32be".to_string(),
            Charset::Hz => "hz-gb-2312".to_string(),
            Charset::Iso2022Kr => "iso-2022-kr".to_string(),
            Charset::Utf7 => "utf-7".to_string(),
            Charset::Ebcdic037 => "ibm037".to_string(),
            Charset::Ebcdic500 => "ibm500".to_string(),
        }
    }

    /// Whether text in both is the same, but for what hardly any text has.
    pub fn is_as_good_as(self, other: Charset) -> bool {
        let widest = |charset| match charset {
            Charset::Standard(encoding) if encoding == GBK => Charset::Standard(GB18030),
            Charset::Standard(encoding) if encoding == KOI8_R => Charset::Standard(KOI8_U),
            other => other,
        };
        widest(self) == widest(other)
    }

    /// Whether all its bytes are ASCII, and its characters are not.
    pub fn has_seven_bits(self) -> bool {
        match self {
            Charset::Hz | Charset::Iso2022Kr | Charset::Utf7 => true,
            Charset::Standard(encoding) => encoding == encoding_rs::ISO_2022_JP,
            _ => false,
        }
    }

    /// Bytes as text.
    pub fn decode(self, bytes: &[u8]) -> Result<Text, Failure> {
        match self {
            Charset::Standard(encoding) => decode_standard(bytes, encoding),
            Charset::Utf32Le => from_utf32(bytes, u32::from_le_bytes),
            Charset::Utf32Be => from_utf32(bytes, u32::from_be_bytes),
            Charset::Hz => seven_bits::from_hz(bytes),
            Charset::Iso2022Kr => seven_bits::from_iso_2022_kr(bytes),
            Charset::Utf7 => seven_bits::from_utf_7(bytes),
            Charset::Ebcdic037 | Charset::Ebcdic500 => ebcdic::decode(bytes, self == Charset::Ebcdic500),
        }
    }
}

/// Bytes of an encoding of the standard as text.
pub fn decode_standard(bytes: &[u8], encoding: &'static Encoding) -> Result<Text, Failure> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = Text::default();
    let mut rest = bytes;
    loop {
        // As much as most text takes; where it is not enough, the decoder comes back for more.
        text.utf8.try_reserve(rest.len() + rest.len() / 2 + SMALLEST_BUFFER)?;
        let (result, read) = decoder.decode_to_string_without_replacement(rest, &mut text.utf8, false);
        rest = &rest[read..];
        match result {
            DecoderResult::InputEmpty => break,
            DecoderResult::OutputFull => (),
            DecoderResult::Malformed(..) => {
                text.utf8.push(char::REPLACEMENT_CHARACTER);
                text.damaged += 1;
            }
        }
    }
    if encoding.is_single_byte() {
        return without_controls(text);
    }
    Ok(text)
}

/// More than any decoder writes for the bytes that it has read before.
const SMALLEST_BUFFER: usize = 64;

/// Replace the control characters from 0x80 up, which no text has. In encodings of one byte a character they stand for bytes
/// without meaning; where pages are in ISO 8859, most of these are quotation marks and dashes of Windows.
fn without_controls(text: Text) -> Result<Text, Failure> {
    if !text.utf8.contains(is_control) {
        return Ok(text);
    }
    let Text { utf8, mut damaged } = text;
    let mut replaced = String::new();
    replaced.try_reserve(utf8.len() + utf8.len() / 2)?;
    for character in utf8.chars() {
        replaced.push(if is_control(character) { sign_of_windows(character) } else { character });
        damaged += usize::from(is_control(character) && sign_of_windows(character) == char::REPLACEMENT_CHARACTER);
    }
    Ok(Text { utf8: replaced, damaged })
}

/// A control character from 0x80 up.
fn is_control(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9f}')
}

/// The sign that all encodings of Windows have at a code from 0x80 up, or U+FFFD.
fn sign_of_windows(control: char) -> char {
    let byte = control as u8;
    match byte {
        0x82 | 0x84..=0x87 | 0x89 | 0x8B | 0x91..=0x97 | 0x99 | 0x9B => {
            let written = [byte];
            let (sign, _, _) = WINDOWS_1252.decode(&written);
            sign.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// Text of four bytes a character.
fn from_utf32(bytes: &[u8], number: fn([u8; 4]) -> u32) -> Result<Text, Failure> {
    let mut text = Text::default();
    text.utf8.try_reserve(bytes.len())?;
    for unit in bytes.chunks_exact(4) {
        let character = char::from_u32(number([unit[0], unit[1], unit[2], unit[3]]));
        text.utf8.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        text.damaged += usize::from(character.is_none());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{ISO_8859_2, SHIFT_JIS, UTF_8, WINDOWS_1251};

    fn text(charset: Charset, bytes: &[u8]) -> (String, usize) {
        let Text { utf8, damaged } = charset.decode(bytes).unwrap();
        (utf8, damaged)
    }

    #[test]
    fn what_the_page_writes_is_no_damage_and_half_a_character_is_left_out() {
        assert_eq!(text(Charset::Standard(UTF_8), "é\u{fffd}".as_bytes()), ("é\u{fffd}".to_string(), 0));
        assert_eq!(text(Charset::Standard(UTF_8), b"a\xffb\xc3"), ("a\u{fffd}b".to_string(), 1));
        assert_eq!(text(Charset::Standard(SHIFT_JIS), b"\x93\xfa\x96"), ("日".to_string(), 0));
    }

    #[test]
    fn bytes_without_meaning_are_damage_in_encodings_of_one_byte() {
        assert_eq!(text(Charset::Standard(WINDOWS_1252), b"\x80 5 \x81"), ("€ 5 \u{fffd}".to_string(), 1));
        assert_eq!(text(Charset::Standard(WINDOWS_1251), b"\x98"), ("\u{fffd}".to_string(), 1));
    }

    #[test]
    fn quotation_marks_of_windows_are_read_in_other_encodings() {
        assert_eq!(text(Charset::Standard(ISO_8859_2), b"\x84\xb1\x94 \x9c"), ("„ą” \u{fffd}".to_string(), 1));
    }

    #[test]
    fn long_text_fits_however_much_longer_it_gets() {
        let (utf8, damaged) = text(Charset::Standard(WINDOWS_1251), &[0xC0; 10_000]);
        assert_eq!((utf8, damaged), ("А".repeat(10_000), 0));
        assert_eq!(text(Charset::Standard(UTF_8), &[0xFF; 10_000]).1, 10_000);
    }

    #[test]
    fn four_bytes_a_character() {
        assert_eq!(text(Charset::Utf32Le, b"t\0\0\0\x09\x83\0\0\0\xd8\0\0a\0"), ("t茉\u{fffd}".to_string(), 1));
        assert_eq!(text(Charset::Utf32Be, b"\0\0\0t\0\x01\xf3\x75"), ("t🍵".to_string(), 0));
    }
}
