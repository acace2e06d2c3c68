//! The layers between input and output. Each looks at the hidden state of all blocks and adds to it.
#![forbid(unsafe_code)]

use super::buffers::LayerBuffers;
use super::inputs::Inputs;
use super::matrix_products::{add_row_product, dot, Matrix};
use crate::exchange::{filled, sized, Failure};

/// A layer with its weights.
pub enum Layer {
    /// Blends each channel over the neighbours, then the channels with each other.
    Convolution {
        /// Distance between the neighbours that are looked at.
        dilation: usize,
        /// kernel x width: how each channel of each neighbour counts.
        taps: Vec<f32>,
        /// width x width.
        weights: Matrix,
        /// width.
        bias: Vec<f32>,
    },
    /// Brings in the means of the parts around each block, and of the page.
    Parts {
        /// (parts x width) x width.
        weights: Matrix,
        /// width x width: weights of the mean of the page.
        page_weights: Vec<f32>,
        /// width.
        bias: Vec<f32>,
    },
    /// Brings in a summary of the page, and what type it is of.
    Types {
        /// (2 x width) x width.
        weights: Vec<f32>,
        /// width.
        bias: Vec<f32>,
        /// What finds the type.
        head: TypeHead,
    },
}

/// Predicts the type of a page from the blocks that tell most.
pub struct TypeHead {
    /// width: how telling a block is.
    pub telling: Vec<f32>,
    /// (2 x width) x types.
    pub weights: Vec<f32>,
    /// types.
    pub bias: Vec<f32>,
    /// types x width: what each type adds to every block.
    pub table: Vec<f32>,
}

impl TypeHead {
    /// 2 x width: the mean of the blocks, and that of the most telling ones.
    fn summary(&self, hidden: &[f32]) -> Result<Vec<f32>, Failure> {
        let width = self.telling.len();
        let row = |block: usize| &hidden[block * width..][..width];
        let mut shares = filled(hidden.len() / width, |block| dot(row(block), &self.telling))?;
        softmax(&mut shares);
        let even = 1.0 / shares.len() as f64;
        let mut sums = vec![0.0; 2 * width];
        let (mean, telling) = sums.split_at_mut(width);
        for (row, share) in hidden.chunks_exact(width).zip(shares) {
            for ((mean, telling), value) in mean.iter_mut().zip(telling.iter_mut()).zip(row) {
                *mean += even * f64::from(*value);
                *telling += f64::from(share) * f64::from(*value);
            }
        }
        Ok(sums.into_iter().map(|sum| sum as f32).collect())
    }

    fn probabilities(&self, summary: &[f32]) -> Vec<f32> {
        let mut types = self.bias.clone();
        add_row_product(summary, &self.weights, &mut types);
        softmax(&mut types);
        types
    }
}

/// Turn log-odds into probabilities that add up to 1.
fn softmax(values: &mut [f32]) {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    values.iter_mut().for_each(|value| *value = (*value - most).exp());
    let sum: f32 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum);
}

/// 0 for negative numbers. What is no number stays that, so that broken weights are noticed.
#[inline(always)]
pub fn rectified(value: f32) -> f32 {
    if value < 0.0 {
        0.0
    } else {
        value
    }
}

fn add_rectified(hidden: &mut [f32], seen: &[f32]) {
    hidden.iter_mut().zip(seen).for_each(|(hidden, seen)| *hidden += rectified(*seen));
}

/// Set `blended` to each channel of each block and of its neighbours, times taps; beyond the page are zeros.
fn blend(hidden: &[f32], taps: &[f32], width: usize, dilation: usize, blended: &mut [f32]) {
    let reach = taps.len() / width / 2 * dilation;
    for (block, row) in blended.chunks_exact_mut(width).enumerate() {
        row.fill(0.0);
        for (number, tap) in taps.chunks_exact(width).enumerate() {
            // Before the first block the index wraps around, and is beyond the last one.
            let neighbour = (block + number * dilation).wrapping_sub(reach);
            if neighbour < hidden.len() / width {
                add_products(&hidden[neighbour * width..][..width], tap, row);
            }
        }
    }
}

fn add_products(values: &[f32], weights: &[f32], sums: &mut [f32]) {
    for ((sum, value), weight) in sums.iter_mut().zip(values).zip(weights) {
        *sum += value * weight;
    }
}

/// Means over the parts of a page. Neighbours often have all parts in common: runs of such blocks are dealt with once.
pub struct Parts<'a> {
    first: &'a [i32],
    last: &'a [i32],
    each: usize,
    /// The first block of each run, and the number of blocks at the end.
    begins: Vec<usize>,
}

impl<'a> Parts<'a> {
    /// The parts around the blocks, `each` of them around every block.
    pub fn new(inputs: &Inputs<'a>, each: usize) -> Result<Self, Failure> {
        let (first, last) = (inputs.part_first, inputs.part_last);
        let blocks = inputs.blocks();
        let of = |block: usize| block * each..(block + 1) * each;
        let differs = |block: usize| first[of(block)] != first[of(block - 1)] || last[of(block)] != last[of(block - 1)];
        let mut begins = filled(blocks + 1, |block| block)?;
        begins.retain(|block| *block == 0 || *block == blocks || differs(*block));
        Ok(Parts { first, last, each, begins })
    }

    fn runs(&self) -> usize {
        self.begins.len() - 1
    }

    fn blocks(&self) -> usize {
        self.first.len() / self.each
    }

