//! The answer of a match, in words and as the file of its run folder.

use serde::Serialize;

use crate::duel::{Duel, DuelReport, Enough, MatchProgress, Until};
use crate::estimate::{Estimate, Interval};
use crate::reading::{RunPart, RunTally, read};
use crate::repeats::shuffling_helps;
use crate::scoring::Score;
use crate::sprt::{SprtQuestion, SprtVerdict, Test};
use upheaval_harness::record::{GameRow, GameRows};
use upheaval_harness::sim::faults::FaultCounts;
use upheaval_harness::sim::resolved::Sequential;
use upheaval_harness::sim::stored::{StoredError, StoredRun};
use upheaval_harness::sim::{
    Chunk, Observer, OutputError, Play, RunError, RunFolder, RunReport, Sink, Start,
};

/// The answer of a match, as `answer.json` has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchAnswer {
    /// The two bots.
    pub bots: [String; 2],
    /// `H1`, `H0` or `undecided`.
    pub verdict: &'static str,
    /// The bot that scores more, where the interval of the difference says so.
    pub stronger: Option<String>,
    /// The score of the difference.
    pub score: &'static str,
    /// By how much a seat of the first scores more than one of the second.
    pub difference: Estimate,
    /// By how much the first leads in rating, in Elo.
    pub elo: Estimate,
    /// What must be said of blocks that repeat each other.
    pub warning: Option<String>,
    /// The evidence for each verdict at the end.
    pub evidence: MatchEvidence,
    /// The blocks that it took.
    pub blocks: u32,
    /// The question.
    pub question: Sequential,
    /// A sentence for each bot that failed in too many games for the answer to show how it plays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    #[serde(skip)]
    report: DuelReport,
}

/// The evidence for each verdict: a natural logarithm, which accepts H1 from −ln(alpha) on, and H0 from −ln(beta) on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MatchEvidence {
    /// For H1.
    #[serde(rename = "H1")]
    pub effect: f64,
    /// For H0.
    #[serde(rename = "H0")]
    pub baseline: f64,
}

impl MatchAnswer {
    /// The answer of a match that ended with this report, to this question.
    pub(crate) fn of(report: &DuelReport, question: &Sequential) -> MatchAnswer {
        let DuelReport { verdict, test, bots, score, difference, elo, repeats, .. } = report;
        let [first, second] = bots;
        let [effect, baseline] = SprtVerdict::ALL.map(|verdict| test.evidence(verdict));
        // Where no block differs from another, there is no interval. The verdict may say it then.
        let stronger = match (difference.interval, verdict) {
            (Some(Interval { low, .. }), _) if low > 0.0 => Some(first.clone()),
            (Some(Interval { high, .. }), _) if high < 0.0 => Some(second.clone()),
            (None, Some(SprtVerdict::Effect)) if question.baseline >= 0.0 => Some(first.clone()),
            (None, Some(SprtVerdict::Baseline)) if question.effect <= 0.0 => Some(second.clone()),
            _ => None,
        };
        MatchAnswer {
            bots: bots.clone(),
            verdict: verdict.map_or("undecided", SprtVerdict::name),
            stronger,
            score: score.name(),
            difference: *difference,
            elo: *elo,
            warning: repeats.sentence(),
            evidence: MatchEvidence { effect, baseline },
            blocks: test.blocks(),
            question: question.clone(),
            warnings: report.faults.warnings(),
            report: report.clone(),
        }
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        // Numbers and texts always serialise.
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }

    /// The verdict, which bot is stronger and by how much, as plain text.
    pub fn render(&self, games: u32) -> String {
        let MatchAnswer { bots: [first, second], question, score, difference, elo, report, .. } = self;
        let Sequential { baseline, effect, .. } = question;
        let shows_nothing = report.repeats.show_nothing();
        let mut lines = self.warnings.clone();
        lines.push(match report.verdict {
            Some(SprtVerdict::Effect) => {
                format!("H1: {first} scores more than {second} by {effect} rather than {baseline}")
            }
            Some(SprtVerdict::Baseline) => {
                format!("H0: {first} scores more than {second} by {baseline} rather than {effect}")
            }
            None if shows_nothing => "undecided".to_owned(),
            None => format!("undecided: {}", self.why_undecided()),
        });
        lines.extend(self.warning.iter().map(|warning| format!("warning: {warning}")));
        lines.push(match &self.stronger {
            None if shows_nothing => "nothing shows which bot is stronger".to_owned(),
            Some(bot) => format!("{bot} is stronger than {}", if bot == first { second } else { first }),
            None if difference.interval.is_some() => {
                "neither is shown to be stronger: the interval of the difference contains 0".to_owned()
            }
            None => format!("neither is shown to be stronger: no block differs from another in {score}"),
        });
        let by = difference.signed(report.score.decimals() + 1);
        let (interval, stop) = match difference.interval {
            Some(_) => (", 95% CI over blocks", "\nboth account for the block after which the match stopped"),
            None => ("", ""),
        };
        lines.push(format!(
            "a seat of {first} scores {by} more in {score}{interval}; Elo {}{stop}",
            elo.signed(0)
        ));
        lines.extend(self.ahead_in_orders().map(|ahead| {
            format!(
                "Elo rates the order in which powers finish, with centres and late eliminations: {ahead} is ahead in it, \
                 but {score} does not show it"
            )
        }));
        lines.push(format!("{} blocks, {games} games\n", self.blocks));
        lines.join("\n")
    }

