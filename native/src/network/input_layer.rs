//! The input layer: dense features and embeddings -> hidden states.
//!
//! Of the columns of an input row, more than half are often the same as in the row before: the elements around a block, the
//! parts of the page that it stands in, the heading above it. These are set apart in groups, and of each group only rows
//! that differ from the one before are multiplied with the weights, which halves the arithmetic of this layer.
#![forbid(unsafe_code)]

use super::buffers::InputBuffers;
use super::inputs::Inputs;
use super::layers::rectify;
use super::matrix_products::{add_row, by_eights, Matrix};
use super::vector_width::{with_widest, Arithmetic};
use super::CHUNK;
use crate::exchange::{refused, sized, Failure};
use crate::features::block_features::{DenseRows, HEADING, IN_COMMON};

/// Tables of embeddings, and what they count.
pub struct Embeddings {
    /// tokens x embedding, of names.
    pub names: Vec<f32>,
    /// tokens x embedding, of words.
    pub words: Vec<f32>,
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
    width: usize,
    /// Columns that differ from block to block.
    own: Columns,
    /// Columns that neighbours often have in common, and the number of the group.
    in_common: Vec<(usize, Columns)>,
}

impl InputLayer {
    /// From the weights of all columns, (features + 3 x embedding) x width, and policies x width.
    pub fn new(embeddings: Embeddings, weights: &[f32], policies: Vec<f32>, width: usize) -> Self {
        let depth = weights.len() / width;
        let features = depth - 3 * embeddings.size;
        let groups = groups_in_common(features, embeddings.size);
        let own = Columns::new(others(&groups, depth), weights, width);
        let not_empty = groups.into_iter().enumerate().filter(|(_, ranges)| !ranges.is_empty());
        let in_common = not_empty.map(|(number, ranges)| (number, Columns::new(ranges, weights, width))).collect();
        InputLayer { features, policies, width, own, in_common, embeddings }
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
        let bias = match self.policies.chunks_exact(self.width).nth(policy) {
            Some(bias) => bias,
            None => return Err(refused(format!("there is no policy {}", policy))),
        };
        let size = self.embeddings.size;
        let row = sized(&mut buffers.row, self.features + 3 * size)?;
        row.fill(0.0);
        with_widest(Embedding {
            layer: self,
            inputs,
            dense,
            bias,
            elements: sized(&mut buffers.elements, inputs.elements.count() * size)?,
            row,
            gathered: sized(&mut buffers.gathered, CHUNK * (self.features + 3 * size))?,
            products: sized(&mut buffers.products, CHUNK * self.width)?,
            hidden,
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
    /// The input row of a block: what does not change is left from the block before.
    row: &'a mut [f32],
    /// Rows of columns: CHUNK of each group, at most, one group after the other.
    gathered: &'a mut [f32],
    /// CHUNK x width: those of a group times their weights.
    products: &'a mut [f32],
    /// m x width.
    hidden: &'a mut [f32],
}

impl<Dense: DenseRows> Arithmetic for Embedding<'_, Dense> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(mut self) {
        self.embed_names();
        let (width, hidden) = (self.layer.width, std::mem::take(&mut self.hidden));
        for (number, hidden) in hidden.chunks_mut(CHUNK * width).enumerate() {
            let numbers_of_rows = self.gather(number * CHUNK, hidden.len() / width);
            self.multiply(&numbers_of_rows, hidden);
            rectify(hidden);
        }
    }
}

/// By row, the number of the row that was gathered of a group.
type NumberOfRow = [usize; CHUNK];

impl<Dense: DenseRows> Embedding<'_, Dense> {
    /// Set the means of the names of each element.
    #[inline(always)]
    fn embed_names(&mut self) {
        let Embeddings { names, size, .. } = &self.layer.embeddings;
        for (element, mean) in self.elements.chunks_exact_mut(*size).enumerate() {
            self.inputs.elements.mean(element, names, mean);
        }
    }

    /// Gather the columns of so many blocks from a first one on; of each group, those that differ from the block before.
    #[inline(always)]
    fn gather(&mut self, first: usize, count: usize) -> [NumberOfRow; GROUPS] {
        let mut numbers_of_rows = [[0; CHUNK]; GROUPS];
        for number in 0..count {
            let changes = self.next_row(first + number);
            let (own, mut rest) = self.gathered.split_at_mut(CHUNK * self.layer.own.depth());
            self.layer.own.gather(self.row, number, own);
            for (group, columns) in &self.layer.in_common {
                let (gathered, others) = rest.split_at_mut(CHUNK * columns.depth());
                let numbers = &mut numbers_of_rows[*group];
                if number > 0 {
                    numbers[number] = numbers[number - 1] + usize::from(changes[*group]);
                }
                if number == 0 || changes[*group] {
                    columns.gather(self.row, numbers[number], gathered);
                }
                rest = others;
            }
        }
        numbers_of_rows
    }