    /// Set `means` (runs x parts x width) to the mean over each part.
    fn means(&self, sums: &[f64], width: usize, means: &mut [f32]) {
        for (begin, run) in self.begins.iter().zip(means.chunks_exact_mut(self.each * width)) {
            for (part, mean) in run.chunks_exact_mut(width).enumerate() {
                let at = begin * self.each + part;
                part_mean(sums, self.first[at] as usize, self.last[at] as usize, mean);
            }
        }
    }

    /// Add what was seen of each run to all its blocks.
    fn add_rectified(&self, hidden: &mut [f32], seen: &[f32], width: usize) {
        for (run, seen) in self.begins.windows(2).zip(seen.chunks_exact(width)) {
            for row in hidden[run[0] * width..run[1] * width].chunks_exact_mut(width) {
                add_rectified(row, seen);
            }
        }
    }
}

/// Set `sums` ((m + 1) x width) to the sums over the blocks before each. In double precision: a difference of two large
/// sums is to be as good as a sum of few.
fn running_sums(hidden: &[f32], width: usize, sums: &mut [f64]) {
    sums[..width].fill(0.0);
    for (block, row) in hidden.chunks_exact(width).enumerate() {
        let (before, after) = sums.split_at_mut((block + 1) * width);
        for ((after, before), value) in after.iter_mut().zip(&before[block * width..]).zip(row) {
            *after = before + f64::from(*value);
        }
    }
}

fn part_mean(sums: &[f64], first: usize, last: usize, mean: &mut [f32]) {
    let width = mean.len();
    let share = 1.0 / (last - first).max(1) as f32;
    let (before, after) = (&sums[first * width..][..width], &sums[last * width..][..width]);
    for ((mean, before), after) in mean.iter_mut().zip(before).zip(after) {
        *mean = (after - before) as f32 * share;
    }
}

impl Layer {
    /// Add to the hidden state (m x width) of every block. A layer that finds the type of the page returns its
    /// probabilities.
    pub fn add(
        &self,
        hidden: &mut [f32],
        parts: &Parts,
        buffers: &mut LayerBuffers,
    ) -> Result<Option<Vec<f32>>, Failure> {
        match self {
            Layer::Convolution { dilation, taps, weights, bias } => {
                let blended = sized(&mut buffers.looked_at, hidden.len())?;
                blend(hidden, taps, bias.len(), *dilation, blended);
                let seen = sized(&mut buffers.seen, hidden.len())?;
                weights.multiply(blended, bias, seen);
                add_rectified(hidden, seen);
                Ok(None)
            }
            Layer::Parts { weights, page_weights, bias } => {
                let width = bias.len();
                let sums = sized(&mut buffers.sums, hidden.len() + width)?;
                running_sums(hidden, width, sums);
                let means = sized(&mut buffers.looked_at, parts.runs() * parts.each * width)?;
                parts.means(sums, width, means);
                let seen = sized(&mut buffers.seen, parts.runs() * width)?;
                weights.multiply(means, &with_page(&sums[hidden.len()..], parts.blocks(), page_weights, bias), seen);
                parts.add_rectified(hidden, seen, width);
                Ok(None)
            }
            Layer::Types { weights, bias, head } => {
                let summary = head.summary(hidden)?;
                let types = head.probabilities(&summary);
                let mut seen = bias.clone();
                add_row_product(&summary, weights, &mut seen);
                add_row_product(&types, &head.table, &mut seen);
                hidden.chunks_exact_mut(bias.len()).for_each(|row| add_rectified(row, &seen));
                Ok(Some(types))
            }
        }
    }
}

/// The bias, and what the mean of the page adds to it: both are the same for every block.
fn with_page(sums: &[f64], blocks: usize, page_weights: &[f32], bias: &[f32]) -> Vec<f32> {
    let page: Vec<f32> = sums.iter().map(|sum| (sum / blocks as f64) as f32).collect();
    let mut both = bias.to_vec();
    add_row_product(&page, page_weights, &mut both);
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_blended_and_beyond_the_page_are_zeros() {
        let hidden = [1.0, 10.0, 2.0, 20.0, 3.0, 30.0, 4.0, 40.0];
        let taps = [1.0, 0.0, 5.0, 1.0, 100.0, 0.0];
        let mut blended = [f32::NAN; 8];
        blend(&hidden, &taps, 2, 1, &mut blended);
        assert_eq!(blended, [205.0, 10.0, 311.0, 20.0, 417.0, 30.0, 23.0, 40.0]);
        blend(&hidden, &taps, 2, 3, &mut blended);
        assert_eq!(blended, [405.0, 10.0, 10.0, 20.0, 15.0, 30.0, 21.0, 40.0]);
        blend(&hidden, &taps, 2, 9, &mut blended);
        assert_eq!(blended, [5.0, 10.0, 10.0, 20.0, 15.0, 30.0, 20.0, 40.0]);
    }

    #[test]
    fn means_over_parts() {
        let mut sums = [f64::NAN; 8];
        running_sums(&[1.0, 10.0, 2.0, 20.0, 6.0, 30.0], 2, &mut sums);
        let mut mean = [0.0; 2];
        for (first, last, expected) in [(0, 3, [3.0, 20.0]), (1, 3, [4.0, 25.0]), (2, 2, [0.0, 0.0])] {
            part_mean(&sums, first, last, &mut mean);
            assert_eq!(mean, expected);
        }
    }

    #[test]
    fn probabilities_add_up_whatever_the_log_odds() {
        let mut values = [1000.0, 1000.0, -1000.0];
        softmax(&mut values);
        assert_eq!(values, [0.5, 0.5, 0.0]);
    }

    #[test]
    fn what_is_no_number_stays_that() {
        assert_eq!([rectified(-1.0), rectified(2.0)], [0.0, 2.0]);
        assert!(rectified(f32::NAN).is_nan());
    }
}
