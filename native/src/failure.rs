//! Why there is no result, and buffers for which want of memory is such a reason and not the end of the process.
#![forbid(unsafe_code)]

use crate::stopping::may_stop;
use std::collections::TryReserveError;

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The arrays do not fit each other: a mistake of the caller.
    Refused(String),
    /// A mistake of ours: what panicked, and where.
    Panicked(String),
    /// The allocator has no more.
    OutOfMemory,
    /// Somebody asked for it: `stopping` has how.
    Stopped,
}

impl From<TryReserveError> for Failure {
    fn from(_: TryReserveError) -> Self {
        Failure::OutOfMemory
    }
}

/// A refusal.
pub fn refused(cause: String) -> Failure {
    Failure::Refused(cause)
}

/// Numbers from `make`. How many depends on the page, so that want of memory is an error and does not end the process.
pub fn filled<T>(count: usize, make: impl FnMut(usize) -> T) -> Result<Vec<T>, Failure> {
    may_stop();
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| Failure::OutOfMemory)?;
    values.extend((0..count).map(make));
    Ok(values)
}

/// A buffer as a slice of this length, with whatever it had in it before. Want of memory is an error.
pub fn sized<T: Clone + Default>(buffer: &mut Vec<T>, length: usize) -> Result<&mut [T], Failure> {
    if buffer.len() < length {
        buffer.try_reserve_exact(length - buffer.len()).map_err(|_| Failure::OutOfMemory)?;
        buffer.resize(length, T::default());
    }
    Ok(&mut buffer[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_beyond_all_memory_is_a_failure() {
        assert_eq!(filled(usize::MAX / 16, |_| 0.0), Err(Failure::OutOfMemory));
        assert_eq!(sized(&mut vec![1u8], usize::MAX), Err(Failure::OutOfMemory));
    }

    #[test]
    fn a_buffer_is_used_again() {
        let mut buffer = vec![1, 2, 3];
        assert_eq!(sized(&mut buffer, 2).unwrap(), [1, 2]);
        assert_eq!(sized(&mut buffer, 4).unwrap(), [1, 2, 3, 0]);
    }
}
