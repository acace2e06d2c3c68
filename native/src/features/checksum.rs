//! CRC-32 as in zlib: the numbers of name tokens, the same on every machine.
#![forbid(unsafe_code)]

const POLYNOMIAL: u32 = 0xEDB8_8320;
const TABLE: [u32; 256] = table();

/// The remainder of each byte.
const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            remainder = if remainder & 1 == 1 { remainder >> 1 ^ POLYNOMIAL } else { remainder >> 1 };
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
}

/// The checksum of some bytes that follow those of a checksum, which is 0 for none.
pub const fn crc32(before: u32, bytes: &[u8]) -> u32 {
    let (mut crc, mut place) = (!before, 0);
    while place < bytes.len() {
        crc = step(crc, bytes[place]);
        place += 1;
    }
    !crc
}

/// The checksum of letters of ASCII in lower case.
///
/// What a letter adds to a checksum depends on nothing but the number of letters behind it. So in words that are not longer
/// than others, no letter waits for the one before it.
pub fn crc32_of_lower(letters: &[u8]) -> u32 {
    const SMALL: u8 = b' ';
    match OF_LENGTH.get(letters.len()) {
        Some(start) => {
            let added = letters.iter().rev().zip(&OF_LETTERS);
            !added.fold(*start, |crc, (letter, added)| crc ^ added[usize::from(*letter) % LETTERS])
        }
        None => !letters.iter().fold(!0, |crc, letter| step(crc, letter | SMALL)),
    }
}

/// One byte more.
const fn step(crc: u32, byte: u8) -> u32 {
    TABLE[(crc as u8 ^ byte) as usize] ^ crc >> 8
}

/// Letters of a word, of which few have more.
const LONGEST: usize = 16;
/// Numbers of letters: the last five bits, which do not depend on the case.
const LETTERS: usize = 32;
/// By the number of letters behind it, and by letter: what it adds to the checksum.
static OF_LETTERS: [[u32; LETTERS]; LONGEST] = {
    let (mut table, mut letter) = ([[0; LETTERS]; LONGEST], 0);
    while letter < LETTERS {
        let (mut added, mut behind) = (step(0, b'a' - 1 + letter as u8), 0);
        while behind < LONGEST {
            table[behind][letter] = added;
            added = step(added, 0);
            behind += 1;
        }
        letter += 1;
    }
    table
};
/// By length: what remains of the beginning.
static OF_LENGTH: [u32; LONGEST + 1] = {
    let (mut table, mut length) = ([!0; LONGEST + 1], 1);
    while length <= LONGEST {
        table[length] = step(table[length - 1], 0);
        length += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_value_of_the_standard() {
        assert_eq!(crc32(crc32(0, b"123"), b"456789"), 0xCBF4_3926);
        assert_eq!(crc32(0, b""), 0);
    }

    #[test]
    fn letters_are_in_lower_case() {
        let (letters, lower) = (b"ZostBodyPostBodyPost", b"zostbodypostbodypost");
        for length in 0..letters.len() {
            assert_eq!(crc32_of_lower(&letters[..length]), crc32(0, &lower[..length]));
        }
    }
}
