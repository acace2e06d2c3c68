//! What crosses the interface: arrays that Python lends, columns that it gets, and failures.
#![forbid(unsafe_code)]

use crate::blocks::page_blocks::Blocks;
use crate::columns::Page;
use crate::deciding::likely_types::TypeWeights;
use crate::document::structures::{KeptStructures, Structures};
use crate::network::Network;
use crate::page_exchange::{column_of_blocks, column_of_page};
use std::cell::{Cell, RefCell};
use std::collections::TryReserveError;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Once};

/// An array of Python's, lent for one call.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// Bytes, or booleans.
    U8(&'a [u8]),
    /// Hashed tokens.
    U16(&'a [u16]),
    /// Rows, blocks and other indexes.
    I32(&'a [i32]),
    /// Offsets.
    I64(&'a [i64]),
    /// Features, weights and logits.
    F32(&'a [f32]),
    /// Numbers that are compared or added up.
    F64(&'a [f64]),
}

/// A column of a result, which Python sees as an array without a copy.
#[derive(Debug)]
pub enum Column {
    /// Bytes, or booleans.
    U8(Vec<u8>),
    /// Hashed tokens.
    U16(Vec<u16>),
    /// Rows, blocks and other indexes.
    I32(Vec<i32>),
    /// Offsets.
    I64(Vec<i64>),
    /// Features and logits.
    F32(Vec<f32>),
    /// Numbers that were compared or added up.
    F64(Vec<f64>),
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The arrays do not fit each other: a mistake of the caller.
    Refused(String),
    /// A mistake of ours: what panicked, and where.
    Panicked(String),
    /// The allocator has no more.
    OutOfMemory,
}

/// Single numbers that a result may have.
pub const NUMBERS: usize = 4;

/// Everything that one call returns.
#[derive(Default)]
pub struct Outcome {
    /// The columns of the result, in the order that Python expects, unless it is one of the following.
    pub columns: Vec<Column>,
    /// Single numbers of the result, in the order that Python expects.
    pub numbers: [f64; NUMBERS],
    /// The network, if one was asked for.
    pub network: Option<Network>,
    /// The weights of clues to the type of a page, if these were asked for.
    pub types: Option<TypeWeights>,
    /// The page, if one was read.
    pub page: Option<Page>,
    /// Its structures, once they were asked for.
    pub structures: KeptStructures,
    /// The blocks, if they were asked for.
    pub blocks: Option<Blocks>,
    /// Further outcomes of the same call.
    pub parts: Vec<Outcome>,
    /// Why there is nothing else.
    pub failure: Option<Failure>,
}

impl Outcome {
    /// A column of the result by its number, if there are so many.
    pub fn column(&self, number: usize) -> Option<Values<'_>> {
        match (&self.page, &self.blocks) {
            (Some(page), _) => column_of_page(page, number),
            (_, Some(blocks)) => column_of_blocks(blocks, number),
            _ => self.columns.get(number).map(Column::values),
        }
    }

    /// The page that was read.
    pub fn read_page(&self) -> Result<&Page, Failure> {
        self.page.as_ref().ok_or_else(|| refused("no page was read".to_string()))
    }

    /// The structures of the page that was read: looked for at the first call, and kept.
    pub fn structures(&self) -> Result<Arc<Structures>, Failure> {
        Ok(self.structures.of(self.read_page()?))
    }

    /// The weights of clues that were made.
    pub fn type_weights(&self) -> Result<&TypeWeights, Failure> {
        self.types.as_ref().ok_or_else(|| refused("no weights of clues were made".to_string()))
    }

    /// The blocks that were found.
    pub fn found_blocks(&self) -> Result<&Blocks, Failure> {
        self.blocks.as_ref().ok_or_else(|| refused("no blocks were found".to_string()))
    }
}

impl Column {
    /// The entries.
    pub fn values(&self) -> Values<'_> {
        match self {
            Column::U8(values) => Values::U8(values),
            Column::U16(values) => Values::U16(values),
            Column::I32(values) => Values::I32(values),
            Column::I64(values) => Values::I64(values),
            Column::F32(values) => Values::F32(values),
            Column::F64(values) => Values::F64(values),
        }
    }
}

/// Lent arrays, taken one after the other. Each has a name, for messages.
pub struct Arguments<'a> {
    values: std::vec::IntoIter<Values<'a>>,
}

macro_rules! take {
    ($function:ident, $variant:ident, $type:ty) => {
        /// The next array, of this type.
        pub fn $function(&mut self, name: &str) -> Result<&'a [$type], Failure> {
            match self.values.next() {
                Some(Values::$variant(values)) => Ok(values),
                Some(_) => Err(refused(format!("{} is not of {}", name, stringify!($type)))),
                None => Err(refused(format!("{} is missing", name))),
            }
        }
    };
}

impl<'a> Arguments<'a> {
    /// Arrays in the order of the call.
    pub fn new(values: Vec<Values<'a>>) -> Self {
        Arguments { values: values.into_iter() }
    }

    take!(u8s, U8, u8);
    take!(u16s, U16, u16);
    take!(i32s, I32, i32);
    take!(i64s, I64, i64);
    take!(f32s, F32, f32);
    take!(f64s, F64, f64);

    /// The next array, which must have this many numbers.
    pub fn f32s_of(&mut self, name: &str, length: usize) -> Result<&'a [f32], Failure> {
        let values = self.f32s(name)?;
        fits(name, values.len(), length)?;
        Ok(values)
    }
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

/// Refuse an array of another length.
pub fn fits(name: &str, found: usize, wanted: usize) -> Result<(), Failure> {
    if found == wanted {
        return Ok(());
    }
    Err(refused(format!("{} has {} entries instead of {}", name, found, wanted)))
}

/// Numbers from `make`. How many depends on the page, so that want of memory is an error and does not end the process.
pub fn filled<T>(count: usize, make: impl FnMut(usize) -> T) -> Result<Vec<T>, Failure> {
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

/// Run something; a panic is a failure like others.
pub fn guarded(work: impl FnOnce() -> Result<Outcome, Failure>) -> Outcome {
    record_panics();
    let before = GUARDED.with(|guarded| guarded.replace(true));
    // Nothing that `work` changes is seen after a panic: inputs are lent read-only, and its results are lost.
    let result = catch_unwind(AssertUnwindSafe(work));
    GUARDED.with(|guarded| guarded.set(before));
    let panicked = |_| Err(Failure::Panicked(PANIC.with(|panic| panic.take())));
    result.unwrap_or_else(panicked).unwrap_or_else(|failure| Outcome { failure: Some(failure), ..Outcome::default() })
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Note the message and place of a guarded panic, for the error in Python, instead of writing it to standard error.
fn record_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if GUARDED.with(Cell::get) {
                PANIC.with(|last| *last.borrow_mut() = panic.to_string().replace('\n', " "));
            } else {
                usual(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_that_says_what_and_where() {
        let outcome = guarded(|| panic!("no block {}", 7));
        match outcome.failure {
            Some(Failure::Panicked(words)) => assert!(words.contains("no block 7") && words.contains("exchange.rs")),
            other => panic!("{:?}", other),
        }
    }

    #[test]
    fn a_failure_is_kept_and_a_result_has_none() {
        assert_eq!(guarded(|| Err(Failure::OutOfMemory)).failure, Some(Failure::OutOfMemory));
        assert_eq!(guarded(|| Ok(Outcome::default())).failure, None);
    }

    #[test]
    fn arguments_are_checked() {
        let mut arguments = Arguments::new(vec![Values::F32(&[1.0]), Values::U16(&[1]), Values::F32(&[1.0])]);
        assert_eq!(arguments.f32s("dense"), Ok(&[1.0][..]));
        assert_eq!(arguments.f32s("dense"), Err(refused("dense is not of f32".to_string())));
        assert_eq!(arguments.f32s_of("bias", 2), Err(refused("bias has 1 entries instead of 2".to_string())));
        assert_eq!(arguments.i64s("start"), Err(refused("start is missing".to_string())));
    }

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
