//! Matrix products.
//!
//! Weights are kept in panels of 32 columns. Two rows of a product are made at once, a panel at a time: the sums of both
//! stay in registers while the rows of the panel are added to them, so that the processor multiplies more than it waits.
//! The loops are plain ones over arrays of a fixed size, which the compiler turns into vector instructions on any machine:
//! on a Neoverse N1 they reach nine tenths of what it can multiply.
#![forbid(unsafe_code)]

/// Columns of a panel.
pub const LANES: usize = 32;

/// Part of a row: one number for each column of a panel.
pub type Lane = [f32; LANES];

/// Weights, ready to be multiplied with.
#[derive(Debug)]
pub struct Matrix {
    depth: usize,
    width: usize,
    /// One panel after the other: `depth` rows each, zeros beyond the last column.
    panels: Vec<Lane>,
}

impl Matrix {
    /// From parts, one below the other: each has rows of `width` weights.
    pub fn new(parts: &[&[f32]], width: usize) -> Self {
        let rows = || parts.iter().flat_map(|part| part.chunks_exact(width));
        let begins = (0..width).step_by(LANES);
        let panels = begins.flat_map(|begin| rows().map(move |row| lane_at(row, begin))).collect();
        Matrix { depth: rows().count(), width, panels }
    }

    /// Set `product` (m x width) to values (m x depth) times the weights, plus the same `bias` in every row.
    pub fn multiply(&self, values: &[f32], bias: &[f32], product: &mut [f32]) {
        for (panel, begin) in self.panels.chunks_exact(self.depth).zip((0..self.width).step_by(LANES)) {
            let bias = lane_at(bias, begin);
            let pairs = values.chunks(2 * self.depth).zip(product.chunks_mut(2 * self.width));
            for (values, product) in pairs {
                let (first, second) = values.split_at(self.depth);
                let (sums, more_sums) = product.split_at_mut(self.width);
                if second.is_empty() {
                    put_lane(&sums_of_one(panel, first, bias), sums, begin);
                } else {
                    let [one, other] = sums_of_two(panel, first, second, bias);
                    put_lane(&one, sums, begin);
                    put_lane(&other, more_sums, begin);
                }
            }
        }
    }
}

/// The part of a row that begins at a column, and zeros beyond its last one.
#[inline(always)]
pub fn lane_at(row: &[f32], begin: usize) -> Lane {
    let rest = &row[begin..];
    if let Some(Ok(whole)) = rest.get(..LANES).map(<Lane>::try_from) {
        return whole;
    }
    let mut lane = [0.0; LANES];
    lane[..rest.len()].copy_from_slice(rest);
    lane
}

/// Write the part of a row that begins at a column, as far as it goes.
#[inline(always)]
pub fn put_lane(lane: &Lane, row: &mut [f32], begin: usize) {
    let rest = &mut row[begin..];
    match rest.get_mut(..LANES) {
        Some(whole) => whole.copy_from_slice(lane),
        None => rest.copy_from_slice(&lane[..rest.len()]),
    }
}

/// A row of values times a panel, added to sums.
#[inline]
fn sums_of_one(panel: &[Lane], values: &[f32], mut sums: Lane) -> Lane {
    for (weights, value) in panel.iter().zip(values) {
        add_scaled(&mut sums, weights, *value);
    }
    sums
}

/// The same for two rows, and the same sums to begin with.
#[inline]
fn sums_of_two(panel: &[Lane], first: &[f32], second: &[f32], sums: Lane) -> [Lane; 2] {
    let (mut one, mut other) = (sums, sums);
    for ((weights, first), second) in panel.iter().zip(first).zip(second) {
        add_scaled(&mut one, weights, *first);
        add_scaled(&mut other, weights, *second);
    }
    [one, other]
}

#[inline(always)]
fn add_scaled(sums: &mut Lane, weights: &Lane, value: f32) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = multiply_add(value, *weight, *sum);
    }
}

/// Add the products of two parts of rows, column by column.
#[inline(always)]
pub fn add_products(sums: &mut Lane, values: &Lane, weights: &Lane) {
    for ((sum, value), weight) in sums.iter_mut().zip(values).zip(weights) {
        *sum = multiply_add(*value, *weight, *sum);
    }
}

/// One instruction where every machine has it; elsewhere it would be a call.
#[inline(always)]
fn multiply_add(value: f32, weight: f32, sum: f32) -> f32 {
    if cfg!(target_arch = "aarch64") {
        value.mul_add(weight, sum)
    } else {
        value * weight + sum
    }
}

/// The sum of the products. Eight sums at a time: one alone would wait for each addition.
pub fn dot(one: &[f32], other: &[f32]) -> f32 {
    const SUMS: usize = 8;
    let (one_rest, other_rest) = (one.chunks_exact(SUMS).remainder(), other.chunks_exact(SUMS).remainder());
    let mut sums = [0.0; SUMS];
    for (one, other) in one.chunks_exact(SUMS).zip(other.chunks_exact(SUMS)) {
        for (sum, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sum += one * other;
        }
    }
    sums.iter().sum::<f32>() + one_rest.iter().zip(other_rest).map(|(one, other)| one * other).sum::<f32>()
}

/// values (depth) times weights (depth x width), added to `sums` (width).
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
        for (rows, depth, width) in
            [(1, 1, 1), (3, 5, 2), (4, 8, 32), (5, 187, 64), (9, 3, 17), (16, 40, 75), (0, 4, 4)]
        {
            let (values, weights) = (numbers(rows * depth, 1), numbers(depth * width, 2));
            let bias = numbers(width, 3);
            let mut product = vec![f32::NAN; rows * width];
            let split = depth / 2 * width;
            let matrix = Matrix::new(&[&weights[..split], &weights[split..]], width);
            matrix.multiply(&values, &bias, &mut product);
            let expected = naive_product(&values, &weights, width);
            assert_eq!(product.len(), expected.len());
            for (at, (found, expected)) in product.iter().zip(expected).enumerate() {
                assert!((f64::from(*found) - expected - f64::from(bias[at % width])).abs() < 1e-5, "{} {}", rows, at);
            }
        }
    }

    #[test]
    fn a_dot_product_of_any_length() {
        for length in [0, 1, 7, 8, 21] {
            let (one, other) = (numbers(length, 6), numbers(length, 7));
            let expected: f32 = one.iter().zip(&other).map(|(one, other)| one * other).sum();
            assert!((dot(&one, &other) - expected).abs() < 1e-5);
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
