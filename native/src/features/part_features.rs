//! Features of the parts of the page around each block.
#![forbid(unsafe_code)]

use super::feature_numbers::{log, share, Logarithms};
use super::measurements::Measurements;
use super::surroundings::PARTS;
use crate::blocks::character_properties::kind;

/// Features of one part, without the place of the block in it.
pub const OF_PART: usize = 8;

/// Sums over the blocks of a page: words, words of long blocks, stops, and characters in links and all.
type Sums = [u32; 5];

/// Features of the parts around a block. Neighbours have most parts in common, whose features are computed once.
pub struct PartFeatures<'a> {
    measured: &'a Measurements<'a>,
    /// m + 1 entries: sums over the blocks before each.
    before: Vec<Sums>,
    /// The rows of the parts whose features these are; -1 for none yet.
    rows: [i32; PARTS],
    /// The first block of each of these parts, and one past its last block.
    blocks: [(i32, i32); PARTS],
    /// The features of these parts: one feature of all parts after the other.
    pub features: [f32; OF_PART * PARTS],
}

impl<'a> PartFeatures<'a> {
    /// Sum up all blocks.
    pub fn new(measured: &'a Measurements<'a>) -> Self {
        let mut sums = Sums::default();
        let mut before = Vec::with_capacity(measured.texts.blocks.len() + 1);
        before.push(sums);
        for (index, texts) in measured.texts.blocks.iter().enumerate() {
            let segments = measured.segments;
            let own = [
                texts.words,
                measured.long[index],
                texts.kinds[kind::STOP],
                segments.link_length[index] as u32,
                segments.length[index] as u32,
            ];
            for (sum, number) in sums.iter_mut().zip(own) {
                *sum += number;
            }
            before.push(sums);
        }
        let features = [0.0; OF_PART * PARTS];
        PartFeatures { measured, before, rows: [-1; PARTS], blocks: [(0, 0); PARTS], features }
    }

    /// Goes on to a block. Returns whether it has other parts around it than the block before.
    pub fn go_to(&mut self, index: usize, logarithms: &Logarithms) -> bool {
        let around = &self.measured.around;
        let rows = &around.row[index * PARTS..][..PARTS];
        if self.rows == rows {
            return false;
        }
        for (step, &row) in rows.iter().enumerate() {
            if self.rows[step] != row {
                self.rows[step] = row;
                self.blocks[step] = around.blocks_of(self.measured.page, row);
                let (first, last) = self.blocks[step];
                let of_part = self.of_part(first as usize, last as usize, logarithms);
                for (number, feature) in of_part.into_iter().enumerate() {
                    self.features[number * PARTS + step] = feature;
                }
            }
        }
        true
    }

    /// Where a block is in each part, from 0 to 1.
    #[inline]
    pub fn places(&self, index: usize) -> [f32; PARTS] {
        let number = self.measured.around.number[index];
        self.blocks.map(|(first, last)| share((number - first) as f32, (last - first) as f32))
    }

    /// The features of a part, from its first block to before the last.
    fn of_part(&self, first: usize, last: usize, logarithms: &Logarithms) -> [f32; OF_PART] {
        let mut sums = Sums::default();
        for (number, sum) in sums.iter_mut().enumerate() {
            *sum = self.before[last][number] - self.before[first][number];
        }
        let [words, long, stops, link_length, length] = sums.map(|sum| sum as f32);
        let size = (last - first) as f32;
        [
            logarithms.of(sums[0] as usize),
            logarithms.of(last - first),
            share(link_length, length),
            log(words / size.max(1.0)),
            share(long, words),
            share(4.0 * stops, words),
            share(words, self.measured.words as f32),
            share(long, self.measured.long_words as f32),
        ]
    }
}
