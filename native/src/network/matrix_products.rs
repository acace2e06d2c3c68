//! Matrix products.
//!
//! Weights are kept in panels of 24 columns. Three rows of a product are made at once, a panel at a time: their sums stay in
//! registers while the rows of the panel are added to them, so that the processor multiplies more than it waits. The loops
//! are plain ones over arrays of a fixed size, which the compiler turns into vector instructions on any machine: with AVX2
//! they reach nine tenths of what a processor can multiply. `vector_width` chooses wider ones where the processor has them.
#![forbid(unsafe_code)]

use super::vector_width::{with_widest, Arithmetic};
use super::CHUNK;

/// Columns of a panel: with three rows, as many as there are registers for their sums and for a row of weights, 16 of 256
/// bits with AVX2, or 32 of 128 bits on aarch64.
pub const LANES: usize = 24;

/// Rows of a product that are made at once.
pub const ROWS: usize = 3;

/// The width of the shipped network. Loops over hidden states are compiled apart for it: where the distance of rows is known,
/// a tenth more is multiplied in the same time.
pub const USUAL_WIDTH: usize = 48;

/// As many numbers of a row as a panel has columns.
pub type Lane = [f32; LANES];

/// Weights, ready to be multiplied with.
#[derive(Debug)]
pub struct Matrix {
    depth: usize,
    width: usize,
    /// Each has `depth` rows of some columns of the matrix, and zeros beyond its last column.
    panels: Vec<Vec<Weights>>,
}

/// Weights of the columns of a panel. Aligned, so that no vector of them is in two cache lines.
#[derive(Debug)]
#[repr(align(32))]
pub struct Weights(Lane);

impl Matrix {
    /// From rows of `width` weights.
    pub fn new(weights: &[f32], width: usize) -> Self {
        let rows = || weights.chunks_exact(width);
        let panels =
            (0..width).step_by(LANES).map(|begin| rows().map(|row| Weights(lane_at(row, begin))).collect()).collect();
        Matrix { depth: weights.len() / width, width, panels }
    }

    /// Rows of weights: as many as there are numbers in a row of values.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Numbers of a row of a product.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The rows of each panel.
    pub fn panels(&self) -> &[Vec<Weights>] {
        &self.panels
    }

    /// Set `product` (m x width) to values (m x depth) times the weights, plus the same `bias` in every row.
    pub fn multiply(&self, values: &[f32], bias: &[f32], product: &mut [f32]) {
        with_widest(Product { weights: self, values, bias, product });
    }
}

/// Values times weights, and where that goes.
pub struct Product<'a> {
    /// depth x width.
    pub weights: &'a Matrix,
    /// m x depth.
    pub values: &'a [f32],
    /// What every row begins with: width.
    pub bias: &'a [f32],
    /// m x width.
    pub product: &'a mut [f32],
}

impl Arithmetic for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        match (self.weights.depth, self.weights.width) {
            (USUAL_WIDTH, USUAL_WIDTH) => self.multiply::<FUSED>(USUAL_WIDTH, USUAL_WIDTH),
            (depth, width) => self.multiply::<FUSED>(depth, width),
        }
    }
}

impl Product<'_> {
    /// Make all columns, a panel at a time.
    #[inline(always)]
    fn multiply<const FUSED: bool>(self, depth: usize, width: usize) {
        let Product { weights, values, bias, product } = self;
        for (panel, begin) in weights.panels.iter().zip((0..width).step_by(LANES)) {
            let (panel, bias, columns) = (&panel[..depth], [lane_at(bias, begin); ROWS], begin..begin + LANES);
            // Rows that are too few to be made at once, or with fewer columns, are copied one by one.
            let whole = if columns.end > width { 0 } else { values.len() / (ROWS * depth) * ROWS };
            let (values, rest) = values.split_at(whole * depth);
            let (product, rest_of_product) = product.split_at_mut(whole * width);
            for (values, product) in values.chunks_exact(ROWS * depth).zip(product.chunks_exact_mut(ROWS * width)) {
                let sums = sums_of_rows::<FUSED>(panel, &[(0, depth)], rows_of(values, depth), bias);
                for (number, sums) in sums.iter().enumerate() {
                    product[number * width..][..width][columns.clone()].copy_from_slice(sums);
                }
            }
            for (values, product) in rest.chunks(ROWS * depth).zip(rest_of_product.chunks_mut(ROWS * width)) {
                let sums = sums_of_rows::<FUSED>(panel, &[(0, depth)], rows_of(values, depth), bias);
                for (row, sums) in product.chunks_exact_mut(width).zip(&sums) {
                    put(sums, &mut row[begin..]);
                }
            }
        }
    }
}

