//! How likely a text is in each language: the model of py3langid, which Python reads and lends.
//!
//! An automaton walks over the bytes of the text. Some of its states stand for a feature, a short sequence of bytes; each
//! feature that was met weighs the logarithm of how often, times its log-probability in each language.
#![forbid(unsafe_code)]

use crate::exchange::{fits, refused, Arguments, Failure};
use crate::halves::{scaled_half, HALF_SCALE};

/// Entries in a row of the automaton: one for each byte.
const BYTES: usize = 256;

/// The arrays of a model.
pub struct LanguageModel<'a> {
    /// The next state for each byte; states share rows.
    moves: &'a [i32],
    /// The row of each state.
    row: &'a [u16],
    /// The feature of each state; negative where there is none.
    feature: &'a [i32],
    /// Log-probabilities of each feature in each language, in half precision.
    weights: &'a [u16],
    /// Log-probabilities of the languages.
    prior: &'a [f32],
}

impl<'a> LanguageModel<'a> {
    /// A model of its arrays, in the order of the fields.
    pub fn new(arguments: &mut Arguments<'a>) -> Result<Self, Failure> {
        let model = LanguageModel {
            moves: arguments.i32s("moves")?,
            row: arguments.u16s("rows")?,
            feature: arguments.i32s("features")?,
            weights: arguments.u16s("weights")?,
            prior: arguments.f32s("prior")?,
        };
        fits("features", model.feature.len(), model.row.len())?;
        if model.prior.is_empty() || model.weights.len() % model.prior.len() != 0 {
            return Err(refused("weights do not fit the languages".to_string()));
        }
        Ok(model)
    }

    /// The log-likelihood of each language, not normalised; all are 0 if no feature was met.
    pub fn scores(&self, text: &[u8]) -> Vec<f32> {
        let mut met = self.features_met(text);
        met.sort_unstable();
        let mut scores = vec![0.0; self.prior.len()];
        let mut left = &met[..];
        while let Some(&feature) = left.first() {
            let count = left.iter().take_while(|&&other| other == feature).count();
            self.add_feature(feature, count, &mut scores);
            left = &left[count..];
        }
        if !met.is_empty() {
            scores.iter_mut().zip(self.prior).for_each(|(score, prior)| *score += prior);
        }
        scores
    }

    /// The features of all states that the automaton comes to.
    fn features_met(&self, text: &[u8]) -> Vec<u32> {
        let mut state = 0;
        let states = text.iter().map(|&byte| {
            state = self.moves[usize::from(self.row[state]) * BYTES + usize::from(byte)] as usize;
            state
        });
        states.filter_map(|state| u32::try_from(self.feature[state]).ok()).collect()
    }

    /// Add what a feature that was met so often says of each language.
    fn add_feature(&self, feature: u32, count: usize, scores: &mut [f32]) {
        let languages = scores.len();
        let weights = &self.weights[feature as usize * languages..][..languages];
        // The scale of all halves is multiplied once.
        let often = (count as f32).ln_1p() * HALF_SCALE;
        scores.iter_mut().zip(weights).for_each(|(score, &weight)| *score += often * scaled_half(weight));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::Values;

    /// Two states, of which the second, after an `a`, stands for the only feature.
    fn scores_of(text: &[u8]) -> Vec<f32> {
        let mut moves = [0; BYTES];
        moves[usize::from(b'a')] = 1;
        // In half precision: -1 and -2.
        let arrays = vec![
            Values::I32(&moves),
            Values::U16(&[0, 0]),
            Values::I32(&[-1, 0]),
            Values::U16(&[0xbc00, 0xc000]),
            Values::F32(&[0.5, 0.0]),
        ];
        LanguageModel::new(&mut Arguments::new(arrays)).unwrap_or_else(|_| panic!("refused")).scores(text)
    }

    #[test]
    fn a_feature_weighs_the_logarithm_of_its_count() {
        let often = 2.0_f32.ln_1p();
        let scores = scores_of(b"bana");
        assert!((scores[0] - (0.5 - often)).abs() < 1e-6 && (scores[1] + 2.0 * often).abs() < 1e-6, "{:?}", scores);
    }

    #[test]
    fn a_text_without_features_tells_nothing() {
        assert_eq!(scores_of(b"tee"), [0.0, 0.0]);
        assert_eq!(scores_of(b""), [0.0, 0.0]);
    }

    #[test]
    fn arrays_that_do_not_fit_are_refused() {
        let halves = [0; 3];
        let arrays = |weights| {
            vec![Values::I32(&[]), Values::U16(&[]), Values::I32(&[]), Values::U16(weights), Values::F32(&[0.5, 0.0])]
        };
        assert!(LanguageModel::new(&mut Arguments::new(arrays(&halves))).is_err());
        assert!(LanguageModel::new(&mut Arguments::new(arrays(&halves[..2]))).is_ok());
    }
}
