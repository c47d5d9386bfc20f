//! A match of two bots that stops when it is decided: its file, and the test that watches its games.
//!
//! ```toml
//! name = "greedy-over-random"
//! variants = ["standard"]        # one
//! entrants = ["greedy", "random"]
//! design = "halves"              # or "one-against-rest"
//! score = "draw-size"
//! baseline = 0.0                 # H0: by how much a seat of the first scores more
//! effect = 0.05                  # H1
//! alpha = 0.05                   # how often H1 may be accepted where H0 holds
//! beta = 0.05                    # how often H0 may be accepted where H1 holds
//! max_blocks = 400
//! seed = 1
//! last_year = 1910
//! seats.shuffle = true           # the order of the seats is drawn for each block
//! ```
//! The design is mirrored: a block plays a line-up and the same with the bots exchanged, under one nature and over all
//! rotations. In each block both bots therefore sit in every seat equally often, and the comparison is of the bots
//! alone. Shuffled seats keep this, because both line-ups of a block are shuffled alike.

use std::convert::Infallible;
use std::path::Path;

use serde::Deserialize;

use crate::estimate::{Estimate, Interval, Moments};
use crate::faults::Faults;
use crate::plackett_luce::{RankingCounts, Sets, Strengths};
use crate::repeats::{Repeats, SeenBlocks, fingerprint, shuffling_helps};
use crate::scoring::{Score, places};
use crate::sprt::{self, LEAST_BLOCKS, SprtQuestion, SprtVerdict, Test};
use upheaval_engine::diagnostic::value::{Decimal, Placed, Whole};
use upheaval_engine::diagnostic::{Form, Source};
use upheaval_harness::record::{GameRow, GameRows};
use upheaval_harness::sim::faults::FaultCounts;
use upheaval_harness::sim::tournament::TournamentOverrides;
use upheaval_harness::sim::{
    Catalogue, Chunk, Experiment, ExperimentError, LineUp, LineUpSchedule, LineUps, Observer, RunError,
    Seating, Sequential, Sink,
    experiment::{Argument, Asked, RunKeys, SeatOrderKeys},
    tournament,
};
use upheaval_map::ids::Power;

mod answer;

pub use answer::{MatchAnswer, of_stored};

/// How many blocks are played between two looks.
const BLOCKS_A_CHUNK: u32 = 5;

/// A score, up to that of Carnage.
type ScoreDifference = Decimal<-30_000_000_000, 30_000_000_000>;

/// How often a wrong answer may be given.
type ErrorRate = Decimal<1, 499_000>;

/// The keys of matches only.
#[derive(Deserialize)]
struct MatchKeys {
    entrants: Placed<Vec<Placed<String>>>,
    design: Option<Design>,
    score: Option<Score>,
    baseline: Option<ScoreDifference>,
    effect: Placed<ScoreDifference>,
    alpha: Option<ErrorRate>,
    beta: Option<ErrorRate>,
    max_blocks: Whole<{ LEAST_BLOCKS as u64 }, 1_000_000>,
    #[serde(default)]
    seats: SeatOrderKeys,
}

upheaval_map::named! {
    /// How the seats are shared.
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Design {
        /// Every other seat: of seven seats, four against three and three against four.
        Halves = "halves",
        /// One seat against all others, and all others against one.
        OneAgainstRest = "one-against-rest",
    }
}

impl Design {
    /// The line-ups of a block, for the bots with these two indices at a table of this number of seats.
    fn line_ups(self, a: usize, b: usize, seats: usize) -> [LineUp; 2] {
        let is_first = |seat: usize| match self {
            Design::Halves => seat.is_multiple_of(2),
            Design::OneAgainstRest => seat == 0,
        };
        let line_up = |one, other| (0..seats).map(|seat| if is_first(seat) { one } else { other }).collect();
        [line_up(a, b), line_up(b, a)]
    }
}

/// A checked match.
#[derive(Clone, Debug)]
pub struct Duel {
    /// Its games, as many as may be needed.
    pub experiment: Experiment,
    /// The hypotheses.
    pub question: SprtQuestion,
    /// The score that bots are compared in.
    pub score: Score,
    /// How the bots are seated.
    pub design: Design,
}

impl Duel {
    /// Reads and checks a match file.
    pub fn read(
        path: &Path,
        overrides: &TournamentOverrides,
        catalogue: &impl Catalogue,
    ) -> Result<Duel, ExperimentError> {
        let source = Source::read(path)?;
        Duel::check(&source, path.parent().unwrap_or(Path::new("")), overrides, catalogue)
    }

