//! The layer that looks at the parts of the page around each block.
#![forbid(unsafe_code)]

use super::buffers::LayerBuffers;
use super::layers::add_rectified;
use super::matrix_products::{add_row, add_row_product, Matrix};
use crate::exchange::{filled, fits, refused, sized, Failure};

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
        let differs = |block: usize| first[of(block)] != first[of(block - 1)] || last[of(block)] != last[of(block - 1)];
        let mut begins = Vec::new();
        begins.extend((0..blocks).filter(|block| *block == 0 || differs(*block)));
        begins.push(blocks);
        let mut parts =
            Parts { first, last, each, begins, boundary: filled(blocks + 1, |_| NO_BOUNDARY)?, boundaries: 0 };
        parts.number_boundaries();
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

    /// Set `sums` (boundaries x width) to the sums over the blocks before each, and return those over all blocks. In
    /// double precision: a difference of two large sums is to be as good as a sum of few.
    fn running_sums(&self, hidden: &[f32], width: usize, sums: &mut [f64]) -> Vec<f64> {
        let mut running = vec![0.0; width];
        let mut rows = hidden.chunks_exact(width);
        for boundary in &self.boundary {
            if *boundary != NO_BOUNDARY {
                sums[*boundary as usize * width..][..width].copy_from_slice(&running);
            }
            for (sum, value) in running.iter_mut().zip(rows.next().unwrap_or(&[])) {
                *sum += f64::from(*value);
            }
        }
        running
    }

    /// Set `mean` to that over the blocks from a first one to before a last one.
    fn mean(&self, sums: &[f64], first: i32, last: i32, mean: &mut [f32]) {
        let width = mean.len();
        let before = |block: i32| &sums[self.boundary[block as usize] as usize * width..][..width];
        let share = 1.0 / (last - first).max(1) as f32;
        for ((mean, before), after) in mean.iter_mut().zip(before(first)).zip(before(last)) {
            *mean = (after - before) as f32 * share;
        }
    }
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
        let sums = sized(sums, parts.boundaries * width)?;
        let of_page = parts.running_sums(hidden, width, sums);
        let bias = self.with_page(&of_page, hidden.len() / width);
        let mut known = KnownParts::new(parts, width);
        for runs in (0..parts.begins.len() - 1).step_by(RUNS) {
            let runs = &parts.begins[runs..parts.begins.len().min(runs + RUNS + 1)];
            let (seen, added) = sized(seen, 2 * RUNS * width)?.split_at_mut(RUNS * width);
            seen.chunks_exact_mut(width).take(runs.len() - 1).for_each(|row| row.copy_from_slice(&bias));
            for step in 0..parts.each {
                self.add_step(step, &runs[..runs.len() - 1], sums, &mut known, sized(looked_at, RUNS * width)?, added);
                for (row, number) in seen.chunks_exact_mut(width).zip(&known.rows) {
                    add_row(row, &added[number * width..][..width]);
                }
            }
            for (run, seen) in runs.windows(2).zip(seen.chunks_exact(width)) {
                for row in hidden[run[0] * width..run[1] * width].chunks_exact_mut(width) {
                    add_rectified(row, seen);
                }
            }
        }
        Ok(())
    }

    /// Set rows of `added` to what the parts so many steps outwards from some runs add, each part once.
    fn add_step(
        &self,
        step: usize,
        runs: &[usize],
        sums: &[f64],
        known: &mut KnownParts,
        means: &mut [f32],
        added: &mut [f32],
    ) {
        let (parts, width) = (known.parts, self.bias.len());
        known.begin();
        for run in runs {
            if let Some((first, last, number)) = known.add(run * parts.each + step) {
                parts.mean(sums, first, last, &mut means[number * width..][..width]);
            }
        }
        let used = known.number * width;
        self.weights[step].multiply(&means[..used], &known.zeros, &mut added[..used]);
    }

    /// The bias, and what the mean of the page adds to it: both are the same for every block.
    fn with_page(&self, sums: &[f64], blocks: usize) -> Vec<f32> {
        let page: Vec<f32> = sums.iter().map(|sum| (sum / blocks as f64) as f32).collect();
        let mut both = self.bias.clone();
        add_row_product(&page, &self.page_weights, &mut both);
        both
    }
}

/// Which parts some runs of blocks have in common, so many steps outwards.
struct KnownParts<'a> {
    parts: &'a Parts<'a>,
    /// By boundary, of the part that begins there: where it ends, and its number among all that were ever known.
    known: Vec<(i32, usize)>,
    /// Parts that were known before these runs and this step.
    before: usize,
    /// Different parts of these runs.
    number: usize,
    /// By run: the number of its part.
    rows: Vec<usize>,
    /// What is added to the products of parts.
    zeros: Vec<f32>,
}

impl<'a> KnownParts<'a> {
    /// Nothing is known yet.
    fn new(parts: &'a Parts<'a>, width: usize) -> Self {
        let known = vec![(-1, 0); parts.boundaries];
        KnownParts { parts, known, before: 0, number: 0, rows: Vec::new(), zeros: vec![0.0; width] }
    }

    /// Forget the parts that are known: other runs, or another step, begin.
    fn begin(&mut self) {
        self.before += self.number;
        self.number = 0;
        self.rows.clear();
    }

    /// Note the part of the next run, which stands at a place of the columns. If it is a new one: its first block, one
    /// past its last, and its number.
    fn add(&mut self, place: usize) -> Option<(i32, i32, usize)> {
        let (first, last) = (self.parts.first[place], self.parts.last[place]);
        let known = &mut self.known[self.parts.boundary[first as usize] as usize];
        if known.0 == last && known.1 >= self.before {
            self.rows.push(known.1 - self.before);
            return None;
        }
        let number = self.number;
        *known = (last, self.before + number);
        self.rows.push(number);
        self.number += 1;
        Some((first, last, number))
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
    fn only_boundaries_are_kept() {
        let (first, last) = ([0; 100], [100; 100]);
        let parts = Parts::new(&first, &last, 100, 1).unwrap();
        assert_eq!((parts.begins.len(), parts.boundaries), (2, 2));
    }
}
