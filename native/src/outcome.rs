//! What a call returns: columns, pages, networks, or a failure; a panic is one, too.
#![forbid(unsafe_code)]

use crate::arrays::{Column, Values};
use crate::blocks::page_blocks::Blocks;
use crate::columns::Page;
use crate::deciding::likely_types::TypeWeights;
use crate::document::structures::{KeptStructures, Structures};
use crate::failure::{refused, Failure};
use crate::network::Network;
use crate::numbered_columns::{column_of_blocks, column_of_page};
use crate::stopping::Stopped;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Once};

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
    /// The blocks, if they were asked for. Outcomes of later calls may share them.
    pub blocks: Option<Arc<Blocks>>,
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
        self.blocks.as_deref().ok_or_else(|| refused("no blocks were found".to_string()))
    }
}

/// Run something; a panic is a failure like others.
pub fn guarded(work: impl FnOnce() -> Result<Outcome, Failure>) -> Outcome {
    record_panics();
    let before = GUARDED.with(|guarded| guarded.replace(true));
    // Nothing that `work` changes is seen after a panic: inputs are lent read-only, and its results are lost.
    let result = catch_unwind(AssertUnwindSafe(work));
    GUARDED.with(|guarded| guarded.set(before));
    let panicked = |cause: Box<dyn Any + Send>| match cause.is::<Stopped>() {
        true => Err(Failure::Stopped),
        false => Err(Failure::Panicked(PANIC.with(|panic| panic.take()))),
    };
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
            Some(Failure::Panicked(words)) => assert!(words.contains("no block 7") && words.contains("outcome.rs")),
            other => panic!("{:?}", other),
        }
    }

    #[test]
    fn a_failure_is_kept_and_a_result_has_none() {
        assert_eq!(guarded(|| Err(Failure::OutOfMemory)).failure, Some(Failure::OutOfMemory));
        assert_eq!(guarded(|| Ok(Outcome::default())).failure, None);
    }
}