    /// Checks the text of a match file whose paths start at `base`.
    pub fn check(
        source: &Source,
        base: &Path,
        overrides: &TournamentOverrides,
        catalogue: &impl Catalogue,
    ) -> Result<Duel, ExperimentError> {
        let plan = |asked: &mut Asked<'_, '_, _>, own: MatchKeys| {
            one_variant(asked.form, asked.run);
            let entrants = tournament::entrants(asked.form, &own.entrants, &mut asked.bots);
            let question = question(asked.form, &own);
            let entrants = entrants?;
            let [a, b] = entrants[..] else {
                let message = format!("a match has two `entrants`, not {}", entrants.len());
                return asked.form.refuse(own.entrants.span(), message);
            };
            let design = own.design.unwrap_or(Design::Halves);
            let score = own.score.unwrap_or(Score::DrawSize);
            let list = design.line_ups(a?, b?, asked.powers?.powers().len()).to_vec();
            let seating =
                Seating::Rotated(LineUps { list, deal: LineUpSchedule::EveryBlock, order: own.seats.into() });
            let games = own.max_blocks.small() * seating.block();
            Some((seating, games, (question?, score, design)))
        };
        let argument =
            overrides.blocks.map(|blocks| Argument { name: "blocks", key: "max_blocks", value: blocks });
        let (experiment, (question, score, design)) =
            Experiment::check_parts(source, base, &overrides.run, argument, catalogue, plan)?;
        let mut duel = Duel { experiment, question, score, design };
        duel.experiment.resolved.sequential = Some(duel.asked());
        Ok(duel)
    }

    /// The most blocks it may take.
    pub fn most_blocks(&self) -> u32 {
        self.experiment.resolved.games / self.experiment.resolved.seating().block()
    }

    /// Plays the match until it is decided or all its blocks are played. `tell` receives the test after each chunk of
    /// blocks, and when it is decided.
    ///
    /// # Errors
    /// The threads cannot be started, or the observer stopped the match.
    pub fn play(
        &self,
        tell: impl FnMut(&Test) + Send,
        observer: &dyn Observer,
    ) -> Result<DuelReport, RunError<Infallible>> {
        let mut course = self.begin();
        play_until(&self.experiment, course.watch(tell), observer)?;
        Ok(course.report())
    }

    /// The match at its start, for games that are played elsewhere, by the plan of its experiment.
    pub fn begin(&self) -> MatchProgress {
        let resolved = &self.experiment.resolved;
        let bots = [0, 1].map(|bot| resolved.bots[bot].name.clone());
        MatchProgress::new(
            self.question,
            self.score,
            bots,
            shuffling_helps(resolved.seating()),
            resolved.seed,
        )
    }

    /// Its answer.
    pub fn answer(&self, report: &DuelReport) -> MatchAnswer {
        MatchAnswer::of(report, &self.asked())
    }

    /// The question, as a run folder keeps it.
    fn asked(&self) -> Sequential {
        let SprtQuestion { baseline, effect, alpha, beta } = self.question;
        Sequential {
            design: self.design.name().to_owned(),
            score: self.score.name().to_owned(),
            baseline,
            effect,
            alpha,
            beta,
            games_a_look: BLOCKS_A_CHUNK * self.experiment.resolved.seating().block(),
        }
    }
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq)]
pub struct DuelReport {
    /// The verdict; `None` if all blocks did not suffice, or repeat each other.
    pub verdict: Option<SprtVerdict>,
    /// The test at the end.
    pub test: Test,
    /// How the bots behaved.
    pub faults: Faults,
    /// The bots.
    pub bots: [String; 2],
    /// The score that they are compared in.
    pub score: Score,
    /// By how much a seat of the first scores more. The estimate and its interval account for when the test stopped.
    pub difference: Estimate,
    /// By how much the first leads in rating; accounts for the stop like the difference.
    pub elo: Estimate,
    /// How many of the blocks differ.
    pub repeats: Repeats,
}

/// Checks that all games have one rule set.
fn one_variant(form: &Form<'_>, run: &RunKeys) {
    if !run.sweep.is_empty() {
        let message = "a match cannot have a `sweep`; set the parameter in `[parameters]` of each match";
        form.fault(form.key("sweep").unwrap_or_default(), message);
    }
    let variants = run.variants.len();
    if variants > 1 {
        let message = format!("a match has one variant, not {variants}; play a match for each variant");
        form.fault(run.variants.span(), message);
    }
}

