//! What was found out about the values of attributes that were read last: a page has most of its classes many times.
#![forbid(unsafe_code)]

use crate::html::kept_attributes::slot_of;

/// Values that are remembered; others with the same place take theirs.
const REMEMBERED: usize = 256;

/// Values, and a number for each: bits, in which nothing is said of the empty value.
pub struct RememberedValues<'a> {
    slots: [(&'a [u8], u16); REMEMBERED],
}

impl Default for RememberedValues<'_> {
    fn default() -> Self {
        RememberedValues { slots: [(b"", 0); REMEMBERED] }
    }
}

impl<'a> RememberedValues<'a> {
    /// The number of a value, which is found out if it is not remembered.
    pub fn number_of(&mut self, value: &'a [u8], find_out: impl FnOnce() -> u16) -> u16 {
        let (known, number) = &mut self.slots[slot_of(value) % REMEMBERED];
        if *known != value {
            (*known, *number) = (value, find_out());
        }
        *number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_out_once_while_it_is_remembered() {
        let mut values = RememberedValues::default();
        assert_eq!(values.number_of(b"date", || 3), 3);
        assert_eq!(values.number_of(b"date", || unreachable!()), 3);
        // The same length, ends and middle.
        assert_eq!(values.number_of(b"dxte", || 5), 5);
        assert_eq!(values.number_of(b"date", || 7), 7);
        assert_eq!(values.number_of(b"", || unreachable!()), 0);
    }
}
