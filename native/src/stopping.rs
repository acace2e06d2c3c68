//! Lets calls be stopped. A thread whose calls may be stopped has a number; loops that may take long look whether it shall
//! stop, and what they do then ends as a panic does: what was made so far is dropped, and the caller gets a failure.
#![forbid(unsafe_code)]

use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How a stopped call ends inside: `outcome::guarded` makes a failure of it.
pub struct Stopped;

/// The number of threads that shall stop. It is zero nearly always, which is all that loops look at then.
static STOPPING: AtomicUsize = AtomicUsize::new(0);
/// Their numbers.
static NUMBERS: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

thread_local! {
    /// The number of this thread; 0 for none.
    static OWN: Cell<u64> = const { Cell::new(0) };
}

/// Number this thread, so that its calls can be stopped; 0 for no longer.
pub fn number_thread(number: u64) {
    change(|numbers| numbers.remove(&OWN.replace(number)));
}

/// Stop what a thread does, or is about to do.
pub fn stop_thread(number: u64) {
    change(|numbers| numbers.insert(number));
}

fn change(change: impl FnOnce(&mut BTreeSet<u64>) -> bool) {
    let mut numbers = locked();
    change(&mut numbers);
    STOPPING.store(numbers.len(), Ordering::Relaxed);
}

fn locked() -> MutexGuard<'static, BTreeSet<u64>> {
    NUMBERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A place where a call may be stopped. Loops that may take long call it: at every step that takes microseconds, or at one
/// step of many.
#[inline(always)]
pub fn may_stop() {
    if STOPPING.load(Ordering::Relaxed) != 0 {
        stop_if_asked();
    }
}

#[cold]
fn stop_if_asked() {
    let is_asked = locked().contains(&OWN.get());
    if is_asked {
        resume_unwind(Box::new(Stopped));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Failure;
    use crate::outcome::{guarded, Outcome};

    #[test]
    fn only_what_the_numbered_thread_does_is_stopped() {
        let stopped = || {
            guarded(|| {
                may_stop();
                Ok(Outcome::default())
            })
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                number_thread(71);
                stop_thread(71);
                assert_eq!(stopped().failure, Some(Failure::Stopped));
                number_thread(0);
                assert_eq!(stopped().failure, None);
            });
        });
        stop_thread(72);
        assert_eq!(stopped().failure, None);
    }
}
