//! A match that is played into a run folder, resumed there, and read again.

use crate::duel::{Duel, DuelReport, MatchAnswer, MatchCourse};
use crate::repeats::Shuffling;
use crate::sprt::Test;
use upheaval_harness::record::{GameRows, reader};
use upheaval_harness::sim::failing::FaultCounts;
use upheaval_harness::sim::stored::{StoredError, StoredRun};
use upheaval_harness::sim::{
    Chunk, Observer, OutputError, Play, RunError, RunFolder, RunReport, Sink, Start,
};

/// Records the games of a match until it is decided.
struct Keeper<'a, F> {
    folder: &'a mut RunFolder,
    course: &'a mut MatchCourse,
    tell: F,
}

/// Why a match stopped before all its games were played.
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
        let over = self.course.take(games.iter().map(|record| &record.game));
        (self.tell)(self.course.test());
        if over { Err(Stopped::Decided) } else { Ok(()) }
    }
}

impl Duel {
    /// Plays the match into its run folder, and resumes an interrupted one. `tell` receives the test after each part of
    /// the run, including the parts that were finished before.
    ///
    /// # Errors
    /// The folder is used by something else, the threads cannot be started, the disk fails, or the observer stopped it.
    pub fn play_into_folder(
        &self,
        start: Start,
        tell: impl FnMut(&Test) + Send,
        observer: &dyn Observer,
    ) -> Result<(DuelReport, RunReport), RunError<OutputError>> {
        self.keep(&self.experiment.player(), start, tell, observer)
    }

    fn keep(
        &self,
        player: &impl Play,
        start: Start,
        mut tell: impl FnMut(&Test) + Send,
        observer: &dyn Observer,
    ) -> Result<(DuelReport, RunReport), RunError<OutputError>> {
        let mut folder = RunFolder::start(&self.experiment, start)?;
        let mut course = self.begin();
        let mut over = false;
        let mut counts = FaultCounts::default();
        for chunk in folder.stored() {
            let games = chunk?.games;
            games.iter().for_each(|game| counts.add(game));
            over = course.take(&games);
            tell(course.test());
        }
        if !over {
            let keeper = &mut Keeper { folder: &mut folder, course: &mut course, tell };
            let played = self.experiment.play_into(&self.schedule(), player, keeper, counts, observer);
            if let Err(error) = played {
                match error.of_sink()? {
                    Stopped::Decided => {}
                    Stopped::Failed(error) => return Err(error.into()),
                }
            }
        }
        let report = course.report();
        folder.answer(&self.answer(&report).to_json())?;
        Ok((report, folder.finish()?))
    }
}

/// The match of a run folder, read again from its games. `tell` receives the test after each part. `None` where the run
/// is not a match.
///
/// # Errors
/// A table cannot be read.
pub fn of_stored(
    stored: &StoredRun,
    mut tell: impl FnMut(&Test),
) -> Result<Option<(DuelReport, MatchAnswer)>, StoredError> {
    let experiment = &stored.experiment;
    let names: Vec<String> = experiment.bots.iter().map(|bot| bot.name.clone()).collect();
    let (Some(question), Ok(names)) = (&experiment.sequential, <[String; 2]>::try_from(names)) else {
        return Ok(None);
    };
    let shuffling = Shuffling::of(experiment.seating());
    let Some(mut course) = MatchCourse::of_stored(names, question, shuffling, experiment.seed) else {
        return Ok(None);
    };
    for part in stored.parts(0) {
        let [games, seats] = ["games", "seats"].map(|table| stored.file(&part, table));
        course.take(&reader::games(&games, &seats, experiment.power_names())?);
        tell(course.test());
    }
    let report = course.report();
    let answer = MatchAnswer::of(&report, question);
    Ok(Some((report, answer)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::duel::tests::{GOOD, check, three_in_four};
    use crate::sprt::SprtVerdict;
    use upheaval_harness::record::GameRow;
    use upheaval_harness::sim::GameSpec;

    /// Stops a run after this number of games.
    struct After(usize, AtomicUsize);

    impl Observer for After {
        fn played(&self, _: &GameSpec, _: &GameRow) {
            self.1.fetch_add(1, Ordering::Relaxed);
        }

        fn stops(&self) -> bool {
            self.1.load(Ordering::Relaxed) >= self.0
        }
    }

    fn duel(out: &Path, threads: usize) -> Duel {
        let mut duel = check(GOOD).unwrap();
        (duel.experiment.out, duel.experiment.threads) = (out.to_owned(), threads);
        duel
    }

    /// All files of a folder except the manifest, which contains times.
    fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with("manifest.json") {
                    files.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
                }
            }
        }
        files
    }

    #[test]
    fn an_interrupted_match_is_resumed_with_the_bytes_of_one_that_was_not_and_is_read_again() {
        let [whole, parts] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let told = Mutex::new(Vec::new());
        let tell = |test: &Test| told.lock().unwrap().push(*test);
        let (report, run) = duel(whole.path(), 2).keep(&three_in_four, Start::GoOn, tell, &()).unwrap();
        let told = told.into_inner().unwrap();
        assert_eq!(report.verdict, Some(SprtVerdict::Effect));
        let blocks = report.test.blocks();
        assert!((20..60).contains(&blocks), "{blocks}");

        // A part is five blocks, 70 games: the first interruption falls into the second part, and so on.
        let duel = duel(parts.path(), 1);
        for games in [100, 100] {
            let stopped = After(games, AtomicUsize::new(0));
            let end = duel.keep(&three_in_four, Start::GoOn, |_| {}, &stopped);
            assert!(matches!(end, Err(RunError::Interrupted)));
        }
        let counted = After(usize::MAX, AtomicUsize::new(0));
        let again = Mutex::new(Vec::new());
        let tell = |test: &Test| again.lock().unwrap().push(*test);
        let (resumed, resumed_run) = duel.keep(&three_in_four, Start::GoOn, tell, &counted).unwrap();
        assert_eq!(again.into_inner().unwrap(), told, "the test is reported again from the start");
        let all = told.len() * 70;
        assert!(counted.1.load(Ordering::Relaxed) < all, "finished games are not played again");
        assert_eq!(duel.answer(&resumed), duel.answer(&report));
        assert_eq!(files(&resumed_run.path), files(&run.path));

        let stored = StoredRun::open_whole(&run.path).unwrap();
        assert_eq!(stored.experiment.games as usize, all, "the games that were played");
        let mut read = Vec::new();
        let (of_games, answer) = of_stored(&stored, |test| read.push(*test)).unwrap().unwrap();
        assert_eq!((read, &answer), (told, &duel.answer(&report)));
        assert_eq!(of_games.faults, report.faults);
        let kept = fs::read_to_string(run.path.join("answer.json")).unwrap();
        assert_eq!(kept, answer.to_json());
    }
}
