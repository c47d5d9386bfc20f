//! Notifies the bots that keep a map of its changes, and those that keep a record of orders and results.

use crate::bot::{Bot, Past};
use crate::changes::MapChanges;
use crate::game::{Game, Stage};
use crate::rules::adjustment::AdjustmentOutcome;
use crate::rules::event::{Event, Log};
use crate::rules::movement::Resolution;
use crate::rules::notation::{WrittenOrder, WrittenSeismic, WrittenUnit};
use crate::rules::order::{AdjustmentOrder, Orders, RetreatOrder};
use crate::rules::position::{Phase, Position, Retreats};
use crate::rules::retreat::RetreatOutcome;
use crate::rules::seismic::{SeismicOrders, SeismicOutcome};
use crate::rules::terrain::Terrain;
use upheaval_map::ids::{ByPower, Location, Power};
use upheaval_map::topology::MapEvent;

/// A log that notifies the bots of changes of the map and of the orders of a stage.
pub(super) struct Notifier<'a> {
    bots: &'a mut ByPower<Box<dyn Bot>>,
    /// Does any bot keep a map?
    wanted: bool,
    changes: MapChanges,
    /// The stage being settled, if any bot keeps a record.
    past: Option<Past>,
}

impl<'a> Notifier<'a> {
    /// Notifies of changes of the map, and of the orders of the stage that the game waits for. Choices of coasts are not
    /// orders.
    pub fn new(bots: &'a mut ByPower<Box<dyn Bot>>, game: &Game) -> Notifier<'a> {
        let wanted = bots.iter_mut().any(|(_, bot)| bot.keeps_a_map());
        let records = game.stage() != Stage::Coasts && bots.iter_mut().any(|(_, bot)| bot.keeps_a_record());
        let past = records.then(|| Past::before(game));
        Notifier { bots, wanted, changes: MapChanges::default(), past }
    }

    /// Call when the stage is settled: notifies the bots that keep a record.
    pub fn close(self) {
        if let Some(past) = self.past {
            let keepers = self.bots.iter_mut().filter_map(|(_, bot)| bot.keeps_a_record().then_some(bot));
            keepers.for_each(|bot| bot.settled(&past));
        }
    }

    fn tell(&mut self, change: &MapEvent) {
        self.bots
            .iter_mut()
            .filter_map(|(_, bot)| bot.keeps_a_map().then_some(bot))
            .for_each(|bot| bot.map_changed(change));
    }
}

/// The removal that an event describes, as an order.
fn removed(terrain: &Terrain, event: &Event) -> Option<(Power, String)> {
    let Event::Removed(power, at, unit) = event else { return None };
    let place = Location { province: *at, coast: unit.coast };
    let order = WrittenOrder::Disband { unit: WrittenUnit::new(unit.designation(), place) };
    Some((*power, order.display(terrain.names()).to_string()))
}

impl Log for Notifier<'_> {
    fn event(&mut self, _: Phase, terrain: &Terrain, event: &Event) {
        if self.wanted
            && let Some(change) = self.changes.of_event(terrain, event)
        {
            self.tell(&change);
        }
        if let Some(past) = &mut self.past
            && let Some((power, order)) = removed(terrain, event)
        {
            // Ordered removals are already listed; the rules made the others.
            let is_there = past
                .orders
                .iter()
                .any(|past| (past.power, &past.order) == (power, &order) && past.result == ["ok"]);
            if !is_there {
                past.push(power, order, ["disband"]);
            }
        }
    }

    fn movement(
        &mut self,
        _: Phase,
        terrain: &Terrain,
        position: &Position,
        orders: &Orders,
        resolution: &Resolution,
    ) {
        let Some(past) = &mut self.past else { return };
        let names = terrain.names();
        for power in terrain.powers() {
            for unit in *position.units_of(power) {
                if let Some(order) = WrittenOrder::from_orders(position, orders, unit) {
                    past.push(power, order.display(names).to_string(), resolution.words(unit));
                }
            }
            for &landing in orders.landings().iter().filter(|landing| landing.power == power) {
                if let Some(outcome) = resolution.landing_outcome(power, landing.from) {
                    let order = WrittenOrder::from_landing(landing).display(names).to_string();
                    past.push(power, order, [outcome.word()]);
                }
            }
        }
    }

    fn retreats(
        &mut self,
        _: Phase,
        terrain: &Terrain,
        retreats: &Retreats,
        orders: &[Option<RetreatOrder>],
        outcomes: &[RetreatOutcome],
    ) {
        let Some(past) = &mut self.past else { return };
        for (i, (dislodged, outcome)) in retreats.dislodged.iter().zip(outcomes).enumerate() {
            let place = Location { province: dislodged.at, coast: dislodged.unit.coast };
            let unit = WrittenUnit {
                ordinal: retreats.ordinal(i),
                ..WrittenUnit::new(dislodged.unit.designation(), place)
            };
            let order = orders.get(i).copied().flatten().unwrap_or(RetreatOrder::Disband);
            let order = WrittenOrder::from_retreat(unit, order).display(terrain.names()).to_string();
            past.push(dislodged.unit.power, order, [outcome.word()]);
        }
    }

    fn adjustments(
        &mut self,
        _: Phase,
        terrain: &Terrain,
        position: &Position,
        power: Power,
        orders: &[AdjustmentOrder],
        outcomes: &[AdjustmentOutcome],
    ) {
        let Some(past) = &mut self.past else { return };
        for (order, outcome) in orders.iter().zip(outcomes) {
            if let Some(order) = WrittenOrder::from_adjustment(position, *order) {
                past.push(power, order.display(terrain.names()).to_string(), [outcome.word()]);
            }
        }
    }

    fn seismic(
        &mut self,
        _: Phase,
        terrain: &Terrain,
        orders: &SeismicOrders,
        outcomes: &ByPower<Option<SeismicOutcome>>,
    ) {
        if self.wanted {
            MapChanges::of_quakes(terrain, orders, outcomes).iter().for_each(|change| self.tell(change));
        }
        let Some(past) = &mut self.past else { return };
        for (power, order) in orders.iter() {
            if let (Some(order), Some(outcome)) = (order, outcomes[power]) {
                let order = WrittenSeismic::from_order(terrain.chart().map(), order).to_string();
                past.push(power, order, [outcome.word()]);
            }
        }
    }
}
