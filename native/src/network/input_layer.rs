//! The input layer: dense features and embeddings -> hidden states.
//!
//! Of the columns of an input row, more than half are often the same as in the row before: the elements around a block, the
//! parts of the page that it stands in, the heading above it. These are set apart in groups, and of each group only rows
//! that differ from the one before are multiplied with the weights, which halves the arithmetic of this layer.
#![forbid(unsafe_code)]

use super::buffers::{aligned, InputBuffers, Table};
use super::inputs::Inputs;
use super::matrix_products::{lane_at, put, sums_of_rows, Lane, Matrix, LANES, ROWS, USUAL_WIDTH};
use super::parts::differ;
use super::rectifying::rectified;
use super::vector_width::{with_widest, Arithmetic};
use super::CHUNK;
use crate::failure::{refused, sized, Failure};
use crate::features::block_features::{DenseRows, HEADING, IN_COMMON};
use crate::stopping::may_stop;
use std::ops::Range;

/// Tables of embeddings, and what they count.
pub struct Embeddings {
    /// tokens x embedding, of names.
    pub names: Table,
    /// tokens x embedding, of words.
    pub words: Table,
    /// One for each level of elements above a block.
    pub level_weights: Vec<f32>,
    /// Numbers of an embedding.
    pub size: usize,
}

/// Makes hidden states of dense features, names above, words, and words of the last heading: the columns of a row.
pub struct InputLayer {
    features: usize,
    embeddings: Embeddings,
    /// policies x width: the bias under each annotation policy.
    policies: Vec<f32>,
    weights: Matrix,
    /// Columns that differ from block to block.
    own: Vec<(usize, usize)>,
    /// Columns that neighbours often have in common.
    in_common: [Vec<(usize, usize)>; GROUPS],
}

impl InputLayer {
    /// From the weights of all columns, (features + 3 x embedding) x width, and policies x width.
    pub fn new(embeddings: Embeddings, weights: &[f32], policies: Vec<f32>, width: usize) -> Self {
        let depth = weights.len() / width;
        let features = depth - 3 * embeddings.size;
        let in_common = groups_in_common(features, embeddings.size);
        let own = others(&in_common, depth);
        InputLayer { features, policies, weights: Matrix::new(weights, width), own, in_common, embeddings }
    }

    /// Set the hidden states (m x width) of the blocks to what their inputs make of them.
    pub fn embed(
        &self,
        inputs: &Inputs,
        dense: &mut impl DenseRows,
        policy: usize,
        buffers: &mut InputBuffers,
        hidden: &mut [f32],
    ) -> Result<(), Failure> {
        let bias = match self.policies.chunks_exact(self.weights.width()).nth(policy) {
            Some(bias) => bias,
            None => return Err(refused(format!("there is no policy {}", policy))),
        };
        let (size, depth, width) = (self.embeddings.size, self.weights.depth(), self.weights.width());
        let rows = sized(&mut buffers.rows, CHUNK * depth)?;
        // Before the first block nothing was written. Later rows have what earlier blocks had where nothing changes.
        rows[..depth].fill(0.0);
        with_widest(Embedding {
            layer: self,
            inputs,
            dense,
            bias,
            elements: aligned(&mut buffers.elements, inputs.elements.count() * size)?,
            rows,
            heading: vec![0.0; size],
            is_heading: false,
            products: sized(&mut buffers.products, self.weights.panels().len() * GROUPS * (CHUNK + 1))?,
            read_ahead: &mut buffers.read_ahead,
            hidden: &mut hidden[..inputs.blocks() * width],
        });
        Ok(())
    }
}

