//! The layer that looks at the parts of the page around each block.
#![forbid(unsafe_code)]

use super::buffers::LayerBuffers;
use super::layers::add_rectified;
use super::matrix_products::{add_row_product, Matrix};
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

impl PartLayer {
    /// Add to the hidden state (m x width) of every block.
    pub fn add(&self, hidden: &mut [f32], parts: &Parts, buffers: &mut LayerBuffers) -> Result<(), Failure> {
        let width = self.bias.len();
        let sums = sized(&mut buffers.sums, parts.boundaries * width)?;
        let of_page = parts.running_sums(hidden, width, sums);
        let bias = self.with_page(&of_page, hidden.len() / width);
        let mut added = AddedByParts::new(self, parts, sums);
        let mut seen = vec![0.0; width];
        for run in parts.begins.windows(2) {
            seen.copy_from_slice(&bias);
            for step in 0..parts.each {
                let row = added.by(step, run[0]);
                seen.iter_mut().zip(row).for_each(|(sum, value)| *sum += *value);
            }
            for row in hidden[run[0] * width..run[1] * width].chunks_exact_mut(width) {
                add_rectified(row, &seen);
            }
        }
        Ok(())
    }

    /// The bias, and what the mean of the page adds to it: both are the same for every block.
    fn with_page(&self, sums: &[f64], blocks: usize) -> Vec<f32> {
        let page: Vec<f32> = sums.iter().map(|sum| (sum / blocks as f64) as f32).collect();
        let mut both = self.bias.clone();
        add_row_product(&page, &self.page_weights, &mut both);
        both
    }
}

/// Rows that are kept of what parts add: those of all parts on nearly every page.
const MOST_KEPT: usize = 4096;

/// What each part of a page adds to the blocks in it: computed once, as long as there is room for it.
struct AddedByParts<'a> {
    layer: &'a PartLayer,
    parts: &'a Parts<'a>,
    sums: &'a [f64],
    /// For each step outwards and each boundary, of the part that begins there: where it ends, and its row.
    known: Vec<(i32, u32)>,
    /// Rows of `width` numbers.
    rows: Vec<f32>,
    mean: Vec<f32>,
    nothing: Vec<f32>,
}

impl<'a> AddedByParts<'a> {
    /// Nothing is known yet.
    fn new(layer: &'a PartLayer, parts: &'a Parts<'a>, sums: &'a [f64]) -> Self {
        let width = layer.bias.len();
        let known = vec![UNKNOWN; parts.boundaries * parts.each];
        AddedByParts { layer, parts, sums, known, rows: Vec::new(), mean: vec![0.0; width], nothing: vec![0.0; width] }
    }

    /// What the part so many steps outwards from a block adds.
    fn by(&mut self, step: usize, block: usize) -> &[f32] {
        let (parts, width) = (self.parts, self.mean.len());
        let place = block * parts.each + step;
        let (first, last) = (parts.first[place], parts.last[place]);
        let key = parts.boundary[first as usize] as usize * parts.each + step;
        if self.known[key].0 != last {
            if self.rows.len() >= MOST_KEPT * width {
                self.rows.clear();
                self.known.fill(UNKNOWN);
            }
            let row = self.rows.len();
            self.known[key] = (last, (row / width) as u32);
            self.rows.resize(row + width, 0.0);
            parts.mean(self.sums, first, last, &mut self.mean);
            self.layer.weights[step].multiply(&self.mean, &self.nothing, &mut self.rows[row..]);
        }
        &self.rows[self.known[key].1 as usize * width..][..width]
    }
}

/// Of no part yet: none ends there.
const UNKNOWN: (i32, u32) = (-1, 0);

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
