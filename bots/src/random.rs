//! The bot that plays at random. It reaches rare cases of the rules, and every other bot should beat it.

use upheaval_engine::bot::{Bot, BotKind, Observation, OrderSheet, Pace, RetreatChoice, Trapped};
use upheaval_engine::ids::{CoastId, Location, ProvinceId, ProvinceSet};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::legal;
use upheaval_engine::rules::mechanism::exemption::Announced;
use upheaval_engine::rules::order::{AdjustmentOrder, Order, RetreatOrder};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_engine::rules::world::CoastChoice;
use upheaval_engine::topology::Quake;

use crate::common::any_exempt;

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
    fn land(&mut self, seen: &Observation<'_>, dice: &mut Stream, sheet: &mut OrderSheet<'_>) {
        let own = *seen.position.units_of(seen.power);
        self.units.clear();
        self.units.extend(own & *seen.position.fleets());
        dice.shuffle(&mut self.units);
        for &fleet in &self.units {
            let boards = |army: ProvinceId| sheet.order(army) == Order::Embark { fleet };
            if !seen.position.laden().contains(fleet) && !own.iter().any(boards) {
                continue;
            }
            let sea = match sheet.order(fleet) {
                Order::Move { to, .. } => to.province,
                _ => fleet,
            };
            let legal = || legal::landings(seen.board, seen.position, seen.chains, fleet);
            let shores = || legal().filter(|landing| landing.from == sea);
            let drawn = dice.below(shores().count() as u32 + 1) as usize;
            if let Some(landing) = shores().nth(drawn) {
                sheet.land(landing);
            }
        }
    }

    /// Where retreats are sent with the orders, each unit gets a list of a random subset of its possible
    /// places, in random order.
    fn list(&mut self, seen: &Observation<'_>, dice: &mut Stream, sheet: &mut OrderSheet<'_>) {
        for unit in *seen.position.units_of(seen.power) {
            self.places.clear();
            self.places.extend(seen.ways_from(unit));
            dice.shuffle(&mut self.places);
            let count = dice.below(self.places.len() as u32 + 1) as usize;
            sheet.list_retreats(unit, self.places[..count].iter().copied());
        }
    }
}

impl Bot for Random {
    fn movement(&mut self, seen: &Observation<'_>, dice: &mut Stream, sheet: &mut OrderSheet<'_>) {
        sheet.draw(dice);
        if seen.rulebook.army_fleets.allowed() {
            self.land(seen, dice, sheet);
        }
        if seen.listing.is_allowed() {
            self.list(seen, dice, sheet);
        }
    }

    fn retreats(
        &mut self,
        _seen: &Observation<'_>,
        choices: &[RetreatChoice<'_>],
        dice: &mut Stream,
        orders: &mut Vec<Option<RetreatOrder>>,
    ) {
        for choice in choices {
            // Disbanding is one choice among the others.
            let drawn = dice.below(choice.options.len() as u32 + 1) as usize;
            let order = match choice.options.get(drawn) {
                Some(&to) => RetreatOrder::Retreat { to },
                None => RetreatOrder::Disband,
            };
            orders.push(Some(order));
        }
    }

    fn adjustments(
        &mut self,
        seen: &Observation<'_>,
        owed: Owed,
        builds: &[AdjustmentOrder],
        dice: &mut Stream,
        orders: &mut Vec<AdjustmentOrder>,
    ) {
        match owed {
            Owed::Builds(n) => {
                self.builds.clear();
                self.builds.extend_from_slice(builds);
                dice.shuffle(&mut self.builds);
                let mut used = ProvinceSet::EMPTY;
                for &order in &self.builds {
                    let AdjustmentOrder::Build { at, .. } = order else { continue };
                    if used.len() < n && !used.contains(at.province) {
                        used.insert(at.province);
                        orders.push(order);
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
                    orders.push(order);
                    left -= count;
                }
            }
        }
    }

    fn seismic(
        &mut self,
        _seen: &Observation<'_>,
        quakes: &[Quake],
        dice: &mut Stream,
    ) -> Option<SeismicOrder> {
        // Giving no order is one choice among the others.
        let drawn = dice.below(quakes.len() as u32 + 1) as usize;
        quakes.get(drawn).map(|&quake| quake.into())
    }

    fn trapped(&mut self, _seen: &Observation<'_>, _fleet: ProvinceId, dice: &mut Stream) -> Trapped {
        if dice.below(2) == 0 { Trapped::Stays } else { Trapped::Disbands }
    }

    fn exempt(&mut self, seen: &Observation<'_>, dice: &mut Stream) -> Option<ProvinceId> {
        any_exempt(seen, dice)
    }

    fn announce(&mut self, _seen: &Observation<'_>, dice: &mut Stream) -> Announced {
        // Rarely, so that there are also games with secrets.
        if dice.below(16) == 0 { Announced::Yes } else { Announced::No }
    }

    fn coast(&mut self, _seen: &Observation<'_>, choice: &CoastChoice, dice: &mut Stream) -> Option<CoastId> {
        dice.choose(&choice.coasts).copied()
    }
}
