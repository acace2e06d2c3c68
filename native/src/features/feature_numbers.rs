//! How counts become features: each about as large as 1.
#![forbid(unsafe_code)]

/// Logarithms of counts on pages end at about 8; times this they end at 2.
const LOG_SCALE: f32 = 0.25;

/// The logarithm of one more than a count, on the scale of other features. Of a distance backwards, minus that.
#[inline]
pub fn log(count: f32) -> f32 {
    ((1.0 + count.abs()).ln() * LOG_SCALE).copysign(count)
}

/// A number as the share of a whole that counts as 1 at least.
#[inline]
pub fn share(number: f32, whole: f32) -> f32 {
    number / whole.max(1.0)
}

/// 1 for true, 0 for false.
#[inline]
pub fn flag(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_keep_their_sign() {
        assert_eq!(log(0.0), 0.0);
        assert!((log(-99.0) + 100f32.ln() / 4.0).abs() < 1e-6);
    }

    #[test]
    fn a_whole_counts_as_one_at_least() {
        assert_eq!(share(0.5, 0.0), 0.5);
        assert_eq!(share(1.0, 4.0), 0.25);
    }
}
