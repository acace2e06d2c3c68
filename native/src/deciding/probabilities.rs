//! Log-odds -> calibrated probabilities. `dehusk.methods.page_network.calibration` says why they are calibrated.
#![forbid(unsafe_code)]

use crate::failure::{filled, Failure};

/// Log-odds beyond which a probability is as good as certain, and its exponential still a number.
const CERTAIN: f64 = 50.0;

/// Turns log-odds into probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Factor on the log-odds.
    pub scale: f64,
    /// Subtracted from the scaled log-odds.
    pub offset: f64,
}

/// Leaves log-odds as they are.
pub const UNCHANGED: Calibration = Calibration { scale: 1.0, offset: 0.0 };

impl Calibration {
    /// One probability for each of the log-odds.
    pub fn probabilities(&self, log_odds: &[f32]) -> Result<Vec<f32>, Failure> {
        filled(log_odds.len(), |index| self.probability(log_odds[index]))
    }

    /// The probability of some log-odds.
    fn probability(&self, log_odds: f32) -> f32 {
        let odds = self.scale * f64::from(log_odds) - self.offset;
        (1.0 / (1.0 + (-odds.clamp(-CERTAIN, CERTAIN)).exp())) as f32
    }
}

/// Shift the log-odds of a probability by a step; 0 and 1 stay the same.
pub fn shift_log_odds(probability: f64, step: f64) -> f64 {
    let odds = probability * step.exp();
    odds / (odds + 1.0 - probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_odds_are_scaled_and_shifted() {
        assert_eq!(UNCHANGED.probabilities(&[0.0, 1e9, -1e9]).unwrap(), [0.5, 1.0, (-50f64).exp() as f32]);
        let halved = Calibration { scale: 0.5, offset: 1.0 };
        assert_eq!(halved.probabilities(&[2.0]).unwrap(), [0.5]);
    }

    #[test]
    fn certainties_stay() {
        assert_eq!(shift_log_odds(0.0, 3.0), 0.0);
        assert!((shift_log_odds(1.0, -3.0) - 1.0).abs() < 1e-9);
        assert!((shift_log_odds(0.5, 1.0) - 0.731_058_578).abs() < 1e-9);
    }
}