/// A page, and what is made of it.
struct Embedding<'a, Dense> {
    layer: &'a InputLayer,
    inputs: &'a Inputs<'a>,
    dense: &'a mut Dense,
    /// width.
    bias: &'a [f32],
    /// The means of the names of each element.
    elements: &'a mut [f32],
    /// The input rows of CHUNK blocks. Groups of columns that are the same as in the block before may have anything in them:
    /// they are not looked at.
    rows: &'a mut [f32],
    /// The words of the last heading.
    heading: Vec<f32>,
    /// Whether the last block was one.
    is_heading: bool,
    /// For each panel, of each group: the last one of the blocks before, then those of blocks that differ from the one before.
    products: &'a mut [Lane],
    /// Anything of the rows that were read ahead.
    read_ahead: &'a mut u32,
    /// m x width.
    hidden: &'a mut [f32],
}

/// Some blocks whose rows differ in a group of columns from the one before.
#[derive(Clone, Copy)]
struct Different {
    /// Their numbers among CHUNK blocks.
    blocks: [usize; CHUNK],
    count: usize,
    /// By block: how many there are up to it.
    up_to: [usize; CHUNK],
}

impl Different {
    const NONE: Different = Different { blocks: [0; CHUNK], count: 0, up_to: [0; CHUNK] };

    /// Note the next block.
    #[inline(always)]
    fn push(&mut self, block: usize, is_different: bool) {
        self.blocks[self.count] = block;
        self.count += usize::from(is_different);
        self.up_to[block] = self.count;
    }

    #[inline(always)]
    fn blocks(&self) -> &[usize] {
        &self.blocks[..self.count]
    }
}

impl<Dense: DenseRows> Arithmetic for Embedding<'_, Dense> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        match self.layer.weights.width() {
            USUAL_WIDTH => self.embed::<FUSED>(USUAL_WIDTH),
            width => self.embed::<FUSED>(width),
        }
    }
}

