//! What became of the orders of a stage: the one form from which logs, tables, reports and bots read it.

use std::fmt;

use arrayvec::ArrayVec;

use super::adjustment::AdjustmentOutcome;
use super::decision::{Decision, Written};
use super::map_tables::MapTables;
use super::movement::{MAX_PIECES, Outcome, Resolution};
use super::notation::{Listed, WrittenOrder, WrittenUnit};
use super::position::{Dislodged, Phase, Position, Retreats, Unit};
use super::retreat::RetreatOutcome;
use super::seismic::{SeismicOrders, SeismicOutcome};
use crate::rules::order::{AdjustmentOrder, Ballot, Orders, RetreatOrder};
use upheaval_map::ids::{ByPower, Location, Power, ProvinceId};

/// The settled orders of a stage.
#[derive(Clone, Copy)]
pub struct Settlement<'a> {
    /// The phase.
    pub at: Phase,
    /// The ground on which the orders were carried out.
    pub terrain: &'a MapTables,
    /// The orders with their outcomes.
    pub settled: Settled<'a>,
}

/// The orders of a stage with their outcomes.
#[derive(Clone, Copy)]
pub enum Settled<'a> {
    /// A movement phase.
    Movement {
        /// The position in which the orders were given.
        position: &'a Position,
        /// The orders.
        orders: &'a Orders,
        /// The answers to polls.
        ballots: &'a [(Power, Ballot)],
        /// The results of the orders.
        resolution: &'a Resolution,
    },
    /// Retreats, after a movement or with it.
    Retreats {
        /// The units that had to retreat.
        waiting: &'a Retreats,
        /// The order of each, if it has one; those at the end may be missing.
        orders: &'a [Option<RetreatOrder>],
        /// The outcome for each.
        outcomes: &'a [RetreatOutcome],
        /// Where each could go, if the retreats were sent with the orders; otherwise empty.
        options: &'a [Vec<Location>],
    },
    /// Adjustments.
    Adjustments {
        /// The position in which the orders were given.
        position: &'a Position,
        /// The orders of each power.
        orders: &'a ByPower<Vec<AdjustmentOrder>>,
        /// What became of each power's.
        adjusted: &'a ByPower<Adjusted>,
    },
    /// Seismic orders.
    Seismic {
        /// The order of each power.
        orders: &'a SeismicOrders,
        /// The outcome of each.
        outcomes: &'a ByPower<Option<SeismicOutcome>>,
    },
}

/// The outcome of a power's adjustments.
#[derive(Clone, Debug, Default)]
pub struct Adjusted {
    /// The outcomes of its orders, in order.
    pub outcomes: Vec<AdjustmentOutcome>,
    /// The units that civil disorder removed, and their places, in order; army and fleet of a pair are listed
    /// separately.
    pub removed: Vec<(ProvinceId, Unit)>,
}

/// The outcome of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderOutcome {
    /// Of the order to a unit.
    Unit {
        /// Its outcome.
        outcome: Option<Outcome>,
        /// Where the attack came from that dislodged the unit, if it was dislodged.
        dislodged_from: Option<ProvinceId>,
    },
    /// Of a landing; `None` if more pieces were ordered than are settled at once.
    Landing(Option<Outcome>),
    /// Of a retreat.
    Retreat(RetreatOutcome),
    /// Of the list of retreats of a dislodged unit.
    List(RetreatOutcome),
    /// Of the list of retreats of a unit that has been dislodged and has not retreated yet.
    ListAwaited,
    /// Of the list of retreats of any other unit.
    ListUnneeded,
    /// Of a build, a removal or a waiver.
    Adjustment(AdjustmentOutcome),
    /// Of a seismic order.
    Seismic(SeismicOutcome),
    /// Of the answer to a poll, which counts.
    Ballot,
}

