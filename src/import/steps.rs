//! Counts the elementary steps of imports, so that a test can tell how the work grows with a file.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts a step.
pub(crate) fn step() {
    STEPS.with(|steps| steps.set(steps.get() + 1));
}

/// The number of steps that the imports of this thread have taken: look-ups and changes of lists, comparisons of edges.
pub fn steps() -> u64 {
    STEPS.with(Cell::get)
}
