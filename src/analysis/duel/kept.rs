//! A match that is played into a run folder, resumed there, and read again.

use super::{Answer, Course, Duel, DuelReport};
use crate::sprt::Test;
use upheaval_harness::record::{GameRows, reader};
use upheaval_harness::sim::stored::{StoredError, StoredRun};
use upheaval_harness::sim::{Chunk, Observer, OutputError, RunError, RunFolder, RunReport, Sink, Start, run};

/// Writes the games of a match down until it is decided.
struct Keeper<'a, F> {
    folder: &'a mut RunFolder,
    course: &'a mut Course,
    tell: F,
}

/// Why a match stopped before its games were over.
enum Stopped {
    Decided,
    Failed(OutputError),
}

impl<F: FnMut(&Test) + Send> Sink for Keeper<'_, F> {
    type Error = Stopped;

    fn finished(&self) -> usize {
        self.folder.taken()
    }

    fn take(&mut self, chunk: &Chunk, games: &[GameRows]) -> Result<(), Stopped> {
        self.folder.take(chunk, games).map_err(Stopped::Failed)?;
        let verdict = self.course.take(games.iter().map(|record| &record.game));
        (self.tell)(self.course.test());
        verdict.map_or(Ok(()), |_| Err(Stopped::Decided))
    }
}

impl Duel {
    /// Plays the match into its run folder, and resumes an interrupted one. `tell` hears of the test after each part of the
    /// run, of those that were finished before too.
    ///
    /// # Errors
    /// The place is taken by something else, the threads cannot be started, the disk fails, or the observer stopped it.
    pub fn play_into_folder(
        &self,
        start: Start,
        mut tell: impl FnMut(&Test) + Send,
        observer: &dyn Observer,
    ) -> Result<(DuelReport, RunReport), RunError<OutputError>> {
        let mut folder = RunFolder::start(&self.experiment, start)?;
        let mut course = self.begin();
        let mut verdict = None;
        for chunk in folder.stored() {
            verdict = course.take(&chunk?.games);
            tell(course.test());
        }
        if verdict.is_none() {
            let keeper = &mut Keeper { folder: &mut folder, course: &mut course, tell };
            match run(&self.schedule(), self.experiment.threads, &self.experiment.player(), keeper, observer)
            {
                Ok(()) | Err(RunError::Sink(Stopped::Decided)) => {}
                Err(RunError::Sink(Stopped::Failed(error))) => return Err(error.into()),
                Err(RunError::Threads { threads, source }) => {
                    return Err(RunError::Threads { threads, source });
                }
                Err(RunError::Interrupted) => return Err(RunError::Interrupted),
            }
        }
        let report = course.report();
        folder.answer(&self.answer(&report).to_json())?;
        Ok((report, folder.finish()?))
    }
}

/// The match of a run folder, read again from its games. `tell` hears of the test after each part. `None` where the run is
/// not a match.
///
/// # Errors
/// A table cannot be read.
pub fn of_stored(
    stored: &StoredRun,
    mut tell: impl FnMut(&Test),
) -> Result<Option<(DuelReport, Answer)>, StoredError> {
    let experiment = &stored.experiment;
    let names: Vec<String> = experiment.bots.iter().map(|bot| bot.name.clone()).collect();
    let (Some(question), Ok(names)) = (&experiment.sequential, <[String; 2]>::try_from(names)) else {
        return Ok(None);
    };
    let Some(mut course) = Course::of_stored(names, question, experiment.seed) else { return Ok(None) };
    for part in stored.parts(0) {
        let [games, seats] = ["games", "seats"].map(|table| stored.file(&part, table));
        course.take(&reader::games(&games, &seats, experiment.powers())?);
        tell(course.test());
    }
    let report = course.report();
    let answer = Answer::of(&report, question);
    Ok(Some((report, answer)))
}
