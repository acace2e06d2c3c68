//! The layer that looks at the blocks before and after each.
#![forbid(unsafe_code)]

use super::buffers::LayerBuffers;
use super::layers::add_rectified;
use super::matrix_products::{add_products, lane_at, lanes_for, put_lane, Matrix};
use super::CHUNK;
use crate::exchange::{sized, Failure};

/// Blends each channel over the neighbours, then the channels with each other.
pub struct Convolution {
    /// Distance between the neighbours that are looked at.
    pub dilation: usize,
    /// kernel x width: how each channel of each neighbour counts.
    pub taps: Vec<f32>,
    /// width x width.
    pub weights: Matrix,
    /// width.
    pub bias: Vec<f32>,
}

impl Convolution {
    /// Add to the hidden state (m x width) of every block.
    ///
    /// Some blocks at a time: what is seen by them is added when the next ones, whose neighbours they are, have looked.
    pub fn add(&self, hidden: &mut [f32], buffers: &mut LayerBuffers) -> Result<(), Failure> {
        let width = self.bias.len();
        let chunk = CHUNK.max(self.reach()) * width;
        let blended = sized(&mut buffers.looked_at, chunk)?;
        let (now, before) = sized(&mut buffers.seen, 2 * chunk)?.split_at_mut(chunk);
        let (mut now, mut before) = (now, before);
        for begin in (0..hidden.len()).step_by(chunk) {
            let length = chunk.min(hidden.len() - begin);
            for (number, row) in blended[..length].chunks_exact_mut(width).enumerate() {
                self.blend(hidden, begin / width + number, row);
            }
            self.weights.multiply(&blended[..length], &self.bias, &mut now[..length]);
            add_rectified(&mut hidden[begin.saturating_sub(chunk)..begin], before);
            std::mem::swap(&mut now, &mut before);
        }
        let last = hidden.len().saturating_sub(1) / chunk * chunk;
        add_rectified(&mut hidden[last..], before);
        Ok(())
    }

    /// How far away the farthest neighbour is.
    fn reach(&self) -> usize {
        self.taps.len() / self.bias.len() / 2 * self.dilation
    }

    /// Set `row` to each channel of a block and of its neighbours, times taps; beyond the page are zeros.
    fn blend(&self, hidden: &[f32], block: usize, row: &mut [f32]) {
        // Before the first block the index wraps around, and is beyond the last one.
        let first = block.wrapping_sub(self.reach());
        let mut begin = 0;
        while begin < row.len() {
            let lanes = lanes_for(row.len() - begin);
            match lanes {
                16 => self.blend_lane::<16>(hidden, first, begin, row),
                24 => self.blend_lane::<24>(hidden, first, begin, row),
                _ => self.blend_lane::<32>(hidden, first, begin, row),
            }
            begin += lanes;
        }
    }

    /// The columns from `begin` on; the first neighbour is given.
    #[inline(always)]
    fn blend_lane<const LANES: usize>(&self, hidden: &[f32], first: usize, begin: usize, row: &mut [f32]) {
        let width = row.len();
        let mut sums: [f32; LANES] = [0.0; LANES];
        for (number, tap) in self.taps.chunks_exact(width).enumerate() {
            let place = first.wrapping_add(number * self.dilation).wrapping_mul(width);
            if let Some(values) = hidden.get(place..place.wrapping_add(width)) {
                add_products(&mut sums, &lane_at(values, begin), &lane_at(tap, begin));
            }
        }
        put_lane(&sums, row, begin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convolution(dilation: usize, taps: &[f32], width: usize) -> Convolution {
        let mut same = vec![0.0; width * width];
        (0..width).for_each(|at| same[at * width + at] = 1.0);
        Convolution { dilation, taps: taps.to_vec(), weights: Matrix::new(&[&same], width), bias: vec![0.0; width] }
    }

    #[test]
    fn neighbours_are_blended_and_beyond_the_page_are_zeros() {
        let hidden = [1.0, 10.0, 2.0, 20.0, 3.0, 30.0, 4.0, 40.0];
        let taps = [1.0, 0.0, 5.0, 1.0, 100.0, 0.0];
        for (dilation, expected) in [
            (1, [205.0, 10.0, 311.0, 20.0, 417.0, 30.0, 23.0, 40.0]),
            (3, [405.0, 10.0, 10.0, 20.0, 15.0, 30.0, 21.0, 40.0]),
            (9, [5.0, 10.0, 10.0, 20.0, 15.0, 30.0, 20.0, 40.0]),
        ] {
            let mut blended = [f32::NAN; 8];
            let layer = convolution(dilation, &taps, 2);
            blended.chunks_exact_mut(2).enumerate().for_each(|(block, row)| layer.blend(&hidden, block, row));
            assert_eq!(blended, expected);
        }
    }

    #[test]
    fn long_pages_are_added_to_like_short_ones() {
        // Of each block: itself, what its neighbours are, and nothing of what was added to them.
        let taps = [1.0, 0.0, 10.0];
        for blocks in [1, CHUNK, CHUNK + 1, 3 * CHUNK, 5 * CHUNK - 3] {
            for dilation in [1, 7, CHUNK + 5] {
                let before: Vec<f32> = (0..blocks).map(|block| (block % 13) as f32).collect();
                let mut hidden = before.clone();
                convolution(dilation, &taps, 1).add(&mut hidden, &mut LayerBuffers::default()).unwrap();
                let at = |block: usize| before.get(block).copied().unwrap_or(0.0);
                let naive = |block: usize| at(block) + at(block.wrapping_sub(dilation)) + 10.0 * at(block + dilation);
                assert_eq!(hidden, (0..blocks).map(naive).collect::<Vec<f32>>(), "{} {}", blocks, dilation);
            }
        }
    }
}
