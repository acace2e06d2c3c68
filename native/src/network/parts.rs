//! The layer that looks at the parts of the page around each block.
#![forbid(unsafe_code)]

use super::buffers::{aligned, LayerBuffers};
use super::matrix_products::{add_row, add_row_product, by_eights, copy_row, lane, Matrix, COLUMNS, USUAL_WIDTH};
use super::rectifying::add_rectified;
use super::vector_width::{with_widest, Arithmetic};
use crate::arrays::fits;
use crate::failure::{filled, refused, Failure};
use crate::features::numbering::{Hashing, Numbering};
use crate::stopping::may_stop;
use std::ops::Range;

/// No block begins or ends a part here.
const NO_BOUNDARY: u32 = u32::MAX;

/// The parts around the blocks of a page.
///
/// Neighbours often have all parts in common: runs of such blocks are dealt with once. Sums are kept only for blocks at
/// which parts begin or end.
pub struct Parts<'a> {
    first: &'a [i32],
    last: &'a [i32],
    each: usize,
    /// The first block of each run, and the number of blocks at the end.
    begins: Vec<usize>,
    /// By block, and one more: the number of the boundary there.
    boundary: Vec<u32>,
    boundaries: usize,
    /// Of the first `RUNS` runs: for each step outwards, their parts; then of the next runs, and so on.
    steps: Vec<Step>,
    /// The parts of all steps: first blocks, and one past the last. Each part of a step is there once.
    different: Vec<(i32, i32)>,
    /// By step and run: the number of its part among those of the step.
    number_of_run: Vec<u32>,
}

/// The parts around some runs, so many steps outwards from each: which of those of all steps.
struct Step {
    different: Range<usize>,
    number_of_run: Range<usize>,
}

impl<'a> Parts<'a> {
    /// The parts around some blocks, `each` of them around every block: first blocks, and one past the last.
    pub fn new(first: &'a [i32], last: &'a [i32], blocks: usize, each: usize) -> Result<Self, Failure> {
        fits("part_first", first.len(), blocks * each)?;
        fits("part_last", last.len(), blocks * each)?;
        let within = |(first, last): (&i32, &i32)| *first >= 0 && first <= last && *last as usize <= blocks;
        if !first.iter().zip(last).all(within) {
            return Err(refused("parts are out of bounds".to_string()));
        }
        let of = |block: usize| block * each..(block + 1) * each;
        let differs = |block: usize| {
            differ(&first[of(block)], &first[of(block - 1)]) || differ(&last[of(block)], &last[of(block - 1)])
        };
        let mut begins = Vec::with_capacity(blocks / 2 + 1);
        begins.extend((0..blocks).filter(|block| *block == 0 || differs(*block)));
        begins.push(blocks);
        let mut parts = Parts {
            first,
            last,
            each,
            begins,
            boundary: filled(blocks + 1, |_| NO_BOUNDARY)?,
            boundaries: 0,
            steps: Vec::new(),
            different: Vec::new(),
            number_of_run: Vec::new(),
        };
        parts.number_boundaries();
        parts.number_parts();
        Ok(parts)
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.boundary.len() - 1
    }

    fn number_boundaries(&mut self) {
        for run in 0..self.begins.len() - 1 {
            let begin = self.begins[run] * self.each;
            for place in [self.first, self.last].iter().flat_map(|ends| &ends[begin..begin + self.each]) {
                let boundary = &mut self.boundary[*place as usize];
                if *boundary == NO_BOUNDARY {
                    *boundary = self.boundaries as u32;
                    self.boundaries += 1;
                }
            }
        }
    }

    fn number_parts(&mut self) {
        let hashing = Hashing::new();
        let runs = self.begins.len() - 1;
        let mut numbering = Numbering::with_room_for(RUNS.min(runs + 1));
        self.steps.reserve_exact(self.each * runs.div_ceil(RUNS));
        self.number_of_run.reserve_exact(self.each * runs);
        self.different.reserve(2 * runs);
        for first in (0..runs).step_by(RUNS) {
            for step in 0..self.each {
                self.add_step(step, first..runs.min(first + RUNS), hashing, &mut numbering);
            }
        }
    }

    /// Add the parts so many steps outwards from some runs.
    fn add_step(&mut self, step: usize, runs: Range<usize>, hashing: Hashing, numbering: &mut Numbering<(i32, i32)>) {
        let (before, runs_before) = (self.different.len(), self.number_of_run.len());
        numbering.clear();
        let mut previous = ((-1, -1), 0);
        for run in &self.begins[runs] {
            let place = run * self.each + step;
            let part = (self.first[place], self.last[place]);
            if part != previous.0 {
                previous = (part, numbering.number_of(part, hashing.of_pair((part.0 as u32, part.1 as u32))));
            }
            if before + previous.1 as usize == self.different.len() {
                self.different.push(part);
            }
            self.number_of_run.push(previous.1);
        }
        let different = before..self.different.len();
        self.steps.push(Step { different, number_of_run: runs_before..self.number_of_run.len() });
    }