    /// Why the match ended without a verdict, and how many blocks would do.
    fn why_undecided(&self) -> String {
        /// The most blocks that a match may have.
        const MOST: f64 = 1_000_000.0;
        let question = &self.report.test.question;
        let have = |verdict: SprtVerdict| {
            let (have, need) = (self.report.test.evidence(verdict), question.needed(verdict));
            // A zero has no sign.
            let have = if have.abs() < 0.005 { 0.0 } else { have };
            format!("{have:.2} of {need:.2} for {}", verdict.name())
        };
        let why = format!("the evidence is {}", SprtVerdict::ALL.map(have).join(" and "));
        let alike = if self.report.test.is_uniform() { ", and no block differs from another" } else { "" };
        match self.report.test.blocks_to_decide() {
            Some(blocks) if blocks > MOST => format!(
                "{why}{alike}; `baseline` and `effect` are too near to each other for any number of blocks like these"
            ),
            Some(blocks) => format!(
                "{why}{alike}; about {} blocks like these (`max_blocks`, or --blocks) would decide it",
                blocks.ceil()
            ),
            None => format!("{why}{alike}; more blocks (`max_blocks`, or --blocks) may decide it"),
        }
    }

    /// The bot whose lead in Elo is not 0 although the score does not say that it is stronger.
    fn ahead_in_orders(&self) -> Option<&str> {
        let [first, second] = &self.bots;
        let ahead = match self.elo.interval? {
            Interval { low, .. } if low > 0.0 => first,
            Interval { high, .. } if high < 0.0 => second,
            _ => return None,
        };
        (self.stronger.as_ref() != Some(ahead)).then_some(ahead)
    }
}

// A match that is played into a run folder, resumed there, and read again.

impl Duel {
    /// Plays the match into its run folder, and resumes an interrupted one. `tell` receives the test after each part of
    /// the run, including the parts that were finished before.
    ///
    /// # Errors
    /// The folder is used by something else, the threads cannot be started, the disk fails, or the observer stopped it.
    pub fn play_into_folder(
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
            tell(&course.test);
        }
        if !over {
            let (taken, mut watch) = (folder.taken(), course.watch(tell));
            // Without an error of the folder, the match is decided.
            let mut games =
                Until(taken, |chunk: &Chunk, games: &[GameRows]| -> Result<(), Option<OutputError>> {
                    folder.take(chunk, games)?;
                    watch(chunk, games).map_err(|Enough| None)
                });
            let schedule = self.experiment.schedule();
            let played = self.experiment.play_into(&schedule, player, &mut games, counts, observer);
            if let Err(error) = played
                && let Some(error) = error.of_sink()?
            {
                return Err(error.into());
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
    let (Some(question), Ok(bots)) = (&experiment.sequential, <[String; 2]>::try_from(names)) else {
        return Ok(None);
    };
    let Some(score) = Score::named(&question.score) else { return Ok(None) };
    let &Sequential { baseline, effect, alpha, beta, .. } = question;
    let hypotheses = SprtQuestion { baseline, effect, alpha, beta };
    let helps = shuffling_helps(experiment.seating());
    let mut course = MatchProgress::new(hypotheses, score, bots, helps, experiment.seed);
    for part in RunPart::of_run(stored) {
        read([part], &mut course)?;
        tell(&course.test);
    }
    let report = course.report();
    let answer = MatchAnswer::of(&report, question);
    Ok(Some((report, answer)))
}

impl RunTally for MatchProgress {
    type Part = Vec<GameRow>;

    fn new_part(&self, _: &RunPart<'_>) -> Vec<GameRow> {
        Vec::new()
    }

    fn add(&mut self, _: &RunPart<'_>, games: Vec<GameRow>) -> Result<(), StoredError> {
        self.take(&games);
        Ok(())
    }
}

#[cfg(test)]
mod kept_tests {
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

    /// All files of a run but its manifest, which has times.
    fn files(run: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = testkit::files_below(run);
        files.remove(Path::new("manifest.json"));
        files
    }

    #[test]
    fn an_interrupted_match_is_resumed_with_the_bytes_of_one_that_was_not_and_is_read_again() {
        let [whole, parts] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let told = Mutex::new(Vec::new());
        let tell = |test: &Test| told.lock().unwrap().push(*test);
        let (report, run) =
            duel(whole.path(), 2).play_into_folder(&three_in_four, Start::GoOn, tell, &()).unwrap();
        let told = told.into_inner().unwrap();
        assert_eq!(report.verdict, Some(SprtVerdict::Effect));
        let blocks = report.test.blocks();
        assert!((20..60).contains(&blocks), "{blocks}");

        // A part is five blocks, 70 games: the first interruption falls into the second part, and so on.
        let duel = duel(parts.path(), 1);
        for games in [100, 100] {
            let stopped = After(games, AtomicUsize::new(0));
            let end = duel.play_into_folder(&three_in_four, Start::GoOn, |_| {}, &stopped);
            assert!(matches!(end, Err(RunError::Interrupted)));
        }
        let counted = After(usize::MAX, AtomicUsize::new(0));
        let again = Mutex::new(Vec::new());
        let tell = |test: &Test| again.lock().unwrap().push(*test);
        let (resumed, resumed_run) =
            duel.play_into_folder(&three_in_four, Start::GoOn, tell, &counted).unwrap();
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
