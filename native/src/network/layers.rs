//! The layers between input and output. Each looks at the hidden state of all blocks and adds to it.
#![forbid(unsafe_code)]

use super::buffers::LayerBuffers;
use super::convolution::Convolution;
use super::matrix_products::{add_row_product, by_eights, dot_rows, USUAL_WIDTH};
use super::parts::{PartLayer, Parts};
use super::rectifying::add_rectified;
use super::vector_width::{with_widest, Arithmetic};
use super::CHUNK;
use crate::failure::{filled, Failure};
use crate::stopping::may_stop;

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
    /// 2 x width: the mean of the blocks, and that of the most telling ones. The shares may be anything before.
    #[inline(always)]
    fn summary<const FUSED: bool>(&self, hidden: &[f32], width: usize, shares: &mut [f32]) -> Vec<f32> {
        dot_rows::<FUSED>(hidden, &self.telling[..width], shares);
        softmax(shares);
        let even = 1.0 / shares.len() as f32;
        let mut summary = vec![0.0; 2 * width];
        let mut of_chunk = vec![0.0; 2 * width];
        // Sums of few blocks, then of these sums: over all of a long page the last ones would be rounded away.
        for (rows, shares) in hidden.chunks(CHUNK * width).zip(shares.chunks(CHUNK)) {
            may_stop();
            of_chunk.fill(0.0);
            let (mean, telling) = of_chunk.split_at_mut(width);
            for (row, share) in rows.chunks_exact(width).zip(shares) {
                by_eights(mean, row, |mean, value| *mean += even * value);
                by_eights(telling, row, |telling, value| *telling += share * value);
            }
            for (sum, of_chunk) in summary.iter_mut().zip(&of_chunk) {
                *sum += f64::from(*of_chunk);
            }
        }
        summary.into_iter().map(|sum| sum as f32).collect()
    }

    #[inline(always)]
    fn probabilities(&self, summary: &[f32]) -> Vec<f32> {
        let mut types = self.bias.clone();
        add_row_product(summary, &self.weights, &mut types);
        softmax(&mut types);
        types
    }
}

/// The layer that finds the type, and what it is to be added to.
struct TypeAddition<'a> {
    head: &'a TypeHead,
    /// (2 x width) x width.
    weights: &'a [f32],
    /// width.
    bias: &'a [f32],
    /// m x width.
    hidden: &'a mut [f32],
    /// m entries.
    shares: Vec<f32>,
}

impl Arithmetic for TypeAddition<'_> {
    /// The probabilities of the types.
    type Output = Vec<f32>;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> Vec<f32> {
        match self.bias.len() {
            USUAL_WIDTH => self.add::<FUSED>(USUAL_WIDTH),
            width => self.add::<FUSED>(width),
        }
    }
}

impl TypeAddition<'_> {
    #[inline(always)]
    fn add<const FUSED: bool>(mut self, width: usize) -> Vec<f32> {
        let summary = self.head.summary::<FUSED>(self.hidden, width, &mut self.shares);
        let types = self.head.probabilities(&summary);
        let mut seen = self.bias.to_vec();
        add_row_product(&summary, self.weights, &mut seen);
        add_row_product(&types, &self.head.table, &mut seen);
        let seen = &seen[..width];
        for row in self.hidden.chunks_exact_mut(width) {
            add_rectified(row, seen);
        }
        types
    }
}

/// Turn log-odds into probabilities that add up to 1.
fn softmax(values: &mut [f32]) {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for value in &mut *values {
        *value = (*value - most).exp();
    }
    let share = 1.0 / values.iter().sum::<f32>();
    for value in values {
        *value *= share;
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
            Layer::Convolution(layer) => layer.add(hidden, buffers).map(|()| None),
            Layer::Parts(layer) => layer.add(hidden, parts, buffers).map(|()| None),
            Layer::Types { weights, bias, head } => {
                let shares = filled(hidden.len() / bias.len(), |_| 0.0)?;
                Ok(Some(with_widest(TypeAddition { head, weights, bias, hidden, shares })))
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
}
