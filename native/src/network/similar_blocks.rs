//! Blocks with the same style signature share part of their log-odds.
//!
//! Readers' comments, list items and the paragraphs of an article each have ancestors of the same names, wherever they are
//! on the page, and gold mostly has all of them or none. So part of the log-odds of a block is the mean over all blocks
//! like it. These signatures hold within one page, and are made from the tokens the network reads anyway; the Python
//! module `style_signatures` makes those that hold across a site.
#![forbid(unsafe_code)]

use super::parts::differ;
use crate::failure::{filled, Failure};
use crate::features::numbering::{Hashing, Numbering};

/// Ancestors of a block that make its signature.
const LEVELS: usize = 6;
/// Share of the log-odds that comes from blocks with the same signature. Anything from 0.3 to 0.8 is about as good.
const SHARED: f64 = 0.5;

/// Blocks of a signature so far: the sum of their log-odds, and how many there are.
type Alike = (f64, u32);

/// Pull the log-odds of every block towards the mean over its signature. `levels` has as many elements for each block.
pub fn share_log_odds(levels: &[i32], log_odds: &mut [f32]) -> Result<(), Failure> {
    let of_block = levels.len() / log_odds.len().max(1);
    let hashing = Hashing::new();
    let room = log_odds.len() / 2;
    let mut numbering = Numbering::with_room_for(room);
    let mut number_of_block: Vec<u32> = filled(log_odds.len(), |_| 0)?;
    let mut alike: Vec<Alike> = Vec::with_capacity(room);
    let mut previous: (&[i32], u32) = (&[], 0);
    for ((block, number), own) in number_of_block.iter_mut().enumerate().zip(&*log_odds) {
        let signature = &levels[block * of_block..][..of_block.min(LEVELS)];
        if block == 0 || differ(signature, previous.0) {
            previous = (signature, numbering.number_of(signature, hash_of(signature, &hashing)));
        }
        *number = previous.1;
        if *number as usize == alike.len() {
            alike.push((0.0, 0));
        }
        let (sum, count) = &mut alike[*number as usize];
        *sum += f64::from(*own);
        *count += 1;
    }
    for (own, number) in log_odds.iter_mut().zip(number_of_block) {
        let (sum, count) = alike[number as usize];
        *own = ((1.0 - SHARED) * f64::from(*own) + SHARED * (sum / f64::from(count))) as f32;
    }
    Ok(())
}

/// The hash of a signature.
fn hash_of(signature: &[i32], hashing: &Hashing) -> u64 {
    signature.iter().fold(0, |hash, level| hashing.of_number(hash ^ *level as u64))
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
