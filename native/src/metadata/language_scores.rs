//! How likely a text is in each language: the model of py3langid, which Python reads and lends.
//!
//! An automaton walks over the bytes of the text. Some of its states stand for a feature, a short sequence of bytes; each
//! feature that was met weighs the logarithm of how often, times its log-probability in each language.
#![forbid(unsafe_code)]

use crate::arrays::{fits, Arguments};
use crate::failure::{refused, Failure};
use crate::halves::{scaled_half, HALF_SCALE};

/// Entries in a row of the automaton: one for each byte.
const BYTES: usize = 256;
/// Parts of a text that the automaton walks over at once.
const PARTS: usize = 8;
/// Features whose weights are added at once.
const TOGETHER: usize = 8;

/// Pieces of a text that may tell its language as well as all of it, spread over it because some pages have two languages, and
/// bytes of each.
const PIECES: usize = 8;
const LONGEST_PIECE: usize = 24;
/// How much likelier than any other a language must be in these pieces. On 9,701 pages, 9,324 of which have longer texts, the
/// pieces told another language than all of the text with a difference of 50.3 at most. They are enough for 59 % of pages.
const SURELY: f32 = 60.0;

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
        let weighed = self.features_weighed(text);
        let mut scores = vec![0.0; self.prior.len()];
        let several = weighed.chunks_exact(TOGETHER);
        let rest = several.remainder();
        for features in several {
            self.add_several(features, &mut scores);
        }
        for &feature in rest {
            self.add_feature(feature, &mut scores);
        }
        if !weighed.is_empty() {
            scores.iter_mut().zip(self.prior).for_each(|(score, prior)| *score += prior);
        }
        scores
    }

    /// The number of the language that a text is likeliest in; of several, the first. Takes half the time of all scores for most.
    pub fn likeliest(&self, text: &[u8]) -> usize {
        if text.len() > PIECES * LONGEST_PIECE {
            let (best, ahead) = ahead_of_others(&self.scores(&pieces(text)));
            if ahead > SURELY {
                return best;
            }
        }
        ahead_of_others(&self.scores(text)).0
    }

    /// The features that were met in ascending order, and the logarithm of how often.
    fn features_weighed(&self, text: &[u8]) -> Vec<(usize, f32)> {
        let states = self.states_met(text);
        let mut met: Vec<u32> = states.iter().filter_map(|&state| u32::try_from(self.feature[state]).ok()).collect();
        met.sort_unstable();
        let (mut weighed, mut left) = (Vec::with_capacity(met.len()), &met[..]);
        while let Some(&feature) = left.first() {
            let count = left.iter().take_while(|&&other| other == feature).count();
            // The scale of all halves is multiplied once.
            weighed.push((feature as usize, (count as f32).ln_1p() * HALF_SCALE));
            left = &left[count..];
        }
        weighed
    }

    /// The states that the automaton comes to, one for each byte.
    ///
    /// Its table is larger than any cache, and each move waits for the one before. So it walks over several parts of the
    /// text at once, as if each began anew; then it walks on from the end of each part as long as that makes a difference,
    /// which is a few bytes: a state says what the last bytes were, and no more.
    fn states_met(&self, text: &[u8]) -> Vec<usize> {
        let (length, mut states) = (text.len() / PARTS, vec![0; text.len()]);
        let mut state_in = [0; PARTS];
        for offset in 0..length {
            for (part, state) in state_in.iter_mut().enumerate() {
                let at = part * length + offset;
                *state = self.next(*state, text[at]);
                states[at] = *state;
            }
        }
        let mut state = state_in[PARTS - 1];
        for at in PARTS * length..text.len() {
            state = self.next(state, text[at]);
            states[at] = state;
        }
        let begins = (1..PARTS).map(|part| part * length).filter(|&begin| begin > 0);
        begins.for_each(|begin| self.walk_on(text, begin, &mut states));
        states
    }

    /// Put right the states from a byte on, as the one before it is right.
    fn walk_on(&self, text: &[u8], begin: usize, states: &mut [usize]) {
        let mut state = states[begin - 1];
        for (&byte, known) in text[begin..].iter().zip(&mut states[begin..]) {
            state = self.next(state, byte);
            if *known == state {
                return;
            }
            *known = state;
        }
    }

    /// The state after another one.
    fn next(&self, state: usize, byte: u8) -> usize {
        self.moves[usize::from(self.row[state]) * BYTES + usize::from(byte)] as usize
    }

    /// Add what several features say of each language, in this order. Their weights are far apart in memory, and are fetched
    /// at the same time.
    fn add_several(&self, features: &[(usize, f32)], scores: &mut [f32]) {
        let languages = scores.len();
        let weights = |index: usize| &self.weights[features[index].0 * languages..][..languages];
        let (first, second, third, fourth) = (weights(0), weights(1), weights(2), weights(3));
        let (fifth, sixth, seventh, eighth) = (weights(4), weights(5), weights(6), weights(7));
        let often = [0, 1, 2, 3, 4, 5, 6, 7].map(|index: usize| features[index].1);
        for (index, score) in scores.iter_mut().enumerate() {
            let mut sum = *score + often[0] * scaled_half(first[index]);
            sum += often[1] * scaled_half(second[index]);
            sum += often[2] * scaled_half(third[index]);
            sum += often[3] * scaled_half(fourth[index]);
            sum += often[4] * scaled_half(fifth[index]);
            sum += often[5] * scaled_half(sixth[index]);
            sum += often[6] * scaled_half(seventh[index]);
            *score = sum + often[7] * scaled_half(eighth[index]);
        }
    }

    /// Add what a feature says of each language.
    fn add_feature(&self, (feature, often): (usize, f32), scores: &mut [f32]) {
        let languages = scores.len();
        let weights = &self.weights[feature * languages..][..languages];
        scores.iter_mut().zip(weights).for_each(|(score, &weight)| *score += often * scaled_half(weight));
    }
}

