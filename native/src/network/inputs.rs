//! The inputs of the network for a page, lent by Python: `network_inputs.py` and `hashed_tokens.py` describe each.
#![forbid(unsafe_code)]

use crate::arrays::{fits, Arguments};
use crate::failure::{refused, Failure};
use crate::features::block_features::{Changes, DenseRows, FEATURES, IN_COMMON};
use crate::features::network_inputs::Found;
use std::ops::Range;

/// Bags of tokens: those of bag n are `tokens[start[n]..start[n + 1]]`.
#[derive(Clone, Copy)]
pub struct Bags<'a> {
    tokens: &'a [u16],
    start: &'a [i64],
}

impl<'a> Bags<'a> {
    /// Check the bounds of bags, and that a table has a row for each of their tokens.
    pub fn new(name: &str, tokens: &'a [u16], start: &'a [i64], table_rows: usize) -> Result<Self, Failure> {
        let ordered = start.windows(2).all(|pair| pair[0] <= pair[1]);
        let within = start.first() >= Some(&0) && start.last() <= Some(&(tokens.len() as i64));
        // The largest is found without a branch for each.
        let largest = tokens.iter().fold(0, |largest: u16, token| largest.max(*token));
        if !ordered || !within || !tokens.is_empty() && usize::from(largest) >= table_rows {
            return Err(refused(format!("the bags of {} are out of bounds", name)));
        }
        Ok(Bags { tokens, start })
    }

    /// How many bags there are.
    pub fn count(&self) -> usize {
        self.start.len() - 1
    }

    /// Read the first and the last number of the table's row for each token of some bags, and return anything of them.
    ///
    /// Rows are seldom in the caches of the processor, and are in two lines of these. So little is done for each here that the
    /// processor asks for a dozen lines while it waits for one: together with the means, which find the rows in its caches
    /// then, that takes two thirds of the time that the means alone would take.
    #[inline(always)]
    pub fn read_ahead(&self, bags: Range<usize>, table: &[f32], size: usize) -> u32 {
        let tokens = &self.tokens[self.start[bags.start] as usize..self.start[bags.end] as usize];
        tokens.iter().fold(0, |bits, token| {
            let row = &table[usize::from(*token) * size..][..size];
            bits | row[0].to_bits() | row[size - 1].to_bits()
        })
    }

    /// Set `mean` to the mean of the table's rows for a bag's tokens; to 0 if it has none.
    #[inline(always)]
    pub fn mean(&self, bag: usize, table: &[f32], mean: &mut [f32]) {
        let tokens = &self.tokens[self.start[bag] as usize..self.start[bag + 1] as usize];
        let mut begin = 0;
        while begin < mean.len() {
            begin += match mean.len() - begin {
                24.. => set_mean::<24>(tokens, table, begin, mean),
                8.. => set_mean::<8>(tokens, table, begin, mean),
                _ => set_mean::<1>(tokens, table, begin, mean),
            };
        }
    }
}

/// Set some columns of the mean of a table's rows; return how many.
///
/// Sums stay in registers.
#[inline(always)]
fn set_mean<const LANES: usize>(tokens: &[u16], table: &[f32], begin: usize, mean: &mut [f32]) -> usize {
    let mut sums = [0.0; LANES];
    for token in tokens {
        let row = &table[usize::from(*token) * mean.len() + begin..][..LANES];
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
    }
    let share = 1.0 / tokens.len().max(1) as f32;
    for (mean, sum) in mean[begin..begin + LANES].iter_mut().zip(sums) {
        *mean = sum * share;
    }
    LANES
}

/// What the network is made for.
pub struct Sizes {
    /// Dense features of a block.
    pub features: usize,
    /// Elements above a block.
    pub levels: usize,
    /// Parts around a block.
    pub parts: usize,
    /// Rows of the table of names.
    pub names: usize,
    /// Rows of the table of words.
    pub words: usize,
}

/// Dense features that Python lends: m x features.
pub struct LentRows<'a>(&'a [f32]);

impl DenseRows for LentRows<'_> {
    fn write(&mut self, block: usize, row: &mut [f32]) -> Changes {
        let lent = |block: usize| &self.0[block * row.len()..][..row.len()];
        // A network may have been trained on fewer features.
        let part = |begin: usize, end: usize| begin.min(row.len())..end.min(row.len());
        let differs = |&(begin, end): &(usize, usize)| {
            block == 0 || lent(block - 1)[part(begin, end)] != lent(block)[part(begin, end)]
        };
        let changes = IN_COMMON.map(|ranges| ranges.iter().any(differs));
        let lent = lent(block);
        row.copy_from_slice(lent);
        changes
    }
}

