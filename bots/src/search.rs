//! A bot that tries its orders out before it gives them: in games that it imagines, with the real engine.
//!
//! ```text
//!               samples of what the others may order ──▶
//!   candidates:      s0    s1    s2    s3
//!   what it may  a │ .21   .14   .19   .22 │      each a rollout: the orders settled, the game played on by a cheap
//!   order        b │ .25   .11   .26   .24 │      policy to the end of a year, the position there rated
//!        │       c │ .18   .13   .17   .20 │ ──▶ regret matching ──▶ how often each ──▶ one is drawn
//!        ▼
//! ```
//!
//! The cheap policy is [`Dumbbot`]: the samples are its orders under several dice, the candidates too, and some of
//! [`Greedy`]'s (`search/candidates.rs`). Retreats, adjustments and seismic orders are compared in the same way, with a
//! budget of their own (`search/script.rs`); coasts and exempt centres the policy decides. A budget is counted in rollouts
//! and never in seconds, and all chance follows from the dice it is handed, so that a game repeats on any machine. What it
//! knows of the game it plays on from is [`Observation::imagined`].

mod candidates;
mod matrix;
mod rating;
mod rollout;
mod script;

use upheaval_engine::bot::{Bot, BotKind, Observation, OrderSheet, Pace, RetreatChoice, Setting, Tuning};
use upheaval_engine::ids::{CoastId, Power, ProvinceId};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::order::{AdjustmentOrder, RetreatOrder};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_engine::rules::world::CoastChoice;
use upheaval_engine::topology::Quake;

use crate::Dumbbot;
use candidates::Candidates;
pub use matrix::Matrix;
pub use rating::{Rating, RuleOfThumb};
use rollout::RolloutSimulator;
use script::{Authors, Script};

/// How far and how much it searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchSettings {
    /// How many games it plays on, at most, before it gives the orders of a movement phase. At 0 it plays as its policy does.
    pub rollouts: u32,
    /// The same before it gives retreats, adjustments or a seismic order. At 0 these are its policy's.
    pub asides: u32,
    /// How many joint orders of its own it compares, at most.
    pub candidates: u32,
    /// At the end of which year a rollout stops: 1 is the year it is.
    pub years: u16,
}

impl SearchSettings {
    const DEFAULT: SearchSettings = SearchSettings { rollouts: 96, asides: 24, candidates: 12, years: 2 };
}

impl Default for SearchSettings {
    fn default() -> Self {
        SearchSettings::DEFAULT
    }
}

/// Fewer candidates are compared rather than each in fewer samples than this.
const LEAST_SAMPLES: u32 = 2;
/// The same of answers to other stages, of which there are few.
const LEAST_SAMPLES_ASIDE: u32 = 4;

/// See the module's head.
#[derive(Default)]
pub struct Search {
    settings: SearchSettings,
    policy: Dumbbot,
    candidates: Candidates,
    rollouts: RolloutSimulator,
    authors: Authors,
    matrix: Matrix,
}

impl Search {
    /// The bot.
    pub const KIND: BotKind = BotKind {
        name: "search",
        description: "tries its orders out in games it imagines, against samples of the others', by regret matching",
        // It plays with these two: when one of them plays differently, so does it.
        version: 2 + crate::dumbbot::KIND.version + crate::greedy::KIND.version,
        make: || Box::new(Search::default()),
        tuning: Some(Tuning { settings: &Search::SETTINGS, make: tuned }),
        pace: Pace::Slow,
        weights: None,
    };

    /// What experiments can set.
    pub const SETTINGS: [Setting; 4] = [
        Setting {
            name: "rollouts",
            meaning: "games played on before the orders of a movement phase",
            least: 0,
            most: 1_000_000,
            default: SearchSettings::DEFAULT.rollouts as u64,
        },
        Setting {
            name: "candidates",
            meaning: "joint orders of its own that are compared, at most",
            least: 1,
            most: 1_000,
            default: SearchSettings::DEFAULT.candidates as u64,
        },
        Setting {
            name: "years",
            meaning: "at the end of which year a rollout stops: 1 is the year it is",
            least: 1,
            most: 100,
            default: SearchSettings::DEFAULT.years as u64,
        },
        Setting {
            name: "asides",
            meaning: "games played on before retreats, adjustments and a seismic order",
            least: 0,
            most: 1_000_000,
            default: SearchSettings::DEFAULT.asides as u64,
        },
    ];
}

impl SearchSettings {
    /// From the values of [`Search::SETTINGS`], which lie within their bounds; for one that is missing its default.
    pub fn of(values: &[u64]) -> SearchSettings {
        let value = |i: usize| values.get(i).copied().unwrap_or(Search::SETTINGS[i].default);
        let (rollouts, candidates, years, asides) =
            (value(0) as u32, value(1) as u32, value(2) as u16, value(3) as u32);
        SearchSettings { rollouts, asides, candidates, years }
    }
}

