//! Steps: rows, spans, leaves and bytes that are looked at or moved. Tests count them; a call may be stopped at each.
#![forbid(unsafe_code)]

use crate::stopping::may_stop;

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts some steps, at which the call may be stopped.
#[inline(always)]
pub fn count(steps: usize) {
    may_stop();
    #[cfg(test)]
    STEPS.with(|counted| counted.set(counted.get() + steps));
    #[cfg(not(test))]
    let _ = steps;
}

/// How many steps some work takes.
#[cfg(test)]
pub fn steps_of(work: impl FnOnce()) -> usize {
    STEPS.with(|counted| counted.set(0));
    work();
    STEPS.with(std::cell::Cell::get)
}
