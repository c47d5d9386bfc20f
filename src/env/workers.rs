//! The threads of a batch.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::config::ConfigError;

/// The smallest number of games for which waking another thread pays off.
const GAMES_A_THREAD: usize = 4;

/// The threads on which games are played.
pub(crate) enum Workers {
    /// Only the caller's thread.
    Alone,
    /// A pool of the batch's own.
    Own(ThreadPool),
    /// The pool that the caller runs in.
    Around,
}

impl Workers {
    /// Threads for this number of games; 0 threads means one for each core.
    pub(crate) fn new(threads: usize, games: usize) -> Result<Workers, ConfigError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores } else { threads }.min(games.div_ceil(GAMES_A_THREAD));
        if threads <= 1 {
            // Passing the work to another thread costs more than playing a stage of one game.
            return Ok(Workers::Alone);
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(Workers::Own).map_err(|error| ConfigError::Threads(error.to_string()))
    }

    /// Applies the function to each item.
    pub(crate) fn each<T: Send>(&self, items: Vec<T>, work: impl Fn(T) + Send + Sync) {
        match self {
            Workers::Alone => items.into_iter().for_each(work),
            Workers::Own(pool) => pool.install(|| items.into_par_iter().for_each(work)),
            Workers::Around => items.into_par_iter().for_each(work),
        }
    }

    /// Applies the function to each number, and collects the results in order.
    pub(crate) fn make<T: Send>(
        &self,
        numbers: std::ops::Range<u32>,
        make: impl Fn(u32) -> T + Send + Sync,
    ) -> Vec<T> {
        match self {
            Workers::Alone => numbers.map(make).collect(),
            Workers::Own(pool) => pool.install(|| numbers.into_par_iter().map(make).collect()),
            Workers::Around => numbers.into_par_iter().map(make).collect(),
        }
    }
}
