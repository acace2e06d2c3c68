//! Bytes that are compressed with brotli. They have no signature and no checksum, so they count as brotli only from the first
//! byte to the last. A few bytes can hold gigabytes: unpacking stops at the most that is asked for.
#![forbid(unsafe_code)]

use crate::failure::Failure;
use crate::stopping::may_stop;
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

/// Bytes unpacked at once.
const STEP: usize = 65_536;

/// What became of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unpacked {
    /// They are no brotli, or not all of it, or something follows it.
    No,
    /// What they hold.
    Whole(Vec<u8>),
    /// They hold more than was asked for.
    TooMuch,
}

/// Unpack bytes to at most so many.
pub fn unpack(packed: &[u8], most: usize) -> Result<Unpacked, Failure> {
    let allocator = StandardAlloc::default;
    let mut state = BrotliState::new(allocator(), allocator(), allocator());
    let mut content = Vec::new();
    let mut step = vec![0; STEP];
    let (mut left, mut read, mut total) = (packed.len(), 0, 0);
    loop {
        may_stop();
        let (mut room, mut made) = (STEP, 0);
        let result = BrotliDecompressStream(
            &mut left, &mut read, packed, &mut room, &mut made, &mut step, &mut total, &mut state,
        );
        if content.len() + made > most {
            return Ok(Unpacked::TooMuch);
        }
        content.try_reserve(made)?;
        content.extend_from_slice(&step[..made]);
        match result {
            BrotliResult::NeedsMoreOutput => continue,
            BrotliResult::ResultSuccess if read == packed.len() => return Ok(Unpacked::Whole(content)),
            _ => return Ok(Unpacked::No),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "Tea. " a thousand times.
    const PACKED: [u8; 23] =
        [27, 135, 19, 248, 141, 148, 170, 219, 163, 6, 161, 10, 43, 19, 46, 241, 90, 20, 208, 179, 0, 224, 1];

    #[test]
    fn whole_streams_are_unpacked() {
        assert_eq!(unpack(&PACKED, 5_000), Ok(Unpacked::Whole(b"Tea. ".repeat(1_000))));
    }

    #[test]
    fn parts_and_other_bytes_are_not() {
        assert_eq!(unpack(&PACKED[..PACKED.len() - 1], 5_000), Ok(Unpacked::No));
        assert_eq!(unpack(&[&PACKED[..], b"."].concat(), 5_000), Ok(Unpacked::No));
        assert_eq!(unpack(b"<p>Tea.", 5_000), Ok(Unpacked::No));
        assert_eq!(unpack(b"", 5_000), Ok(Unpacked::No));
    }

    #[test]
    fn no_more_is_unpacked_than_was_asked_for() {
        assert_eq!(unpack(&PACKED, 4_999), Ok(Unpacked::TooMuch));
        assert_eq!(unpack(&PACKED, 0), Ok(Unpacked::TooMuch));
    }
}
