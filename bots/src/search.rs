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
//! The cheap policy is [`Dumbbot`]: the samples are its orders under several dice, and so are the candidates,
//! together with some of [`Greedy`]'s (`search/candidates.rs`). Retreats, adjustments and seismic orders are
//! compared in the same way, with a separate budget (`search/script.rs`); the policy decides about coasts and
//! exempt centres. Budgets are counted in rollouts rather than seconds, and all randomness follows from the
//! given dice, so that a game repeats on any machine. Its knowledge of the game is [`Observation::imagined`].

mod candidates;
mod matrix;
mod rating;
mod rollout;
mod script;

use upheaval_engine::bot::{Bot, BotKind, BotSetting, Observation, OrderSheet, Pace, RetreatChoice, Tuning};
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

/// The depth and amount of search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchSettings {
    /// The largest number of rollouts before it gives the orders of a movement phase. At 0 it plays like its
    /// policy.
    pub rollouts: u32,
    /// The same before it gives retreats, adjustments or a seismic order. At 0 these are its policy's.
    pub asides: u32,
    /// The largest number of its own joint orders that it compares.
    pub candidates: u32,
    /// The year at whose end a rollout stops: 1 is the current year.
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

/// Each candidate gets at least this many samples; fewer candidates are compared if necessary.
const LEAST_SAMPLES: u32 = 2;
/// The same for answers to other stages, of which there are few.
const LEAST_SAMPLES_ASIDE: u32 = 4;

/// See the module documentation.
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
        description: "tries its orders in imagined games, against samples of the others' orders, by regret matching",
        // It uses these two bots: when either plays differently, so does it.
        version: 2 + crate::dumbbot::KIND.version + crate::greedy::KIND.version,
        make: || Box::new(Search::default()),
        tuning: Some(Tuning { settings: &Search::SETTINGS, make: tuned }),
        pace: Pace::Slow,
        weights: None,
    };

    /// The settings for experiments.
    pub const SETTINGS: [BotSetting; 4] = [
        BotSetting {
            name: "rollouts",
            meaning: "games continued before the orders of a movement phase",
            least: 0,
            most: 1_000_000,
            default: SearchSettings::DEFAULT.rollouts as u64,
        },
        BotSetting {
            name: "candidates",
            meaning: "the most joint orders of its own that are compared",
            least: 1,
            most: 1_000,
            default: SearchSettings::DEFAULT.candidates as u64,
        },
        BotSetting {
            name: "years",
            meaning: "the year at whose end a rollout stops: 1 is the current year",
            least: 1,
            most: 100,
            default: SearchSettings::DEFAULT.years as u64,
        },
        BotSetting {
            name: "asides",
            meaning: "games continued before retreats, adjustments and a seismic order",
            least: 0,
            most: 1_000_000,
            default: SearchSettings::DEFAULT.asides as u64,
        },
    ];
}

impl SearchSettings {
    /// Settings from the values of [`Search::SETTINGS`], which are within their bounds; missing values have
    /// their defaults.
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

    /// Chooses the answer to a stage other than movement, among those that its authors propose.
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
            rollout::StreamPurpose::Choice,
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
        // A single draw, however much is searched, so that the budget does not affect the later dice of the
        // game.
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
            let chosen =
                self.matrix.draw(&mut rollout::stream(root, rollout::StreamPurpose::Choice, 0, seen.power));
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
