//! The seats that the caller plays: the asks that wait for their decisions, and the bot that answers with the choices
//! of the caller.

use std::any::Any;

use upheaval_engine::ask::{Answer, Ask, Handicap, Observation, Public};
use upheaval_engine::bot::{Bot, BotFault, Conduct, Decision, RefusedOrder};
use upheaval_engine::game::{Game, Referee, Stage};
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::order::{AdjustmentOrder, Order};
use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};
use upheaval_map::rng::Stream;

use crate::ask::{Asks, Possible, UnitAsk};

/// Plays the answers that were stored in it.
#[derive(Default)]
pub(crate) struct Caller {
    /// The orders of its units in a movement phase.
    orders: Vec<(ProvinceId, Order)>,
    /// Everything else.
    others: Vec<Decision>,
    fault: BotFault,
    /// Does it hold for the rest of the game, because its chooser has failed?
    gone: bool,
}

impl Caller {
    /// This bot as a caller's seat, if it is one.
    pub(crate) fn of(bot: &mut dyn Bot) -> Option<&mut Caller> {
        bot.as_any()?.downcast_mut()
    }

    /// Clears the stored answers.
    pub(crate) fn forget(&mut self) {
        self.orders.clear();
        self.others.clear();
    }

    /// Stores the choices for its asks, one for each. A negative choice means no answer; an out-of-range
    /// choice counts as a refused order. Returns the number of these.
    pub(crate) fn answer(&mut self, asks: &Asks, own: &[UnitAsk], choices: &[i32]) -> u32 {
        let before = self.fault.refused.len();
        for (ask, &choice) in own.iter().zip(choices) {
            match u32::try_from(choice) {
                Ok(choice) if choice < ask.end - ask.begin => match asks.chosen(ask, choice) {
                    (Some(unit), Possible::Order(order)) => self.orders.push((unit, order)),
                    answer => self.others.extend(asks.decision(answer)),
                },
                Ok(choice) => {
                    let reason = match ask.end - ask.begin {
                        0 => "there is nothing to choose".to_owned(),
                        count => format!("expected a choice from 0 to {}", count - 1),
                    };
                    self.fault.refused.push(RefusedOrder::new(format!("choice {choice}"), reason));
                }
                Err(_) => {}
            }
        }
        u32::try_from(self.fault.refused.len() - before).unwrap_or(u32::MAX)
    }

    /// Has it stopped giving orders in this game?
    pub(crate) fn is_gone(&self) -> bool {
        self.gone
    }

    /// Its chooser has failed: it holds for the rest of the game.
    pub(crate) fn fail(&mut self, conduct: Conduct) {
        self.gone = true;
        self.fault.conduct = self.fault.conduct.or_graver(conduct);
    }
}

impl Bot for Caller {
    fn as_any(&mut self) -> Option<&mut dyn Any> {
        Some(self)
    }

    fn fault(&mut self) -> BotFault {
        std::mem::take(&mut self.fault)
    }

    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, _: &mut Stream, answer: &mut Answer<'_>) {
        if let Ask::Movement(_) = ask {
            for &(unit, order) in &self.orders {
                answer.write(unit, order);
            }
        }
        let mut landed = ProvinceSet::EMPTY;
        let mut adjusted: Vec<AdjustmentOrder> = Vec::new();
        for decision in &self.others {
            match (ask, decision) {
                // Of two landings from one sea the first counts.
                (Ask::Movement(_), Decision::Landing(landing)) => {
                    if !landed.contains(landing.from) {
                        landed.insert(landing.from);
                        answer.give(decision);
                    }
                }
                (Ask::Movement(_), Decision::List(list)) => {
                    let before = answer.retreats(list.unit);
                    if !list.places.iter().all(|place| before.contains(place)) {
                        let places = [before, &list.places].concat();
                        answer.list_retreats(list.unit, places);
                    }
                }
                (Ask::Adjustments(adjustments), &Decision::Adjustment(order)) => {
                    // An army is removed with its fleet, so fewer removals than asks may be enough.
                    let removed = |order: &AdjustmentOrder| match *order {
                        AdjustmentOrder::Remove { at } => {
                            seen.position.unit(at).map_or(1, |unit| unit.count())
                        }
                        AdjustmentOrder::RemoveArmy { .. } => 1,
                        AdjustmentOrder::Build { .. } | AdjustmentOrder::Waive => 0,
                    };
                    let is_too_much = match adjustments.owed() {
                        Owed::Builds(_) => removed(&order) > 0,
                        Owed::Removals(count) => adjusted.iter().map(removed).sum::<usize>() >= count,
                    };
                    if !is_too_much && !adjusted.iter().any(|other| excludes(*other, order)) {
                        adjusted.push(order);
                        answer.adjust(order);
                    }
                }
                _ => answer.give_all(ask, [decision]),
            }
        }
    }
}

