//! The input layer: dense features and embeddings -> hidden states.
//!
//! Of the columns of an input row, more than half are often the same as in the row before: the elements around a block, the
//! parts of the page that it stands in, the heading above it. These are set apart in groups, and of each group only rows
//! that differ from the one before are multiplied with the weights, which halves the arithmetic of this layer.
#![forbid(unsafe_code)]

use super::buffers::InputBuffers;
use super::inputs::Inputs;
use super::layers::rectify;
use super::matrix_products::{add_row, Matrix};
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
    /// Columns that neighbours often have in common.
    in_common: Vec<Columns>,
}

impl InputLayer {
    /// From the weights of all columns, (features + 3 x embedding) x width, and policies x width.
    pub fn new(embeddings: Embeddings, weights: &[f32], policies: Vec<f32>, width: usize) -> Self {
        let depth = weights.len() / width;
        let features = depth - 3 * embeddings.size;
        let groups = groups_in_common(features, embeddings.size);
        InputLayer {
            features,
            policies,
            width,
            own: Columns::new(others(&groups, depth), weights, width),
            in_common: groups.into_iter().map(|ranges| Columns::new(ranges, weights, width)).collect(),
            embeddings,
        }
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
        let InputBuffers { elements, rows, gathered, products, heading } = buffers;
        self.embed_names(inputs, sized(elements, inputs.elements.count() * self.embeddings.size)?);
        let rows = sized(rows, CHUNK * self.depth())?;
        let gathered = sized(gathered, CHUNK * self.depth())?;
        let products = sized(products, CHUNK * self.width)?;
        let heading = sized(heading, self.embeddings.size)?;
        heading.fill(0.0);
        for (number, hidden) in hidden.chunks_mut(CHUNK * self.width).enumerate() {
            let rows = &mut rows[..hidden.len() / self.width * self.depth()];
            self.fill_rows(inputs, dense, number * CHUNK, elements, rows);
            self.fill_headings(heading, rows);
            hidden.chunks_exact_mut(self.width).for_each(|row| row.copy_from_slice(bias));
            for columns in &self.in_common {
                columns.add_once(rows, gathered, products, hidden);
            }
            self.own.add(rows, gathered, hidden);
            rectify(hidden);
        }
        Ok(())
    }

    /// Numbers of an input row.
    fn depth(&self) -> usize {
        self.features + 3 * self.embeddings.size
    }

    /// Set the means of the names of each element.
    fn embed_names(&self, inputs: &Inputs, elements: &mut [f32]) {
        for (element, mean) in elements.chunks_exact_mut(self.embeddings.size).enumerate() {
            inputs.elements.mean(element, &self.embeddings.names, mean);
        }
    }

    /// Set the input rows of the blocks from a first one on, but for the words of headings.
    fn fill_rows(&self, inputs: &Inputs, dense: &mut impl DenseRows, first: usize, elements: &[f32], rows: &mut [f32]) {
        let (size, count) = (self.embeddings.size, self.embeddings.level_weights.len());
        let levels_of = |block: usize| &inputs.levels[block * count..][..count];
        for number in 0..rows.len() / self.depth() {
            let (before, rest) = rows.split_at_mut(number * self.depth());
            let (row_dense, embedded) = rest.split_at_mut(self.features);
            let (names, words) = embedded.split_at_mut(size);
            let block = first + number;
            dense.write(block, row_dense);
            inputs.words.mean(block, &self.embeddings.words, &mut words[..size]);
            if number > 0 && levels_of(block) == levels_of(block - 1) {
                names.copy_from_slice(&before[before.len() - 3 * size..][..size]);
            } else {
                self.embed_levels(levels_of(block), elements, names);
            }
        }
    }

    /// Set `names` to the means of the elements above a block, each with the weight of its level.
    fn embed_levels(&self, levels: &[i32], elements: &[f32], names: &mut [f32]) {
        names.fill(0.0);
        for (level, weight) in levels.iter().zip(&self.embeddings.level_weights) {
            let mean = &elements[*level as usize * names.len()..][..names.len()];
            names.iter_mut().zip(mean).for_each(|(sum, value)| *sum += weight * value);
        }
    }

