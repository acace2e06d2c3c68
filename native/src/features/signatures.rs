//! Style signatures: blocks whose ancestors have the same names share part of their log-odds.
#![forbid(unsafe_code)]

use super::element_tokens::LEVELS;

/// Elements above a block that make its signature.
const SIGNATURE_LEVELS: usize = 6;
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// One entry per block: equal numbers for equal signatures, in the order of their keys. Levels are m x LEVELS.
pub fn signatures_of(levels: &[i32]) -> Vec<i64> {
    let mut keys: Vec<(u64, usize)> = levels.chunks_exact(LEVELS).map(key_of).zip(0..).collect();
    keys.sort_unstable();
    let mut signatures = vec![0; keys.len()];
    let mut number = 0;
    for (place, &(key, block)) in keys.iter().enumerate() {
        number += i64::from(place > 0 && keys[place - 1].0 != key);
        signatures[block] = number;
    }
    signatures
}

/// One number for the elements above a block.
fn key_of(levels: &[i32]) -> u64 {
    let step = |key: u64, &level: &i32| (key ^ (key >> 29) ^ level as u64).wrapping_mul(FACTOR);
    levels[..SIGNATURE_LEVELS].iter().fold(0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ancestors_have_equal_numbers() {
        let mut levels = vec![0; 3 * LEVELS];
        levels[LEVELS] = 4;
        levels[2 * LEVELS + SIGNATURE_LEVELS] = 9;
        let signatures = signatures_of(&levels);
        assert_eq!(signatures[0], signatures[2]);
        assert_ne!(signatures[0], signatures[1]);
        assert_eq!(signatures.iter().max(), Some(&1));
    }
}
