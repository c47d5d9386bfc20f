//! How a cell plays, in addition to how fair it is: leads, choices, the orders that are used, and which power takes
//! centres from which.
//!
//! docs/measures.md defines each measure and names its source. All are ratios of whole numbers by block.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::reading::PowerTurn;
use crate::{Blocks, Estimate};
use upheaval_harness::record::GameRow;
use upheaval_map::ids::{Power, PowerNames};

/// The unit of rows that hold thousandths and hundredths.
const THOUSAND: f64 = 1000.0;
const HUNDRED: f64 = 100.0;

/// How a cell plays.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayMeasures {
    /// Changes of the lead per game.
    pub lead_changes: Option<Estimate>,
    /// Game years until the lead is decided, over the games in which one power ends on top.
    pub decided: Option<Estimate>,
    /// The same as a part of the game's years.
    pub decided_share: Option<Estimate>,
    /// The share of games at whose end no single power is on top.
    pub undecided: Option<Estimate>,
    /// The centres of the second power as a part of those of the first, over the years.
    pub closeness: Option<Estimate>,
    /// How far behind the winner was on average while it was behind: 0 where it never was.
    pub drama: Option<Estimate>,
    /// The share of games in which the winner was behind at a count, over the games in which one power ends on top.
    pub comebacks: Option<Estimate>,
    /// The orders of all powers together.
    pub orders: OrderShares,
    /// The orders and choices of each power.
    pub powers: BTreeMap<String, PowerPlay>,
    /// Centres that a power takes in a game, from each power and from no owner.
    pub captures: BTreeMap<String, Captures>,
}

/// Shares of the orders of movement phases; `None` where no power gave orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)] // as the columns of `turns`
pub struct OrderShares {
    pub holds: Option<Estimate>,
    pub moves: Option<Estimate>,
    pub supports: Option<Estimate>,
    pub convoys: Option<Estimate>,
    pub special: Option<Estimate>,
}

/// How one power plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PowerPlay {
    /// The log10 of its joint legal orders, over the movement phases in which it has a unit; `None` where the
    /// experiment did not count them.
    pub choices: Option<Estimate>,
    /// Its orders.
    pub orders: OrderShares,
}

/// The centres that one power takes in a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Captures {
    /// From each power; nothing from itself.
    pub from: BTreeMap<String, Option<Estimate>>,
    /// Centres without an owner.
    pub from_nobody: Option<Estimate>,
}

/// The statistics of a game that are not in its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plays {
    /// The year before the first.
    start: u16,
    powers: usize,
    /// By power: its orders by kind, then the phases in which its choices were counted, and their sum in hundredths.
    orders: Vec<[u64; 7]>,
    /// By taker, then by loser, no owner last: centres taken.
    captures: Vec<u64>,
}

impl Plays {
    /// For a game of this many powers that starts in the year after `start`, and in which nothing has happened yet.
    pub(crate) fn new(start: u16, powers: usize) -> Plays {
        Plays { start, powers, orders: vec![[0; 7]; powers], captures: vec![0; powers * (powers + 1)] }
    }

    /// Adds a season of a power.
    pub(crate) fn season(&mut self, season: &PowerTurn) {
        let sums = &mut self.orders[season.power.index()];
        sums.iter_mut().zip(season.orders()).for_each(|(sum, count)| *sum += u64::from(count));
        // Without a unit there is nothing to choose.
        let has_units = season.orders().iter().any(|count| *count > 0);
        if let Some(choices) = season.choices.filter(|_| has_units) {
            sums[5] += 1;
            sums[6] += (f64::from(choices) * HUNDRED).round() as u64;
        }
    }

    /// Adds a centre that changed hands.
    pub(crate) fn capture(&mut self, by: Power, from: Option<Power>) {
        self.captures[by.index() * (self.powers + 1) + from.map_or(self.powers, Power::index)] += 1;
    }