    /// Make the row of the next block; return in which groups it may differ from the one before.
    #[inline(always)]
    fn next_row(&mut self, block: usize) -> [bool; GROUPS] {
        let Embeddings { words: table, level_weights, size, .. } = &self.layer.embeddings;
        let (dense, embedded) = self.row.split_at_mut(self.layer.features);
        let (names, rest) = embedded.split_at_mut(*size);
        let (words, heading) = rest.split_at_mut(*size);
        let [around, parts, page] = self.dense.write(block, dense);
        self.inputs.words.mean(block, table, words);
        let levels_of = |block: usize| &self.inputs.levels[block * level_weights.len()..][..level_weights.len()];
        let has_other_names = block == 0 || levels_of(block) != levels_of(block - 1);
        if has_other_names {
            names.fill(0.0);
            for (level, weight) in levels_of(block).iter().zip(level_weights) {
                let mean = &self.elements[*level as usize * size..][..*size];
                by_eights(names, mean, |sum, value| *sum += weight * value);
            }
        }
        let is_heading = dense.get(HEADING).map_or(false, |is_heading| *is_heading > 0.5);
        if is_heading {
            heading.copy_from_slice(words);
        }
        [around, parts, page || is_heading, has_other_names]
    }

    /// Set hidden states to the bias plus the products of all columns.
    #[inline(always)]
    fn multiply(&mut self, numbers_of_rows: &[NumberOfRow; GROUPS], hidden: &mut [f32]) {
        let width = self.layer.width;
        let count = hidden.len() / width;
        hidden.chunks_exact_mut(width).for_each(|row| row.copy_from_slice(self.bias));
        let (own, mut rest) = self.gathered.split_at(CHUNK * self.layer.own.depth());
        for (group, columns) in &self.layer.in_common {
            let (gathered, others) = rest.split_at(CHUNK * columns.depth());
            let numbers = &numbers_of_rows[*group][..count];
            let different = numbers.last().map_or(0, |last| last + 1);
            let products = &mut self.products[..different * width];
            products.fill(0.0);
            columns.weights.add_product(&gathered[..different * columns.depth()], products);
            for (hidden, number) in hidden.chunks_exact_mut(width).zip(numbers) {
                add_row(hidden, &products[number * width..][..width]);
            }
            rest = others;
        }
        self.layer.own.weights.add_product(&own[..count * self.layer.own.depth()], hidden);
    }
}

/// Groups of columns that neighbours often have in common.
const GROUPS: usize = IN_COMMON.len() + 1;

/// Columns of input rows that neighbours often have in common, in groups of ranges that change together: those of dense
/// features, the heading above with what all blocks of a page share, and names above.
fn groups_in_common(features: usize, embedding: usize) -> [Vec<(usize, usize)>; GROUPS] {
    let [around, parts, page] = IN_COMMON.map(|ranges| {
        // A network may have been trained on fewer features.
        let within = ranges.iter().map(|(begin, end)| (*begin.min(&features), *end.min(&features)));
        within.filter(|(begin, end)| begin < end).collect::<Vec<_>>()
    });
    let heading = (features + 2 * embedding, features + 3 * embedding);
    let page = page.into_iter().chain([heading]).collect();
    [around, parts, page, vec![(features, features + embedding)]]
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

/// Some columns of input rows, with their weights.
struct Columns {
    /// First columns, and one past the last ones.
    ranges: Vec<(usize, usize)>,
    weights: Matrix,
}

impl Columns {
    /// The weights are those of all columns.
    fn new(ranges: Vec<(usize, usize)>, weights: &[f32], width: usize) -> Self {
        let parts: Vec<&[f32]> = ranges.iter().map(|(begin, end)| &weights[begin * width..end * width]).collect();
        Columns { weights: Matrix::new(&parts, width), ranges }
    }

    /// How many there are.
    fn depth(&self) -> usize {
        self.weights.depth()
    }

    /// Set one of the gathered rows to these columns of a row.
    #[inline(always)]
    fn gather(&self, row: &[f32], number: usize, gathered: &mut [f32]) {
        let mut rest = &mut gathered[number * self.depth()..][..self.depth()];
        for (begin, end) in &self.ranges {
            let (own, others) = rest.split_at_mut(end - begin);
            own.copy_from_slice(&row[*begin..*end]);
            rest = others;
        }
    }
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

    /// Dense features of which three blocks each have those in common that neighbours often have.
    struct Threes;

    impl DenseRows for Threes {
        fn write(&mut self, block: usize, row: &mut [f32]) -> Changes {
            for (column, value) in row.iter_mut().enumerate() {
                let is_in = |(begin, end): &(usize, usize)| (*begin..*end).contains(&column);
                let is_in_common = IN_COMMON.iter().any(|ranges| ranges.iter().any(is_in));
                let number = if is_in_common { block / 3 } else { block };
                *value = ((number * 31 + column * 7) % 17) as f32 / 16.0;
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
        let embeddings = Embeddings { names: names.clone(), words: words.clone(), level_weights: vec![0.5], size: 2 };
        let layer = InputLayer::new(embeddings, &weights, vec![0.1; WIDTH], WIDTH);
        let mut hidden = [f32::NAN; BLOCKS * WIDTH];
        layer.embed(&inputs, &mut Threes, 0, &mut InputBuffers::default(), &mut hidden).unwrap();
        let (mut row, mut heading) = (vec![0.0; FEATURES], vec![0.0; 2]);
        for (block, hidden) in hidden.chunks(WIDTH).enumerate() {
            Threes.write(block, &mut row);
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

    #[test]
    fn columns_are_gathered_in_their_order() {
        let columns = Columns::new(vec![(0, 2), (3, 4)], &[0.0; 4], 1);
        let mut gathered = [f32::NAN; 6];
        columns.gather(&[1.0, 2.0, 3.0, 4.0], 1, &mut gathered);
        assert_eq!((&gathered[3..], gathered[2].is_nan()), (&[1.0, 2.0, 4.0][..], true));
    }
}
