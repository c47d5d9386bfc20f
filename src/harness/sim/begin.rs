//! An experiment is played into its run folder.
//!
//! ```text
//!  Experiment ── forecast() ─▶ Forecast                what there is of it, and what the rest takes; nothing is written
//!             ── begin() ────▶ Run ── finish() ─▶ RunReport         the run folder and its manifest
//!                               └── kept(): the games that an interrupted run has finished
//! ```
//! An interrupted run is resumed by starting it again: the chunks in its journal are kept, the rest is played.

use super::estimate::{RunEstimate, estimate};
use super::experiment::Experiment;
use super::faults::FaultCounts;
use super::output::location::{OutputError, RunLocation};
use super::output::place::{FoundRun, Start};
use super::output::{Disk, RunFolder, RunReport, StoredChunk};
use super::runner::{Observer, RunError, Sink};
use super::schedule::{Chunk, Schedule};
use super::shard::Shard;
use crate::record::{GameRow, GameRows, TopologyRow};

impl Experiment {
    /// Plays the experiment into its run folder, and resumes an interrupted run of it.
    ///
    /// # Errors
    /// The folder is used by something else, the threads cannot be started, or the disk fails.
    pub fn run(&self, observer: &dyn Observer) -> Result<RunReport, RunError<OutputError>> {
        self.begin(Start::GoOn)?.finish(observer)
    }

    /// Creates the run folder of the experiment, or takes over the one of an interrupted run. Nothing is played yet.
    ///
    /// # Errors
    /// The folder is used by something else, or the disk fails.
    pub fn begin(&self, start: Start) -> Result<Run<'_>, OutputError> {
        self.begin_at(RunLocation::of(self), start)
    }

    /// [`Experiment::begin`] at a site of the experiment that is already known.
    ///
    /// # Errors
    /// Those of [`Experiment::begin`].
    pub fn begin_at(&self, site: RunLocation, start: Start) -> Result<Run<'_>, OutputError> {
        self.check_chunks()?;
        let folder = RunFolder::create_in(Disk, self, site, start)?;
        Ok(Run { experiment: self, schedule: self.schedule(), folder })
    }

    /// Checks that the chunks to be played belong to the run.
    fn check_chunks(&self) -> Result<(), OutputError> {
        let Some(Shard::Chunks { chunks }) = &self.shard else { return Ok(()) };
        let whole = Schedule::new(&self.resolved, self.games_a_part(), None);
        let (chunk, there) = (chunks.last(), whole.count());
        match chunk < there {
            true => Ok(()),
            false => Err(OutputError::OtherPart(format!(
                "the run has {there} chunks, numbered from 0, but no chunk {chunk}"
            ))),
        }
    }

    /// The games that a run of the experiment would play, and their cost. Nothing is written.
    ///
    /// # Errors
    /// The refusals of [`Experiment::begin`], or the threads for the sample cannot be started.
    pub fn forecast(&self, start: Start) -> Result<Forecast, RunError<OutputError>> {
        self.check_chunks()?;
        let site = RunLocation::of(self);
        let standing = match start {
            Start::GoOn => site.standing()?,
            Start::Afresh => {
                site.check()?;
                FoundRun::Nothing
            }
        };
        let schedule = self.schedule();
        let kept = match standing {
            FoundRun::Chunks(kept) => kept,
            FoundRun::Nothing | FoundRun::Whole => 0,
        };
        let estimate = match kept < schedule.count() {
            false => None,
            true => {
                self.try_bots().map_err(RunError::Play)?;
                let estimate = estimate(self, &site.canonical, &schedule, kept, &self.player());
                Some(estimate.map_err(RunError::Play)?)
            }
        };
        Ok(Forecast { site, standing, schedule, kept, estimate })
    }
}

/// The games that a run would play, and their cost.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Its future path.
    pub site: RunLocation,
    /// The existing part of it.
    pub standing: FoundRun,
    /// All its games.
    pub schedule: Schedule,
    /// How many chunks, from the first on, would not be played.
    pub kept: usize,
    /// The cost of the others; `None` if there are none.
    pub estimate: Option<RunEstimate>,
}

impl Forecast {
    /// How many games would be played.
    pub fn games_left(&self) -> u64 {
        self.schedule.total() - self.schedule.games_of(self.kept)
    }
}

/// Takes the games of a run for other tables: first the games that an interrupted run has finished, from their rows,
/// then those that are played, all in order.
pub trait Collect: Send {
    /// A game that was finished before, of this arm, with its maps.
    fn kept(&mut self, arm: &str, game: &GameRow, maps: &[TopologyRow]);
    /// A game of this arm that has just been played.
    fn played(&mut self, arm: &str, game: &GameRows) {
        self.kept(arm, &game.game, &game.topology);
    }
}

/// Nothing is collected.
impl Collect for () {
    fn kept(&mut self, _arm: &str, _game: &GameRow, _maps: &[TopologyRow]) {}
}

/// A run with its folder.
pub struct Run<'a> {
    experiment: &'a Experiment,
    schedule: Schedule,
    folder: RunFolder,
}

impl Run<'_> {
    /// The number of all games.
    pub fn games(&self) -> u64 {
        self.schedule.total()
    }

    /// The number of games that an interrupted run has finished.
    pub fn games_kept(&self) -> u64 {
        self.schedule.games_of(self.folder.finished())
    }

    /// The games that an interrupted run has finished, chunk by chunk.
    pub fn kept(&self) -> impl Iterator<Item = Result<StoredChunk, OutputError>> {
        self.folder.stored()
    }

    /// Plays the rest, and puts the folder into its place.
    ///
    /// # Errors
    /// The threads cannot be started, or the disk fails. The finished part stays for another run to resume.
    pub fn finish(self, observer: &dyn Observer) -> Result<RunReport, RunError<OutputError>> {
        self.finish_into(&mut (), observer)
    }

    /// The same; all games go through a collector of tables.
    ///
    /// # Errors
    /// Those of [`Run::finish`], and the kept games cannot be read.
    pub fn finish_into(
        self,
        tables: &mut impl Collect,
        observer: &dyn Observer,
    ) -> Result<RunReport, RunError<OutputError>> {
        let Run { experiment, schedule, folder } = self;
        let mut counts = FaultCounts::default();
        for chunk in folder.stored() {
            let chunk = chunk?;
            chunk.games.iter().for_each(|game| counts.add(game));
            let arm = &experiment.variants[chunk.variant].id;
            chunk.iter().for_each(|(game, maps)| tables.kept(arm, game, maps));
        }
        let mut collected = Collected { experiment, folder, tables };
        experiment.play_into(&schedule, &experiment.player(), &mut collected, counts, observer)?;
        // Programs that wait for a game could still write into a complete run.
        experiment.bots.iter().for_each(|bot| bot.maker.dismiss());
        Ok(collected.folder.finish()?)
    }
}

/// Writes games and shows them to a collector.
struct Collected<'a, C> {
    experiment: &'a Experiment,
    folder: RunFolder,
    tables: &'a mut C,
}

impl<C: Collect> Sink for Collected<'_, C> {
    type Error = OutputError;

    fn finished(&self) -> usize {
        self.folder.finished()
    }

    fn take(&mut self, chunk: &Chunk, games: &[GameRows]) -> Result<(), OutputError> {
        let arm = &self.experiment.variants[chunk.variant].id;
        games.iter().for_each(|game| self.tables.played(arm, game));
        self.folder.take(chunk, games)
    }
}
