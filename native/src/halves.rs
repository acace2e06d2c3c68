//! Numbers of half precision, in which model files store weights, as single ones.
#![forbid(unsafe_code)]

use crate::failure::{filled, refused, Failure};

/// Half-precision numbers, two bytes each with the lower one first, in single precision, which is exact.
pub fn singles(halves: &[u8]) -> Result<Vec<f32>, Failure> {
    if halves.len() % 2 != 0 {
        return Err(refused("halves end within a number".to_string()));
    }
    filled(halves.len() / 2, |index| single(u16::from_le_bytes([halves[2 * index], halves[2 * index + 1]])))
}

/// IEEE 754: a sign, 5 bits of exponent (bias 15; 127 in single precision) and 10 of fraction (23).
fn single(half: u16) -> f32 {
    let (exponent, fraction) = (u32::from(half >> 10 & 0x1f), u32::from(half & 0x3ff));
    let magnitude = match exponent {
        // Zero, and numbers too small for an exponent: multiples of 2^-24.
        0 => fraction as f32 / (1 << 24) as f32,
        // Infinity, and what is no number.
        0x1f => f32::from_bits(0x7f80_0000 | fraction << 13),
        _ => f32::from_bits((exponent + 127 - 15) << 23 | fraction << 13),
    };
    f32::from_bits(magnitude.to_bits() | u32::from(half & 0x8000) << 16)
}

/// What a `scaled_half` has to be multiplied by.
pub const HALF_SCALE: f32 = (1u128 << 112) as f32;

/// A finite number of half precision divided by `HALF_SCALE`: its bits in their places, and no case to distinguish, so that
/// a processor does many at once.
pub fn scaled_half(half: u16) -> f32 {
    f32::from_bits(u32::from(half & 0x8000) << 16 | u32::from(half & 0x7fff) << 13)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_the_same_numbers_as_singles() {
        let known = [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7bff, 65504.0),
            (0x0001, 5.960_464_5e-8),
            (0x03ff, 6.097_555e-5),
            (0x0400, 6.103_515_6e-5),
            (0x7c00, f32::INFINITY),
            (0xfc00, f32::NEG_INFINITY),
        ];
        for (half, number) in known {
            assert_eq!(single(half), number);
        }
        assert!(single(0x8000).is_sign_negative() && single(0x7e00).is_nan());
    }

    #[test]
    fn bytes_are_taken_in_pairs() {
        assert_eq!(singles(&[0x00, 0x3c, 0x00, 0xc0]), Ok(vec![1.0, -2.0]));
        assert!(singles(&[0x00]).is_err());
    }

    #[test]
    fn scaled_halves_are_the_same_numbers() {
        for half in (0..=u16::MAX).filter(|half| half & 0x7c00 != 0x7c00) {
            assert_eq!(scaled_half(half) * HALF_SCALE, single(half), "{:#06x}", half);
        }
    }
}
