//! What a site counts of one of its pages: places, style signatures, and a path and a text of each signature.
//!
//! `dehusk.methods.page_network.site_readings` says what the counts mean, and adds up those of pages.
#![forbid(unsafe_code)]

use crate::blocks::characters::beginning;
use crate::blocks::page_view::PageView;
use crate::blocks::paths::path_tree;
use crate::blocks::segmentation::Segments;
use crate::keys::stable_hash::combine;
use crate::metadata::text_lists::TextList;
use crate::metadata::visible_text::single_blanks;
use crate::site_evidence::{Readings, SCALE};

/// Characters of a path or text that is shown to people, as `SAMPLE_LENGTH` in `dehusk.methods.key_samples`.
const SAMPLE_LENGTH: usize = 60;
/// Elements at the end of a path that are shown: the pages of a site share the rest.
const STEPS_SHOWN: usize = 3;

/// The counts of a page. Keys are sorted.
#[derive(Debug, Default, PartialEq)]
pub struct SiteCounts {
    /// Pairs: a place, and its style signature.
    pub places: Vec<i64>,
    /// For each: 1 page, words, words times log-odds.
    pub place_counts: Vec<i64>,
    /// Style signatures.
    pub signatures: Vec<i64>,
    /// For each: 1 page, words, words in links, words times log-odds.
    pub signature_counts: Vec<i64>,
    /// The key of all texts, if there are any.
    pub contents: Vec<i64>,
    /// The first block that has each signature.
    first: Vec<usize>,
}

/// Samples of the style signatures of a page, in their order.
#[derive(Debug, Default, PartialEq)]
pub struct SignatureSamples {
    /// The elements that have it: `div.post > p`.
    pub paths: TextList,
    /// Its first text on the page.
    pub texts: TextList,
    /// Pseudo-random numbers of the texts.
    pub ranks: Vec<i64>,
}

/// Count a page.
pub fn count_page(page: &Readings) -> SiteCounts {
    let mut counts =
        SiteCounts { contents: page.content().map(|key| key as i64).into_iter().collect(), ..SiteCounts::default() };
    let signature = |block: usize| page.signature[block] as u64;
    let mut blocks: Vec<usize> = (0..page.text.len()).filter(|&block| signature(block) != 0).collect();
    // The sort is stable: of blocks with the same key, the first on the page comes first.
    blocks.sort_by_key(|&block| signature(block));
    for same in runs(&blocks, signature) {
        counts.signatures.push(page.signature[same[0]]);
        counts.first.push(same[0]);
        let [words, linked, votes] = sums(page, same);
        counts.signature_counts.extend([1, words, linked, votes]);
    }
    let places: Vec<u64> =
        (0..page.text.len()).map(|block| combine(page.text[block] as u64, signature(block))).collect();
    let place = |block: usize| (places[block], signature(block));
    blocks.sort_by_key(|&block| place(block));
    for same in runs(&blocks, place) {
        counts.places.extend([places[same[0]] as i64, page.signature[same[0]]]);
        let [words, _, votes] = sums(page, same);
        counts.place_counts.extend([1, words, votes]);
    }
    counts
}

/// Runs of blocks with the same key.
fn runs<'a, Key: PartialEq>(
    blocks: &'a [usize],
    key: impl Fn(usize) -> Key + 'a,
) -> impl Iterator<Item = &'a [usize]> + 'a {
    let mut left = blocks;
    std::iter::from_fn(move || {
        let first = key(*left.first()?);
        let (same, rest) = left.split_at(left.iter().take_while(|&&block| key(block) == first).count());
        left = rest;
        Some(same)
    })
}

/// Words of some blocks, words in links, and words times log-odds. Each block is rounded, so that sums are exact in any order.
fn sums(page: &Readings, blocks: &[usize]) -> [i64; 3] {
    blocks.iter().fold([0; 3], |[words, linked, votes], &block| {
        let of_block = page.words[block] as f64;
        [
            words + page.words[block],
            linked + rounded(of_block * f64::from(page.link_share[block])),
            votes + rounded(of_block * f64::from(page.logits[block]) * SCALE),
        ]
    })
}

