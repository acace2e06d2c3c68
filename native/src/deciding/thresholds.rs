//! The threshold of each page.
//!
//! It is the one with the highest expected word F1 for the page. On a page the network understands, that is a probability
//! of one half. Where it doubts everything, as on lists of links, keeping whatever is at all likely beats keeping nothing:
//! the best threshold is half of the highest F1 that can be expected (Lipton, Elkan, Naryanaswamy: Optimal Thresholding of
//! Classifiers to Maximize F1 Measure, ECML PKDD 2014).
//!
//! That assumes that blocks are content independently of each other. The doubtful blocks of an article (a box on its
//! author, links to others, the first comments) are content together or not at all, and mostly not: articles get a higher
//! threshold. So do pages without content, of which the likeliest blocks would be kept otherwise: of 1,314 labelled pages
//! 12 are better by it and 2 worse (pages without content 0.619 to 0.647).
#![forbid(unsafe_code)]

use super::probabilities::shift_log_odds;
use crate::failure::{filled, Failure};

/// Log-odds. On held-out sites, anything from 0.4 to 0.8 is about as good. Of eight data sets, each left out of training,
/// five are better with it by 0.004 to 0.007, one is as good, and two with more than articles are worse: cleaneval-en by
/// 0.004, wcxb by 0.009.
const HIGHER: f64 = 0.6;
/// Power of the probability of being such a page: other pages are often taken for articles, but with less certainty.
const SURELY: i32 = 6;
/// Probability below which nothing is kept, whatever the rest of the page looks like.
pub const LOWEST_CUT: f64 = 0.06;
/// Share of the text kept by default that stays when precision is favoured: no page is emptied by it.
const LEAST_LEFT: f64 = 0.25;

/// Blocks by falling probability; of equal ones in the order of the page.
fn by_probability(probabilities: &[f32]) -> Result<Vec<u32>, Failure> {
    // The bits of numbers that are not negative have the order of the numbers.
    let key = |index: usize| u64::from(!probabilities[index].to_bits()) << 32 | index as u64;
    let mut keys = filled(probabilities.len(), key)?;
    keys.sort_unstable();
    filled(keys.len(), |place| keys[place] as u32)
}

/// The threshold of a page: half of the highest expected F1, weighted by length; higher by the probability that the page is
/// strictly judged, an article or without content.
pub fn best_cut(probabilities: &[f32], length: impl Fn(usize) -> f64, strict: f64) -> Result<f64, Failure> {
    let all: f64 = probabilities.iter().enumerate().map(|(index, &likely)| f64::from(likely) * length(index)).sum();
    let (mut kept, mut right, mut highest) = (0.0, 0.0, 0.0f64);
    for index in by_probability(probabilities)? {
        let own = length(index as usize);
        kept += own;
        right += f64::from(probabilities[index as usize]) * own;
        highest = highest.max(2.0 * right / (kept + all).max(1e-9));
    }
    Ok(shift_log_odds((highest / 2.0).max(LOWEST_CUT), HIGHER * strict.powi(SURELY)))
}

/// The expected F1 of keeping some blocks, weighted by length; 0 if nothing is kept.
pub fn expected_f1(likely: impl Fn(usize) -> f32, length: impl Fn(usize) -> f64, keep: &[bool]) -> f64 {
    let (mut kept, mut right, mut all) = (0.0, 0.0, 0.0);
    for (index, &keep) in keep.iter().enumerate() {
        let own = length(index);
        let likely = own * f64::from(likely(index));
        all += likely;
        if keep {
            kept += own;
            right += likely;
        }
    }
    if kept > 0.0 {
        2.0 * right / (kept + all)
    } else {
        0.0
    }
}

/// A threshold shifted by a step in log-odds: up, towards precision, not so far that hardly anything is left.
pub fn favoured(scores: &[f32], lengths: &[i32], chosen: f64, step: f64) -> Result<f64, Failure> {
    let shifted = shift_log_odds(chosen, step);
    if step <= 0.0 || shifted <= chosen {
        return Ok(shifted);
    }
    let mut order = by_probability(scores)?;
    order.truncate(scores.iter().filter(|&&score| score >= chosen as f32).count());
    let all: i64 = order.iter().map(|&index| i64::from(lengths[index as usize])).sum();
    let mut kept = 0;
    for index in order {
        kept += i64::from(lengths[index as usize]);
        if kept as f64 >= LEAST_LEFT * all as f64 {
            return Ok(shifted.min(f64::from(scores[index as usize])));
        }
    }
    Ok(shifted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(probabilities: &[f32], lengths: &[f64], article: f64) -> f64 {
        best_cut(probabilities, |index| lengths[index], article).unwrap()
    }

    #[test]
    fn clear_pages_doubtful_ones_and_articles() {
        let rounded = |cut: f64| (100.0 * cut).round() / 100.0;
        assert_eq!(rounded(cut(&[0.999, 0.999, 0.001], &[50.0, 50.0, 3.0], 0.0)), 0.5);
        assert_eq!(rounded(cut(&[0.999, 0.999, 0.001], &[50.0, 50.0, 3.0], 1.0)), 0.65);
        assert_eq!(rounded(cut(&[0.25; 3], &[5.0; 3], 0.0)), 0.2);
        assert_eq!([cut(&[], &[], 0.0), cut(&[0.0; 2], &[0.0; 2], 0.0)], [LOWEST_CUT; 2]);
    }

    #[test]
    fn the_f1_that_can_be_expected() {
        let f1 = |keep: &[bool]| expected_f1(|index| [1.0, 0.5][index], |_| 10.0, keep);
        assert_eq!([f1(&[false, false]), f1(&[true, false]), f1(&[true, true])], [0.0, 0.8, 30.0 / 35.0]);
    }

    #[test]
    fn precision_leaves_a_quarter() {
        let (scores, lengths) = ([0.55, 0.52, 0.1], [10, 90, 500]);
        let shifted = shift_log_odds(0.5, 0.6);
        assert_eq!(favoured(&scores, &lengths, 0.5, 0.6).unwrap(), f64::from(0.52f32));
        assert_eq!(favoured(&[0.9, 0.52, 0.1], &[90, 10, 500], 0.5, 0.6).unwrap(), shifted);
        assert_eq!(favoured(&[0.1], &[5], 0.5, 0.6).unwrap(), shifted);
        assert_eq!(favoured(&scores, &lengths, 0.5, -0.8).unwrap(), shift_log_odds(0.5, -0.8));
    }
}
