//! The work of a computation, counted in steps of about the same length: an edge or a dart that is visited once.

use std::cell::Cell;

/// The steps taken so far, and the number that is allowed. A search that need not be complete ends when they are used
/// up; a computation that has to be finished counts its steps, but does not end early.
#[derive(Debug)]
pub struct Effort {
    spent: Cell<u64>,
    allowed: u64,
}

impl Effort {
    /// As many steps as `rate` times n log n for a graph of `n` nodes, so that the time of a whole search grows no
    /// faster than that of sorting.
    pub fn for_nodes(n: usize, rate: u64) -> Effort {
        let n = n.max(2) as u64;
        Effort { spent: Cell::new(0), allowed: rate * n * u64::from(n.ilog2() + 1) }
    }

    /// Counts steps.
    pub(crate) fn spend(&self, steps: usize) {
        self.spent.set(self.spent.get() + steps as u64);
    }

    /// The steps that were counted.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Are there no more steps?
    pub(crate) fn is_used_up(&self) -> bool {
        self.spent.get() >= self.allowed
    }
}
