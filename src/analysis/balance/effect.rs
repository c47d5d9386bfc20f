//! How an event affects a power: how its centres change after one of its provinces is struck, compared with the same
//! power in games in which no such event happened to it. docs/balance.md says which games are compared, and which
//! effects are confounded.

use std::collections::BTreeMap;

use foldhash::fast::FixedState;
use indexmap::IndexMap;
use serde::Serialize;

use crate::Estimate;
use crate::balance::years::YearlyGame;
use crate::estimate::Moments;
use crate::reading::GameEvent;
use upheaval_engine::rules::position::Season;
use upheaval_harness::record::EventKind;
use upheaval_harness::sim::resolved::Arm;
use upheaval_map::ids::{Power, PowerNames};
use upheaval_map::topology::whole_of;

/// Whose province an event strikes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttributionRule {
    /// The power whose home centre it is, whoever owns it now.
    #[default]
    Home,
    /// The power that owns it as a centre.
    Owner,
}

/// The kinds of events that are analysed by default: those that change a province.
pub(crate) const CHANGES: [EventKind; 5] =
    [EventKind::Collapsed, EventKind::Voided, EventKind::Restored, EventKind::Split, EventKind::Submerged];

/// The tolerance for sums of changes.
const ROUNDING: f64 = 1e-12;

/// Blocks are put into at most this many batches of consecutive blocks: an interval from 128 independent batches is
/// hardly wider than one from thousands of blocks, and the memory does not grow.
const BATCHES: u32 = 128;

/// What is asked about events.
#[derive(Clone, Debug)]
pub struct Query {
    /// The powers of the run's boards.
    pub power_names: PowerNames,
    /// The kinds of events.
    pub kinds: Vec<EventKind>,
    /// Whose province.
    pub whose: AttributionRule,
    /// How many years after the event the centres are counted.
    pub years: u16,
    /// The last year of the run.
    pub last_year: u16,
    /// How many blocks an arm has.
    pub blocks: u32,
}

/// The first event of each kind that struck each power of a game, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FirstEvents(Vec<Vec<Option<Window>>>);

/// The two counts between which the effect of an event is measured, as years from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Window {
    /// The last count before it.
    before: u16,
    /// The count this many years after it.
    after: u16,
}

/// What games must have in common to be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Stratum {
    power: Power,
    window: Window,
    /// The centres at the last count before.
    centres: u16,
}

/// Changes of centres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Changes {
    n: u32,
    sum: i64,
}

/// The games of a stratum in a batch of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pair {
    struck: Changes,
    spared: Changes,
}

impl Pair {
    fn add(&mut self, other: Pair) {
        for (to, from) in [(&mut self.struck, other.struck), (&mut self.spared, other.spared)] {
            to.n += from.n;
            to.sum += from.sum;
        }
    }
}

/// The games of a batch of blocks.
#[derive(Clone, Debug, Default)]
struct Batch {
    /// For each stratum, the games that were running at the first count.
    pairs: IndexMap<Stratum, Pair, FixedState>,
    /// Games that were over, by a power and its centres at the end: unaffected and without a change, whatever the
    /// window. Thus the number of entries for a game grows with the years that were played, and not with those that
    /// could have been played.
    over: BTreeMap<(Power, u16), BTreeMap<Over, u32>>,
}

/// The year from which a game was over, and the last count at which it can be compared, as years from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Over {
    since: u16,
    until: u16,
}

impl Batch {
    /// The entries of a stratum.
    fn of(&self, stratum: &Stratum) -> Pair {
        let mut pair = self.pairs.get(stratum).copied().unwrap_or_default();
        let Window { before, after } = stratum.window;
        if before < after {
            let over = self.over.get(&(stratum.power, stratum.centres)).into_iter().flatten();
            let spared = over.filter(|(over, _)| over.since <= before && after <= over.until);
            pair.spared.n += spared.map(|(_, n)| n).sum::<u32>();
        }
        pair
    }
}

/// The effect of events of one kind in some games.
#[derive(Clone, Debug, Default)]
pub struct EffectTally {
    /// By batch.
    batches: BTreeMap<u32, Batch>,
    /// First events that struck a power, by power: all; those whose window reaches beyond the last year; those that
    /// struck a power without a centre.
    first: Vec<[u64; 3]>,
}

/// The owner of a centre, and when the centre ceased to exist, if it did.
type Ownership = (Power, Option<(u16, Season)>);

impl Query {
    /// The homes of an arm by province.
    pub(crate) fn homes_of(&self, arm: &Arm) -> BTreeMap<String, Power> {
        let homes = arm.homes();
        let of = |power: Power| homes[power].iter().map(move |home| (home.clone(), power));
        self.power_names.powers().iter().flat_map(of).collect()
    }