    /// Set the ends of input rows to the words of the last heading up to the block; `heading` has those of earlier rows.
    fn fill_headings(&self, heading: &mut [f32], rows: &mut [f32]) {
        for row in rows.chunks_exact_mut(self.depth()) {
            let is_heading = self.features > HEADING && row[HEADING] > 0.5;
            let (words, above) = row[self.features + heading.len()..].split_at_mut(heading.len());
            if is_heading {
                heading.copy_from_slice(words);
            }
            above.copy_from_slice(heading);
        }
    }
}

/// Columns of input rows that neighbours often have in common, in groups of ranges that change together: those of dense
/// features, the heading above with what all blocks of a page share, and names above.
fn groups_in_common(features: usize, embedding: usize) -> Vec<Vec<(usize, usize)>> {
    let [around, parts, page] = IN_COMMON.map(|ranges| {
        // A network may have been trained on fewer features.
        let within = ranges.iter().map(|(begin, end)| (*begin.min(&features), *end.min(&features)));
        within.filter(|(begin, end)| begin < end).collect::<Vec<_>>()
    });
    let heading = (features + 2 * embedding, features + 3 * embedding);
    let page = page.into_iter().chain([heading]).collect();
    let groups = [around, parts, page, vec![(features, features + embedding)]];
    groups.into_iter().filter(|ranges| !ranges.is_empty()).collect()
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

    /// Add the products of all rows to hidden states.
    fn add(&self, rows: &[f32], gathered: &mut [f32], hidden: &mut [f32]) {
        let (depth, count) = (self.weights.depth(), hidden.len() / self.weights.width());
        let gathered = &mut gathered[..count * depth];
        for (row, some) in rows.chunks_exact(rows.len() / count).zip(gathered.chunks_exact_mut(depth)) {
            self.gather(row, some);
        }
        self.weights.add_product(gathered, hidden);
    }

    /// The same, but rows that equal the one before are not multiplied again.
    fn add_once(&self, rows: &[f32], gathered: &mut [f32], products: &mut [f32], hidden: &mut [f32]) {
        let (depth, width) = (self.weights.depth(), self.weights.width());
        let length = rows.len() / (hidden.len() / width);
        let mut number_of_row = [0; CHUNK];
        let (mut before, mut count) = (None, 0);
        for (row, number) in rows.chunks_exact(length).zip(&mut number_of_row) {
            if before.map_or(true, |before| self.differ(row, before)) {
                self.gather(row, &mut gathered[count * depth..][..depth]);
                count += 1;
            }
            before = Some(row);
            *number = count - 1;
        }
        let products = &mut products[..count * width];
        products.fill(0.0);
        self.weights.add_product(&gathered[..count * depth], products);
        for (hidden, number) in hidden.chunks_exact_mut(width).zip(number_of_row) {
            add_row(hidden, &products[number * width..][..width]);
        }
    }

    /// Whether two rows differ in these columns. Bits are compared, all of them, so that it is done without branches.
    fn differ(&self, row: &[f32], other: &[f32]) -> bool {
        self.ranges.iter().any(|&(begin, end)| {
            let pairs = row[begin..end].iter().zip(&other[begin..end]);
            pairs.fold(0, |bits, (one, other)| bits | (one.to_bits() ^ other.to_bits())) != 0
        })
    }

    /// Set `some` to these columns of a row.
    fn gather(&self, row: &[f32], some: &mut [f32]) {
        let mut rest = some;
        for (begin, end) in &self.ranges {
            let (own, others) = rest.split_at_mut(end - begin);
            own.copy_from_slice(&row[*begin..*end]);
            rest = others;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn equal_neighbours_are_multiplied_once_and_added_to_each() {
        let rows = [1.0, 2.0, 9.0, 1.0, 2.0, 8.0, 1.0, 3.0, 8.0, 1.0, 2.0, 9.0];
        let weights = [1.0, 10.0, 100.0];
        let (mut gathered, mut products) = ([f32::NAN; 12], [f32::NAN; CHUNK]);
        let mut hidden = [0.5; 4];
        Columns::new(vec![(0, 2)], &weights, 1).add_once(&rows, &mut gathered, &mut products, &mut hidden);
        assert_eq!((hidden, gathered[5].is_nan(), gathered[6].is_nan()), ([21.5, 21.5, 31.5, 21.5], false, true));
        Columns::new(vec![(2, 3)], &weights, 1).add(&rows, &mut gathered, &mut hidden);
        assert_eq!(hidden, [921.5, 821.5, 831.5, 921.5]);
    }
}
