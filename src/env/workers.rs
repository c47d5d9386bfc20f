//! The threads of a batch.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::config::ConfigError;

/// The fewest games for which it pays to wake another thread.
const GAMES_A_THREAD: usize = 4;

/// The threads that games are played on.
pub(crate) enum Workers {
    /// The caller's alone.
    Alone,
    /// A pool of the batch's own.
    Own(ThreadPool),
    /// Those of the pool that the caller is in.
    Around,
}

impl Workers {
    /// Threads for this number of games; 0 threads for one a core.
    pub fn new(threads: usize, games: usize) -> Result<Workers, ConfigError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores } else { threads }.min(games.div_ceil(GAMES_A_THREAD));
        if threads <= 1 {
            // To hand the work to another thread costs more than to play a stage of one game.
            return Ok(Workers::Alone);
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(Workers::Own).map_err(|error| ConfigError::Threads(error.to_string()))
    }

    /// Does something with each item.
    pub fn each<T: Send>(&self, items: Vec<T>, work: impl Fn(T) + Send + Sync) {
        match self {
            Workers::Alone => items.into_iter().for_each(work),
            Workers::Own(pool) => pool.install(|| items.into_par_iter().for_each(work)),
            Workers::Around => items.into_par_iter().for_each(work),
        }
    }

    /// Makes something of each number, in their order.
    pub fn make<T: Send>(
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