    /// All statistics of the game, as pairs of a number of observations and their sum.
    pub(super) fn pairs(&self, game: &GameRow) -> Vec<(u64, u64)> {
        let course = &game.course;
        let if_any = |value: Option<u64>| value.map_or((0, 0), |value| (1, value));
        let years = u64::from(game.years.max(1));
        let decided = course.decided.map(|year| u64::from(year.saturating_sub(self.start)));
        let mut pairs = vec![
            (1, u64::from(course.lead_changes)),
            if_any(decided),
            if_any(decided.map(|decided| 1000 * decided / years)),
            (1, u64::from(course.decided.is_none())),
            if_any(course.closeness.map(u64::from)),
            if_any(course.drama.map(u64::from)),
            if_any(course.drama.map(|drama| u64::from(drama > 0))),
        ];
        let all: u64 = self.orders.iter().flat_map(|sums| &sums[..5]).sum();
        pairs.extend((0..5).map(|kind| (all, self.orders.iter().map(|sums| sums[kind]).sum::<u64>())));
        for sums in &self.orders {
            let all = sums[..5].iter().sum();
            pairs.extend(sums[..5].iter().map(|&sum| (all, sum)));
            pairs.push((sums[5], sums[6]));
        }
        pairs.extend(self.captures.iter().map(|&count| (1, count)));
        pairs
    }
}

/// The position of the orders of all powers in the list of pairs, behind those of the course.
const ORDERS: usize = 7;
/// The position of the first power, behind the statistics of the whole game.
const OF_GAME: usize = ORDERS + 5;
/// How many pairs each power has.
const OF_POWER: usize = 6;

/// The statistics of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlayTally(Vec<Blocks>);

impl PlayTally {
    /// Adds a block with the statistics of its games.
    pub(super) fn add_block(&mut self, games: impl Iterator<Item = Vec<(u64, u64)>>) {
        let sums = games.reduce(|mut sums, game| {
            for ((count, sum), (more, add)) in sums.iter_mut().zip(game) {
                *count += more;
                *sum += add;
            }
            sums
        });
        let sums = sums.unwrap_or_default();
        self.0.resize(self.0.len().max(sums.len()), Blocks::default());
        self.0.iter_mut().zip(sums).for_each(|(all, (count, sum))| all.add_block(count, sum));
    }

    /// The play of a cell with these powers, from the tally.
    pub(super) fn play(&self, names: &PowerNames) -> PlayMeasures {
        let powers = names.powers();
        let blocks = |at: usize| self.0.get(at).copied().unwrap_or_default();
        let mean = |at: usize| blocks(at).mean();
        let part = |at: usize, of: f64| mean(at).map(|estimate| estimate.map(|value| value / of));
        let of_power = |power: Power| OF_GAME + OF_POWER * power.index();
        let orders = |at: usize| OrderShares {
            holds: mean(at),
            moves: mean(at + 1),
            supports: mean(at + 2),
            convoys: mean(at + 3),
            special: mean(at + 4),
        };
        let captures = |power: Power, from: usize| {
            mean(OF_GAME + OF_POWER * powers.len() + power.index() * (powers.len() + 1) + from)
        };
        PlayMeasures {
            lead_changes: mean(0),
            decided: mean(1),
            decided_share: part(2, THOUSAND),
            undecided: blocks(3).rate(),
            closeness: part(4, THOUSAND),
            drama: part(5, THOUSAND),
            comebacks: blocks(6).rate(),
            orders: orders(ORDERS),
            powers: names.by_name(powers.iter().map(|power| {
                let choices = part(of_power(power) + 5, HUNDRED);
                (power, PowerPlay { choices, orders: orders(of_power(power)) })
            })),
            captures: names.by_name(powers.iter().map(|power| {
                let from = |from: Power| (from, captures(power, from.index()).filter(|_| from != power));
                let from = names.by_name(powers.iter().map(from));
                (power, Captures { from, from_nobody: captures(power, powers.len()) })
            })),
        }
    }
}
