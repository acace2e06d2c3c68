//! The layers between input and output. Each looks at the hidden state of all blocks and adds to it.
#![forbid(unsafe_code)]

use super::buffers::LayerBuffers;
use super::convolution::Convolution;
use super::matrix_products::{add_row_product, dot};
use super::parts::{PartLayer, Parts};
use super::CHUNK;
use crate::exchange::{filled, Failure};

/// A layer with its weights.
pub enum Layer {
    /// Looks at the blocks before and after each.
    Convolution(Convolution),
    /// Brings in the means of the parts around each block, and of the page.
    Parts(PartLayer),
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

impl Layer {
    /// How many types of pages it tells apart; 0 if it tells none.
    pub fn types(&self) -> usize {
        match self {
            Layer::Types { head, .. } => head.bias.len(),
            _ => 0,
        }
    }
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
        let even = 1.0 / shares.len() as f32;
        let mut summary = vec![0.0; 2 * width];
        let mut of_chunk = vec![0.0; 2 * width];
        // Sums of few blocks, then of these sums: over all of a long page the last ones would be rounded away.
        for (rows, shares) in hidden.chunks(CHUNK * width).zip(shares.chunks(CHUNK)) {
            of_chunk.fill(0.0);
            let (mean, telling) = of_chunk.split_at_mut(width);
            for (row, share) in rows.chunks_exact(width).zip(shares) {
                for ((mean, telling), value) in mean.iter_mut().zip(telling.iter_mut()).zip(row) {
                    *mean += even * value;
                    *telling += share * value;
                }
            }
            summary.iter_mut().zip(&of_chunk).for_each(|(sum, of_chunk)| *sum += f64::from(*of_chunk));
        }
        Ok(summary.into_iter().map(|sum| sum as f32).collect())
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
fn rectified(value: f32) -> f32 {
    if value < 0.0 {
        0.0
    } else {
        value
    }
}

/// Set negative numbers to 0.
pub fn rectify(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = rectified(*value));
}

/// Add what is seen, if it is positive, to as many entries of the hidden state as there are.
pub fn add_rectified(hidden: &mut [f32], seen: &[f32]) {
    hidden.iter_mut().zip(seen).for_each(|(hidden, seen)| *hidden += rectified(*seen));
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
            Layer::Convolution(layer) => layer.add(hidden, buffers).map(|()| None),
            Layer::Parts(layer) => layer.add(hidden, parts, buffers).map(|()| None),
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

#[cfg(test)]
mod tests {
    use super::*;

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