    /// The first event of each kind that struck each power in a game that began after the year `start`.
    pub(crate) fn first_events(
        &self,
        start: u16,
        homes: &BTreeMap<String, Power>,
        events: &[GameEvent],
    ) -> FirstEvents {
        let mut first = vec![vec![None; self.power_names.powers().len()]; self.kinds.len()];
        // The owners, and when centres ceased to exist. They are computed only where they are needed.
        let mut owners: BTreeMap<&str, Ownership> = match self.whose {
            AttributionRule::Home => BTreeMap::new(),
            AttributionRule::Owner => {
                homes.iter().map(|(home, power)| (home.as_str(), (*power, None))).collect()
            }
        };
        for GameEvent { year, season, kind, province, power, .. } in events {
            let Some(province) = province.as_deref() else { continue };
            if let Some(asked) = self.kinds.iter().position(|asked| asked == kind) {
                let struck = match self.whose {
                    AttributionRule::Home => homes.get(whole_of(province)).copied(),
                    // The loss of a centre is recorded before the loss of its province.
                    AttributionRule::Owner => owners
                        .get(province)
                        .or_else(|| owners.get(parent(province)))
                        .filter(|(_, lost)| lost.is_none_or(|when| when == (*year, *season)))
                        .map(|(power, _)| *power),
                };
                if let Some(power) = struck {
                    first[asked][power.index()].get_or_insert(self.window(start, *year, *season));
                }
            }
            if self.whose == AttributionRule::Owner {
                match (kind, power) {
                    (
                        EventKind::Captured
                        | EventKind::CentreReturned
                        | EventKind::CentreFounded
                        | EventKind::CentreDoubled,
                        Some(power),
                    ) => drop(owners.insert(province, (*power, None))),
                    (EventKind::CentreLost, Some(power)) => {
                        owners.insert(province, (*power, Some((*year, *season))));
                    }
                    _ => {}
                }
            }
        }
        FirstEvents(first)
    }

    /// The counts between which an event is measured: the count of a Fall comes after the Fall's events and before the
    /// Winter's.
    fn window(&self, start: u16, year: u16, season: Season) -> Window {
        let year = year.saturating_sub(start);
        let before = if season == Season::Winter { year } else { year.saturating_sub(1) };
        Window { before, after: year.saturating_add(self.years) }
    }

    /// Counts a game.
    pub(crate) fn tally(
        &self,
        start: u16,
        block: u32,
        course: &YearlyGame,
        events: &FirstEvents,
        to: &mut [EffectTally],
    ) {
        let last = self.last_year.saturating_sub(start);
        let batch = self.batch(block);
        let played = u16::try_from(course.years.len()).unwrap_or(u16::MAX);
        let centres = |power: Power, year: u16| course.at(usize::from(year)).powers[power.index()].centres;
        for (first, to) in events.0.iter().zip(to) {
            let Batch { pairs, over } = to.batches.entry(batch).or_default();
            let mut count = |power: Power, window: Window, of: fn(&mut Pair) -> &mut Changes| {
                let before = centres(power, window.before);
                if before > 0 {
                    let pair = pairs.entry(Stratum { power, window, centres: before }).or_default();
                    let changes = of(pair);
                    changes.n += 1;
                    changes.sum += i64::from(centres(power, window.after)) - i64::from(before);
                }
                before > 0
            };
            let powers = self.power_names.powers();
            to.first.resize(powers.len(), [0; 3]);
            for power in powers {
                let struck = first[power.index()];
                if let Some(window) = struck {
                    let [all, cut_off, without] = &mut to.first[power.index()];
                    *all += 1;
                    if window.after > last {
                        *cut_off += 1;
                    } else if !count(power, window, |pair| &mut pair.struck) {
                        *without += 1;
                    }
                }
                // A game in which no such event happened to the power up to the second count: once for events of
                // Springs and Falls, and once for events of Winters.
                let spared = struck.map_or(last, |window| window.before.min(last));
                let last_going_on = played.saturating_add(self.years).min(spared);
                for after in self.years.max(1)..=last_going_on {
                    for before in [after.checked_sub(self.years + 1), after.checked_sub(self.years)] {
                        if let Some(before) = before.filter(|&before| before < after && before < played) {
                            count(power, Window { before, after }, |pair| &mut pair.spared);
                        }
                    }
                }
                let left = course.after.powers[power.index()].centres;
                if left > 0 && played < spared {
                    let games = over.entry((power, left)).or_default();
                    *games.entry(Over { since: played, until: spared }).or_default() += 1;
                }
            }
        }
    }

    /// The batch of a block.
    fn batch(&self, block: u32) -> u32 {
        let batches = self.blocks.clamp(1, BATCHES);
        (u64::from(block) * u64::from(batches) / u64::from(self.blocks.max(1))) as u32
    }
}

/// The province of which this is a half: `BUR.2` of `BUR.2.1`. Province codes of boards may contain dots, but no such
/// code has the form of a half.
fn parent(province: &str) -> &str {
    province.strip_suffix(".1").or_else(|| province.strip_suffix(".2")).unwrap_or(province)
}

