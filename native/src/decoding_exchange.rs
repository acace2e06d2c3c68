//! Pages that are not decoded yet: what needs no label is read at once, and Python is told what it needs to decode others.
#![forbid(unsafe_code)]

use crate::arrays::{fits, Arguments, Column};
use crate::failure::{refused, Failure};
use crate::html::declared_labels::{all_labels, first_labels};
use crate::html::decoded_bytes;
use crate::html::encoding_signs::{is_simplified_chinese, is_western, utf8_counts, Reading, Survey};
use crate::html::ByteKinds;
use crate::outcome::Outcome;
use std::str::from_utf8;

/// The first number of an outcome that has a page: how its text was found. `dehusk.page.decoding` has the same, and 0 for
/// bytes that need a label.
fn number_of(reading: Reading) -> u32 {
    match reading {
        Reading::Unknown => 0,
        Reading::Ascii => 1,
        Reading::Utf8 => 2,
        Reading::Marked => 3,
    }
}
/// The same for text that was given.
const GIVEN: u32 = 4;

/// A page as Python gives it.
pub struct Source<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Whether they are its text as UTF-8.
    pub is_decoded: bool,
}

/// A page, ready to be read.
pub enum Text<'a> {
    /// What is to be read, and the number of how it was found.
    Found {
        /// The text.
        html: &'a str,
        /// Which kinds of bytes it has.
        kinds: ByteKinds,
        /// The number.
        reading: f64,
    },
    /// It takes a label: what is known of the bytes.
    Surveyed(Box<Outcome>),
}

impl<'a> Source<'a> {
    /// The text; an error if it was given, but not as UTF-8.
    pub fn text(&self) -> Result<Text<'a>, Failure> {
        if self.is_decoded {
            let html = from_utf8(self.bytes).map_err(|_| refused("html is not UTF-8".to_string()))?;
            return Ok(Text::Found { html, kinds: ByteKinds::of(self.bytes), reading: f64::from(GIVEN) });
        }
        let survey = Survey::of(self.bytes);
        match survey.utf8 {
            Some(html) if survey.is_settled() => {
                Ok(Text::Found { html, kinds: survey.kinds, reading: f64::from(number_of(survey.reading)) })
            }
            _ => Ok(Text::Surveyed(Box::new(surveyed(self.bytes, survey)))),
        }
    }
}

/// What is known of the bytes of a page. Array: the bytes. Columns: those of `surveyed`.
pub fn survey_of_page(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let page = arguments.u8s("bytes")?;
    Ok(surveyed(page, Survey::of(page)))
}

/// Columns: numbers, as `dehusk.page.decoding.Survey` names them; the labels that the page declares first.
fn surveyed(page: &[u8], survey: Survey) -> Outcome {
    let Survey { reading, text, mark, has_nul, .. } = survey;
    let body = &page[text.start..];
    let counts = utf8_counts(body);
    let numbers = vec![
        i64::from(number_of(reading)),
        text.start as i64,
        text.end as i64,
        mark.map_or(-1, |mark| mark as i64),
        i64::from(has_nul),
        counts.beyond_ascii as i64,
        counts.damaged as i64,
    ];
    Outcome { columns: vec![Column::I64(numbers), listed(&first_labels(body))], ..Outcome::default() }
}

/// What tells the encoding of bytes that no label names. Array: the bytes. Numbers: 1 if all that is not ASCII is what English
/// uses of windows-1252; 1 if it is Chinese in GB 2312.
pub fn signs_of_encoding(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let bytes = arguments.u8s("bytes")?;
    let number = |is_so: bool| f64::from(u8::from(is_so));
    let numbers = [number(is_western(bytes)), number(is_simplified_chinese(bytes)), 0.0, 0.0];
    Ok(Outcome { numbers, ..Outcome::default() })
}

/// All labels that a page declares. Array: its bytes.
pub fn labels_of_page(arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    Ok(vec![listed(&all_labels(arguments.u8s("bytes")?))])
}

/// Labels, a NUL after each.
fn listed(labels: &[&[u8]]) -> Column {
    Column::U8(labels.iter().flat_map(|label| [label, &b"\0"[..]]).flatten().copied().collect())
}

/// Bytes of one character each as UTF-8. Arrays: the bytes; the characters from 0x80 up. Number: bytes that mean nothing.
pub fn decoded_single_bytes(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let (bytes, table) = (arguments.u8s("bytes")?, arguments.u16s("table")?);
    fits("table", table.len(), decoded_bytes::SINGLE_BYTES)?;
    let (utf8, damaged) = decoded_bytes::from_single_bytes(bytes, table)?;
    Ok(Outcome { columns: vec![Column::U8(utf8)], numbers: [damaged as f64, 0.0, 0.0, 0.0], ..Outcome::default() })
}

/// Bytes of GB 18030 as UTF-8. Arrays: the bytes; the characters of two. Number: 1 if all characters have one byte or two, or
/// else 0, and the column is empty.
pub fn decoded_pairs(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let (bytes, table) = (arguments.u8s("bytes")?, arguments.u16s("table")?);
    fits("table", table.len(), decoded_bytes::PAIRS)?;
    let utf8 = decoded_bytes::from_pairs(bytes, table)?;
    let numbers = [f64::from(u8::from(utf8.is_some())), 0.0, 0.0, 0.0];
    Ok(Outcome { columns: vec![Column::U8(utf8.unwrap_or_default())], numbers, ..Outcome::default() })
}