impl<Dense: DenseRows> Embedding<'_, Dense> {
    /// Set all hidden states.
    #[inline(always)]
    fn embed<const FUSED: bool>(mut self, width: usize) {
        self.embed_names();
        let hidden = std::mem::take(&mut self.hidden);
        for (number, hidden) in hidden.chunks_mut(CHUNK * width).enumerate() {
            may_stop();
            let different = self.next_rows(number * CHUNK, hidden.len() / width);
            for (panel, begin) in (0..width).step_by(LANES).enumerate() {
                self.multiply_different::<FUSED>(panel, &different);
                self.multiply_own::<FUSED>(panel, &different, hidden, begin..width);
            }
        }
    }

    /// Set the means of the names of each element.
    #[inline(always)]
    fn embed_names(&mut self) {
        let Embeddings { names, size, .. } = &self.layer.embeddings;
        let (elements, names) = (&self.inputs.elements, names.numbers());
        for (number, means) in self.elements.chunks_mut(CHUNK * size).enumerate() {
            may_stop();
            let (first, count) = (number * CHUNK, means.len() / size);
            *self.read_ahead |= elements.read_ahead(first..first + count, names, *size);
            for (element, mean) in (first..).zip(means.chunks_exact_mut(*size)) {
                elements.mean(element, names, mean);
            }
        }
    }

    /// Make the rows of so many blocks from a first one on. Return which differ in each group.
    #[inline(always)]
    fn next_rows(&mut self, first: usize, count: usize) -> [Different; GROUPS] {
        let mut different = [Different::NONE; GROUPS];
        let mut is_heading = [false; CHUNK];
        for (number, is_heading) in is_heading[..count].iter_mut().enumerate() {
            let changes = self.next_row(first + number, number);
            for (different, is_different) in different.iter_mut().zip(changes) {
                different.push(number, is_different || first + number == 0);
            }
            *is_heading = self.is_heading;
        }
        self.embed_words(first, count);
        self.set_headings(different[LAST_HEADING].blocks(), &is_heading);
        different
    }

    /// Make dense features and names of a row; return in which groups it may differ from that of the block before.
    #[inline(always)]
    fn next_row(&mut self, block: usize, number: usize) -> [bool; GROUPS] {
        let Embeddings { level_weights, size, .. } = &self.layer.embeddings;
        let depth = self.layer.weights.depth();
        let (dense, embedded) = self.rows[number * depth..][..depth].split_at_mut(self.layer.features);
        let [around, parts, page] = self.dense.write(block, dense);
        if around || block == 0 {
            self.is_heading = dense.get(HEADING).is_some_and(|is_heading| *is_heading > 0.5);
        }
        let (levels, each) = (self.inputs.levels, level_weights.len());
        let above = &levels[block * each..][..each];
        let has_other_names = block == 0 || differ(above, &levels[(block - 1) * each..][..each]);
        if has_other_names {
            add_up(above, level_weights, self.elements, &mut embedded[..*size]);
        }
        [around, parts, page, self.is_heading, has_other_names]
    }

    /// Set the words in the rows of so many blocks.
    #[inline(always)]
    fn embed_words(&mut self, first: usize, count: usize) {
        let Embeddings { words, size, .. } = &self.layer.embeddings;
        let (depth, words) = (self.layer.weights.depth(), words.numbers());
        *self.read_ahead |= self.inputs.words.read_ahead(first..first + count, words, *size);
        for (number, row) in self.rows.chunks_exact_mut(depth).take(count).enumerate() {
            self.inputs.words.mean(first + number, words, &mut row[depth - 2 * size..depth - size]);
        }
    }

    /// Set the words of the last heading in the rows of some blocks, headings among them.
    #[inline(always)]
    fn set_headings(&mut self, blocks: &[usize], is_heading: &[bool; CHUNK]) {
        let (depth, size) = (self.layer.weights.depth(), self.heading.len());
        for block in blocks {
            let (words, heading) = self.rows[block * depth..][..depth][depth - 2 * size..].split_at_mut(size);
            if is_heading[*block] {
                self.heading.copy_from_slice(words);
            }
            heading.copy_from_slice(&self.heading);
        }
    }

    /// Make the products of groups of columns, of the blocks that differ in them.
    #[inline(always)]
    fn multiply_different<const FUSED: bool>(&mut self, panel: usize, different: &[Different; GROUPS]) {
        let InputLayer { weights, in_common, .. } = self.layer;
        let depth = weights.depth();
        let rows = &*self.rows;
        let products = self.products[panel * GROUPS * (CHUNK + 1)..].chunks_exact_mut(CHUNK + 1);
        for ((ranges, different), products) in in_common.iter().zip(different).zip(products) {
            for (blocks, products) in different.blocks().chunks(ROWS).zip(products[1..].chunks_mut(ROWS)) {
                let last = blocks.len() - 1;
                let [first, second, third] = [blocks[0], blocks[last.min(1)], blocks[last]];
                let rows = [row_of(rows, first, depth), row_of(rows, second, depth), row_of(rows, third, depth)];
                let found = sums_of_rows::<FUSED>(&weights.panels()[panel], ranges, rows, [[0.0; LANES]; ROWS]);
                for (product, found) in products.iter_mut().zip(&found) {
                    *product = *found;
                }
            }
        }
    }

    /// Set columns of hidden states to the bias plus the products of all columns.
    #[inline(always)]
    fn multiply_own<const FUSED: bool>(
        &mut self,
        panel: usize,
        different: &[Different; GROUPS],
        hidden: &mut [f32],
        Range { start: begin, end: width }: Range<usize>,
    ) {
        let InputLayer { weights, own, .. } = self.layer;
        let (depth, bias) = (weights.depth(), lane_at(self.bias, begin));
        let rows = &*self.rows;
        let products = &mut self.products[panel * GROUPS * (CHUNK + 1)..][..GROUPS * (CHUNK + 1)];
        let last = hidden.len() / width - 1;
        for (number, hidden) in hidden.chunks_mut(ROWS * width).enumerate() {
            // One by one: `map` of an array would be a call, with narrow vectors.
            let [first, second, third] = [number * ROWS, last.min(number * ROWS + 1), last.min(number * ROWS + 2)];
            let rows = [row_of(rows, first, depth), row_of(rows, second, depth), row_of(rows, third, depth)];
            let in_common = [
                with_products(bias, first, different, products),
                with_products(bias, second, different, products),
                with_products(bias, third, different, products),
            ];
            let sums = sums_of_rows::<FUSED>(&weights.panels()[panel], own, rows, in_common);
            for (hidden, sums) in hidden.chunks_exact_mut(width).zip(&sums) {
                let mut seen = [0.0; LANES];
                for (seen, sum) in seen.iter_mut().zip(sums) {
                    *seen = rectified(*sum);
                }
                put(&seen, &mut hidden[begin..]);
            }
        }
        for (different, products) in different.iter().zip(products.chunks_exact_mut(CHUNK + 1)) {
            products[0] = products[different.count];
        }
    }
}