/// The effect of an event on one power, or on all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PowerEffect {
    /// Games in which the power was struck; the first event of the kind in each game counts.
    pub struck: u64,
    /// Of these, the games that are not compared because the second count lies beyond the last year.
    pub cut_off: u64,
    /// Of these, the games that are not compared because the power had no centre at the count before.
    pub without_centre: u64,
    /// Of these, the games that are not compared because no game matches them.
    pub unmatched: u64,
    /// The games that are compared.
    pub compared: u64,
    /// Their mean change of centres.
    pub change: Option<f64>,
    /// The mean change in the matching games in which no such event happened.
    pub change_without: Option<f64>,
    /// The difference of the two.
    pub effect: Option<Estimate>,
}

/// The effect of the events of a kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// The kind.
    #[serde(serialize_with = "name")]
    pub event: EventKind,
    /// Whose province was struck.
    pub whose: AttributionRule,
    /// Years from the event to the second count.
    pub years: u16,
    /// Over all powers.
    pub all: PowerEffect,
    /// Power by power.
    pub powers: BTreeMap<String, PowerEffect>,
}

fn name<S: serde::Serializer>(kind: &EventKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

impl EffectTally {
    /// Adds the games of another.
    pub(crate) fn merge(&mut self, other: EffectTally) {
        for (batch, others) in other.batches {
            let mine = self.batches.entry(batch).or_default();
            for (stratum, pair) in others.pairs {
                mine.pairs.entry(stratum).or_default().add(pair);
            }
            for (power, games) in others.over {
                let mine = mine.over.entry(power).or_default();
                games.into_iter().for_each(|(over, n)| *mine.entry(over).or_default() += n);
            }
        }
        self.first.resize(self.first.len().max(other.first.len()), [0; 3]);
        for (counts, others) in self.first.iter_mut().zip(&other.first) {
            counts.iter_mut().zip(others).for_each(|(a, b)| *a += b);
        }
    }

    /// The effect; `None` where no event of the kind struck a power.
    pub(crate) fn effect(&self, kind: EventKind, query: &Query) -> Option<Effect> {
        if self.first.iter().all(|[all, ..]| *all == 0) {
            return None;
        }
        let (names, powers) = (&query.power_names, query.power_names.powers());
        Some(Effect {
            event: kind,
            whose: query.whose,
            years: query.years,
            all: self.estimate(&powers.iter().collect::<Vec<_>>()),
            powers: names.by_name(powers.iter().map(|power| (power, self.estimate(&[power])))),
        })
    }

    fn estimate(&self, powers: &[Power]) -> PowerEffect {
        // A stratum in which no power was struck says nothing.
        let pairs = self.batches.values().flat_map(|batch| &batch.pairs);
        let struck = pairs.filter(|(s, pair)| pair.struck.n > 0 && powers.contains(&s.power));
        let mut totals: BTreeMap<Stratum, Pair> = struck.map(|(s, _)| (*s, Pair::default())).collect();
        for batch in self.batches.values() {
            totals.iter_mut().for_each(|(stratum, total)| total.add(batch.of(stratum)));
        }
        let first = powers.iter().filter_map(|power| self.first.get(power.index()));
        let sum = |i: usize| first.clone().map(|counts| counts[i]).sum::<u64>();
        let unmatched: u64 = totals.values().filter(|t| t.spared.n == 0).map(|t| u64::from(t.struck.n)).sum();
        totals.retain(|_, total| total.struck.n > 0 && total.spared.n > 0);
        let n: f64 = totals.values().map(|t| f64::from(t.struck.n)).sum();
        let mut result = PowerEffect {
            struck: sum(0),
            cut_off: sum(1),
            without_centre: sum(2),
            unmatched,
            compared: n as u64,
            change: None,
            change_without: None,
            effect: None,
        };
        if n == 0.0 {
            return result;
        }
        let expected = |t: &Pair| t.spared.sum as f64 / f64::from(t.spared.n);
        let change = totals.values().map(|t| t.struck.sum as f64).sum::<f64>() / n;
        let without = totals.values().map(|t| f64::from(t.struck.n) * expected(t)).sum::<f64>() / n;
        let effect = change - without;
        // The influence of each batch on the result: the difference between the observed and the expected change of the
        // struck powers, minus the batch's own contribution to the expectation.
        let mut pulls = Vec::new();
        for batch in self.batches.values() {
            let mut pull = 0.0;
            let mut there = false;
            for (stratum, total) in &totals {
                let pair = batch.of(stratum);
                if pair.struck.n == 0 && pair.spared.n == 0 {
                    continue;
                }
                let (expected, weight) =
                    (expected(total), f64::from(total.struck.n) / f64::from(total.spared.n));
                pull += pair.struck.sum as f64 - f64::from(pair.struck.n) * (expected + effect);
                pull -= weight * (pair.spared.sum as f64 - f64::from(pair.spared.n) * expected);
                there = true;
            }
            if there {
                pulls.push(pull / n);
            }
        }
        // Where no batch has an influence, the variation between batches cannot be estimated.
        let none = pulls.iter().all(|pull: &f64| pull.abs() < ROUNDING);
        let moments = if none { Moments::default() } else { Moments::of(pulls.iter().copied()) };
        result.change = Some(change);
        result.change_without = Some(without);
        result.effect = Some(moments.around(effect));
        result
    }
}

#[cfg(test)]
pub(crate) mod tests;