impl OrderOutcome {
    /// The result words (docs/adjudicate.md): the outcome, unless the only result is that the unit was dislodged.
    pub fn words(&self) -> ArrayVec<&'static str, 2> {
        let mut words = ArrayVec::new();
        match self {
            OrderOutcome::Unit { outcome, dislodged_from } => {
                let dislodged = dislodged_from.is_some();
                words.extend(outcome.map(|o| o.word()).filter(|&word| !(dislodged && word == "ok")));
                words.extend(dislodged.then_some("dislodged"));
            }
            OrderOutcome::Landing(outcome) => words.push(outcome.map_or("illegal", |o| o.word())),
            OrderOutcome::Retreat(outcome) => words.push(outcome.word()),
            OrderOutcome::List(outcome) => words.push(outcome.word_of_list()),
            OrderOutcome::ListAwaited | OrderOutcome::ListUnneeded => words.push("void"),
            OrderOutcome::Adjustment(outcome) => words.push(outcome.word()),
            OrderOutcome::Seismic(outcome) => words.push(outcome.word()),
            OrderOutcome::Ballot => words.push("ok"),
        }
        words
    }
}

/// An order with its outcome, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettledOrder {
    /// The power that gave the order, or whose unit left the board without one.
    pub power: String,
    /// The order.
    pub order: String,
    /// The result words of `docs/adjudicate.md`: `ok`, `bounce`, `cut`, `dislodged` …
    pub words: Vec<&'static str>,
    /// Why it failed, if it did.
    pub reason: Option<String>,
}

impl SettledOrder {
    /// Did the order succeed? The unit may nevertheless have been dislodged.
    pub fn succeeded(&self) -> bool {
        self.words.first() == Some(&"ok")
    }
}

/// As a line: `FRANCE A PAR - BUR: bounce (bounce with A MUN)`.
impl fmt::Display for SettledOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.power, self.order, self.words.join(", "))?;
        match &self.reason {
            Some(reason) => write!(f, " ({reason})"),
            None => Ok(()),
        }
    }
}

