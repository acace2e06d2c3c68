//! What is known of a page before anything is decided: probabilities, a threshold, and the type of the page.
#![forbid(unsafe_code)]

use super::error_lines::{error_line, nothing_line};
use super::likely_types::largest;
use super::probabilities::{Calibration, UNCHANGED};
use super::thresholds::best_cut;
use crate::blocks::page_blocks::Blocks;
use crate::failure::Failure;

/// Number of the type of articles, the first of `dehusk.PAGE_TYPES`.
const ARTICLE: usize = 0;
/// Number of the type of pages without content, the last.
const EMPTY: usize = 7;
/// Probability of having no content from which a page is taken at its word if it says that there is nothing on it.
const MAYBE_EMPTY: f32 = 0.2;

/// The output of the network for the m blocks of a page.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// m log-odds of being content, which may take the site into account.
    pub content: &'a [f32],
    /// m log-odds of being a reader's comment.
    pub comment: &'a [f32],
    /// The probability of each type.
    pub types: &'a [f32],
}

/// A judgement of a page of m blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// m probabilities of being content.
    pub scores: Vec<f32>,
    /// m probabilities of being a reader's comment.
    pub comments: Vec<f32>,
    /// The probability from which a block is content.
    pub threshold: f64,
    /// The number of the most likely type.
    pub page_type: usize,
    /// Probability of that type by the blocks alone.
    pub type_certainty: f32,
    /// Whether the blocks and the page's own metadata agree on the type.
    pub type_agreed: bool,
}

impl Judgement {
    /// The same, with the type of pages that say that they have no content, if this is one.
    pub fn taken_at_its_word(self, blocks: &Blocks, likely: &[f32]) -> Self {
        let may_be_kept = |index: usize| self.scores[index] >= self.threshold as f32;
        let is_likely = likely.get(EMPTY).is_some_and(|&likely| likely >= MAYBE_EMPTY);
        let says_so = likely.len() > EMPTY && error_line(blocks, may_be_kept).is_some()
            || is_likely && nothing_line(blocks, may_be_kept).is_some();
        if says_so {
            Judgement { page_type: EMPTY, type_agreed: true, ..self }
        } else {
            self
        }
    }
}

/// Judge a page by a reading, and by the probability of each type with all clues. The threshold is the one given, or the
/// best for the page.
pub fn judge(
    reading: &Reading,
    likely: &[f32],
    lengths: &[i32],
    calibration: Calibration,
    threshold: Option<f64>,
) -> Result<Judgement, Failure> {
    let scores = calibration.probabilities(reading.content)?;
    let comments = UNCHANGED.probabilities(reading.comment)?;
    let probability = |types: &[f32], number: usize| types.get(number).map_or(0.0, |&likely| f64::from(likely));
    let strict = probability(reading.types, ARTICLE).max(probability(likely, EMPTY));
    let threshold = match threshold {
        Some(threshold) => threshold,
        None => best_cut(&scores, |index| f64::from(lengths[index]), strict)?,
    };
    let page_type = largest(likely);
    Ok(Judgement {
        scores,
        comments,
        threshold,
        page_type,
        type_certainty: reading.types.get(page_type).copied().unwrap_or(0.0),
        type_agreed: page_type == largest(reading.types),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_may_be_another_than_the_networks() {
        let reading = Reading { content: &[0.0, 9.0], comment: &[-9.0, 0.0], types: &[0.9, 0.1] };
        let judged = judge(&reading, &[0.2, 0.8], &[1, 9], UNCHANGED, None).unwrap();
        assert_eq!((judged.page_type, judged.type_certainty, judged.type_agreed), (1, 0.1, false));
        assert_eq!((judged.scores[0], judged.comments[1]), (0.5, 0.5));
        assert!(judged.threshold > 0.4 && judged.threshold < 0.65, "{}", judged.threshold);
        let judged = judge(&reading, &[0.8, 0.2], &[1, 9], UNCHANGED, Some(0.3)).unwrap();
        assert_eq!((judged.page_type, judged.type_agreed, judged.threshold), (0, true, 0.3));
    }
}
