//! Smaller questions about pages and scores, by number: what Python asks besides judgements and decisions.
#![forbid(unsafe_code)]

use crate::address_exchange::addresses_on_page;
use crate::addresses::base_address::base_address;
use crate::arrays::{fits, Arguments, Column};
use crate::blocks::tags::TAGS;
use crate::deciding::likely_types::TypeWeights;
use crate::deciding::probabilities::Calibration;
use crate::deciding::thresholds::{best_cut, expected_f1};
use crate::deciding::title_words::TitleWords;
use crate::deciding::type_clues::{canonical_address, type_clues};
use crate::decoding_exchange::{decoded_page, name_of_label, unpacked_brotli};
use crate::document_exchange::title_of_markdown;
use crate::failure::{refused, Failure};
use crate::halves::singles;
use crate::html::attributes::ATTRIBUTES;
use crate::html::tag_sets::FLAGS;
use crate::metadata::language_scores::LanguageModel;
use crate::metadata::text_lists::TextList;
use crate::metadata::unshown_text::unshown_text;
use crate::near_duplicates::near_duplicates;
use crate::outcome::Outcome;
use crate::page_exchange::offsets_of_page;
use crate::site_exchange::{
    counts_of_page, evidence_of_site, keys_of_blocks, paths_to_rows, readings_of_blocks, windows_of_words,
};
use crate::site_sums::sum_of_pages;

// The numbers of the questions; `dehusk.native.calculations` has the same.
const PROBABILITIES: u32 = 0;
const BEST_CUT: u32 = 1;
const EXPECTED_F1: u32 = 2;
const TYPE_WEIGHTS: u32 = 3;
const LIKELY_TYPES: u32 = 4;
const TYPE_CLUES: u32 = 5;
const CANONICAL: u32 = 6;
const TITLE_REPEATED: u32 = 7;
const OFFSETS: u32 = 8;
const DECODED: u32 = 9;
const TITLE_OF_MARKDOWN: u32 = 10;
const SINGLES: u32 = 11;
const BASE_ADDRESS: u32 = 12;
const BLOCK_KEYS: u32 = 13;
const PATHS: u32 = 14;
const WORD_WINDOWS: u32 = 15;
const SITE_EVIDENCE: u32 = 16;
const ENCODING_OF_LABEL: u32 = 17;
const LANGUAGE_SCORES: u32 = 20;
const SITE_COUNTS: u32 = 21;
const UNSHOWN_TEXT: u32 = 22;
const PAGE_ADDRESSES: u32 = 23;
const PAGE_READINGS: u32 = 25;
const NEAR_DUPLICATES: u32 = 26;
const LIKELIEST_LANGUAGE: u32 = 27;
const SUM_OF_PAGES: u32 = 28;
const TABLES: u32 = 29;
const UNPACKED: u32 = 30;

/// Outcomes that a question is about.
pub type About<'a> = [Option<&'a Outcome>; 2];

/// Answer a question about up to two outcomes.
pub fn calculate(what: u32, about: About, arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let columns = match what {
        PROBABILITIES => probabilities(arguments)?,
        BEST_CUT => cut(arguments)?,
        EXPECTED_F1 => f1(arguments)?,
        TYPE_WEIGHTS => return Ok(Outcome { types: Some(TypeWeights::new(arguments)?), ..Outcome::default() }),
        LIKELY_TYPES => likely(given(about[0])?.type_weights()?, arguments)?,
        TYPE_CLUES => clues(given(about[0])?, arguments)?,
        CANONICAL => {
            let address = canonical_address(&given(about[0])?.read_page()?.view()).as_bytes().to_vec();
            vec![Column::U8(address)]
        }
        BASE_ADDRESS => {
            let base = base_address(&given(about[0])?.read_page()?.view(), arguments.text("address")?);
            vec![Column::U8(base.into_bytes())]
        }
        TITLE_REPEATED => title_repeated(given(about[0])?, arguments)?,
        DECODED => return decoded_page(arguments),
        TITLE_OF_MARKDOWN => title_of_markdown(arguments)?,
        SINGLES => return single_numbers(arguments),
        BLOCK_KEYS => keys_of_blocks(given(about[0])?, given(about[1])?)?,
        PAGE_READINGS => readings_of_blocks(given(about[0])?, given(about[1])?, arguments)?,
        NEAR_DUPLICATES => vec![Column::I64(near_duplicates(arguments)?.concat())],
        PATHS => paths_to_rows(given(about[0])?, arguments)?,
        WORD_WINDOWS => windows_of_words(about[0], arguments)?,
        LANGUAGE_SCORES => language_scores(arguments)?,
        SITE_COUNTS => counts_of_page(about, arguments)?,
        SUM_OF_PAGES => sum_of_pages(arguments)?.into_columns(),
        UNSHOWN_TEXT => unshown(given(about[0])?, arguments)?,
        PAGE_ADDRESSES => addresses_on_page(given(about[0])?, arguments)?,
        LIKELIEST_LANGUAGE => return likeliest_language(arguments),
        SITE_EVIDENCE => return evidence_of_site(arguments),
        ENCODING_OF_LABEL => name_of_label(arguments)?,
        TABLES => tables(),
        UNPACKED => return unpacked_brotli(arguments),
        OFFSETS => return offsets_of_page(given(about[0])?.read_page()?),
        other => return Err(refused(format!("no question has the number {}", other))),
    };
    Ok(Outcome { columns, ..Outcome::default() })
}

