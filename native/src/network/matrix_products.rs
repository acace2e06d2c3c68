//! Matrix products, in tiles that stay in registers.
//!
//! A tile is a few rows of the product times a few columns, one sum each. Weights are stored panel by panel (a panel is the
//! columns of a tile), so the inner loop reads weights and values from front to back, and the compiler makes vector
//! instructions of it on any machine, without help. Columns beyond the edge are zeros.
#![forbid(unsafe_code)]

/// Rows of a tile.
const ROWS: usize = 4;
/// Columns of a tile. 4 x 16 sums take 16 of the 32 vector registers of aarch64. x86-64 has only 16 registers of 4 numbers
/// before AVX, and half of that fits.
const COLUMNS: usize = if cfg!(target_arch = "x86_64") { 8 } else { 16 };

/// Weights, ready to be multiplied with.
#[derive(Debug)]
pub struct Matrix {
    depth: usize,
    width: usize,
    panels: Vec<f32>,
}

impl Matrix {
    /// From parts, one below the other: each has rows of `width` weights.
    pub fn new(parts: &[&[f32]], width: usize) -> Self {
        let depth = parts.iter().map(|part| part.len()).sum::<usize>() / width;
        let mut panels = vec![0.0; depth * COLUMNS * ((width + COLUMNS - 1) / COLUMNS)];
        let rows = parts.iter().flat_map(|part| part.chunks_exact(width));
        for (row, weights) in rows.enumerate() {
            for (panel, some) in weights.chunks(COLUMNS).enumerate() {
                let at = (panel * depth + row) * COLUMNS;
                panels[at..at + some.len()].copy_from_slice(some);
            }
        }
        Matrix { depth, width, panels }
    }

    /// Set `product` (m x width) to values (m x depth) times the weights, plus the same `bias` in every row.
    pub fn multiply(&self, values: &[f32], bias: &[f32], product: &mut [f32]) {
        let groups = values.chunks(self.depth * ROWS).zip(product.chunks_mut(self.width * ROWS));
        for (values, product) in groups {
            let rows = rows_of(values, self.depth);
            for (number, panel) in self.panels.chunks_exact(self.depth * COLUMNS).enumerate() {
                write_tile(&tile(rows, panel), bias, number * COLUMNS, self.width, product);
            }
        }
    }
}

/// The rows of a tile. Below the last row of all it comes again: those products are not looked at.
fn rows_of(values: &[f32], depth: usize) -> [&[f32]; ROWS] {
    let last = values.len() / depth - 1;
    [0, 1, 2, 3].map(|row: usize| &values[row.min(last) * depth..][..depth])
}

fn tile(rows: [&[f32]; ROWS], panel: &[f32]) -> [[f32; COLUMNS]; ROWS] {
    let mut sums = [[0.0; COLUMNS]; ROWS];
    let [first, second, third, fourth] = rows;
    let steps = panel.chunks_exact(COLUMNS).zip(first).zip(second).zip(third).zip(fourth);
    for ((((weights, first), second), third), fourth) in steps {
        for (sums, value) in sums.iter_mut().zip([first, second, third, fourth]) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = multiply_add(*value, *weight, *sum);
            }
        }
    }
    sums
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

fn write_tile(sums: &[[f32; COLUMNS]; ROWS], bias: &[f32], first: usize, width: usize, rows: &mut [f32]) {
    let last = width.min(first + COLUMNS);
    for (row, sums) in rows.chunks_exact_mut(width).zip(sums) {
        for ((place, bias), sum) in row[first..last].iter_mut().zip(&bias[first..last]).zip(sums) {
            *place = bias + sum;
        }
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
