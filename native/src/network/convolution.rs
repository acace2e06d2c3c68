//! The layer that looks at the blocks before and after each.
#![forbid(unsafe_code)]

use super::buffers::{aligned, LayerBuffers};
use super::matrix_products::{add_products, lane, Matrix, USUAL_WIDTH};
use super::rectifying::add_rectified;
use super::vector_width::{with_widest, Arithmetic};
use super::CHUNK;
use crate::failure::Failure;
use crate::stopping::may_stop;
use std::ops::Range;

/// Neighbours of each block, itself included, and channels that are blended at once: so many that their taps stay in
/// registers. With other numbers of neighbours, and for the rest of the channels, it is done one by one.
const TAPS: usize = 5;
const LANES: usize = 16;

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
    pub fn add(&self, hidden: &mut [f32], buffers: &mut LayerBuffers) -> Result<(), Failure> {
        let chunk = CHUNK.max(self.reach()) * self.bias.len();
        let blended = aligned(&mut buffers.looked_at, chunk)?;
        let (now, before) = aligned(&mut buffers.seen, 2 * chunk)?.split_at_mut(chunk);
        with_widest(Addition { layer: self, hidden, blended, now, before });
        Ok(())
    }

    /// How far away the farthest neighbour is.
    fn reach(&self) -> usize {
        self.taps.len() / self.bias.len() / 2 * self.dilation
    }

    /// Set `rows` to each channel of the blocks from a first one on, and of their neighbours, times taps; beyond the page
    /// are zeros.
    ///
    /// This and what it calls is inlined, so that it is compiled with the instructions that the caller may use.
    #[inline(always)]
    fn blend_rows<const FUSED: bool>(&self, hidden: &[f32], width: usize, first: usize, rows: &mut [f32]) {
        let whole = if self.taps.len() == TAPS * width { width / LANES * LANES } else { 0 };
        let inside = self.inside(hidden.len() / width, first, rows.len() / width);
        let (before, rest) = rows.split_at_mut((inside.start - first) * width);
        let (amid, after) = rest.split_at_mut(inside.len() * width);
        let looked_at = &hidden[inside.start.saturating_sub(self.reach()) * width..];
        for begin in (0..whole).step_by(LANES) {
            let taps = self.taps_from(begin);
            self.blend_edge::<FUSED>(&taps, hidden, first, begin..width, before);
            self.blend_inside::<FUSED>(&taps, looked_at, begin..width, amid);
            self.blend_edge::<FUSED>(&taps, hidden, inside.end, begin..width, after);
        }
        if whole == width {
            return;
        }
        for (block, row) in (first..).zip(rows.chunks_exact_mut(width)) {
            for (channel, value) in row.iter_mut().enumerate().skip(whole) {
                *value = self.blend_one(hidden, block, channel);
            }
        }
    }

    /// Those of so many blocks, from a first one on, that have all neighbours.
    #[inline(always)]
    fn inside(&self, blocks: usize, first: usize, count: usize) -> Range<usize> {
        let begin = self.reach().clamp(first, first + count);
        begin..blocks.saturating_sub(self.reach()).clamp(begin, first + count)
    }

    /// The taps of the channels from `begin` on, as many as a lane has: they stay in registers.
    #[inline(always)]
    fn taps_from(&self, begin: usize) -> [[f32; LANES]; TAPS] {
        let mut taps = [[0.0; LANES]; TAPS];
        for (tap, row) in taps.iter_mut().zip(self.taps.chunks_exact(self.bias.len())) {
            *tap = lane(&row[begin..begin + LANES]);
        }
        taps
    }

    /// A lane of blocks that have all neighbours; `hidden` begins with the first neighbour of the first of them.
    #[inline(always)]
    fn blend_inside<const FUSED: bool>(
        &self,
        taps: &[[f32; LANES]; TAPS],
        hidden: &[f32],
        Range { start: begin, end: width }: Range<usize>,
        rows: &mut [f32],
    ) {
        let from = |number: usize| hidden[hidden.len().min(number * self.dilation * width)..].chunks_exact(width);
        let neighbours = from(0).zip(from(1)).zip(from(2)).zip(from(3)).zip(from(4));
        for (row, ((((first, second), third), fourth), fifth)) in rows.chunks_exact_mut(width).zip(neighbours) {
            let mut sums = [0.0; LANES];
            for (values, tap) in [first, second, third, fourth, fifth].iter().zip(taps) {
                add_products::<LANES, FUSED>(&mut sums, &lane(&values[begin..begin + LANES]), tap);
            }
            row[begin..begin + LANES].copy_from_slice(&sums);
        }
    }

    /// A lane of the blocks from a first one on, some of whose neighbours are beyond the page.
    #[inline(always)]
    fn blend_edge<const FUSED: bool>(
        &self,
        taps: &[[f32; LANES]; TAPS],
        hidden: &[f32],
        first: usize,
        Range { start: begin, end: width }: Range<usize>,
        rows: &mut [f32],
    ) {
        for (block, row) in (first..).zip(rows.chunks_exact_mut(width)) {
            let mut sums: [f32; LANES] = [0.0; LANES];
            for (number, tap) in taps.iter().enumerate() {
                let place = self.neighbour(block, number).wrapping_mul(width).wrapping_add(begin);
                if let Some(values) = hidden.get(place..place.wrapping_add(LANES)) {
                    add_products::<LANES, FUSED>(&mut sums, &lane(values), tap);
                }
            }
            row[begin..begin + LANES].copy_from_slice(&sums);
        }
    }

    /// One channel of a block.
    #[inline(always)]
    fn blend_one(&self, hidden: &[f32], block: usize, channel: usize) -> f32 {
        let width = self.bias.len();
        let taps = self.taps.chunks_exact(width).enumerate();
        taps.map(|(number, tap)| {
            let place = self.neighbour(block, number).wrapping_mul(width).wrapping_add(channel);
            tap[channel] * hidden.get(place).copied().unwrap_or(0.0)
        })
        .sum()
    }

    /// A neighbour of a block. Before the first block the number wraps around, and is beyond the last one.
    #[inline(always)]
    fn neighbour(&self, block: usize, number: usize) -> usize {
        block.wrapping_sub(self.reach()).wrapping_add(number * self.dilation)
    }
}

