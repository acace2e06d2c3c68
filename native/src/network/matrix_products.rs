//! Matrix products.
//!
//! Two rows of the product are made at once, and four rows of weights are added to both in one go: then each number that is
//! read takes part in several multiplications, and the processor multiplies more than it waits. The inner loop is a plain
//! one over slices, which compilers turn into vector instructions on any machine. Tiles of sums that stay in registers are
//! a third faster with Rust 1.95, and eight times as slow with 1.63, which leaves them scalar.
#![forbid(unsafe_code)]

/// Rows of weights that are added in one go.
const STEPS: usize = 4;

/// Weights, ready to be multiplied with.
#[derive(Debug)]
pub struct Matrix {
    depth: usize,
    width: usize,
    /// depth x width, and rows of zeros up to a multiple of `STEPS`.
    weights: Vec<f32>,
}

impl Matrix {
    /// From parts, one below the other: each has rows of `width` weights.
    pub fn new(parts: &[&[f32]], width: usize) -> Self {
        let mut weights = parts.concat();
        let depth = weights.len() / width;
        weights.resize((depth + STEPS - 1) / STEPS * STEPS * width, 0.0);
        Matrix { depth, width, weights }
    }

    /// Set `product` (m x width) to values (m x depth) times the weights, plus the same `bias` in every row.
    pub fn multiply(&self, values: &[f32], bias: &[f32], product: &mut [f32]) {
        product.chunks_exact_mut(self.width).for_each(|row| row.copy_from_slice(bias));
        let mut spare = bias.to_vec();
        for (values, product) in values.chunks(2 * self.depth).zip(product.chunks_mut(2 * self.width)) {
            let (first, second) = values.split_at(self.depth);
            let (sums, more_sums) = product.split_at_mut(self.width);
            if second.is_empty() {
                self.add_rows(first, first, sums, &mut spare);
            } else {
                self.add_rows(first, second, sums, more_sums);
            }
        }
    }

    fn add_rows(&self, first: &[f32], second: &[f32], sums: &mut [f32], more_sums: &mut [f32]) {
        let (whole, rest) = self.weights.split_at(self.depth / STEPS * STEPS * self.width);
        let (first, second) = (first.chunks_exact(STEPS), second.chunks_exact(STEPS));
        let last = [filled_up(first.remainder()), filled_up(second.remainder())];
        for ((weights, first), second) in whole.chunks_exact(STEPS * self.width).zip(first).zip(second) {
            let first = [first[0], first[1], first[2], first[3]];
            let second = [second[0], second[1], second[2], second[3]];
            add_products(weights, first, second, sums, more_sums);
        }
        if !rest.is_empty() {
            add_products(rest, last[0], last[1], sums, more_sums);
        }
    }
}

/// The last values of a row, and zeros.
fn filled_up(values: &[f32]) -> [f32; STEPS] {
    let mut filled = [0.0; STEPS];
    filled[..values.len()].copy_from_slice(values);
    filled
}

/// Add four rows of weights to both rows of sums, times the values of each.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // one index into six slices reads better than six iterators
fn add_products(weights: &[f32], first: [f32; STEPS], second: [f32; STEPS], sums: &mut [f32], more_sums: &mut [f32]) {
    // Of the same length for the compiler to see, which then checks no index.
    let width = sums.len();
    let more_sums = &mut more_sums[..width];
    let (one, rest) = weights.split_at(width);
    let (two, rest) = rest.split_at(width);
    let (three, four) = rest.split_at(width);
    let four = &four[..width];
    for at in 0..width {
        let weights = [one[at], two[at], three[at], four[at]];
        sums[at] = add_four(first, weights, sums[at]);
        more_sums[at] = add_four(second, weights, more_sums[at]);
    }
}

#[inline(always)]
fn add_four(values: [f32; STEPS], weights: [f32; STEPS], sum: f32) -> f32 {
    let sum = multiply_add(values[0], weights[0], sum);
    let sum = multiply_add(values[1], weights[1], sum);
    let sum = multiply_add(values[2], weights[2], sum);
    multiply_add(values[3], weights[3], sum)
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
    const LANES: usize = 8;
    let (one_rest, other_rest) = (one.chunks_exact(LANES).remainder(), other.chunks_exact(LANES).remainder());
    let mut sums = [0.0; LANES];
    for (one, other) in one.chunks_exact(LANES).zip(other.chunks_exact(LANES)) {
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
            [(1, 1, 1), (3, 5, 2), (4, 8, 16), (5, 187, 64), (9, 3, 17), (16, 40, 25), (0, 4, 4)]
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