fn question(form: &Form<'_>, own: &MatchKeys) -> Option<SprtQuestion> {
    let (baseline, effect) = (own.baseline.map_or(0.0, Decimal::get), own.effect.get());
    if effect <= baseline {
        let message = format!("`effect` must be above `baseline`, {baseline}, not {effect}");
        return form.refuse(own.effect.span(), message);
    }
    let rate = |rate: Option<ErrorRate>| rate.map_or(0.05, Decimal::get);
    Some(SprtQuestion { baseline, effect, alpha: rate(own.alpha), beta: rate(own.beta) })
}

/// A match in progress.
#[derive(Clone, Debug)]
pub struct MatchProgress {
    /// The current state of the test.
    test: Test,
    /// The difference of each block.
    differences: Vec<f64>,
    comparison: Comparison,
    score: Score,
    seed: u64,
}

impl MatchProgress {
    /// A match of these bots at its start.
    pub(super) fn new(
        question: SprtQuestion,
        score: Score,
        bots: [String; 2],
        shuffling_helps: bool,
        seed: u64,
    ) -> MatchProgress {
        MatchProgress {
            test: Test::new(question),
            differences: Vec::new(),
            comparison: Comparison::new(bots, shuffling_helps),
            score,
            seed,
        }
    }

    /// Takes the games of whole blocks of the match, in their order, as far as they are needed. Returns whether the
    /// match is over: no more games are needed.
    pub fn take<'g>(&mut self, games: impl IntoIterator<Item = &'g GameRow>) -> bool {
        let games: Vec<&GameRow> = games.into_iter().collect();
        for block in games.chunk_by(|a, b| a.block == b.block) {
            if self.is_over() {
                break;
            }
            let difference = block.iter().map(|game| self.difference(game)).sum::<f64>() / block.len() as f64;
            self.test.add(difference, self.most(block));
            self.differences.push(difference);
            self.comparison.add(block);
        }
        self.is_over()
    }

    /// Takes games and reports the test after them, until no more are needed.
    fn watch(
        &mut self,
        mut tell: impl FnMut(&Test) + Send,
    ) -> impl FnMut(&Chunk, &[GameRows]) -> Result<(), Enough> + Send {
        move |_, games| {
            let over = self.take(games.iter().map(|record| &record.game));
            tell(&self.test);
            if over { Err(Enough) } else { Ok(()) }
        }
    }

    /// The verdict, if there is one. Blocks that repeat each other have none.
    fn verdict(&self) -> Option<SprtVerdict> {
        self.test.verdict().filter(|_| !self.comparison.repeats().show_nothing())
    }

    /// Is it decided, or will it never be because it is the same games again and again?
    fn is_over(&self) -> bool {
        let repeats = self.comparison.repeats();
        self.verdict().is_some() || self.test.blocks() >= LEAST_BLOCKS && repeats.show_nothing()
    }

    /// By how much a seat of the first bot scores more than one of the second in a game.
    fn difference(&self, game: &GameRow) -> f64 {
        let points = self.score.points(game);
        let mean = |bot: usize| {
            let seats = self.comparison.seats(game, bot);
            let (sum, n) = seats.fold((0.0, 0), |(sum, n), power| (sum + points[power], n + 1));
            sum / f64::from(n.max(1))
        };
        mean(0) - mean(1)
    }

    /// By how much a seat of one bot can score more than one of the other in these games at most: by the points of all
    /// powers, shared among the seats of one bot.
    fn most(&self, games: &[&GameRow]) -> f64 {
        let most = |bot: usize| {
            let of_game = |game: &&GameRow| {
                self.score.most(game) / self.comparison.seats(game, bot).count().max(1) as f64
            };
            games.iter().map(of_game).sum::<f64>() / games.len() as f64
        };
        most(0).max(most(1))
    }

    /// The current state of the match.
    pub fn report(self) -> DuelReport {
        let (verdict, repeats) = (self.verdict(), self.comparison.repeats());
        let [difference, elo] = self.estimates().map(|estimate| repeats.known(estimate));
        let MatchProgress { test, comparison: Comparison { bots, faults, .. }, score, .. } = self;
        DuelReport { verdict, test, faults, bots, score, difference, elo, repeats }
    }

    /// The difference and the lead in Elo, given when the test stopped.
    ///
    /// The test watches the difference alone, so the lead is biased by the stop as far as it goes with the difference:
    /// it is moved by its regression on the difference, and its interval adds what the difference does not explain.
    fn estimates(&self) -> [Estimate; 2] {
        let difference = sprt::stopped_estimate(&self.test, &self.differences, self.seed);
        let Some(strengths) = self.comparison.strengths() else {
            return [difference, Estimate::alone(0.0)];
        };
        let lead = strengths.elo(&LEAD);
        let contributions: Vec<f64> = strengths.contributions(&LEAD).collect();
        let groups = Strengths::groups(&self.differences, self.test.mean());
        let squares: f64 = groups.iter().map(|of| of * of).sum();
        let Some(bounds) =
            difference.interval.filter(|_| squares > 0.0 && groups.len() == contributions.len())
        else {
            return [difference, strengths.estimate(&LEAD)];
        };
        let products: f64 = groups.iter().zip(&contributions).map(|(x, y)| x * y).sum();
        let slope = products / squares;
        let rest = contributions.iter().zip(&groups).map(|(y, x)| y - slope * x);
        let rest = Moments::of(rest).spread().and_then(|spread| spread.around(0.0).interval);
        let rest = rest.unwrap_or(Interval { low: 0.0, high: 0.0 });
        let moved = lead - slope * (self.test.mean() - difference.estimate);
        let [down, up] = [difference.estimate - bounds.low, bounds.high - difference.estimate];
        let [down, up] = if slope < 0.0 { [-slope * up, -slope * down] } else { [slope * down, slope * up] };
        let interval = Interval { low: moved - down.hypot(rest.low), high: moved + up.hypot(rest.high) };
        [difference, Estimate { estimate: moved, interval: Some(interval) }]
    }
}