/// A layer, and what it is to be added to.
struct Addition<'a> {
    layer: &'a Convolution,
    /// m x width.
    hidden: &'a mut [f32],
    /// Of some blocks, as long as all three are: they and their neighbours blended; what is seen by them, and by those before.
    blended: &'a mut [f32],
    now: &'a mut [f32],
    before: &'a mut [f32],
}

impl Arithmetic for Addition<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        match self.layer.bias.len() {
            USUAL_WIDTH => self.add::<FUSED>(USUAL_WIDTH),
            width => self.add::<FUSED>(width),
        }
    }
}

impl Addition<'_> {
    /// Some blocks at a time: what is seen by them is added when the next ones, whose neighbours they are, have looked.
    #[inline(always)]
    fn add<const FUSED: bool>(self, width: usize) {
        let Addition { layer, hidden, blended, mut now, mut before } = self;
        let chunk = blended.len();
        for begin in (0..hidden.len()).step_by(chunk) {
            may_stop();
            let length = chunk.min(hidden.len() - begin);
            layer.blend_rows::<FUSED>(hidden, width, begin / width, &mut blended[..length]);
            layer.weights.multiply(&blended[..length], &layer.bias, &mut now[..length]);
            add_rectified(&mut hidden[begin.saturating_sub(chunk)..begin], before);
            std::mem::swap(&mut now, &mut before);
        }
        let last = hidden.len().saturating_sub(1) / chunk * chunk;
        add_rectified(&mut hidden[last..], before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks blended with their neighbours.
    struct Blending<'a>(&'a Convolution, &'a [f32], usize, &'a mut [f32]);

    impl Arithmetic for Blending<'_> {
        type Output = ();

        fn run<const FUSED: bool>(self) {
            self.0.blend_rows::<FUSED>(self.1, self.0.bias.len(), self.2, self.3);
        }
    }

    fn blend(layer: &Convolution, hidden: &[f32], first: usize, rows: &mut [f32]) {
        with_widest(Blending(layer, hidden, first, rows));
    }

    fn convolution(dilation: usize, taps: &[f32], width: usize) -> Convolution {
        let mut same = vec![0.0; width * width];
        (0..width).for_each(|at| same[at * width + at] = 1.0);
        Convolution { dilation, taps: taps.to_vec(), weights: Matrix::new(&same, width), bias: vec![0.0; width] }
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
            blend(&layer, &hidden, 0, &mut blended);
            assert_eq!(blended, expected);
        }
    }

    #[test]
    fn channels_are_blended_at_once_like_one_by_one() {
        let width = 2 * LANES + 3;
        let numbers = |count: usize| (0..count).map(|at| (at % 17) as f32 - 8.0).collect::<Vec<f32>>();
        let hidden = numbers(40 * width);
        for dilation in [1, 8, 30] {
            let layer = convolution(dilation, &numbers(TAPS * width), width);
            let mut blended = vec![f32::NAN; 12 * width];
            blend(&layer, &hidden, 25, &mut blended);
            for (at, value) in blended.iter().enumerate() {
                assert_eq!(*value, layer.blend_one(&hidden, 25 + at / width, at % width), "{} {}", dilation, at);
            }
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
