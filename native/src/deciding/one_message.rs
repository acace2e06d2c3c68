//! The rule on pages without content: they keep one message.
#![forbid(unsafe_code)]

use super::situations::{Situation, FEWEST_CHARACTERS};
use crate::exchange::Failure;

/// Blocks from one part of the message to the next: between a heading and its sentence may be a button.
const REACH: usize = 2;

/// Drop what is kept apart from the block with the highest score and the blocks around it, unless a text of some length is
/// among it: then the page has content.
pub fn one_message(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let kept: Vec<usize> = (0..situation.len()).filter(|&index| situation.keep[index]).collect();
    let score = |place: usize| situation.scores[kept[place]];
    let better = |best: usize, place: usize| if score(place) > score(best) { place } else { best };
    let best = (0..kept.len()).fold(0, better);
    let is_near = |pair: &[usize]| pair[1] - pair[0] <= REACH;
    let below = kept.windows(2).skip(best).take_while(|pair| is_near(pair)).count();
    let above = kept.windows(2).take(best).rev().take_while(|pair| is_near(pair)).count();
    let message = kept.get(best - above).copied()..=kept.get(best + below).copied();
    let is_apart = |index: usize| situation.keep[index] && !message.contains(&Some(index));
    if (0..situation.len()).any(|index| is_apart(index) && situation.length(index) >= FEWEST_CHARACTERS) {
        return situation.no_verdicts();
    }
    situation.drop_kept(is_apart)
}
