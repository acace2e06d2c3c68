//! Arithmetic with the widest vectors that this processor has. Besides `abi`, this is the one file with unsafe code.
//!
//! Every x86-64 processor has vectors of 128 bits. Those sold since 2013 have vectors of 256 bits and fuse products and
//! sums, which takes a third of the time: whether this one does is asked when the program runs.
#![allow(unsafe_code)]

use super::convolution::Convolution;
use super::matrix_products::Matrix;

/// Whether all machines of this kind multiply and add in one instruction.
const FUSED: bool = cfg!(target_arch = "aarch64");

/// Rows of a product that are made at once: with panels of 24 columns, as many as there are registers for their sums and for
/// a row of weights, 16 of 256 bits with AVX2, or 32 of 128 bits on aarch64.
#[cfg(target_arch = "x86_64")]
const ROWS_WITH_AVX2: usize = 3;
const ROWS: usize = 2;

/// Add values (m x depth) times the weights to `sums` (m x width).
pub fn add_product(weights: &Matrix, values: &[f32], sums: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: this processor has the instructions. The same holds below.
        return unsafe { add_product_with_avx2(weights, values, sums) };
    }
    weights.add_rows::<ROWS, FUSED>(values, sums);
}

/// Set `rows` to the blocks from a first one on, blended with their neighbours.
pub fn blend(layer: &Convolution, hidden: &[f32], first: usize, rows: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        return unsafe { blend_with_avx2(layer, hidden, first, rows) };
    }
    layer.blend_rows::<FUSED>(hidden, first, rows);
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// SAFETY: the processor must have these instructions; nothing else is asked of the caller. The same holds below.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn add_product_with_avx2(weights: &Matrix, values: &[f32], sums: &mut [f32]) {
    weights.add_rows::<ROWS_WITH_AVX2, true>(values, sums);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn blend_with_avx2(layer: &Convolution, hidden: &[f32], first: usize, rows: &mut [f32]) {
    layer.blend_rows::<true>(hidden, first, rows);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_widths_give_the_same_but_for_rounding() {
        let numbers = |count: usize| (0..count).map(|at| (at * 7919 % 256) as f32 / 128.0 - 1.0).collect::<Vec<f32>>();
        for (rows, depth, width) in [(1, 3, 2), (4, 50, 48), (7, 20, 64), (9, 9, 21)] {
            let (weights, values) = (Matrix::new(&[&numbers(depth * width)], width), numbers(rows * depth));
            let (mut widest, mut narrow) = (numbers(rows * width), numbers(rows * width));
            add_product(&weights, &values, &mut widest);
            weights.add_rows::<1, false>(&values, &mut narrow);
            let is_close = |(one, other): (&f32, &f32)| (one - other).abs() < 1e-4;
            assert!(widest.iter().zip(&narrow).all(is_close), "{} x {} x {}", rows, depth, width);
        }
    }
}