/// The bias, plus the products of a block in each group.
#[inline(always)]
fn with_products(bias: Lane, block: usize, different: &[Different; GROUPS], products: &[Lane]) -> Lane {
    let mut sums = bias;
    for (different, products) in different.iter().zip(products.chunks_exact(CHUNK + 1)) {
        let product = &products[different.up_to[block]];
        for (sum, value) in sums.iter_mut().zip(product) {
            *sum += value;
        }
    }
    sums
}

/// The input row of a block.
#[inline(always)]
fn row_of(rows: &[f32], block: usize, depth: usize) -> &[f32] {
    &rows[block * depth..][..depth]
}

/// Set `sums` to the rows of these numbers times their weights, added up.
#[inline(always)]
fn add_up(numbers: &[i32], weights: &[f32], rows: &[f32], sums: &mut [f32]) {
    let mut begin = 0;
    while begin < sums.len() {
        begin += match sums.len() - begin {
            24.. => add_up_columns::<24>(numbers, weights, rows, begin, sums),
            8.. => add_up_columns::<8>(numbers, weights, rows, begin, sums),
            _ => add_up_columns::<1>(numbers, weights, rows, begin, sums),
        };
    }
}

/// The same for some columns; return how many.
#[inline(always)]
fn add_up_columns<const COLUMNS: usize>(
    numbers: &[i32],
    weights: &[f32],
    rows: &[f32],
    begin: usize,
    sums: &mut [f32],
) -> usize {
    let mut added = [0.0; COLUMNS];
    for (number, weight) in numbers.iter().zip(weights) {
        let row = &rows[*number as usize * sums.len() + begin..][..COLUMNS];
        for (sum, value) in added.iter_mut().zip(row) {
            *sum += weight * value;
        }
    }
    sums[begin..begin + COLUMNS].copy_from_slice(&added);
    COLUMNS
}

/// Groups of columns that neighbours often have in common.
const GROUPS: usize = IN_COMMON.len() + 2;
/// The one of the words of the last heading.
const LAST_HEADING: usize = IN_COMMON.len();

/// Columns of input rows that neighbours often have in common, in groups of ranges that change together: those of dense
/// features, the heading above, and names above.
fn groups_in_common(features: usize, embedding: usize) -> [Vec<(usize, usize)>; GROUPS] {
    let [around, parts, page] = IN_COMMON.map(|ranges| {
        // A network may have been trained on fewer features.
        let within = ranges.iter().map(|(begin, end)| (*begin.min(&features), *end.min(&features)));
        within.filter(|(begin, end)| begin < end).collect::<Vec<_>>()
    });
    let heading = (features + 2 * embedding, features + 3 * embedding);
    [around, parts, page, vec![heading], vec![(features, features + embedding)]]
}

/// The columns that are in no group.
fn others(groups: &[Vec<(usize, usize)>], depth: usize) -> Vec<(usize, usize)> {
    let mut ranges: Vec<(usize, usize)> = groups.concat();
    ranges.sort_unstable();
    ranges.push((depth, depth));
    let mut end = 0;
    let between = ranges.iter().map(|range| (std::mem::replace(&mut end, range.1), range.0));
    between.filter(|(begin, end)| begin < end).collect()
}

