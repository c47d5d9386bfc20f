//! The bot that plays at random. It reaches rare cases of the rules, and every other bot should beat it.

use upheaval_engine::ask::{Adjustments, Answer, Ask, Observation, Retreats, Trapped};
use upheaval_engine::bot::{Bot, BotKind, Decision, Pace};
use upheaval_engine::ids::{Location, ProvinceId, ProvinceSet};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::legal;
use upheaval_engine::rules::order::{AdjustmentOrder, Order, RetreatOrder};

use crate::common::name_any;

/// Each unit gets one of its legal orders, each equally likely.
#[derive(Clone, Debug, Default)]
pub struct Random {
    builds: Vec<AdjustmentOrder>,
    units: Vec<ProvinceId>,
    places: Vec<Location>,
}

pub(crate) const KIND: BotKind = BotKind {
    name: "random",
    description: "draws one of each unit's legal orders, each equally likely",
    version: 2,
    make: || Box::new(Random::default()),
    tuning: None,
    pace: Pace::Quick,
    weights: None,
};

impl Random {
    /// Each army that is aboard or boards either stays aboard or lands next to its fleet's destination, each
    /// equally likely. Of two landings from one sea the last counts, so the fleets come in random order.
    fn land(&mut self, seen: &Observation<'_>, dice: &mut Stream, answer: &mut Answer<'_>) {
        let own = *seen.position.units_of(seen.power);
        self.units.clear();
        self.units.extend(own & *seen.position.fleets());
        dice.shuffle(&mut self.units);
        for &fleet in &self.units {
            let boards = |army: ProvinceId| answer.order(army) == Order::Embark { fleet };
            if !seen.position.laden().contains(fleet) && !own.iter().any(boards) {
                continue;
            }
            let sea = match answer.order(fleet) {
                Order::Move { to, .. } => to.province,
                _ => fleet,
            };
            let legal = || legal::landings(seen.board, seen.position, seen.chains, fleet);
            let shores = || legal().filter(|landing| landing.from == sea);
            let drawn = dice.below(shores().count() as u32 + 1) as usize;
            if let Some(landing) = shores().nth(drawn) {
                answer.land(landing);
            }
        }
    }

    /// Where retreats are sent with the orders, each unit gets a list of a random subset of its possible
    /// places, in random order.
    fn list(&mut self, seen: &Observation<'_>, dice: &mut Stream, answer: &mut Answer<'_>) {
        for unit in *seen.position.units_of(seen.power) {
            self.places.clear();
            self.places.extend(seen.ways_from(unit));
            dice.shuffle(&mut self.places);
            let count = dice.below(self.places.len() as u32 + 1) as usize;
            answer.list_retreats(unit, self.places[..count].iter().copied());
        }
    }

    fn adjust(
        &mut self,
        seen: &Observation<'_>,
        adjustments: &Adjustments,
        dice: &mut Stream,
        answer: &mut Answer<'_>,
    ) {
        match adjustments.owed() {
            Owed::Builds(n) => {
                self.builds.clear();
                self.builds.extend(adjustments.builds(seen.board));
                dice.shuffle(&mut self.builds);
                let mut used = ProvinceSet::EMPTY;
                for &order in &self.builds {
                    let AdjustmentOrder::Build { at, .. } = order else { continue };
                    if used.len() < n && !used.contains(at.province) {
                        used.insert(at.province);
                        answer.adjust(order);
                    }
                }
            }
            Owed::Removals(n) => {
                self.units.clear();
                self.units.extend(seen.position.units_of(seen.power).iter());
                dice.shuffle(&mut self.units);
                let mut left = n;
                for &at in &self.units {
                    // Of an army/fleet the army or, where two units must be removed, either the army or both.
                    let laden = seen.position.laden().contains(at);
                    let (order, count) = match laden && (left == 1 || dice.below(2) == 0) {
                        true => (AdjustmentOrder::RemoveArmy { fleet: at }, 1),
                        false => (AdjustmentOrder::Remove { at }, 1 + usize::from(laden)),
                    };
                    if left == 0 {
                        break;
                    }
                    answer.adjust(order);
                    left -= count;
                }
            }
        }
    }
}

/// A place to retreat to; disbanding is one choice among the others.
fn retreat(Retreats { choices }: &Retreats, dice: &mut Stream, answer: &mut Answer<'_>) {
    for choice in choices {
        let drawn = dice.below(choice.options.len() as u32 + 1) as usize;
        let to = choice.options.get(drawn).copied();
        answer.retreat(choice, to.map_or(RetreatOrder::Disband, |to| RetreatOrder::Retreat { to }));
    }
}

impl Bot for Random {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        match ask {
            Ask::Exempt(exempt) => name_any(exempt, dice, answer),
            // Rarely, so that there are also games with secrets.
            Ask::Announce(_) => {
                if dice.below(16) == 0 {
                    answer.give(&Decision::Announce);
                }
            }
            Ask::Poll(poll) => {
                if let Some(option) = dice.choose(&poll.options) {
                    answer.give(&Decision::Ballot(poll.ballot(option)));
                }
            }
            Ask::Movement(_) => {
                answer.draw(dice);
                if seen.rulebook.army_fleets.allowed() {
                    self.land(seen, dice, answer);
                }
                if seen.listing.is_allowed() {
                    self.list(seen, dice, answer);
                }
            }
            Ask::Retreats(retreats) => retreat(retreats, dice, answer),
            Ask::Adjustments(adjustments) => self.adjust(seen, adjustments, dice, answer),
            Ask::Coast(choice) => {
                if let Some(&coast) = dice.choose(&choice.coasts) {
                    answer.give(&Decision::Coast { fleet: choice.fleet, coast });
                }
            }
            Ask::Trapped(Trapped { fleet }) => {
                if dice.below(2) != 0 {
                    answer.give(&Decision::DisbandTrapped(*fleet));
                }
            }
            Ask::Seismic(_) => {
                // Giving no order is one choice among the others.
                let drawn = dice.below(seen.quakes().len() as u32 + 1) as usize;
                if let Some(&quake) = seen.quakes().get(drawn) {
                    answer.give(&Decision::Seismic(quake.into()));
                }
            }
        }
    }
}