/// The m blocks of a page, dense features and parts aside.
pub struct Inputs<'a> {
    /// The names of each element.
    pub elements: Bags<'a>,
    /// m x levels: elements above each block.
    pub levels: &'a [i32],
    /// The words of each block.
    pub words: Bags<'a>,
}

impl<'a> Inputs<'a> {
    /// Take the arrays of a page, and check that every index is within bounds.
    pub fn new(arguments: &mut Arguments<'a>, sizes: &Sizes) -> Result<(Self, LentRows<'a>), Failure> {
        let dense = arguments.f32s("dense")?;
        let elements =
            Bags::new("elements", arguments.u16s("element_tokens")?, arguments.i64s("element_start")?, sizes.names)?;
        let levels = arguments.i32s("levels")?;
        let words = Bags::new("words", arguments.u16s("word_tokens")?, arguments.i64s("word_start")?, sizes.words)?;
        let inputs = Inputs { elements, levels, words };
        fits("dense", dense.len(), inputs.blocks() * sizes.features)?;
        inputs.check(sizes)?;
        Ok((inputs, LentRows(dense)))
    }

    /// What was measured of a page.
    pub fn of_page(found: &'a Found, sizes: &Sizes) -> Result<Self, Failure> {
        fits("features", FEATURES, sizes.features)?;
        let (elements, texts) = (&found.elements, &found.measured.texts);
        let inputs = Inputs {
            elements: Bags::new("elements", &elements.tokens, &elements.start, sizes.names)?,
            levels: &elements.levels,
            words: Bags::new("words", &texts.word_tokens, &texts.word_start, sizes.words)?,
        };
        inputs.check(sizes)?;
        Ok(inputs)
    }

    /// How many blocks the page has.
    pub fn blocks(&self) -> usize {
        self.words.count()
    }

    fn check(&self, sizes: &Sizes) -> Result<(), Failure> {
        fits("levels", self.levels.len(), self.blocks() * sizes.levels)?;
        // Negative numbers are the largest ones without a sign.
        let last = self.levels.iter().fold(0, |last: u32, level| last.max(*level as u32));
        if !self.levels.is_empty() && last as usize >= self.elements.count() {
            return Err(refused("levels name elements that do not exist".to_string()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_a_bag() {
        let table = [1.0, 2.0, 3.0, 4.0];
        let bags = Bags::new("words", &[0, 1, 1], &[0, 2, 2, 3], 2).unwrap();
        let mut mean = [9.0, 9.0];
        let mut mean_of = |bag| {
            bags.mean(bag, &table, &mut mean);
            mean
        };
        assert_eq!([mean_of(0), mean_of(1), mean_of(2)], [[2.0, 3.0], [0.0, 0.0], [3.0, 4.0]]);
        assert_eq!(bags.count(), 3);
    }

    #[test]
    fn means_of_any_width() {
        for width in [1, 7, 8, 24, 35, 57] {
            let table: Vec<f32> = (0..3 * width).map(|at| at as f32).collect();
            let mut mean = vec![f32::NAN; width];
            Bags::new("words", &[2, 0], &[0, 2], 3).unwrap().mean(0, &table, &mut mean);
            assert_eq!(mean, table[width..2 * width]);
        }
    }

    #[test]
    fn rows_of_bags_are_read_ahead() {
        let table: Vec<f32> = (0..9).map(|at| f32::from_bits(1 << at)).collect();
        let bags = Bags::new("words", &[0, 2, 2], &[0, 1, 1, 3], 3).unwrap();
        let read = |bags_read| bags.read_ahead(bags_read, &table, 3);
        assert_eq!([read(0..1), read(1..2), read(1..3), read(0..3)], [0b101, 0, 0b101 << 6, 0b101 << 6 | 0b101]);
    }

    #[test]
    fn bags_out_of_bounds_are_refused() {
        for start in [&[][..], &[0, 2, 1], &[-1, 1], &[0, 4]] {
            assert!(Bags::new("words", &[0, 1, 1], start, 2).is_err(), "{:?}", start);
        }
        assert!(Bags::new("words", &[0, 2], &[0, 1], 2).is_err());
        assert!(Bags::new("words", &[0, 1], &[0, 0, 0], 2).is_ok());
    }
}