#[cfg(test)]
mod tests {
    use super::super::inputs::Bags;
    use super::*;
    use crate::features::block_features::{Changes, FEATURES};

    #[test]
    fn every_column_is_in_one_group() {
        for features in [0, 1, 30, 64, 100, 139, 150] {
            let groups = groups_in_common(features, 4);
            let depth = features + 12;
            let mut times = vec![0; depth];
            for (begin, end) in groups.concat().into_iter().chain(others(&groups, depth)) {
                times[begin..end].iter_mut().for_each(|time| *time += 1);
            }
            assert_eq!(times, vec![1; depth], "{}", features);
        }
    }

    /// Dense features of which three blocks each have those in common that neighbours often have. If so, they are written
    /// for the first of the three only.
    struct Threes(bool);

    impl DenseRows for Threes {
        fn write(&mut self, block: usize, row: &mut [f32]) -> Changes {
            for (column, value) in row.iter_mut().enumerate() {
                let is_in = |(begin, end): &(usize, usize)| (*begin..*end).contains(&column);
                let is_in_common = IN_COMMON.iter().any(|ranges| ranges.iter().any(is_in));
                let number = if is_in_common { block / 3 } else { block };
                *value = ((number * 31 + column * 7) % 17) as f32 / 16.0;
                // What is the same as in the block before is not looked at.
                if self.0 && is_in_common && block % 3 > 0 {
                    *value = f32::NAN;
                }
            }
            [block % 3 == 0; IN_COMMON.len()]
        }
    }

    #[test]
    fn hidden_states_are_as_defined() {
        const WIDTH: usize = 3;
        const BLOCKS: usize = 2 * CHUNK + 5;
        let names = vec![1.0, -1.0, 0.5, 2.0];
        let words = vec![0.25, 0.5, -0.5, 1.0];
        let weights: Vec<f32> = (0..(FEATURES + 6) * WIDTH).map(|at| (at % 13) as f32 / 32.0 - 0.18).collect();
        let levels: Vec<i32> = (0..BLOCKS).map(|block| (block / 4 % 3) as i32).collect();
        let tokens: Vec<u16> = (0..BLOCKS).map(|block| (block % 2) as u16).collect();
        let start: Vec<i64> = (0..=BLOCKS as i64).collect();
        let inputs = Inputs {
            elements: Bags::new("elements", &[0, 1], &[0, 1, 2, 2], 2).unwrap(),
            levels: &levels,
            words: Bags::new("words", &tokens, &start, 2).unwrap(),
        };
        let embeddings =
            Embeddings { names: Table::new(&names), words: Table::new(&words), level_weights: vec![0.5], size: 2 };
        let layer = InputLayer::new(embeddings, &weights, vec![0.1; WIDTH], WIDTH);
        let mut hidden = [f32::NAN; BLOCKS * WIDTH];
        layer.embed(&inputs, &mut Threes(true), 0, &mut InputBuffers::default(), &mut hidden).unwrap();
        let (mut row, mut heading) = (vec![0.0; FEATURES], vec![0.0; 2]);
        for (block, hidden) in hidden.chunks(WIDTH).enumerate() {
            Threes(false).write(block, &mut row);
            let above = names.chunks(2).nth(block / 4 % 3).unwrap_or(&[0.0; 2]);
            let said = &words[block % 2 * 2..][..2];
            if row[HEADING] > 0.5 {
                heading = said.to_vec();
            }
            let above: Vec<f32> = above.iter().map(|value| value / 2.0).collect();
            let all = [&row, &above[..], said, &heading].concat();
            for (channel, value) in hidden.iter().enumerate() {
                let products = all.iter().zip(weights.chunks(WIDTH)).map(|(value, weights)| value * weights[channel]);
                let expected = (0.1 + products.sum::<f32>()).max(0.0);
                assert!((value - expected).abs() < 1e-4, "{} {}: {} {}", block, channel, value, expected);
            }
        }
    }
}
