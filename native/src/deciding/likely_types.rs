//! The type of a page, from the network and from clues in the page itself, each with learnt weights.
#![forbid(unsafe_code)]

use std::collections::HashMap;

use crate::arrays::Arguments;
use crate::failure::{refused, Failure};
use crate::features::numbering::Hashing;

/// Added to every probability of the network, which is overconfident.
const LEAST: f64 = 1e-3;

/// The weight of each clue for each type.
#[derive(Debug, Default)]
pub struct TypeWeights {
    /// Clue -> its row in the table.
    rows: HashMap<Box<str>, usize, Hashing>,
    /// One row per clue, one number per type: what it adds to the log-odds.
    table: Vec<f32>,
    /// For each type: the row of its log-probability by the network, if there is one.
    of_network: Vec<Option<usize>>,
    /// The row that counts on any page.
    of_any_page: Option<usize>,
}

impl TypeWeights {
    /// Take the names of the clues (UTF-8, a NUL after each), the table, and the rows of the log-probabilities of the types
    /// by the network and of any page, -1 for none.
    pub fn new(arguments: &mut Arguments) -> Result<Self, Failure> {
        let (names, table) = (arguments.text("clues")?, arguments.f32s("clue_weights")?);
        let given = arguments.i32s("likelihoods")?;
        let rows: HashMap<Box<str>, usize, Hashing> =
            names.split_terminator('\0').enumerate().map(|(row, name)| (name.into(), row)).collect();
        let (any_page, of_types) = given.split_last().ok_or_else(|| refused("likelihoods are missing".to_string()))?;
        let row_of = |row: &i32| usize::try_from(*row).ok();
        let weights = TypeWeights {
            table: table.to_vec(),
            of_network: of_types.iter().map(row_of).collect(),
            of_any_page: row_of(any_page),
            rows,
        };
        let largest = given.iter().map(|row| i64::from(*row)).max().unwrap_or(-1);
        let size = weights.rows.len();
        if table.len() != size * of_types.len() || largest >= size as i64 {
            return Err(refused("clues and their weights do not match".to_string()));
        }
        Ok(weights)
    }

    /// The probability of each type from the network and from clues, each given once; unknown clues are ignored. Without
    /// weights the network decides alone.
    pub fn likely<'c>(&self, network: &[f32], clues: impl Iterator<Item = &'c str>) -> Vec<f32> {
        if self.rows.is_empty() || network.len() != self.of_network.len() {
            return network.to_vec();
        }
        let mut logits = vec![0.0; network.len()];
        for (row, &likely) in self.of_network.iter().zip(network) {
            self.add(*row, (f64::from(likely) + LEAST).ln() as f32, &mut logits);
        }
        self.add(self.of_any_page, 1.0, &mut logits);
        for clue in clues {
            self.add(self.rows.get(clue).copied(), 1.0, &mut logits);
        }
        softmax(&logits)
    }

    /// Add the weights of a clue, times its value.
    fn add(&self, row: Option<usize>, value: f32, logits: &mut [f64]) {
        if let Some(row) = row {
            let weights = &self.table[row * logits.len()..];
            logits.iter_mut().zip(weights).for_each(|(logit, weight)| *logit += f64::from(weight * value));
        }
    }
}

/// The place of the largest number, the first of several.
pub fn largest(values: &[f32]) -> usize {
    (1..values.len()).fold(0, |best, place| if values[place] > values[best] { place } else { best })
}

/// Probabilities of log-odds.
fn softmax(logits: &[f64]) -> Vec<f32> {
    let highest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = logits.iter().map(|logit| (logit - highest).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.iter().map(|power| (power / sum) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::Values;

    const CLUES: &[u8] = b"host forum\0network a\0network b\0any page\0";

    fn weights(table: &[f32], rows: &[i32]) -> Result<TypeWeights, Failure> {
        TypeWeights::new(&mut Arguments::new(vec![Values::U8(CLUES), Values::F32(table), Values::I32(rows)]))
    }

    #[test]
    fn clues_are_weighed_with_the_network() {
        let weights = weights(&[0.0, 3.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0], &[1, 2, 3]).unwrap();
        let without = weights.likely(&[0.8, 0.2], ["unheard of"].into_iter());
        assert!((without[0] - 0.801 / 1.002).abs() < 1e-6, "{:?}", without);
        assert_eq!(largest(&weights.likely(&[0.8, 0.2], ["host forum"].into_iter())), 1);
    }

    #[test]
    fn without_weights_the_network_decides() {
        assert_eq!(TypeWeights::default().likely(&[0.8, 0.2], ["host forum"].into_iter()), [0.8, 0.2]);
        assert_eq!(largest(&[0.1, 0.5, 0.5]), 1);
    }

    #[test]
    fn what_does_not_match_is_refused() {
        assert!(weights(&[0.0; 7], &[1, 2, 3]).is_err());
        assert!(weights(&[0.0; 8], &[1, 2, 4]).is_err());
        assert!(weights(&[0.0; 8], &[]).is_err());
    }
}
