//! A bot that tries its orders before it gives them: in imagined games, with the real engine.
//!
//! ```text
//!               samples of what the others may order ──▶
//!   candidates:      s0    s1    s2    s3
//!   possible     a │ .21   .14   .19   .22 │      each a rollout: the orders are settled, a cheap policy plays the
//!   orders       b │ .25   .11   .26   .24 │      game on to the end of a year, and the position there is rated
//!        │       c │ .18   .13   .17   .20 │ ──▶ regret matching ──▶ a frequency of each ──▶ one is drawn
//!        ▼
//! ```
//!
//! The cheap policy is [`Dumbbot`](crate::Dumbbot): the samples are its orders under several dice, and so are the candidates,
//! together with some of [`Greedy`](crate::Greedy)'s. Retreats, adjustments and seismic orders are
//! compared in the same way, with a separate budget; the policy decides about coasts and
//! exempt centres. The rollouts may be spread over rounds, between which the worse half of the candidates is
//! dropped. Budgets are counted in rollouts rather than seconds, and all randomness follows from the
//! given dice, so that a game repeats on any machine. Its knowledge of the game is [`Observation::imagined`].

mod matrix;
mod rollout;

use rollout::{RolloutSimulator, StreamPurpose, stream};
use upheaval_engine::ask::{Answer, Ask, Observation};
use upheaval_engine::bot::{Bot, BotKind, BotSetting, Decision, Pace, Tuning};
use upheaval_engine::ids::Power;
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::answers::Answers;
use upheaval_engine::rules::order::AdjustmentOrder;

use crate::{Dumbbot, Greedy, Random};

pub use matrix::Matrix;
pub use rollout::{Rating, RuleOfThumb};

/// The depth and amount of search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchSettings {
    /// The largest number of rollouts before it gives the orders of a movement phase. At 0 it plays like its
    /// policy.
    pub rollouts: u32,
    /// The same before it gives retreats, adjustments or a seismic order. At 0 these are its policy's.
    pub other_stage_rollouts: u32,
    /// The largest number of its own joint orders that it compares.
    pub candidates: u32,
    /// The year at whose end a rollout stops: 1 is the current year.
    pub years: u16,
    /// The number of rounds over which the rollouts are spread. After each but the last, the worse half of the
    /// candidates is dropped, and the others share the rollouts of the next.
    pub rounds: u32,
}

impl SearchSettings {
    /// Those of `search`.
    pub const DEFAULT: SearchSettings =
        SearchSettings { rollouts: 96, other_stage_rollouts: 24, candidates: 12, years: 2, rounds: 1 };
}

impl Default for SearchSettings {
    fn default() -> Self {
        SearchSettings::DEFAULT
    }
}

/// Each candidate gets at least this many samples; fewer candidates are compared if necessary.
const LEAST_SAMPLES: u32 = 2;
/// The same for answers to other stages, of which there are few.
const LEAST_SAMPLES_OF_OTHER_STAGES: u32 = 4;

/// See the module documentation.
#[derive(Default)]
pub struct Search {
    settings: SearchSettings,
    candidates: Candidates,
    rollouts: RolloutSimulator,
    matrix: Matrix,
}

impl Search {
    /// The bot.
    pub const KIND: BotKind = BotKind {
        name: "search",
        description: "tries its orders in imagined games, against samples of the others' orders, by regret matching",
        // It uses these two bots: when either plays differently, so does it.
        version: 2 + crate::dumbbot::KIND.version + crate::greedy::KIND.version,
        make: || Box::new(Search::default()),
        tuning: Some(Tuning { settings: &Search::SETTINGS, make: tuned }),
        pace: Pace::Slow,
        weights: None,
    };

    /// The settings for experiments.
    pub(crate) const SETTINGS: [BotSetting; 4] = Search::settings(SearchSettings::DEFAULT);

