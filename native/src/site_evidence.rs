//! What the learnt pages of a site say about the blocks of a page.
//!
//! `dehusk.methods.page_network.site_evidence` explains the columns and what is made of them.
#![forbid(unsafe_code)]

use crate::arrays::{fits, Arguments};
use crate::blocks::segmentation::Segments;
use crate::failure::{refused, Failure};
use crate::keys::stable_hash::combine;

/// Columns of evidence, in the order of `COLUMNS` in `dehusk.methods.page_network.site_weights`.
const COLUMNS: usize = 6;
/// Words of a text that several pages do not share by coincidence, and that is no label.
const SENTENCE: f64 = 12.0;
/// Share of pages that counts as all of them.
const NEARLY_ALL: f64 = 0.8;
/// Neighbouring blocks on each side.
const AROUND: usize = 3;
/// How much of a region other pages repeat; where it is more, it is template. Of the words dropped by kinds left out, 33 % were
/// content in regions with 0.3 to 0.5, 4 % with 0.5 to 0.7, and 1 % above 0.9.
const TEMPLATE: f64 = 0.5;
/// Pages learnt that give half of the full trust.
const HALF_TRUST: f64 = 2.0;
/// Share of a page's text with a style signature of the site, from which the page belongs to the site.
const ALIKE: f64 = 0.5;
/// Log-odds are stored as so many parts of 1.
pub const SCALE: f64 = 64.0;
/// Log-odds beyond this are as good as certain; without a limit one certain page would outvote ten doubtful ones. As
/// `LOG_ODDS_LIMIT` in `dehusk.methods.page_network.site_readings`.
const LOG_ODDS_LIMIT: f32 = 6.0;
/// A site lowers log-odds no further: from certain content to certain boilerplate.
const MOST_LOWERING: f64 = 2.0 * LOG_ODDS_LIMIT as f64;
/// Words of a block that count, so that one endless block does not decide for a site.
const LONGEST: i32 = 1000;
/// Characters that count as a word, so that scripts without spaces have words, too.
const CHARACTERS_OF_WORD: i32 = 5;

/// Sorted keys with some numbers each. Python's arrays are signed, keys are not.
struct Table<'a> {
    keys: &'a [i64],
    /// Parts of a key, of which the first is looked up.
    parts: usize,
}

impl<'a> Table<'a> {
    /// From an array of keys; an array of numbers must fit them.
    fn new(keys: &'a [i64], parts: usize, numbers: usize, width: usize) -> Result<Self, Failure> {
        fits("numbers of a site", numbers, keys.len() / parts * width)?;
        Ok(Table { keys, parts })
    }

    /// The place of a key.
    fn find(&self, key: u64) -> Option<usize> {
        let (mut first, mut end) = (0, self.keys.len() / self.parts);
        while first < end {
            let middle = (first + end) / 2;
            if self.at(middle) < key {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        Some(first).filter(|&place| place < self.keys.len() / self.parts && self.at(place) == key)
    }

    fn at(&self, place: usize) -> u64 {
        self.keys[place * self.parts] as u64
    }
}

/// The blocks of a page. One entry per block.
pub struct Readings<'a> {
    /// Keys of texts.
    pub text: &'a [i64],
    /// Style signatures; 0 outside BODY.
    pub signature: &'a [i64],
    /// Words that count.
    pub words: &'a [i64],
    /// Shares of link text.
    pub link_share: &'a [f32],
    /// Log-odds of content.
    pub logits: &'a [f32],
}

/// How much text blocks have, and how much of it is links. One entry per block.
#[derive(Debug, PartialEq)]
pub struct LinkedWords {
    /// Words that count.
    pub words: Vec<i64>,
    /// Shares of link text.
    pub link_share: Vec<f32>,
}

impl LinkedWords {
    /// Those of the blocks of a page.
    pub fn of(segments: &Segments) -> LinkedWords {
        let words = |&length: &i32| i64::from((length / CHARACTERS_OF_WORD).clamp(1, LONGEST));
        let share = |(&linked, &length): (&i32, &i32)| (f64::from(linked) / f64::from(length.max(1))) as f32;
        LinkedWords {
            words: segments.length.iter().map(words).collect(),
            link_share: segments.link_length.iter().zip(&segments.length).map(share).collect(),
        }
    }
}

/// Log-odds that are not beyond the limit.
pub fn limited(logit: f32) -> f32 {
    logit.clamp(-LOG_ODDS_LIMIT, LOG_ODDS_LIMIT)
}

/// By how much evidence lowers log-odds.
pub struct SiteWeights<'a> {
    bias: f64,
    /// One for each column.
    columns: &'a [f64],
}

