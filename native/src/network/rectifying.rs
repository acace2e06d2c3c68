//! The rectifier: what is between the layers of the network.
#![forbid(unsafe_code)]

use super::matrix_products::by_eights;

/// 0 for negative numbers. What is no number stays that, so that broken weights are noticed.
///
/// Without a branch: of that, the compiler makes instructions that write only the zeros, and what is read after these has to
/// wait until they are in the cache.
#[inline(always)]
pub fn rectified(value: f32) -> f32 {
    let is_negative = u32::from(value < 0.0);
    f32::from_bits(value.to_bits() & is_negative.wrapping_sub(1))
}

/// Set negative numbers to 0.
#[inline(always)]
pub fn rectify(values: &mut [f32]) {
    for value in values {
        *value = rectified(*value);
    }
}

/// Add what is seen, if it is positive, to as many entries of the hidden state as there are.
#[inline(always)]
pub fn add_rectified(hidden: &mut [f32], seen: &[f32]) {
    by_eights(hidden, seen, |hidden, seen| *hidden += rectified(seen));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_stays_that() {
        assert_eq!([rectified(-1.0), rectified(2.0)], [0.0, 2.0]);
        assert!(rectified(f32::NAN).is_nan());
    }
}
