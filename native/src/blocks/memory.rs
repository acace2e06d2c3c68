//! Want of memory as an error: an allocation that fails amid work would end the process.
#![forbid(unsafe_code)]

use std::collections::TryReserveError;

/// Bytes that are not asked for beforehand: nearly all pages need less, and asking for more takes a system call.
const UNASKED: usize = 4 << 20;

/// An error unless there are so many bytes to be had at once. They are given back, for the work that follows.
pub fn ask_for(bytes: usize) -> Result<(), TryReserveError> {
    if bytes <= UNASKED {
        return Ok(());
    }
    reserve(bytes).map(drop)
}

/// Not inlined, or the compiler would leave out memory that nobody uses.
#[inline(never)]
fn reserve(bytes: usize) -> Result<Vec<u8>, TryReserveError> {
    let mut reserved = Vec::new();
    reserved.try_reserve_exact(bytes)?;
    Ok(reserved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is() {
        assert!(ask_for(1000).is_ok());
        assert!(ask_for(UNASKED + 1).is_ok());
        // As much as may be asked for at all, more than any machine has.
        assert!(ask_for(isize::MAX as usize).is_err());
        assert!(ask_for(usize::MAX).is_err());
    }
}
