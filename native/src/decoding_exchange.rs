//! Pages that are not decoded yet: what needs no label is read at once, and Python is told what it has to have decoded first.
#![forbid(unsafe_code)]

use crate::arrays::{Arguments, Column};
use crate::brotli::{unpack, Unpacked};
use crate::encodings::encoding_signs::{Reading, Survey};
use crate::encodings::labels::charset_of;
use crate::encodings::{decode, is_what_it_seems, Charset, Content, Fault};
use crate::failure::{refused, Failure};
use crate::html::ByteKinds;
use crate::outcome::Outcome;
use std::str::from_utf8;

/// The first number of an outcome that has a page: how its text was found. `dehusk.page.decoding` has the same, and 0 for
/// bytes that have to be decoded.
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

/// A page, ready to be read: its text.
pub struct Text<'a> {
    /// The text.
    pub html: &'a str,
    /// Which kinds of bytes it has.
    pub kinds: ByteKinds,
    /// The number of how it was found.
    pub reading: f64,
}

impl<'a> Source<'a> {
    /// The text, unless it takes a label to decode it; an error if it was given, but not as UTF-8.
    pub fn text(&self) -> Result<Option<Text<'a>>, Failure> {
        if self.is_decoded {
            let html = from_utf8(self.bytes).map_err(|_| refused("html is not UTF-8".to_string()))?;
            return Ok(Some(Text { html, kinds: ByteKinds::of(self.bytes), reading: f64::from(GIVEN) }));
        }
        let survey = Survey::of(self.bytes);
        let utf8 = survey.utf8.filter(|html| survey.is_settled() && is_what_it_seems(html, &survey));
        let reading = f64::from(number_of(survey.reading));
        Ok(utf8.map(|html| Text { html, kinds: survey.kinds, reading }))
    }
}

/// A page, decoded. Arrays: its bytes; its content type. Columns: the text, if the page does not have it as it is; the name of
/// the encoding and the reason, a NUL after each. Numbers: characters that could not be decoded; where the text begins and ends
/// in the page; what is wrong, as `dehusk.page.decoding` numbers it.
pub fn decoded_page(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let (page, content_type) = (arguments.u8s("bytes")?, arguments.text("content type")?);
    let found = decode(page, content_type)?;
    let (made, part) = match found.content {
        Content::Made(text) => (text.into_bytes(), 0..0),
        Content::Part(part) => (Vec::new(), part),
    };
    let about = format!("{}\0{}\0", found.charset.name(), found.reason.words());
    let fault = match found.fault {
        Fault::None => 0.0,
        Fault::Mislabelled => 1.0,
        Fault::Garbled => 2.0,
        Fault::Binary => 3.0,
    };
    let numbers = [found.damaged as f64, part.start as f64, part.end as f64, fault];
    Ok(Outcome { columns: vec![Column::U8(made), Column::U8(about.into_bytes())], numbers, ..Outcome::default() })
}

/// The name of the encoding that a label names; empty if nobody knows it. Array: the label.
pub fn name_of_label(arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let charset = charset_of(arguments.text("label")?);
    Ok(vec![Column::U8(charset.map(Charset::name).unwrap_or_default().into_bytes())])
}

/// Bytes that may be brotli, unpacked. Arrays: the bytes; the most that they may become. Column: what they became. Number: 0 if
/// they are no brotli, 1 if they are, 2 if there is more.
pub fn unpacked_brotli(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let packed = arguments.u8s("bytes")?;
    let most = *arguments.i64s("most")?.first().ok_or_else(|| refused("no most".to_string()))?;
    let (number, content) = match unpack(packed, usize::try_from(most).unwrap_or(0))? {
        Unpacked::No => (0.0, Vec::new()),
        Unpacked::Whole(content) => (1.0, content),
        Unpacked::TooMuch => (2.0, Vec::new()),
    };
    Ok(Outcome { columns: vec![Column::U8(content)], numbers: [number, 0.0, 0.0, 0.0], ..Outcome::default() })
}
