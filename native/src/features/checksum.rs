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
        crc = TABLE[(crc as u8 ^ bytes[place]) as usize] ^ crc >> 8;
        place += 1;
    }
    !crc
}

/// The checksum of letters of ASCII in lower case.
pub fn crc32_of_lower(letters: &[u8]) -> u32 {
    const SMALL: u8 = b' ';
    !letters.iter().fold(!0, |crc: u32, letter| TABLE[usize::from(crc as u8 ^ (letter | SMALL))] ^ crc >> 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_value_of_the_standard() {
        assert_eq!(crc32(crc32(0, b"123"), b"456789"), 0xCBF4_3926);
        assert_eq!(crc32(0, b""), 0);
        assert_eq!(crc32_of_lower(b"PostBody"), crc32(0, b"postbody"));
    }
}