    /// The settings for experiments of a search with these defaults.
    pub const fn settings(defaults: SearchSettings) -> [BotSetting; 4] {
        let rollouts = BotSetting {
            name: "rollouts",
            meaning: "games continued before the orders of a movement phase",
            least: 0,
            most: 1_000_000,
            default: defaults.rollouts as u64,
        };
        let candidates = BotSetting {
            name: "candidates",
            meaning: "maximum number of its own joint orders that are compared",
            least: 1,
            most: 1_000,
            default: defaults.candidates as u64,
        };
        let years = BotSetting {
            name: "years",
            meaning: "the year at whose end a rollout stops: 1 is the current year",
            least: 1,
            most: 100,
            default: defaults.years as u64,
        };
        let other_stage_rollouts = BotSetting {
            name: "asides",
            meaning: "games continued before retreats, adjustments and a seismic order",
            least: 0,
            most: 1_000_000,
            default: defaults.other_stage_rollouts as u64,
        };
        [rollouts, candidates, years, other_stage_rollouts]
    }
}

impl SearchSettings {
    /// Settings from the values of [`Search::settings`], which are within their bounds; these settings have what is
    /// missing.
    pub fn with(self, values: &[u64]) -> SearchSettings {
        let [rollouts, candidates, years, other_stage_rollouts] = Search::settings(self);
        SearchSettings {
            rollouts: rollouts.value(values, 0) as u32,
            candidates: candidates.value(values, 1) as u32,
            years: years.value(values, 2) as u16,
            other_stage_rollouts: other_stage_rollouts.value(values, 3) as u32,
            ..self
        }
    }
}

fn tuned(values: &[u64]) -> Box<dyn Bot> {
    Box::new(Search::new(SearchSettings::DEFAULT.with(values)))
}

impl Search {
    /// A bot with these settings.
    pub fn new(settings: SearchSettings) -> Search {
        Search { settings, ..Search::default() }
    }

    /// A bot that also compares orders of another bot: half of its candidates are the adviser's.
    pub fn advised(settings: SearchSettings, adviser: Box<dyn Bot>) -> Search {
        Search { candidates: Candidates::advised(adviser), ..Search::new(settings) }
    }

    /// The same bot, with the final positions of rollouts rated by this instead of the [`RuleOfThumb`].
    pub fn rated_by(self, rating: Box<dyn Rating>) -> Search {
        Search { rollouts: RolloutSimulator::rated_by(rating), ..self }
    }

    /// Gives the answer to a question other than movement that is best among the candidates.
    fn consider(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        let root = dice.next_u64();
        let SearchSettings { other_stage_rollouts: rollouts, candidates, years, .. } = self.settings;
        self.candidates.collect(seen, ask, root, candidates.min(rollouts / LEAST_SAMPLES_OF_OTHER_STAGES));
        let rows = self.candidates.len();
        let mut chosen = 0;
        if rows > 1 {
            self.matrix.clear(rows);
            for sample in 0..rollouts as usize / rows {
                self.rollouts.guess(seen, root, sample as u64, years);
                (0..rows).for_each(|row| self.rollouts.act(self.candidates.get(row)));
                self.matrix.column(self.rollouts.rated(seen.power));
            }
            chosen = self.matrix.draw(&mut stream(root, StreamPurpose::Choice, 0, seen.power));
        }
        answer.give_all(ask, self.candidates.get(chosen));
    }

    /// Gives the orders of a movement that are best among the candidates.
    fn search(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        // A single draw, however much is searched, so that the budget does not affect the later dice of the
        // game.
        let root = dice.next_u64();
        let SearchSettings { rollouts, candidates, years, rounds, .. } = self.settings;
        let rounds = rounds.max(1);
        let of_a_round = rollouts / rounds;
        self.candidates.collect(seen, ask, root, candidates.min(of_a_round / LEAST_SAMPLES));
        // The candidates that are still compared: those of the matrix's rows.
        let mut left: Vec<usize> = (0..self.candidates.len()).collect();
        self.matrix.clear(left.len());
        let mut sample = 0;
        for round in 0..rounds {
            if round > 0 && left.len() > 1 {
                let dice = &mut stream(root, StreamPurpose::Round, u64::from(round), seen.power);
                let best = self.matrix.keep_best(left.len().div_ceil(2), dice);
                left = best.iter().map(|&row| left[row]).collect();
            }
            let columns = if left.len() > 1 { of_a_round as usize / left.len() } else { 0 };
            for _ in 0..columns {
                self.rollouts.stage(seen, root, sample, years);
                left.iter().for_each(|&row| self.rollouts.play(self.candidates.get(row)));
                self.matrix.column(self.rollouts.rated(seen.power));
                sample += 1;
            }
        }
        let chosen = match left.len() > 1 && sample > 0 {
            true => left[self.matrix.draw(&mut stream(root, StreamPurpose::Choice, 0, seen.power))],
            false => left[0],
        };
        answer.give_all(ask, self.candidates.get(chosen));
    }
}