    /// The parts of a step: first blocks, and one past the last.
    #[inline(always)]
    fn different(&self, step: &Step) -> &[(i32, i32)] {
        &self.different[step.different.clone()]
    }

    /// By run: the number of its part of a step.
    #[inline(always)]
    fn number_of_run(&self, step: &Step) -> &[u32] {
        &self.number_of_run[step.number_of_run.clone()]
    }

    /// Set `sums` (boundaries x width) to the sums over the blocks before each, and return those over all blocks. In
    /// double precision: a difference of two large sums is to be as good as a sum of few.
    #[inline(always)]
    fn running_sums(&self, hidden: &[f32], width: usize, sums: &mut [f64]) -> Vec<f64> {
        let mut running = vec![0.0; width];
        let mut rows = hidden.chunks_exact(width);
        for boundary in &self.boundary {
            if *boundary != NO_BOUNDARY {
                copy_row(&mut sums[*boundary as usize * width..][..width], &running);
            }
            by_eights(&mut running, rows.next().unwrap_or(&[]), |sum, value: f32| *sum += f64::from(value));
        }
        running
    }

    /// Set `mean` to that over the blocks from a first one to before a last one.
    #[inline(always)]
    fn mean(&self, sums: &[f64], first: i32, last: i32, mean: &mut [f32]) {
        let width = mean.len();
        let before = |block: i32| &sums[self.boundary[block as usize] as usize * width..][..width];
        let (before, after) = (before(first), before(last));
        let share = 1.0 / (last - first).max(1) as f32;
        let whole = width / COLUMNS * COLUMNS;
        for begin in (0..whole).step_by(COLUMNS) {
            // Sums first, for the same reason as in `by_eights`.
            let mut sums: [f64; COLUMNS] = lane(&after[begin..begin + COLUMNS]);
            by_eights(&mut sums, &before[begin..begin + COLUMNS], |sum, before: f64| *sum -= before);
            by_eights(&mut mean[begin..begin + COLUMNS], &sums, |mean, sum| *mean = sum as f32 * share);
        }
        for column in whole..width {
            mean[column] = (after[column] - before[column]) as f32 * share;
        }
    }

    /// Set rows of `products` to the means over the parts of a step, times weights, plus a bias.
    #[inline(always)]
    fn multiply_means(
        &self,
        step: &Step,
        (weights, bias): (&Matrix, &[f32]),
        sums: &[f64],
        width: usize,
        means: &mut [f32],
        products: &mut [f32],
    ) {
        let length = step.different.len() * width;
        let (means, products) = (&mut means[..length], &mut products[..length]);
        for ((first, last), mean) in self.different(step).iter().zip(means.chunks_exact_mut(width)) {
            self.mean(sums, *first, *last, mean);
        }
        weights.multiply(means, bias, products);
    }
}

/// Whether two rows of a few numbers differ. To find where they do would take longer, and so would a call to compare bytes.
#[inline(always)]
pub fn differ(one: &[i32], other: &[i32]) -> bool {
    one.iter().zip(other).fold(0, |bits, (one, other)| bits | (one ^ other)) != 0
}

/// Brings in the means of the parts around each block, and of the page.
pub struct PartLayer {
    /// One for each part around a block, from the closest outwards: width x width.
    pub weights: Vec<Matrix>,
    /// width x width: weights of the mean of the page.
    pub page_weights: Vec<f32>,
    /// width.
    pub bias: Vec<f32>,
}

/// Runs of blocks that are dealt with at once: so few that what they see stays in the processor's second cache.
const RUNS: usize = 256;

impl PartLayer {
    /// Add to the hidden state (m x width) of every block.
    pub fn add(&self, hidden: &mut [f32], parts: &Parts, buffers: &mut LayerBuffers) -> Result<(), Failure> {
        let width = self.bias.len();
        let LayerBuffers { looked_at, seen, sums } = buffers;
        let sums = aligned(sums, parts.boundaries * width)?;
        let looked_at = aligned(looked_at, RUNS * width)?;
        let (seen, added) = aligned(seen, 2 * RUNS * width)?.split_at_mut(RUNS * width);
        with_widest(Addition { layer: self, parts, hidden, sums, looked_at, seen, added });
        Ok(())
    }