/// The nearest whole number, of two the even one, as numpy rounds.
fn rounded(number: f64) -> i64 {
    /// At this size there are no fractions.
    const LARGE: f64 = 6_755_399_441_055_744.0;
    (number + LARGE - LARGE) as i64
}

impl SiteCounts {
    /// A path and a text of each signature; none if the blocks are not those that were counted.
    pub fn samples(&self, readings: &Readings, page: &PageView, segments: &Segments) -> Option<SignatureSamples> {
        let owners: Option<Vec<i32>> = self.first.iter().map(|&block| segments.owner.get(block).copied()).collect();
        let tree = path_tree(page, &owners?)?;
        let steps = tree.steps.texts();
        let mut samples = SignatureSamples::default();
        for (&block, &number) in self.first.iter().zip(&tree.numbers) {
            let mut shown = Vec::new();
            let mut above = number;
            while above >= 0 && shown.len() < STEPS_SHOWN {
                shown.push(steps[above as usize]);
                above = tree.parents[above as usize];
            }
            shown.reverse();
            samples.paths.push(beginning(&shown.join(" > "), SAMPLE_LENGTH));
            samples.texts.push(beginning(&single_blanks(segments.texts.get(block)), SAMPLE_LENGTH));
            let rank = combine(readings.signature[block] as u64, readings.text[block] as u64);
            samples.ranks.push(rank as i64);
        }
        Some(samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::page_blocks::find_blocks;
    use crate::columns::Limits;
    use crate::html::read;

    const READINGS: Readings = Readings {
        text: &[7, 8, 7, 9],
        signature: &[-1, 5, -1, 0],
        words: &[1, 2, 3, 4],
        link_share: &[1.0, 0.25, 0.5, 0.0],
        logits: &[0.5, -1.0, 2.0, 3.0],
    };

    #[test]
    fn equal_places_are_counted_together() {
        let counts = count_page(&READINGS);
        // Keys are not signed: -1 is the largest. Outside BODY nothing is counted.
        assert_eq!(counts.signatures, [5, -1]);
        assert_eq!(counts.signature_counts, [1, 2, 0, -128, 1, 4, 3, 32 + 384]);
        let mut places = [(combine(7, u64::MAX), -1, [1, 4, 416]), (combine(8, 5), 5, [1, 2, -128])];
        places.sort_by_key(|place| place.0);
        let keys: Vec<i64> = places.iter().flat_map(|place| [place.0 as i64, place.1]).collect();
        assert_eq!(counts.places, keys);
        assert_eq!(counts.place_counts, [places[0].2, places[1].2].concat());
        assert_eq!(counts.contents.len(), 1);
    }

    #[test]
    fn halves_are_rounded_to_even_numbers() {
        let numbers: Vec<i64> =
            [0.5, 1.5, 2.5, -0.5, -1.5, -2.4, 384_000.5].iter().map(|&number| rounded(number)).collect();
        assert_eq!(numbers, [0, 2, 2, 0, -2, -2, 384_000]);
    }

    #[test]
    fn signatures_have_samples() {
        let page = read("<div class=a><ul><li>Two\n  words<li>more</ul></div><p>x", &Limits::default());
        let blocks = find_blocks(&page.view()).unwrap();
        let readings = Readings {
            text: &[1, 2, 3],
            signature: &[4, 4, 3],
            words: &[1; 3],
            link_share: &[0.0; 3],
            logits: &[0.0; 3],
        };
        let samples = count_page(&readings).samples(&readings, &page.view(), &blocks.segments).unwrap();
        assert_eq!(samples.paths.texts(), ["html > body > p", "div.a > ul > li"]);
        assert_eq!(samples.texts.texts(), ["x", "Two words"]);
        assert_eq!(samples.ranks, [combine(3, 3) as i64, combine(4, 1) as i64]);
    }

    #[test]
    fn a_page_without_blocks_counts_as_well() {
        let nothing = Readings { text: &[], signature: &[], words: &[], link_share: &[], logits: &[] };
        assert_eq!(count_page(&nothing), SiteCounts::default());
    }
}