impl<'a> SiteWeights<'a> {
    /// Weights by their numbers, of which the bias is the first; none without numbers.
    pub fn new(numbers: &'a [f64]) -> Result<Option<Self>, Failure> {
        match numbers {
            [] => Ok(None),
            [bias, columns @ ..] => {
                fits("weights of columns", columns.len(), COLUMNS)?;
                Ok(Some(SiteWeights { bias: *bias, columns }))
            }
        }
    }

    /// By how much the log-odds of repeated text fall.
    fn lowering(&self, columns: &[f32]) -> f64 {
        let weighed = columns.iter().zip(self.columns).map(|(&column, weight)| f64::from(column) * weight);
        softplus(self.bias + weighed.sum::<f64>())
    }
}

/// The logarithm of 1 + e^x.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// Counts of a site.
pub struct Site<'a> {
    pages: i64,
    places: Table<'a>,
    place_counts: &'a [i64],
    signatures: Table<'a>,
    signature_counts: &'a [i64],
    contents: Table<'a>,
    regions: Table<'a>,
    repeated: &'a [f64],
}

/// What a site says about the blocks of a page.
#[derive(Debug, Default)]
pub struct SiteEvidence {
    /// Blocks x columns.
    pub columns: Vec<f32>,
    /// 1 for blocks that the site may take away: other pages have them in the same place, and they are no labels.
    pub is_repeated: Vec<u8>,
    /// Pages learnt other than this one, which is no evidence about itself.
    pub other_pages: i64,
    /// From 0 to 1: share of the page's text with a style signature of the site; 0 without text.
    pub matching: f64,
    /// From 0 to 1: how far to trust the site on this page.
    pub trust: f64,
}

impl SiteEvidence {
    /// What the site adds to the log-odds of each block: at most 0.
    pub fn shifts<'a>(&'a self, weights: &'a SiteWeights) -> impl Iterator<Item = f32> + 'a {
        let rows = self.columns.chunks_exact(COLUMNS).zip(&self.is_repeated);
        rows.map(move |(columns, &is_repeated)| {
            let lowering = self.trust * weights.lowering(columns) * f64::from(is_repeated);
            -lowering.min(MOST_LOWERING) as f32
        })
    }
}

impl<'a> Readings<'a> {
    /// Arrays in the order of the fields.
    pub fn new(arguments: &mut Arguments<'a>) -> Result<Self, Failure> {
        let (text, signature, words) =
            (arguments.i64s("text")?, arguments.i64s("signature")?, arguments.i64s("words")?);
        fits("signature", signature.len(), text.len())?;
        fits("words", words.len(), text.len())?;
        let link_share = arguments.f32s_of("link_share", text.len())?;
        let logits = arguments.f32s_of("logits", text.len())?;
        Ok(Readings { text, signature, words, link_share, logits })
    }

    /// The key of all texts in their order; none without texts. As `dehusk.page.stable_hashing.key_of_sequence`.
    pub fn content(&self) -> Option<u64> {
        let mixed = self.text.iter().zip(0..).map(|(&key, place)| combine(key as u64, place));
        mixed.reduce(u64::wrapping_add)
    }
}

impl<'a> Site<'a> {
    /// Arrays: the number of pages, then keys and counts of places and of style signatures, keys of contents, and regions: style
    /// signatures, and how much is repeated there.
    pub fn new(arguments: &mut Arguments<'a>) -> Result<Self, Failure> {
        let pages = arguments.i64s("pages")?.first().copied().ok_or_else(|| refused("pages is empty".to_string()))?;
        let (places, place_counts) = (arguments.i64s("places")?, arguments.i64s("place_counts")?);
        let (signatures, signature_counts) = (arguments.i64s("signatures")?, arguments.i64s("signature_counts")?);
        let contents = arguments.i64s("contents")?;
        let (regions, repeated) = (arguments.i64s("regions")?, arguments.f64s("repeated")?);
        Ok(Site {
            pages,
            places: Table::new(places, 2, place_counts.len(), 3)?,
            place_counts,
            signatures: Table::new(signatures, 1, signature_counts.len(), 4)?,
            signature_counts,
            contents: Table::new(contents, 1, 0, 0)?,
            regions: Table::new(regions, 1, repeated.len(), 1)?,
            repeated,
        })
    }

