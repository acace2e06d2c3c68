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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_plain_search_finds() {
        let bytes: Vec<u8> = (0..300_usize).map(|index| (index * index % 251) as u8).collect();
        for from in 0..bytes.len() {
            for wanted in [[0, 1, 4], [9, 9, 9], [255, 250, 2], [3, 7, 11]] {
                let plain = bytes[from..].iter().position(|byte| wanted.contains(byte));
                assert_eq!(find_any(&bytes, from, wanted), plain.map_or(bytes.len(), |at| from + at));
            }
        }
    }

    #[test]
    fn counts_characters_of_any_width() {
        let text = "aé漢😀".repeat(20);
        for (end, _) in text.char_indices() {
            assert_eq!(count_characters(&text.as_bytes()[..end]), text[..end].chars().count());
        }
    }
}
