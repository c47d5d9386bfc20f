//! A search from its file to its folder, played on this machine.

use std::sync::Arc;

use crate::tune::answer::TuneAnswer;
use crate::tune::file::CheckedSearch;
use crate::tune::folder::{FolderError, TuneSite};
use crate::tune::play::GameTable;
use crate::tune::race::Round;
use crate::tune::search::TuneSearch;
use crate::tune::text;
use upheaval_harness::sim::{Observer, RunError};

impl CheckedSearch {
    /// Plays what is missing of a search that [can be run](CheckedSearch::check_race), and writes its answer. `tell`
    /// receives each finished round, including those of an interrupted search, and the progress of the search: the
    /// games that have been played, and those that are currently wanted.
    ///
    /// # Errors
    /// Another process runs it, the threads cannot be started, the disk fails, or the observer stopped it.
    pub fn play(
        &self,
        site: &TuneSite,
        afresh: bool,
        mut tell: impl FnMut(&TuneSearch, &Round) + Send,
        observer: &dyn Observer,
    ) -> Result<TuneAnswer, RunError<FolderError>> {
        let threads = self.experiment.threads;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("upheaval-{i}"))
            .build()
            .map_err(|source| RunError::Threads { threads, source })?;
        let mut search = TuneSearch::new(Arc::new(self.clone()));
        let mut journal = site.open(&mut search, afresh)?;
        let table = GameTable::of(self);
        let mut told = 0;
        pool.install(|| {
            loop {
                search.race().rounds()[told..].iter().for_each(|round| tell(&search, round));
                told = search.race().rounds().len();
                let Some(task) = search.next() else { return Ok(()) };
                let blocks = table.play(task, observer)?;
                journal.enter(task, &blocks)?;
                // This is the wanted task, with its blocks.
                let taken = search.take(task, blocks);
                debug_assert_eq!(taken, Ok(()));
            }
        })
        .map_err(|error: RunError<FolderError>| error)?;
        let answer = TuneAnswer::of(&search, &site.hash);
        Ok(site.finish(&search, journal, &text::render(&search, &answer))?)
    }
}