    /// What the site says about a page.
    pub fn evidence(&self, page: &Readings) -> SiteEvidence {
        let is_learnt = page.content().is_some_and(|key| self.contents.find(key).is_some());
        let itself = i64::from(is_learnt);
        let other_pages = self.pages - itself;
        let having: Vec<i64> =
            (0..page.text.len()).map(|block| (self.pages_with(page, block) - itself).max(0)).collect();
        let around = means_around(&own_texts(page, &having, other_pages));
        let mut found = SiteEvidence { other_pages, ..SiteEvidence::default() };
        let mut known_words = 0;
        for block in 0..page.text.len() {
            let repeated = self.repeated(page.signature[block] as u64);
            let style = self.style(page.signature[block] as u64);
            known_words += if style.is_some() { page.words[block] } else { 0 };
            found.columns.extend(columns(page, block, (having[block], other_pages), (repeated, around[block], style)));
            let is_taken = having[block] > 0 && (repeated > TEMPLATE || page.words[block] as f64 >= SENTENCE);
            found.is_repeated.push(u8::from(is_taken));
        }
        found.matching = known_words as f64 / page.words.iter().sum::<i64>().max(1) as f64;
        let others = other_pages as f64;
        found.trust = (found.matching / ALIKE).min(1.0) * others / (others + HALF_TRUST);
        found
    }

    /// Pages learnt that have a block in the same place.
    fn pages_with(&self, page: &Readings, block: usize) -> i64 {
        let place = combine(page.text[block] as u64, page.signature[block] as u64);
        self.places.find(place).map_or(0, |found| self.place_counts[3 * found])
    }

    /// From 0 to 1: how much of the text with a style signature other pages repeat; 0 for unknown ones.
    fn repeated(&self, signature: u64) -> f64 {
        self.regions.find(signature).map_or(0.0, |found| self.repeated[found])
    }

    /// The mean log-odds of a style signature; none for unknown ones.
    fn style(&self, signature: u64) -> Option<f64> {
        let found = self.signatures.find(signature)?;
        let (words, votes) = (self.signature_counts[4 * found + 1], self.signature_counts[4 * found + 3]);
        (words > 0).then(|| votes as f64 / (SCALE * words as f64))
    }
}

/// The columns of a block, by how many of the other pages have it, and what is known of its style signature.
fn columns(
    page: &Readings,
    block: usize,
    (having, others): (i64, i64),
    (repeated, around, style): (f64, f64, Option<f64>),
) -> [f32; COLUMNS] {
    let (words, link_share, logits) = (page.words[block] as f64, page.link_share[block], f64::from(page.logits[block]));
    let share = (having as f64 / others.max(1) as f64).min(1.0);
    let is_sentence = share > NEARLY_ALL && words >= SENTENCE && link_share < 0.5;
    [
        (share * (words / SENTENCE).min(1.0)) as f32,
        f32::from(u8::from(is_sentence)),
        if having > 0 { link_share } else { 0.0 },
        repeated as f32,
        around as f32,
        // For a new signature the page itself is the best evidence.
        ((logits - style.unwrap_or(logits)) / 3.0) as f32,
    ]
}

/// From 0 to 1: how few of the other pages have each block, and how little of it is links.
fn own_texts(page: &Readings, having: &[i64], others: i64) -> Vec<f64> {
    let most = (others.max(2) as f64).ln();
    let own = |(&having, &links): (&i64, &f32)| (1.0 - (having.max(1) as f64).ln() / most) * f64::from(1.0 - links);
    having.iter().zip(page.link_share).map(own).collect()
}

