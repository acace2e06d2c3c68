//! How counts become features: each about as large as 1.
#![forbid(unsafe_code)]

/// Logarithms of counts on pages end at about 8; times this they end at 2.
const LOG_SCALE: f32 = 0.25;

/// The logarithm of one more than a count, on the scale of other features. Of a distance backwards, minus that.
#[inline]
pub fn log(count: f32) -> f32 {
    (natural_logarithm(1.0 + count.abs()) * LOG_SCALE).copysign(count)
}

/// The natural logarithm of a number from 1 up, in single precision.
///
/// The same on every machine, unlike that of the C library, and twice as fast: there are thirty logarithms a block.
#[inline]
pub fn natural_logarithm(number: f32) -> f32 {
    const ROOT_OF_HALF: u32 = 0x3F35_04F3;
    const FRACTION_BITS: u32 = 23;
    // number = fraction * 2^exponent, with a fraction from 0.71 to 1.41
    let exponent = number.to_bits().wrapping_sub(ROOT_OF_HALF) >> FRACTION_BITS;
    let fraction = f32::from_bits(number.to_bits() - (exponent << FRACTION_BITS));
    // ln f = 2 artanh ((f - 1) / (f + 1)); here the series' next term is less than 1e-9.
    let ratio = (fraction - 1.0) / (fraction + 1.0);
    let square = ratio * ratio;
    let series = 1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square / 9.0)));
    exponent as f32 * std::f32::consts::LN_2 + 2.0 * ratio * series
}

/// Counts whose logarithms are looked up: nine of ten are smaller.
const COUNTS: usize = 256;

/// Logarithms of counts, as `log` says: most counts are small and occur often.
pub struct Logarithms {
    of_count: [f32; COUNTS],
}

impl Logarithms {
    /// With a table, made in less than a microsecond.
    pub fn new() -> Self {
        let mut of_count = [0.0; COUNTS];
        of_count.iter_mut().enumerate().for_each(|(count, logarithm)| *logarithm = log(count as f32));
        Logarithms { of_count }
    }

    /// That of a count.
    #[inline]
    pub fn of(&self, count: usize) -> f32 {
        match self.of_count.get(count) {
            Some(&logarithm) => logarithm,
            None => log(count as f32),
        }
    }

    /// That of the way from one place to another: minus that of the way back.
    #[inline]
    pub fn of_way(&self, from: usize, to: usize) -> f32 {
        if to >= from {
            self.of(to - from)
        } else {
            -self.of(from - to)
        }
    }
}

impl Default for Logarithms {
    /// The same as `new`.
    fn default() -> Self {
        Self::new()
    }
}

/// A number as the share of a whole that counts as 1 at least.
#[inline]
pub fn share(number: f32, whole: f32) -> f32 {
    number / whole.max(1.0)
}

/// No feature is larger: one page in a thousand has a block of a million characters.
const LARGEST: f32 = 4.0;

/// A feature within bounds.
#[inline]
pub fn bounded(feature: f32) -> f32 {
    feature.clamp(-LARGEST, LARGEST)
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
    fn those_looked_up_are_the_same() {
        let logarithms = Logarithms::new();
        for count in (0..2 * COUNTS).chain([1_000_000]) {
            assert_eq!(logarithms.of(count).to_bits(), log(count as f32).to_bits());
            assert_eq!(logarithms.of_way(count, 7), log(7.0 - count as f32));
        }
    }

    #[test]
    fn logarithms_are_as_good_as_single_precision() {
        let mut number = 1.0f32;
        while number < 1e9 {
            let exact = f64::from(number).ln();
            assert!((f64::from(natural_logarithm(number)) - exact).abs() <= 3e-7 * exact.max(1.0), "{number}");
            number *= 1.0007;
        }
        assert_eq!(natural_logarithm(1.0), 0.0);
    }

    #[test]
    fn a_whole_counts_as_one_at_least() {
        assert_eq!(share(0.5, 0.0), 0.5);
        assert_eq!(share(1.0, 4.0), 0.25);
    }
}