    /// The bias, and what the mean of the page adds to it: both are the same for every block.
    #[inline(always)]
    fn with_page(&self, sums: &[f64], blocks: usize) -> Vec<f32> {
        let page: Vec<f32> = sums.iter().map(|sum| (sum / blocks as f64) as f32).collect();
        let mut both = self.bias.clone();
        add_row_product(&page, &self.page_weights, &mut both);
        both
    }
}

/// A layer, and what it is to be added to.
struct Addition<'a> {
    layer: &'a PartLayer,
    parts: &'a Parts<'a>,
    /// m x width.
    hidden: &'a mut [f32],
    /// boundaries x width.
    sums: &'a mut [f64],
    /// RUNS x width each: means over parts, what runs of blocks see, and what a part adds to that.
    looked_at: &'a mut [f32],
    seen: &'a mut [f32],
    added: &'a mut [f32],
}

impl Arithmetic for Addition<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        match self.layer.bias.len() {
            USUAL_WIDTH => self.add(USUAL_WIDTH),
            width => self.add(width),
        }
    }
}

impl Addition<'_> {
    #[inline(always)]
    fn add(self, width: usize) {
        let Addition { layer, parts, hidden, sums, looked_at, seen, added } = self;
        let of_page = parts.running_sums(hidden, width, sums);
        let bias = &layer.with_page(&of_page, hidden.len() / width)[..width];
        let no_bias = vec![0.0; width];
        for (number, runs) in parts.begins[..parts.begins.len() - 1].chunks(RUNS).enumerate() {
            may_stop();
            let seen = &mut seen[..runs.len() * width];
            for (outwards, (step, weights)) in parts.steps[number * parts.each..].iter().zip(&layer.weights).enumerate()
            {
                let bias = if outwards == 0 { bias } else { &no_bias };
                parts.multiply_means(step, (weights, bias), sums, width, looked_at, added);
                for (row, number) in seen.chunks_exact_mut(width).zip(parts.number_of_run(step)) {
                    let added = &added[*number as usize * width..][..width];
                    if outwards == 0 {
                        copy_row(row, added);
                    } else {
                        add_row(row, added);
                    }
                }
            }
            let ends = &parts.begins[number * RUNS + 1..];
            for ((begin, end), seen) in runs.iter().zip(ends).zip(seen.chunks_exact(width)) {
                for row in hidden[begin * width..end * width].chunks_exact_mut(width) {
                    add_rectified(row, seen);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_over_parts() {
        let (first, last) = ([0, 1, 2], [3, 3, 2]);
        let parts = Parts::new(&first, &last, 3, 1).unwrap();
        assert_eq!((&parts.begins[..], parts.boundaries), (&[0, 1, 2, 3][..], 4));
        let mut sums = [f64::NAN; 8];
        let all = parts.running_sums(&[1.0, 10.0, 2.0, 20.0, 6.0, 30.0], 2, &mut sums);
        assert_eq!(all, [9.0, 60.0]);
        let mut mean = [0.0; 2];
        for (first, last, expected) in [(0, 3, [3.0, 20.0]), (1, 3, [4.0, 25.0]), (2, 2, [0.0, 0.0])] {
            parts.mean(&sums, first, last, &mut mean);
            assert_eq!(mean, expected);
        }
    }

    #[test]
    fn parts_of_several_runs_are_known_once() {
        // A list of two items, each of two blocks, and what follows it.
        let first = [0, 0, 1, 0, 2, 0, 3, 0, 4, 0];
        let last = [1, 4, 2, 4, 3, 4, 4, 4, 5, 5];
        let parts = Parts::new(&first, &last, 5, 2).unwrap();
        assert_eq!(parts.different(&parts.steps[1]), [(0, 4), (0, 5)]);
        assert_eq!(parts.number_of_run(&parts.steps[1]), [0, 0, 0, 0, 1]);
        assert_eq!(parts.steps[0].different.len(), 5);
        let runs = RUNS + 3;
        let (first, last): (Vec<i32>, Vec<i32>) = (0..runs as i32).map(|run| (run % 2, runs as i32)).unzip();
        let parts = Parts::new(&first, &last, runs, 1).unwrap();
        assert_eq!(parts.steps.iter().map(|step| step.different.len()).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(parts.number_of_run(&parts.steps[1]), [0, 1, 0]);
    }

    #[test]
    fn only_boundaries_are_kept() {
        let (first, last) = ([0; 100], [100; 100]);
        let parts = Parts::new(&first, &last, 100, 1).unwrap();
        assert_eq!((parts.begins.len(), parts.boundaries), (2, 2));
    }
}
