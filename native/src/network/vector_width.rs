//! Arithmetic with the widest vectors that this processor has. Besides `abi`, this is the one file with unsafe code.
//!
//! Every x86-64 processor has vectors of 128 bits. Those sold since 2013 have vectors of 256 bits and fuse products and
//! sums, which takes a third of the time: whether this one does is asked when the program runs.
#![allow(unsafe_code)]

/// Whether all machines of this kind multiply and add in one instruction.
const FUSED: bool = cfg!(target_arch = "aarch64");

/// Arithmetic that is compiled once for each width. What it calls is compiled with it if it is inlined.
pub trait Arithmetic {
    /// What it makes.
    type Output;

    /// Make it, with products and sums fused or not.
    fn run<const FUSED: bool>(self) -> Self::Output;
}

/// What some arithmetic makes, with the widest vectors.
pub fn with_widest<A: Arithmetic>(arithmetic: A) -> A::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: this processor has the instructions.
        return unsafe { with_avx2(arithmetic) };
    }
    arithmetic.run::<FUSED>()
}

/// SAFETY: the processor must have these instructions; nothing else is asked of the caller.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn with_avx2<A: Arithmetic>(arithmetic: A) -> A::Output {
    arithmetic.run::<true>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::matrix_products::{Matrix, Product};

    #[test]
    fn all_widths_give_the_same_but_for_rounding() {
        let numbers = |count: usize| (0..count).map(|at| (at * 7919 % 256) as f32 / 128.0 - 1.0).collect::<Vec<f32>>();
        for (rows, depth, width) in [(1, 3, 2), (4, 50, 48), (7, 20, 64), (9, 9, 21)] {
            let (weights, values) = (Matrix::new(&numbers(depth * width), width), numbers(rows * depth));
            let (mut widest, mut narrow, bias) = (vec![0.0; rows * width], vec![0.0; rows * width], numbers(width));
            weights.multiply(&values, &bias, &mut widest);
            Product { weights: &weights, values: &values, bias: &bias, product: &mut narrow }.run::<false>();
            let is_close = |(one, other): (&f32, &f32)| (one - other).abs() < 1e-4;
            assert!(widest.iter().zip(&narrow).all(is_close), "{} x {} x {}", rows, depth, width);
        }
    }
}
