//! Blocks with the same style signature share part of their log-odds.
//!
//! Readers' comments, list items and the paragraphs of an article each have ancestors of the same names, wherever they are
//! on the page, and gold mostly has all of them or none. So part of the log-odds of a block is the mean over all blocks
//! like it. These signatures hold within one page, and are made from the tokens the network reads anyway; the Python
//! module `style_signatures` makes those that hold across a site.
#![forbid(unsafe_code)]

use crate::exchange::{filled, Failure};

/// Ancestors of a block that make its signature.
const LEVELS: usize = 6;
/// Share of the log-odds that comes from blocks with the same signature. Anything from 0.3 to 0.8 is about as good.
const SHARED: f64 = 0.5;

/// Pull the log-odds of every block towards the mean over its signature. `levels` has as many elements for each block.
pub fn share_log_odds(levels: &[i32], log_odds: &mut [f32]) -> Result<(), Failure> {
    let of_block = levels.len() / log_odds.len().max(1);
    let signature = |block: u32| &levels[block as usize * of_block..][..of_block.min(LEVELS)];
    let mut order = filled(log_odds.len(), |block| block as u32)?;
    // Blocks of a signature in the order of the page: so their sum does not depend on the way of sorting.
    order.sort_unstable_by(|one, other| (signature(*one), one).cmp(&(signature(*other), other)));
    let mut rest = &order[..];
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|block| signature(**block) == signature(*first)).count();
        let (alike, others) = rest.split_at(count);
        share_among(alike, log_odds);
        rest = others;
    }
    Ok(())
}

fn share_among(blocks: &[u32], log_odds: &mut [f32]) {
    let mean = blocks.iter().map(|block| f64::from(log_odds[*block as usize])).sum::<f64>() / blocks.len() as f64;
    for block in blocks {
        let own = f64::from(log_odds[*block as usize]);
        log_odds[*block as usize] = ((1.0 - SHARED) * own + SHARED * mean) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(levels: &[[i32; 8]], log_odds: &[f32]) -> Vec<f32> {
        let mut log_odds = log_odds.to_vec();
        share_log_odds(&levels.concat(), &mut log_odds).unwrap();
        log_odds
    }

    #[test]
    fn blocks_with_the_same_signature_move_halfway_to_their_mean() {
        let (item, other) = ([1, 2, 3, 4, 5, 6, 7, 8], [9, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(shared(&[item, other, item], &[4.0, -3.0, 0.0]), [3.0, -3.0, 1.0]);
    }

    #[test]
    fn far_ancestors_make_no_difference() {
        let (one, other) = ([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 9, 9]);
        assert_eq!(shared(&[one, other], &[4.0, 0.0]), [3.0, 1.0]);
    }

    #[test]
    fn few_levels_and_no_blocks_are_fine() {
        let mut log_odds = [2.0, 0.0];
        share_log_odds(&[5, 5], &mut log_odds).unwrap();
        assert_eq!(log_odds, [1.5, 0.5]);
        share_log_odds(&[], &mut []).unwrap();
    }
}