/// Numbers of half precision as single ones. Array: their bytes. Number: 1 if all are finite, or else 0.
fn single_numbers(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let numbers = singles(arguments.u8s("halves")?)?;
    let is_finite = f64::from(u8::from(numbers.iter().all(|number| number.is_finite())));
    Ok(Outcome { columns: vec![Column::F32(numbers)], numbers: [is_finite, 0.0, 0.0, 0.0], ..Outcome::default() })
}

/// The tables of the reader. Columns: the names of tags, the sets of each tag, the names of attributes; both in the order of
/// their numbers.
fn tables() -> Vec<Column> {
    let listed = |names: &[&str]| {
        let mut list = TextList::default();
        names.iter().for_each(|name| list.push(name));
        Column::U8(list.joined.into_bytes())
    };
    vec![listed(&TAGS), Column::U16(FLAGS.to_vec()), listed(ATTRIBUTES)]
}

/// An outcome that must be there.
fn given(outcome: Option<&Outcome>) -> Result<&Outcome, Failure> {
    outcome.ok_or_else(|| refused("a question is about nothing".to_string()))
}

/// Probabilities of log-odds. Arrays: log-odds; scale and offset.
fn probabilities(arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let log_odds = arguments.f32s("log_odds")?;
    match *arguments.f64s("calibration")? {
        [scale, offset] => Ok(vec![Column::F32(Calibration { scale, offset }.probabilities(log_odds)?)]),
        ref other => Err(refused(format!("a calibration has 2 numbers, not {}", other.len()))),
    }
}

/// The threshold of a page. Arrays: probabilities, lengths, the probability of an article.
fn cut(arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let (likely, lengths) = weighed(arguments)?;
    let article = arguments.f64s("article")?.first().copied().unwrap_or(0.0);
    Ok(vec![Column::F64(vec![best_cut(likely, |index| lengths[index], article)?])])
}

/// The expected F1. Arrays: probabilities, lengths, what is kept.
fn f1(arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let (likely, lengths) = weighed(arguments)?;
    let keep: Vec<bool> = arguments.u8s("keep")?.iter().map(|&keep| keep != 0).collect();
    fits("keep", keep.len(), likely.len())?;
    Ok(vec![Column::F64(vec![expected_f1(|index| likely[index], |index| lengths[index], &keep)])])
}

/// Probabilities, and as many lengths.
fn weighed<'a>(arguments: &mut Arguments<'a>) -> Result<(&'a [f32], &'a [f64]), Failure> {
    let (likely, lengths) = (arguments.f32s("probabilities")?, arguments.f64s("lengths")?);
    fits("lengths", lengths.len(), likely.len())?;
    Ok((likely, lengths))
}

/// The probability of each type. Arrays: those of the network; the clues as UTF-8, a NUL after each.
fn likely(types: &TypeWeights, arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let (network, clues) = (arguments.f32s("network")?, arguments.text("clues")?);
    Ok(vec![Column::F32(types.likely(network, clues.split_terminator('\0')))])
}

/// Clues to the type of a page as UTF-8, a NUL after each. Array: its address.
fn clues(page: &Outcome, arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let clues = type_clues(page.read_page()?, arguments.text("address")?);
    let joined: String = clues.names().flat_map(|name| [name, "\0"]).collect();
    Ok(vec![Column::U8(joined.into_bytes())])
}

/// Whether a block repeats the title of its page: 1, 0, or nothing if it is too short to tell. Array: the block.
fn title_repeated(blocks: &Outcome, arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let blocks = blocks.found_blocks()?;
    let heading = arguments.i32s("heading")?.first().map_or(usize::MAX, |&heading| heading as usize);
    if heading >= blocks.segments.len() {
        return Err(refused(format!("no block has the number {}", heading)));
    }
    Ok(vec![Column::U8(TitleWords::new(blocks).are_repeated_by(heading).map(u8::from).into_iter().collect())])
}

/// How likely a text is in each language. Arrays: the text, then those of the model.
fn language_scores(arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let text = arguments.u8s("text")?;
    Ok(vec![Column::F32(LanguageModel::new(arguments)?.scores(text))])
}

/// The language that a text is likeliest in. Arrays: as before. Number: that of the language.
fn likeliest_language(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let text = arguments.u8s("text")?;
    let likeliest = LanguageModel::new(arguments)?.likeliest(text);
    Ok(Outcome { numbers: [likeliest as f64, 0.0, 0.0, 0.0], ..Outcome::default() })
}

/// What a page does not show of a text, paragraph by paragraph as UTF-8, a NUL after each. Array: the text, a line each.
fn unshown(page: &Outcome, arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let mut paragraphs = TextList::default();
    let missing = unshown_text(arguments.text("text")?, &page.read_page()?.text);
    missing.iter().for_each(|paragraph| paragraphs.push(paragraph));
    Ok(vec![Column::U8(paragraphs.joined.into_bytes())])
}