impl Settlement<'_> {
    /// Calls `found` with each order and its outcome: power by power, in the order of their units or as they were given,
    /// then lists of retreats, then answers to polls. A unit that had to retreat without an order counts as ordered to
    /// disband.
    pub fn each(&self, mut found: impl FnMut(Power, Decision, OrderOutcome)) {
        match self.settled {
            Settled::Movement { position, orders, ballots, resolution } => {
                for power in self.terrain.powers() {
                    for unit in *position.units_of(power) {
                        let decision = Decision::Order { unit, order: orders[unit] };
                        found(power, decision, of_unit(resolution, unit));
                    }
                    for &landing in orders.landings().iter().filter(|landing| landing.power == power) {
                        if let Some(outcome) = resolution.landing_outcome(power, landing.from) {
                            found(power, Decision::Landing(landing), OrderOutcome::Landing(Some(outcome)));
                        }
                    }
                    let lists = orders.retreats().iter();
                    for (unit, places) in lists.filter(|(unit, _)| position.units_of(power).contains(*unit)) {
                        let list = Listed { unit, places: places.to_vec(), passed_over: Vec::new() };
                        let outcome = match resolution.dislodged_by(unit) {
                            Some(_) => OrderOutcome::ListAwaited,
                            None => OrderOutcome::ListUnneeded,
                        };
                        found(power, Decision::List(list), outcome);
                    }
                    for (_, ballot) in ballots.iter().filter(|(of, _)| *of == power) {
                        found(power, Decision::Ballot(ballot.clone()), OrderOutcome::Ballot);
                    }
                }
            }
            Settled::Retreats { waiting, orders, outcomes, .. } => {
                for (unit, (dislodged, outcome)) in waiting.dislodged.iter().zip(outcomes).enumerate() {
                    let order = orders.get(unit).copied().flatten().unwrap_or(RetreatOrder::Disband);
                    let decision = Decision::Retreat { unit, order };
                    found(dislodged.unit.power, decision, OrderOutcome::Retreat(*outcome));
                }
            }
            Settled::Adjustments { orders, adjusted, .. } => {
                for (power, orders) in orders.iter() {
                    for (&order, &outcome) in orders.iter().zip(&adjusted[power].outcomes) {
                        found(power, Decision::Adjustment(order), OrderOutcome::Adjustment(outcome));
                    }
                }
            }
            Settled::Seismic { orders, outcomes } => {
                for (power, order) in orders.iter() {
                    if let (Some(order), Some(outcome)) = (order, outcomes[power]) {
                        found(power, Decision::Seismic(order.clone()), OrderOutcome::Seismic(outcome));
                    }
                }
            }
        }
    }

    /// The outcome of what a power has ordered; `None` for a decision that is not an order of this stage, and for a list
    /// of retreats that was not needed.
    pub fn outcome(&self, power: Power, decision: &Decision) -> Option<OrderOutcome> {
        match (self.settled, decision) {
            (Settled::Movement { resolution, .. }, Decision::Order { unit, .. }) => {
                Some(of_unit(resolution, *unit))
            }
            (Settled::Movement { resolution, .. }, Decision::Landing(landing)) => {
                Some(OrderOutcome::Landing(resolution.landing_outcome(power, landing.from)))
            }
            (Settled::Retreats { outcomes, .. }, Decision::Retreat { unit, .. }) => {
                Some(OrderOutcome::Retreat(outcomes[*unit]))
            }
            (Settled::Retreats { waiting, outcomes, .. }, Decision::List(list)) => {
                let mut units = waiting.dislodged.iter().zip(outcomes);
                units.find(|(unit, _)| unit.at == list.unit).map(|(_, outcome)| OrderOutcome::List(*outcome))
            }
            (Settled::Seismic { outcomes, .. }, Decision::Seismic(_)) => {
                outcomes[power].map(OrderOutcome::Seismic)
            }
            _ => None,
        }
    }

    /// The units that had to retreat.
    pub fn waiting(&self) -> &[Dislodged] {
        match self.settled {
            Settled::Retreats { waiting, .. } => &waiting.dislodged,
            _ => &[],
        }
    }

    /// An order in the notation; `None` if it names no unit.
    pub fn written(&self, decision: &Decision) -> Option<Written> {
        let none = &Retreats::default();
        match (self.settled, decision) {
            // Beside the other orders: a fleet that is boarded is written as an army/fleet.
            (Settled::Movement { position, orders, .. }, Decision::Order { unit, .. }) => {
                WrittenOrder::from_orders(position, orders, *unit).map(Written::Order)
            }
            (Settled::Movement { position, .. } | Settled::Adjustments { position, .. }, _) => {
                decision.written(self.terrain, Some(position), none)
            }
            (Settled::Retreats { waiting, .. }, _) => decision.written(self.terrain, None, waiting),
            (Settled::Seismic { .. }, _) => decision.written(self.terrain, None, none),
        }
    }

    /// Why an order with this outcome failed, if it did.
    pub fn reason(&self, outcome: OrderOutcome) -> Option<impl fmt::Display> {
        let failed = match outcome {
            OrderOutcome::Unit { outcome: Some(outcome), .. } | OrderOutcome::Landing(Some(outcome)) => {
                outcome != Outcome::Succeeded
            }
            OrderOutcome::Unit { outcome: None, .. }
            | OrderOutcome::ListAwaited
            | OrderOutcome::ListUnneeded
            | OrderOutcome::Ballot => false,
            OrderOutcome::Landing(None) => true,
            OrderOutcome::Retreat(outcome) => outcome.word() != "ok",
            OrderOutcome::List(outcome) => outcome.word_of_list() != "ok",
            OrderOutcome::Adjustment(outcome) => outcome != AdjustmentOutcome::Done,
            OrderOutcome::Seismic(outcome) => outcome != SeismicOutcome::Done,
        };
        failed.then(|| self.describe(outcome))
    }

    /// An outcome in words.
    pub fn describe(&self, outcome: OrderOutcome) -> impl fmt::Display {
        let names = self.terrain.names();
        let province = |id| names.province(id);
        fmt::from_fn(move |f| match outcome {
            OrderOutcome::Unit { outcome: Some(outcome), .. } | OrderOutcome::Landing(Some(outcome)) => {
                write!(f, "{}", outcome.display(|id| self.unit(id)))
            }
            OrderOutcome::Unit { outcome: None, .. }
            | OrderOutcome::ListAwaited
            | OrderOutcome::ListUnneeded
            | OrderOutcome::Ballot => Ok(()),
            OrderOutcome::Landing(None) => {
                write!(f, "no more than {MAX_PIECES} units and landings are settled at once")
            }
            OrderOutcome::Retreat(outcome) | OrderOutcome::List(outcome) => {
                write!(f, "{}", outcome.display(province))
            }
            OrderOutcome::Adjustment(outcome) => write!(f, "{outcome}"),
            OrderOutcome::Seismic(outcome) => {
                write!(f, "{}", outcome.display(names))
            }
        })
    }

    /// The unit that was in a province when the orders were given, or the province if there was none.
    pub fn unit(&self, at: ProvinceId) -> impl fmt::Display {
        let names = self.terrain.names();
        let position = match self.settled {
            Settled::Movement { position, .. } | Settled::Adjustments { position, .. } => Some(position),
            Settled::Retreats { .. } | Settled::Seismic { .. } => None,
        };
        fmt::from_fn(move |f| match position {
            Some(position) => write!(f, "{}", position.unit_named(names, at)),
            None => f.write_str(names.province(at)),
        })
    }

    /// All orders except lists of retreats as texts, with those that the rules gave to units that left the board without
    /// one: power by power.
    pub fn texts(&self) -> Vec<SettledOrder> {
        let names = self.terrain.names();
        let mut texts = Vec::new();
        self.each(|power, decision, outcome| {
            if let Some(written) =
                self.written(&decision).filter(|written| !matches!(written, Written::List(_)))
            {
                let order = written.display(names).to_string();
                let reason = self.reason(outcome).map(|reason| reason.to_string());
                let power = names.power(power).to_owned();
                texts.push(SettledOrder { power, order, words: outcome.words().to_vec(), reason });
            }
        });
        if let Settled::Adjustments { .. } = self.settled {
            texts.extend(self.unordered());
            texts.sort_by(|a, b| a.power.cmp(&b.power));
        }
        texts
    }

    /// The units that left the board without an order, each with the order that the rules gave in its place.
    pub(crate) fn unordered(&self) -> Vec<SettledOrder> {
        let names = self.terrain.names();
        let lost = |power, unit, reason: &str| SettledOrder {
            power: names.power(power).to_owned(),
            order: WrittenOrder::Disband { unit }.display(names).to_string(),
            words: vec!["disband"],
            reason: Some(reason.to_owned()),
        };
        match self.settled {
            Settled::Retreats { waiting, outcomes, .. } => {
                let lost = |(i, (dislodged, outcome)): (usize, (&Dislodged, &RetreatOutcome))| match outcome {
                    // A list without an open place is reported only as unsuccessful: the rules removed the unit.
                    RetreatOutcome::Lost(_) => {
                        let unit = WrittenUnit::dislodged(waiting, i)?;
                        Some(lost(dislodged.unit.power, unit, "disbanded: it has no valid order"))
                    }
                    _ => None,
                };
                waiting.dislodged.iter().zip(outcomes).enumerate().filter_map(lost).collect()
            }
            Settled::Adjustments { adjusted, .. } => {
                let removed =
                    adjusted.iter().flat_map(|(power, of)| of.removed.iter().map(move |unit| (power, unit)));
                let lost = |(power, &(at, unit)): (Power, &(ProvinceId, Unit))| {
                    let unit =
                        WrittenUnit::new(unit.designation(), Location { province: at, coast: unit.coast });
                    lost(power, unit, "removed: too few removals were ordered")
                };
                removed.map(lost).collect()
            }
            Settled::Movement { .. } | Settled::Seismic { .. } => Vec::new(),
        }
    }
}

fn of_unit(resolution: &Resolution, unit: ProvinceId) -> OrderOutcome {
    let dislodged_from = resolution.dislodged_by(unit).map(|attack| attack.from);
    OrderOutcome::Unit { outcome: resolution.outcome(unit), dislodged_from }
}