/// The weights of the logarithms of strengths in the lead of the first bot.
pub(crate) const LEAD: [f64; 2] = [1.0, -1.0];

/// Two bots by blocks of their games, as a match and a rung of a ladder compare them.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    bots: [String; 2],
    /// How they behaved.
    pub(crate) faults: Faults,
    sets: Sets,
    /// The finishing orders of each block.
    choices: Vec<RankingCounts>,
    seen: SeenBlocks,
}

impl Comparison {
    /// No blocks yet.
    pub(crate) fn new(bots: [String; 2], shuffling_helps: bool) -> Comparison {
        Comparison {
            bots,
            faults: Faults::default(),
            sets: Sets::new(2),
            choices: Vec::new(),
            seen: SeenBlocks::new(shuffling_helps),
        }
    }

    /// Adds a block.
    pub(crate) fn add(&mut self, block: &[&GameRow]) {
        let first = &*self.bots[0];
        self.choices.push(self.sets.count(block.iter().map(|game| {
            let places = places(game);
            let order =
                game.seats.iter().map(|(power, seat)| (usize::from(*seat.bot != *first), places[power]));
            order.collect::<Vec<_>>()
        })));
        self.seen.add(block.iter().map(|game| fingerprint(game)));
        block.iter().for_each(|game| self.faults.add(game));
    }

    /// The seats of the first bot in a game, or of the second.
    pub(crate) fn seats(&self, game: &GameRow, bot: usize) -> impl Iterator<Item = Power> {
        let seats = game.seats.iter().filter(move |(_, seat)| usize::from(*seat.bot != *self.bots[0]) == bot);
        seats.map(|(power, _)| power)
    }

    /// How many of the blocks differ.
    pub(crate) fn repeats(&self) -> Repeats {
        self.seen.repeats
    }

    /// The strengths of both; `None` if they do not converge.
    pub(crate) fn strengths(&self) -> Option<Strengths> {
        self.sets.fit_blocks(&self.choices)
    }
}

/// Plays the games of an experiment, and passes them on in their order until no more are needed.
///
/// # Errors
/// The threads cannot be started, or the observer stopped it.
pub(crate) fn play_until(
    experiment: &Experiment,
    take: impl FnMut(&Chunk, &[GameRows]) -> Result<(), Enough> + Send,
    observer: &dyn Observer,
) -> Result<(), RunError<Infallible>> {
    let (schedule, player, mut games) = (experiment.schedule(), experiment.player(), Until(0, take));
    match experiment.play_into(&schedule, &player, &mut games, FaultCounts::default(), observer) {
        Err(error) => error.of_sink().map(|Enough| ()),
        Ok(()) => Ok(()),
    }
}

/// No more games are needed.
pub(crate) struct Enough;

/// How many chunks were finished before, and what takes the games of the others until it has an error.
struct Until<F>(usize, F);

impl<E: Send, F: FnMut(&Chunk, &[GameRows]) -> Result<(), E> + Send> Sink for Until<F> {
    type Error = E;