/// The rows of some values. If there are too few, the last one is there several times.
#[inline(always)]
fn rows_of(values: &[f32], depth: usize) -> [&[f32]; ROWS] {
    let mut rows = [&values[..depth]; ROWS];
    for number in 1..ROWS {
        rows[number] = values.get(number * depth..(number + 1) * depth).unwrap_or(rows[number - 1]);
    }
    rows
}

/// Set the begin of a row to a lane, or all of it if it is shorter.
#[inline(always)]
pub fn put(lane: &Lane, row: &mut [f32]) {
    match row.get_mut(..LANES) {
        Some(row) => row.copy_from_slice(lane),
        None => row.iter_mut().zip(lane).for_each(|(own, value)| *own = *value),
    }
}

/// The part of a row that begins at a column, and zeros beyond its last one.
#[inline(always)]
pub fn lane_at(row: &[f32], begin: usize) -> Lane {
    match row.get(begin..begin + LANES) {
        Some(whole) => lane(whole),
        None => {
            let mut lane = [0.0; LANES];
            lane.iter_mut().zip(&row[begin..]).for_each(|(own, value)| *own = *value);
            lane
        }
    }
}

/// As many numbers as an array has: fewer or more are a mistake of the caller.
#[inline(always)]
pub fn lane<const LANES: usize, Number: Copy + Default>(numbers: &[Number]) -> [Number; LANES] {
    let mut lane = [Number::default(); LANES];
    lane.copy_from_slice(numbers);
    lane
}

/// Ranges of columns of some rows, times the rows of a panel for these, added to sums.
#[inline(always)]
pub fn sums_of_rows<const FUSED: bool>(
    panel: &[Weights],
    ranges: &[(usize, usize)],
    rows: [&[f32]; ROWS],
    mut sums: [Lane; ROWS],
) -> [Lane; ROWS] {
    for (begin, end) in ranges {
        let [first, second, third] = rows;
        let (first, second, third) = (&first[*begin..*end], &second[*begin..*end], &third[*begin..*end]);
        let panel = &panel[*begin..*end];
        // Zipped, since bounds are not checked in every step then.
        for (((weights, first), second), third) in panel.iter().zip(first).zip(second).zip(third) {
            for (sums, value) in sums.iter_mut().zip([first, second, third]) {
                add_scaled::<FUSED>(sums, &weights.0, *value);
            }
        }
    }
    sums
}

/// Add a row of weights, times a value, to sums.
#[inline(always)]
fn add_scaled<const FUSED: bool>(sums: &mut Lane, weights: &Lane, value: f32) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = multiply_add::<FUSED>(value, *weight, *sum);
    }
}

/// Add the products of two parts of rows, column by column.
#[inline(always)]
pub fn add_products<const LANES: usize, const FUSED: bool>(
    sums: &mut [f32; LANES],
    values: &[f32; LANES],
    weights: &[f32; LANES],
) {
    for ((sum, value), weight) in sums.iter_mut().zip(values).zip(weights) {
        *sum = multiply_add::<FUSED>(*value, *weight, *sum);
    }
}

/// In one instruction, with one rounding, if it is fused: that is a call, and slow, where the processor has none.
#[inline(always)]
fn multiply_add<const FUSED: bool>(value: f32, weight: f32, sum: f32) -> f32 {
    if FUSED {
        value.mul_add(weight, sum)
    } else {
        value * weight + sum
    }
}

/// Set each of `dots` to the sum of the products of a row and of the weights.
///
/// Sums of every eighth column are kept before they are added up: if both were done for one row after the other, the compiler
/// would make vectors of two numbers.
#[inline(always)]
pub fn dot_rows<const FUSED: bool>(rows: &[f32], weights: &[f32], dots: &mut [f32]) {
    let mut sums = [[0.0; COLUMNS]; CHUNK];
    for (rows, dots) in rows.chunks(CHUNK * weights.len()).zip(dots.chunks_mut(CHUNK)) {
        for (row, sums) in rows.chunks_exact(weights.len()).zip(&mut sums) {
            *sums = [0.0; COLUMNS];
            for (values, weights) in row.chunks_exact(COLUMNS).zip(weights.chunks_exact(COLUMNS)) {
                add_products::<COLUMNS, FUSED>(sums, &lane(values), &lane(weights));
            }
            let rest = row.len() / COLUMNS * COLUMNS;
            for (sum, (value, weight)) in sums.iter_mut().zip(row[rest..].iter().zip(&weights[rest..])) {
                *sum = multiply_add::<FUSED>(*value, *weight, *sum);
            }
        }
        for (dot, [a, b, c, d, e, f, g, h]) in dots.iter_mut().zip(&sums) {
            *dot = ((a + e) + (c + g)) + ((b + f) + (d + h));
        }
    }
}

