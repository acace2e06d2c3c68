//! CRC-32 as in zlib: the numbers of name tokens, the same on every machine.
#![forbid(unsafe_code)]

const POLYNOMIAL: u32 = 0xEDB8_8320;
static TABLE: [u32; 256] = table();

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

/// The checksum of a text in UTF-8, given in parts.
pub fn crc32(parts: &[&str]) -> u32 {
    let step = |crc: u32, byte: u8| TABLE[usize::from(crc as u8 ^ byte)] ^ crc >> 8;
    !parts.iter().fold(!0, |crc, part| part.bytes().fold(crc, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_value_of_the_standard() {
        assert_eq!(crc32(&["123", "456789"]), 0xCBF4_3926);
        assert_eq!(crc32(&[]), 0);
    }
}