    fn finished(&self) -> usize {
        self.0
    }

    fn take(&mut self, chunk: &Chunk, games: &[GameRows]) -> Result<(), E> {
        (self.1)(chunk, games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_harness::record::GameEnd;
    use upheaval_harness::sim::GameSpec;
    use upheaval_harness::sim::mock;
    use upheaval_harness::sim::run;
    use upheaval_map::ids::Powers;

    pub(super) const GOOD: &str = "name = \"d\"\nvariants = [\"standard\"]\nentrants = [\"greedy\", \"random\"]\n\
                        effect = 0.05\nmax_blocks = 60\nseed = 1\nlast_year = 1930\n";

    pub(super) fn check(text: &str) -> Result<Duel, ExperimentError> {
        Duel::check(
            &Source::new("d.toml", text),
            Path::new(""),
            &TournamentOverrides::default(),
            &mock::MockRegistry,
        )
    }

    /// The first bot wins three games in four, and the other the fourth.
    pub(super) fn three_in_four(spec: &GameSpec) -> GameRows {
        let mut record = mock::play(spec);
        let winner = Powers::STANDARD.iter().find(|&p| (spec.seats[p] == 0) != spec.game.is_multiple_of(4));
        (record.game.end, record.game.winner) = (GameEnd::Solo, winner);
        record
    }

    #[test]
    fn both_sit_in_every_seat_equally_often_in_each_block() {
        for design in Design::ALL {
            let duel = check(&format!("{GOOD}design = \"{}\"\n", design.name())).unwrap();
            assert_eq!((duel.design, duel.most_blocks()), (design, 60));
            let schedule = duel.experiment.schedule();
            for power in Powers::STANDARD {
                let first = (0..14).filter(|&game| schedule.game(0, game).seats[power] == 0).count();
                assert_eq!(first, 7, "{design:?} {power:?}");
            }
            assert!((0..14).all(|game| schedule.game(0, game).block == 0));
        }
    }

    #[test]
    fn it_stops_when_it_is_decided_at_the_same_block_on_any_number_of_threads() {
        let duel = check(GOOD).unwrap();
        let ends: Vec<_> = [1, 3]
            .map(|threads| {
                let told = std::sync::Mutex::new(Vec::new());
                let tell = |test: &Test| told.lock().unwrap().push(*test);
                let mut course = duel.begin();
                let end = run(
                    &duel.experiment.schedule(),
                    threads,
                    &three_in_four,
                    &mut Until(0, course.watch(tell)),
                    &(),
                );
                assert!(matches!(end, Err(RunError::Sink(Enough))));
                let report = course.report();
                assert_eq!(report.verdict, Some(SprtVerdict::Effect));
                let blocks = report.test.blocks();
                (blocks, told.into_inner().unwrap())
            })
            .into();
        assert_eq!(ends[0], ends[1]);
        assert!((20..60).contains(&ends[0].0) && ends[0].1.len() == 4, "{ends:?}");
    }

    /// Two programs without dice on a variant without chance: the first block again and again.
    #[test]
    fn the_same_games_again_decide_nothing_and_end_the_match() {
        let duel = check(GOOD).unwrap();
        let schedule = duel.experiment.schedule();
        let repeated = |spec: &GameSpec| {
            let mut record = three_in_four(&schedule.game(0, spec.game % 14));
            (record.game.game, record.game.block) = (spec.game, spec.block);
            record
        };
        let mut course = duel.begin();
        let end = run(&duel.experiment.schedule(), 1, &repeated, &mut Until(0, course.watch(|_| {})), &());
        assert!(matches!(end, Err(RunError::Sink(Enough))));
        let report = course.report();
        assert_eq!((report.verdict, report.repeats.blocks, report.repeats.distinct), (None, 20, 1));
        assert_eq!((report.difference.interval, report.elo.interval), (None, None));
        let answer = duel.answer(&report);
        assert_eq!((answer.verdict, answer.stronger.as_deref()), ("undecided", None));
        let text = answer.render(280);
        let warning = format!("warning: {}", report.repeats.sentence().unwrap());
        let lines = ["undecided", &warning, "nothing shows which bot is stronger"];
        assert!(text.lines().take(3).eq(lines), "{text}");
        let json: serde_json::Value = serde_json::from_str(&answer.to_json()).unwrap();
        assert!(
            json["difference"]["low"].is_null()
                && json["elo"]["high"].is_null()
                && json["warning"].is_string()
        );
    }
}