impl Bot for Search {
    fn new_game(&mut self, power: Power) {
        self.candidates.new_game(power);
    }

    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        match ask {
            Ask::Movement(_) => self.search(seen, ask, dice, answer),
            Ask::Retreats(_) | Ask::Adjustments(_) | Ask::Seismic(_) => {
                self.consider(seen, ask, dice, answer)
            }
            _ => self.candidates.policy.decide(seen, ask, dice, answer),
        }
    }
}

/// One in this many joint orders of a movement is `greedy`'s.
const GREEDY_EVERY: u64 = 4;
/// One in this many is the adviser's, if there is one.
const ADVISED_EVERY: u64 = 2;

/// More tries than candidates, because some give the same answer again.
const TRIES: u64 = 3;

/// The answers that are compared, and the bots that give them.
#[derive(Default)]
pub(super) struct Candidates {
    answers: Vec<Vec<Decision>>,
    adviser: Option<Box<dyn Bot>>,
    pub policy: Dumbbot,
    greedy: Greedy,
    random: Random,
}

impl Candidates {
    /// A set of candidates of which, in movements, half are the adviser's.
    pub(super) fn advised(adviser: Box<dyn Bot>) -> Candidates {
        Candidates { adviser: Some(adviser), ..Candidates::default() }
    }

    /// A new game begins, in which the bot plays this power.
    pub(super) fn new_game(&mut self, power: Power) {
        if let Some(adviser) = &mut self.adviser {
            adviser.new_game(power);
        }
    }

    /// The author of a try. The first is the policy.
    fn author(&mut self, ask: &Ask, i: u64) -> &mut dyn Bot {
        match (ask, &mut self.adviser, i) {
            (Ask::Movement(_), Some(adviser), _) if i % ADVISED_EVERY == ADVISED_EVERY - 1 => {
                adviser.as_mut()
            }
            (Ask::Movement(_), Some(_), _) if i % (ADVISED_EVERY * GREEDY_EVERY) == 2 => &mut self.greedy,
            (Ask::Movement(_), None, _) if i % GREEDY_EVERY == GREEDY_EVERY - 1 => &mut self.greedy,
            (Ask::Movement(_), ..) => &mut self.policy,
            // Every other one is drawn among all legal answers, because the policies seldom give more than one here.
            (..) if i % 4 == 2 => &mut self.greedy,
            (..) if !i.is_multiple_of(4) => &mut self.random,
            _ => &mut self.policy,
        }
    }

    /// Collects different answers: at least one, at most this number.
    pub(super) fn collect(&mut self, seen: &Observation<'_>, ask: &Ask, root: u64, most: u32) {
        self.answers.clear();
        let mut answers = Answers::none(seen.powers());
        for i in 0..TRIES * u64::from(most.max(1)) {
            answers.clear();
            let mut dice = stream(root, StreamPurpose::Candidate, i, seen.power);
            let mut answer = Answer::new(seen, std::slice::from_ref(ask), &mut answers);
            self.author(ask, i).decide(seen, ask, &mut dice, &mut answer);
            let mut decided = answer.decided(ask);
            // The same builds or removals in another order are the same answer.
            decided.sort_by_key(adjustment);
            if !self.answers.contains(&decided) {
                self.answers.push(decided);
            }
            if self.answers.len() >= most as usize {
                break;
            }
        }
    }

    /// The number of candidates.
    pub(super) fn len(&self) -> usize {
        self.answers.len()
    }

    /// One of them.
    pub(super) fn get(&self, i: usize) -> &[Decision] {
        &self.answers[i]
    }
}

fn adjustment(decision: &Decision) -> Option<AdjustmentOrder> {
    match decision {
        Decision::Adjustment(order) => Some(*order),
        _ => None,
    }
}
