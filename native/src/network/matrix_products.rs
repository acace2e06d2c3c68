//! Matrix products.
//!
//! Weights are kept in panels of 16, 24 or 32 columns. Some rows of a product are made at once, a panel at a time: their
//! sums stay in registers while the rows of the panel are added to them, so that the processor multiplies more than it
//! waits. Any multiple of 8 columns from 16 on is cut into panels without a rest, and none is so narrow that its sums
//! wait for each other. The loops are plain ones over arrays of a fixed size, which the compiler turns into vector
//! instructions on any machine: on a Neoverse N1 they reach nine tenths of what it can multiply. `vector_width` chooses
//! wider ones where the processor has them.
#![forbid(unsafe_code)]

use super::vector_width::{with_widest, Arithmetic};

/// Weights, ready to be multiplied with.
#[derive(Debug)]
pub struct Matrix {
    depth: usize,
    width: usize,
    panels: Vec<Panel>,
}

/// Some columns of a matrix.
#[derive(Debug)]
struct Panel {
    /// The first column.
    begin: usize,
    /// `depth` rows of one number for each column; zeros beyond the last column of the matrix.
    weights: Weights,
}

/// The rows of a panel, by its width.
#[derive(Debug)]
enum Weights {
    Narrow(Vec<[f32; 16]>),
    Middle(Vec<[f32; 24]>),
    Wide(Vec<[f32; 32]>),
}

impl Matrix {
    /// From parts, one below the other: each has rows of `width` weights.
    pub fn new(parts: &[&[f32]], width: usize) -> Self {
        let depth = parts.iter().map(|part| part.len() / width).sum();
        let mut panels = Vec::new();
        let mut begin = 0;
        while begin < width {
            let lanes = lanes_for(width - begin);
            let weights = match lanes {
                16 => Weights::Narrow(rows_from(parts, width, begin)),
                24 => Weights::Middle(rows_from(parts, width, begin)),
                _ => Weights::Wide(rows_from(parts, width, begin)),
            };
            panels.push(Panel { begin, weights });
            begin += lanes;
        }
        Matrix { depth, width, panels }
    }

    /// Rows of weights: as many as there are numbers in a row of values.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Numbers of a row of a product.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Set `product` (m x width) to values (m x depth) times the weights, plus the same `bias` in every row.
    pub fn multiply(&self, values: &[f32], bias: &[f32], product: &mut [f32]) {
        with_widest(Product { weights: self, values, bias: Some(bias), sums: product });
    }

    /// Add values (m x depth) times the weights to `sums` (m x width).
    pub fn add_product(&self, values: &[f32], sums: &mut [f32]) {
        with_widest(Product { weights: self, values, bias: None, sums });
    }
}

/// Values times weights, and where that goes.
pub struct Product<'a> {
    /// depth x width.
    pub weights: &'a Matrix,
    /// m x depth.
    pub values: &'a [f32],
    /// What to begin every row with; without it, products are added to what is there.
    pub bias: Option<&'a [f32]>,
    /// m x width.
    pub sums: &'a mut [f32],
}

impl Arithmetic for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(mut self) {
        for Panel { begin, weights } in &self.weights.panels {
            match weights {
                Weights::Narrow(rows) => self.add_panel::<16, FUSED>(rows, *begin),
                Weights::Middle(rows) => self.add_panel::<24, FUSED>(rows, *begin),
                Weights::Wide(rows) => self.add_panel::<32, FUSED>(rows, *begin),
            }
        }
    }
}

impl Product<'_> {
    /// Make the columns of one panel.
    #[inline(always)]
    fn add_panel<const LANES: usize, const FUSED: bool>(&mut self, panel: &[[f32; LANES]], begin: usize) {
        let Matrix { depth, width, .. } = *self.weights;
        // More columns than are left: they are copied one by one.
        let whole = if begin + LANES > width { 0 } else { self.values.len() / (ROWS * depth) * ROWS };
        let (values, rest_of_values) = self.values.split_at(whole * depth);
        let (sums, rest_of_sums) = self.sums.split_at_mut(whole * width);
        let bias = self.bias.map(|bias| lane_at::<LANES>(bias, begin));
        for (values, sums) in values.chunks_exact(ROWS * depth).zip(sums.chunks_exact_mut(ROWS * width)) {
            let (mut rows, mut of_rows) = ([values; ROWS], [[0.0; LANES]; ROWS]);
            for number in 0..ROWS {
                rows[number] = &values[number * depth..][..panel.len()];
                of_rows[number] = bias.unwrap_or_else(|| lane(&sums[number * width + begin..][..LANES]));
            }
            of_rows = sums_of_rows::<LANES, FUSED>(panel, rows, of_rows);
            for (number, of_row) in of_rows.iter().enumerate() {
                sums[number * width + begin..][..LANES].copy_from_slice(of_row);
            }
        }
        for (values, sums) in rest_of_values.chunks_exact(depth).zip(rest_of_sums.chunks_exact_mut(width)) {
            let rest = &mut sums[begin..];
            let count = rest.len().min(LANES);
            let sums = sums_of_row::<LANES, FUSED>(panel, values, bias.unwrap_or_else(|| lane_at(rest, 0)));
            rest[..count].copy_from_slice(&sums[..count]);
        }
    }
}