/// Pieces of a text, one after the other.
fn pieces(text: &[u8]) -> Vec<u8> {
    let apart = text.len() / PIECES;
    (0..PIECES).flat_map(|piece| text[piece * apart..].iter().take(LONGEST_PIECE).copied()).collect()
}

/// The number of the greatest score, the first of several, and how far it is ahead of the others.
fn ahead_of_others(scores: &[f32]) -> (usize, f32) {
    let (mut best, mut second) = (0, f32::NEG_INFINITY);
    for number in 1..scores.len() {
        if scores[number] > scores[best] {
            second = scores[best];
            best = number;
        } else {
            second = second.max(scores[number]);
        }
    }
    (best, scores[best] - second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::Values;

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
    fn parts_of_a_text_are_walked_over_as_the_whole() {
        // The state is the number of letters since the last blank, up to two: there a feature is met.
        let mut moves = [0; 3 * BYTES];
        for state in 0..3 {
            moves[state * BYTES + usize::from(b'a')] = 2.min(state as i32 + 1);
        }
        let row = [0, 1, 2];
        let model = LanguageModel { moves: &moves, row: &row, feature: &[-1, -1, 0], weights: &[0], prior: &[0.0] };
        for text in
            ["", "a", "aaa", "aaaa", "aaaaaaa", "aa a aaaa", "a a a a a", "aaa aa a aaaaaaaaaaa a aaa", " aaaa aaa a"]
        {
            let mut state = 0;
            let one_by_one: Vec<usize> = text
                .bytes()
                .map(|byte| {
                    state = model.next(state, byte);
                    state
                })
                .collect();
            assert_eq!(model.states_met(text.as_bytes()), one_by_one, "{}", text);
        }
    }

    #[test]
    fn features_are_added_one_after_the_other_or_several_at_once() {
        // Bytes are features, each of which speaks for one of three languages.
        let moves: Vec<i32> = (0..BYTES as i32).collect();
        let (row, feature) = (vec![0; BYTES], (0..BYTES as i32).collect::<Vec<i32>>());
        let weights: Vec<u16> =
            (0..BYTES * 3).map(|entry| if entry / 3 % 3 == entry % 3 { 0xbc00 } else { 0 }).collect();
        let prior = [0.5; 3];
        let model = LanguageModel { moves: &moves, row: &row, feature: &feature, weights: &weights, prior: &prior };
        for (text, expected) in
            [("abc", [1, 1, 1]), ("abcdefgh", [2, 3, 3]), ("abcdefghi", [3, 3, 3]), ("abcdefghijklmnopqr", [6, 6, 6])]
        {
            let scores = expected.map(|features: i32| 0.5 - features as f32 * 1.0_f32.ln_1p());
            for (found, expected) in model.scores(text.as_bytes()).iter().zip(scores) {
                assert!((found - expected).abs() < 1e-5, "{}: {:?}", text, found);
            }
        }
    }

    #[test]
    fn of_equally_likely_languages_the_first_is_the_likeliest() {
        assert_eq!(ahead_of_others(&[-3.0, -1.0, -2.0, -1.0]), (1, 0.0));
        assert_eq!(ahead_of_others(&[0.0, -2.0, -1.5]), (0, 1.5));
        assert_eq!(ahead_of_others(&[0.0]), (0, f32::INFINITY));
    }

    #[test]
    fn pieces_are_spread_over_a_text() {
        let text: Vec<u8> = (0..=255).collect();
        let found = pieces(&text);
        assert_eq!(found.len(), PIECES * LONGEST_PIECE);
        assert_eq!(
            (found[0], found[LONGEST_PIECE - 1], found[LONGEST_PIECE], found[found.len() - 1]),
            (0, 23, 32, 247)
        );
    }

    #[test]
    fn pieces_tell_a_language_only_if_they_are_sure() {
        // `a` speaks for the first language, and a hundred times as much for it as `b` for the second one.
        let moves: Vec<i32> = (0..BYTES as i32).collect();
        let (row, mut feature) = (vec![0; BYTES], vec![-1; BYTES]);
        feature[usize::from(b'a')] = 0;
        feature[usize::from(b'b')] = 1;
        let weights = [0, 0xd640, 0xbc00, 0];
        let prior = [0.0; 2];
        let model = LanguageModel { moves: &moves, row: &row, feature: &feature, weights: &weights, prior: &prior };
        let likeliest = |unit: &str| model.likeliest(unit.repeat(50).as_bytes());
        assert_eq!(["aaaaaaaaaa", "bbbbbbbbbb", "ab        "].map(likeliest), [0, 1, 0]);
        assert_eq!(model.likeliest(b"b"), 1);
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