/// The mean over a block and its neighbours, with zeros beyond the page.
fn means_around(values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for value in values {
        sums.push(sums[sums.len() - 1] + value);
    }
    let sum_around = |block: usize| sums[(block + AROUND + 1).min(values.len())] - sums[block.saturating_sub(AROUND)];
    (0..values.len()).map(|block| sum_around(block) / (2 * AROUND + 1) as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::Values;
    use crate::blocks::page_blocks::find_blocks;
    use crate::columns::Limits;
    use crate::html::read;

    const PLACE: u64 = u64::MAX - 5;

    fn asked(place_keys: &[i64], contents: &[i64]) -> SiteEvidence {
        // Two blocks of 20 words, of which the site knows the second: 4 of 5 pages have it, in a region that is repeated.
        let known = combine(7, 9) as i64;
        let keys: Vec<i64> = if place_keys.is_empty() { vec![known, 9] } else { place_keys.to_vec() };
        let values = vec![
            Values::I64(&[3, 7]),
            Values::I64(&[8, 9]),
            Values::I64(&[20, 20]),
            Values::F32(&[0.0, 0.25]),
            Values::F32(&[1.0, 1.0]),
            Values::I64(&[5]),
            Values::I64(&keys),
            Values::I64(&[4, 80, 0]),
            Values::I64(&[9]),
            Values::I64(&[5, 100, 0, -12_800]),
            Values::I64(contents),
            Values::I64(&[9]),
            Values::F64(&[0.75]),
        ];
        let arguments = &mut Arguments::new(values);
        let page = Readings::new(arguments).unwrap();
        Site::new(arguments).unwrap().evidence(&page)
    }

    #[test]
    fn a_block_that_other_pages_have() {
        let found = asked(&[], &[]);
        assert_eq!((found.other_pages, found.is_repeated), (5, vec![0, 1]));
        assert_eq!((found.matching, found.trust), (0.5, 5.0 / 7.0));
        let second = &found.columns[COLUMNS..];
        assert_eq!((second[0], second[1], second[2], second[3]), (0.8, 0.0, 0.25, 0.75));
        // The log-odds of the signature are -2.
        assert_eq!((found.columns[5], second[5]), (0.0, 1.0));
        let own = 1.0 + (1.0 - 4_f64.ln() / 5_f64.ln()) * 0.75;
        assert!((f64::from(second[4]) - own / 7.0).abs() < 1e-7);
    }

    #[test]
    fn a_page_is_no_evidence_about_itself() {
        let content = combine(3, 0).wrapping_add(combine(7, 1));
        let found = asked(&[], &[content as i64]);
        assert_eq!(found.other_pages, 4);
        assert_eq!(found.columns[COLUMNS], 0.75);
    }

    #[test]
    fn only_repeated_text_is_lowered_and_no_further_than_certain() {
        let found = asked(&[], &[]);
        let lowered = |bias: f64| {
            let numbers = [bias, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0];
            found.shifts(&SiteWeights::new(&numbers).unwrap().unwrap()).collect::<Vec<f32>>()
        };
        // Of the second block 0.75 is repeated, and the trust is 5 of 7.
        assert_eq!(lowered(-1.5), [0.0, -(5.0 / 7.0 * 2_f64.ln()) as f32]);
        assert_eq!(lowered(1000.0), [0.0, -12.0]);
        assert_eq!(lowered(-1000.0), [0.0, 0.0]);
        assert!(SiteWeights::new(&[]).unwrap().is_none());
    }

    #[test]
    fn keys_are_compared_without_a_sign() {
        let keys = [1, 0, PLACE as i64, 0];
        let table = Table::new(&keys, 2, 2, 1).unwrap();
        assert_eq!((table.find(PLACE), table.find(1), table.find(2)), (Some(1), Some(0), None));
    }

    #[test]
    fn means_have_zeros_beyond_the_page() {
        assert_eq!(means_around(&[7.0]), [1.0]);
        assert_eq!(means_around(&[7.0, 0.0, 0.0, 0.0, 7.0]), [1.0, 2.0, 2.0, 2.0, 1.0]);
        assert!(means_around(&[]).is_empty());
    }

    #[test]
    fn words_and_links_of_blocks() {
        let page = read("<p>tea<p>eleven ten<a href=/>!!!!!</a><p>", &Limits::default());
        let counted = LinkedWords::of(&find_blocks(&page.view()).unwrap().segments);
        assert_eq!(counted, LinkedWords { words: vec![1, 3], link_share: vec![0.0, 5.0 / 15.0] });
        let endless = read(&format!("<p>{}", "x".repeat(7000)), &Limits::default());
        assert_eq!(LinkedWords::of(&find_blocks(&endless.view()).unwrap().segments).words, [1000]);
        assert_eq!([-7.5, 6.5, -0.25].map(limited), [-6.0, 6.0, -0.25]);
    }

    #[test]
    fn arrays_that_do_not_fit_are_refused() {
        assert!(Table::new(&[1, 2], 1, 3, 1).is_err());
        assert!(Readings::new(&mut Arguments::new(vec![Values::I64(&[1]), Values::I64(&[])])).is_err());
        assert!(Site::new(&mut Arguments::new(vec![Values::I64(&[])])).is_err());
        assert!(SiteWeights::new(&[1.0, 2.0]).is_err());
    }
}