/// Do the two exclude each other?
fn excludes(first: AdjustmentOrder, second: AdjustmentOrder) -> bool {
    use AdjustmentOrder::{Build, Remove, RemoveArmy};
    match (first, second) {
        (Build { at: a, .. }, Build { at: b, .. }) => a.province == b.province,
        (Remove { at: a } | RemoveArmy { fleet: a }, Remove { at: b } | RemoveArmy { fleet: b }) => a == b,
        _ => false,
    }
}

/// A seat with asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub power: Power,
    /// The index of its first ask.
    pub first: u32,
}

/// The asks of seats in the stage that a game waits for.
#[derive(Default)]
pub(crate) struct Questions {
    pub asks: Asks,
    /// The seats with asks, in the order of the powers.
    pub seats: Vec<Asked>,
    /// The exempt centres of the powers that are asked, whether or not they have asks: nobody else knows them.
    exempt: Vec<(Power, ProvinceId)>,
}

impl Questions {
    /// Lists the asks of the seats of these powers, in their order and with their handicaps.
    pub(crate) fn list(
        &mut self,
        game: &Game,
        referee: &mut Referee,
        powers: impl Iterator<Item = (Power, Handicap)>,
    ) {
        self.clear();
        if game.stage() == Stage::Movement {
            referee.prepare(game);
        }
        for (power, handicap) in powers {
            self.add(&Observation::new(game, referee.chains(), power, handicap));
        }
    }

    fn clear(&mut self) {
        self.asks.clear();
        self.seats.clear();
        self.exempt.clear();
    }

    /// Lists the asks of an observer.
    fn add(&mut self, seen: &Observation<'_>) {
        let first = self.asks.list.len() as u32;
        self.asks.list_for(seen);
        self.exempt.extend(seen.exempt.map(|centre| (seen.power, centre)));
        if self.asks.list.len() as u32 > first {
            self.seats.push(Asked { power: seen.power, first });
        }
    }

    /// Lists the asks of one observer.
    pub(crate) fn list_of(&mut self, seen: &Observation<'_>) {
        self.clear();
        self.add(seen);
    }

    /// The exempt centre of a power that is asked.
    pub(crate) fn exempt(&self, power: Power) -> Option<ProvinceId> {
        self.exempt.iter().find(|(of, _)| *of == power).map(|(_, centre)| *centre)
    }

    /// Lists the units of a power, without their orders.
    pub(crate) fn list_units_of(&mut self, seen: &Observation<'_>) {
        self.clear();
        self.asks.list_units_of(**seen, seen.power);
        self.exempt.extend(seen.exempt.map(|centre| (seen.power, centre)));
        self.seats.push(Asked { power: seen.power, first: 0 });
    }

    /// The asks of each seat.
    pub(crate) fn of_seats(&self) -> impl Iterator<Item = (Asked, &[UnitAsk])> {
        let ends = self.seats.iter().skip(1).map(|seat| seat.first).chain([self.asks.list.len() as u32]);
        let seats = self.seats.iter().zip(ends);
        seats.map(|(&seat, end)| (seat, &self.asks.list[seat.first as usize..end as usize]))
    }
}

/// A game with its number and its asks.
#[derive(Clone, Copy)]
pub(crate) struct GameView<'a> {
    pub number: u32,
    pub game: Public<'a>,
    pub questions: &'a Questions,
}