/// Add a row to sums.
#[inline(always)]
pub fn add_row(sums: &mut [f32], row: &[f32]) {
    by_eights(sums, row, |sum, value| *sum += value);
}

/// Set a row to another one. Rows are so short that a call to copy them would take longer.
#[inline(always)]
pub fn copy_row<Number: Copy + Default>(row: &mut [Number], other: &[Number]) {
    by_eights(row, other, |number, other| *number = other);
}

/// Columns that are changed at once: the compiler does not know how many there are.
pub const COLUMNS: usize = 8;

/// Change each number of a row, given that of another. Some are read before any is written: the compiler does not know
/// either that these are different rows.
#[inline(always)]
pub fn by_eights<Number: Copy + Default, Other: Copy + Default>(
    numbers: &mut [Number],
    others: &[Other],
    change: impl Fn(&mut Number, Other),
) {
    let whole = numbers.len().min(others.len()) / COLUMNS * COLUMNS;
    let (numbers, rest) = numbers.split_at_mut(whole);
    let (others, rest_of_others) = others.split_at(whole);
    for (numbers, others) in numbers.chunks_exact_mut(COLUMNS).zip(others.chunks_exact(COLUMNS)) {
        let (mut changed, others): ([Number; COLUMNS], [Other; COLUMNS]) = (lane(numbers), lane(others));
        for (number, other) in changed.iter_mut().zip(others) {
            change(number, other);
        }
        numbers.copy_from_slice(&changed);
    }
    for (number, other) in rest.iter_mut().zip(rest_of_others) {
        change(number, *other);
    }
}

/// values (depth) times weights (depth x width), added to `sums` (width).
#[inline(always)]
pub fn add_row_product(values: &[f32], weights: &[f32], sums: &mut [f32]) {
    for (value, row) in values.iter().zip(weights.chunks_exact(sums.len())) {
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum += value * weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from -1 to 1 that look random and are the same each time.
    fn numbers(count: usize, seed: u32) -> Vec<f32> {
        let mut state = seed.wrapping_mul(2_654_435_769).wrapping_add(1);
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        (0..count).map(|_| next()).collect()
    }

    /// The definition, in double precision.
    fn naive_product(values: &[f32], weights: &[f32], width: usize) -> Vec<f64> {
        let depth = weights.len() / width;
        let cell = |row: usize, column: usize| {
            (0..depth).map(|at| f64::from(values[row * depth + at]) * f64::from(weights[at * width + column])).sum()
        };
        (0..values.len() / depth * width).map(|at| cell(at / width, at % width)).collect()
    }

    #[test]
    fn products_of_any_shape_are_as_defined() {
        for (rows, depth, width) in [
            (1, 1, 1),
            (3, 5, 2),
            (4, 8, 32),
            (5, 187, 64),
            (9, 3, 17),
            (16, 40, 75),
            (0, 4, 4),
            (6, 40, 40),
            (3, 48, 48),
        ] {
            let (values, weights) = (numbers(rows * depth, 1), numbers(depth * width, 2));
            let bias = numbers(width, 3);
            let mut product = vec![f32::NAN; rows * width];
            Matrix::new(&weights, width).multiply(&values, &bias, &mut product);
            let expected = naive_product(&values, &weights, width);
            assert_eq!(product.len(), expected.len());
            for (at, (found, expected)) in product.iter().zip(expected).enumerate() {
                assert!((f64::from(*found) - expected - f64::from(bias[at % width])).abs() < 1e-5, "{} {}", rows, at);
            }
        }
    }

    #[test]
    fn dot_products_of_rows_of_any_length() {
        for (rows, length) in [(1, 1), (2, 7), (CHUNK, 8), (2 * CHUNK + 3, 21)] {
            let (values, weights) = (numbers(rows * length, 6), numbers(length, 7));
            let mut dots = vec![f32::NAN; rows];
            dot_rows::<false>(&values, &weights, &mut dots);
            for (dot, expected) in dots.iter().zip(naive_product(&values, &weights, 1)) {
                assert!((f64::from(*dot) - expected).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn a_row_product_is_one_row_of_a_product() {
        let (values, weights) = (numbers(7, 4), numbers(7 * 3, 5));
        let mut sums = vec![1.0; 3];
        add_row_product(&values, &weights, &mut sums);
        for (found, expected) in sums.iter().zip(naive_product(&values, &weights, 3)) {
            assert!((f64::from(*found) - expected - 1.0).abs() < 1e-6);
        }
    }
}
