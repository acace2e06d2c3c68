//! BLAKE2b (RFC 7693) with a digest of eight or sixteen bytes and no key, and a way to combine keys.
#![forbid(unsafe_code)]

/// Bytes that are hashed at a time.
const BLOCK: usize = 128;
/// The fractional parts of the square roots of the first eight primes: section 2.6 of the RFC.
const INITIAL: [u64; 8] = [
    0x6a09e667f3bcc908,
    0xbb67ae8584caa73b,
    0x3c6ef372fe94f82b,
    0xa54ff53a5f1d36f1,
    0x510e527fade682d1,
    0x9b05688c2b3e6c1f,
    0x1f83d9abfb41bd6b,
    0x5be0cd19137e2179,
];
/// The first parameters but for the bytes of the digest: no key, one leaf.
const PARAMETERS: u64 = 0x0101_0000;
/// The order of the words in each round: section 2.7.
#[rustfmt::skip]
const ORDERS: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
/// The words that are mixed with each other: columns, then diagonals.
const MIXED: [[usize; 4]; 8] = [
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
];

/// The key of some bytes: their digest as a number, little-endian.
pub fn key_of(bytes: &[u8]) -> u64 {
    hashed(bytes, 8)[0]
}

/// A digest of sixteen bytes.
pub fn digest_of(bytes: &[u8]) -> [u8; 16] {
    let [first, second, ..] = hashed(bytes, 16);
    let mut digest = [0; 16];
    digest[..8].copy_from_slice(&first.to_le_bytes());
    digest[8..].copy_from_slice(&second.to_le_bytes());
    digest
}

/// The words whose first bytes are the digest, of so many bytes.
fn hashed(bytes: &[u8], digest: u64) -> [u64; 8] {
    let mut state = INITIAL;
    state[0] ^= PARAMETERS | digest;
    let last = bytes.len().saturating_sub(1) / BLOCK;
    for number in 0..=last {
        let some = &bytes[number * BLOCK..bytes.len().min((number + 1) * BLOCK)];
        let mut block = [0; BLOCK];
        block[..some.len()].copy_from_slice(some);
        compress(&mut state, &block, (number * BLOCK + some.len()) as u64, number == last);
    }
    state
}

/// Add a block to the state: section 3.2.
fn compress(state: &mut [u64; 8], block: &[u8; BLOCK], counted: u64, is_last: bool) {
    let mut words = [0; 16];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(8)) {
        *word = bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    }
    let mut mixed = [0; 16];
    mixed[..8].copy_from_slice(state);
    mixed[8..].copy_from_slice(&INITIAL);
    mixed[12] ^= counted;
    mixed[14] ^= if is_last { u64::MAX } else { 0 };
    macro_rules! rounds {
        ($($number:literal)*) => { $(mix_all(&mut mixed, &words, &ORDERS[$number]);)* };
    }
    // Twelve; the last two repeat the first orders. Written out, as the order of each is known to the compiler then.
    rounds!(0 1 2 3 4 5 6 7 8 9 0 1);
    for (number, word) in state.iter_mut().enumerate() {
        *word ^= mixed[number] ^ mixed[number + 8];
    }
}

/// A round: mix all words into the state.
#[inline(always)]
fn mix_all(mixed: &mut [u64; 16], words: &[u64; 16], order: &[usize; 16]) {
    for (number, &places) in MIXED.iter().enumerate() {
        mix(mixed, places, words[order[2 * number]], words[order[2 * number + 1]]);
    }
}

/// Mix two words into four of the state: section 3.1.
#[inline(always)]
fn mix(state: &mut [u64; 16], [a, b, c, d]: [usize; 4], first: u64, second: u64) {
    state[a] = state[a].wrapping_add(state[b]).wrapping_add(first);
    state[d] = (state[d] ^ state[a]).rotate_right(32);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_right(24);
    state[a] = state[a].wrapping_add(state[b]).wrapping_add(second);
    state[d] = (state[d] ^ state[a]).rotate_right(16);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_right(63);
}

/// One key for a pair of keys; order matters. As `dehusk.page.stable_hashing.combine`.
pub fn combine(first: u64, second: u64) -> u64 {
    let added = second.wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_add(first << 6);
    let mut mixed = first.wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ added;
    mixed ^= mixed >> 30;
    mixed = mixed.wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_python() {
        // int.from_bytes(hashlib.blake2b(b"a" * length, digest_size=8).digest(), "little")
        for (length, key) in KEYS {
            assert_eq!(key_of(&vec![b'a'; length]), key, "{}", length);
        }
    }

    #[test]
    fn digests_are_those_of_python() {
        // hashlib.blake2b(b"a" * length, digest_size=16).hexdigest()
        for (length, digest) in [
            (0, "cae66941d9efbd404e4d88758ea67670"),
            (1, "27c35e6e9373877f29e562464e46497e"),
            (128, "1271d28e731afb57bdfba6bdaf3501be"),
            (300, "ccc6f168e83a9fcfde99f7d9ddeeae49"),
        ] {
            let found = digest_of(&vec![b'a'; length]);
            assert_eq!(found.iter().map(|byte| format!("{:02x}", byte)).collect::<String>(), digest);
        }
    }

    #[test]
    fn order_matters() {
        assert_ne!(combine(1, 2), combine(2, 1));
        assert_eq!(combine(3, 5), COMBINED);
    }

    const KEYS: [(usize, u64); 7] = [
        (0, 0xb4b2797457a0a6e4),
        (1, 0x2f42665b399ef840),
        (127, 0x8af1f311bea9d603),
        (128, 0xda187e9cfe4366f0),
        (129, 0x99a2c5b05b5362e4),
        (256, 0x8ba25e0afd3eb078),
        (300, 0xa22954c7a47a398b),
    ];
    const COMBINED: u64 = 0xb135864219f94bc5;
}