/// Columns of the next panel, where so many are left: as many as there are registers for, without a rest of 8. Two panels
/// of 24 take a tenth less time than one of 32 and one of 16, in which the sums wait for each other.
fn lanes_for(columns: usize) -> usize {
    match columns {
        0..=16 => 16,
        17..=24 | 33..=48 => 24,
        _ => 32,
    }
}

/// The rows of a panel.
fn rows_from<const LANES: usize>(parts: &[&[f32]], width: usize, begin: usize) -> Vec<[f32; LANES]> {
    parts.iter().flat_map(|part| part.chunks_exact(width)).map(|row| lane_at(row, begin)).collect()
}

/// The part of a row that begins at a column, and zeros beyond its last one.
#[inline(always)]
fn lane_at<const LANES: usize>(row: &[f32], begin: usize) -> [f32; LANES] {
    let mut lane = [0.0; LANES];
    lane.iter_mut().zip(&row[begin..]).for_each(|(own, value)| *own = *value);
    lane
}

/// As many numbers as an array has: fewer or more are a mistake of the caller.
#[inline(always)]
pub fn lane<const LANES: usize, Number: Copy + Default>(numbers: &[Number]) -> [Number; LANES] {
    let mut lane = [Number::default(); LANES];
    lane.copy_from_slice(numbers);
    lane
}

/// Rows of a product that are made at once: with panels of 24 columns, as many as there are registers for their sums and for
/// a row of weights, 16 of 256 bits with AVX2, or 32 of 128 bits on aarch64.
const ROWS: usize = 3;

/// Rows of weights that are added one after the other before the next ones are looked for.
const STEPS: usize = 8;

/// Rows of values times a panel, added to sums.
#[inline(always)]
fn sums_of_rows<const LANES: usize, const FUSED: bool>(
    panel: &[[f32; LANES]],
    rows: [&[f32]; ROWS],
    mut sums: [[f32; LANES]; ROWS],
) -> [[f32; LANES]; ROWS] {
    let rows = rows.map(|row| &row[..panel.len()]);
    let [first, second, third] = rows.map(|row| row.chunks_exact(STEPS));
    // Zipped, since bounds of zipped chunks are not checked in every step.
    for (((weights, first), second), third) in panel.chunks_exact(STEPS).zip(first).zip(second).zip(third) {
        let values: [[f32; STEPS]; ROWS] = [lane(first), lane(second), lane(third)];
        for (step, weights) in weights.iter().enumerate() {
            for (sums, values) in sums.iter_mut().zip(&values) {
                add_scaled::<LANES, FUSED>(sums, weights, values[step]);
            }
        }
    }
    for at in panel.len() / STEPS * STEPS..panel.len() {
        for (sums, row) in sums.iter_mut().zip(&rows) {
            add_scaled::<LANES, FUSED>(sums, &panel[at], row[at]);
        }
    }
    sums
}

/// The same for one row.
#[inline(always)]
fn sums_of_row<const LANES: usize, const FUSED: bool>(
    panel: &[[f32; LANES]],
    row: &[f32],
    mut sums: [f32; LANES],
) -> [f32; LANES] {
    for (weights, value) in panel.iter().zip(row) {
        add_scaled::<LANES, FUSED>(&mut sums, weights, *value);
    }
    sums
}

/// Add a row of weights, times a value, to sums.
#[inline(always)]
fn add_scaled<const LANES: usize, const FUSED: bool>(sums: &mut [f32; LANES], weights: &[f32; LANES], value: f32) {
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

/// The sum of the products. Eight sums at a time: one alone would wait for each addition.
#[inline(always)]
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

/// Add a row to sums.
#[inline(always)]
pub fn add_row(sums: &mut [f32], row: &[f32]) {
    by_eights(sums, row, |sum, value| *sum += value);
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
        changed.iter_mut().zip(others).for_each(|(number, other)| change(number, other));
        numbers.copy_from_slice(&changed);
    }
    rest.iter_mut().zip(rest_of_others).for_each(|(number, other)| change(number, *other));
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
    fn multiples_of_eight_have_no_rest() {
        for width in (16..=96).step_by(8) {
            let weights = numbers(width * 2, 8);
            let last = Matrix::new(&[&weights], width).panels.pop().unwrap();
            let lanes = match last.weights {
                Weights::Narrow(_) => 16,
                Weights::Middle(_) => 24,
                Weights::Wide(_) => 32,
            };
            assert_eq!(last.begin + lanes, width);
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