fn tuned(values: &[u64]) -> Box<dyn Bot> {
    Box::new(Search::new(SearchSettings::of(values)))
}

impl Search {
    /// One that searches this much.
    pub fn new(settings: SearchSettings) -> Search {
        Search { settings, ..Search::default() }
    }

    /// One that compares another bot's orders, too: half of its candidates are the adviser's.
    pub fn advised(settings: SearchSettings, adviser: Box<dyn Bot>) -> Search {
        Search { candidates: Candidates::advised(adviser), ..Search::new(settings) }
    }

    /// The same where rollouts end in positions that this rates, in place of the [`RuleOfThumb`].
    pub fn rated_by(self, rating: Box<dyn Rating>) -> Search {
        Search { rollouts: RolloutSimulator::rated_by(rating), ..self }
    }

    /// The answer to a stage that is not of movement, of those that its authors give.
    fn consider(
        &mut self,
        seen: &Observation<'_>,
        dice: &mut Stream,
        ask: impl Fn(&mut dyn Bot, &mut Stream) -> Script,
    ) -> Script {
        let root = dice.next_u64();
        let SearchSettings { asides, candidates, years, .. } = self.settings;
        let most = candidates.min(asides / LEAST_SAMPLES_ASIDE);
        let mut scripts = self.authors.scripts(seen.power, root, most, ask);
        let rows = scripts.len();
        if rows == 1 {
            return scripts.swap_remove(0);
        }
        self.matrix.clear(rows);
        for sample in 0..asides as usize / rows {
            self.rollouts.guess(seen, root, sample as u64, years);
            scripts.iter().for_each(|script| self.rollouts.act(script));
            self.matrix.column(self.rollouts.rated(seen.power));
        }
        scripts.swap_remove(self.matrix.draw(&mut rollout::stream(
            root,
            rollout::Part::Choice,
            0,
            seen.power,
        )))
    }
}

impl Bot for Search {
    fn new_game(&mut self, power: Power) {
        self.policy.new_game(power);
        self.candidates.new_game(power);
    }

    fn movement(&mut self, seen: &Observation<'_>, dice: &mut Stream, sheet: &mut OrderSheet<'_>) {
        // One number, however much is searched: so the budget does not change what the game's later dice are.
        let root = dice.next_u64();
        let SearchSettings { rollouts, candidates, years, .. } = self.settings;
        self.candidates.collect(seen, root, candidates.min(rollouts / LEAST_SAMPLES));
        let rows = self.candidates.len();
        let columns = rollouts as usize / rows;
        if rows > 1 && columns > 0 {
            self.matrix.clear(rows);
            for sample in 0..columns {
                self.rollouts.stage(seen, root, sample as u64, years);
                (0..rows).for_each(|row| self.rollouts.play(self.candidates.get(row)));
                self.matrix.column(self.rollouts.rated(seen.power));
            }
            let chosen = self.matrix.draw(&mut rollout::stream(root, rollout::Part::Choice, 0, seen.power));
            self.candidates.get(chosen).write(sheet);
        } else {
            self.candidates.get(0).write(sheet);
        }
    }

    fn retreats(
        &mut self,
        seen: &Observation<'_>,
        choices: &[RetreatChoice<'_>],
        dice: &mut Stream,
        orders: &mut Vec<Option<RetreatOrder>>,
    ) {
        let ask = |bot: &mut dyn Bot, dice: &mut Stream| {
            let mut own = Vec::new();
            bot.retreats(seen, choices, dice, &mut own);
            Script::Retreats(own)
        };
        self.consider(seen, dice, ask).retreats(seen, choices, dice, orders);
    }

    fn adjustments(
        &mut self,
        seen: &Observation<'_>,
        owed: Owed,
        builds: &[AdjustmentOrder],
        dice: &mut Stream,
        orders: &mut Vec<AdjustmentOrder>,
    ) {
        let ask = |bot: &mut dyn Bot, dice: &mut Stream| {
            let mut own = Vec::new();
            bot.adjustments(seen, owed, builds, dice, &mut own);
            Script::Adjustments(own)
        };
        self.consider(seen, dice, ask).adjustments(seen, owed, builds, dice, orders);
    }

    fn exempt(&mut self, seen: &Observation<'_>, dice: &mut Stream) -> Option<ProvinceId> {
        self.policy.exempt(seen, dice)
    }

    fn seismic(
        &mut self,
        seen: &Observation<'_>,
        quakes: &[Quake],
        dice: &mut Stream,
    ) -> Option<SeismicOrder> {
        let ask = |bot: &mut dyn Bot, dice: &mut Stream| Script::Seismic(bot.seismic(seen, quakes, dice));
        self.consider(seen, dice, ask).seismic(seen, quakes, dice)
    }

    fn coast(&mut self, seen: &Observation<'_>, choice: &CoastChoice, dice: &mut Stream) -> Option<CoastId> {
        self.policy.coast(seen, choice, dice)
    }
}
