//! Searches in bytes, and the classes of characters that the reader needs.

#![forbid(unsafe_code)]

/// Bytes compared at once: the width of the vectors that every machine has.
const BLOCK: usize = 16;

/// The first place from `from` on that holds one of three bytes, or the length.
///
/// The inner loop has no branches, so the compiler turns it into vector instructions.
#[inline(always)]
pub fn find_any(bytes: &[u8], from: usize, wanted: [u8; 3]) -> usize {
    let mut at = from;
    while let Some(block) = bytes.get(at..at + BLOCK) {
        let mut found = false;
        for byte in block {
            found |= *byte == wanted[0] || *byte == wanted[1] || *byte == wanted[2];
        }
        if found {
            break;
        }
        at += BLOCK;
    }
    while at < bytes.len() && !wanted.contains(&bytes[at]) {
        at += 1;
    }
    at
}

/// The first place from `from` on that holds a byte, or the length.
#[inline(always)]
pub fn find(bytes: &[u8], from: usize, wanted: u8) -> usize {
    find_any(bytes, from, [wanted; 3])
}

/// White space to the html standard (a carriage return has not become a line feed yet).
#[inline(always)]
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\x0c' | b'\r')
}

/// How many bytes of white space a text starts with.
pub fn leading_space(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_space(byte)).count()
}

/// The number of characters in UTF-8.
#[inline]
pub fn count_characters(text: &[u8]) -> usize {
    // Bytes that continue a character are 0b10xxxxxx: the smallest as signed numbers.
    text.iter().filter(|&&byte| (byte as i8) >= -0x40).count()
}
