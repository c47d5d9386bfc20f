//! Tells the bots that keep a map of their own what changes on it, beside the log.

use crate::bot::Bot;
use crate::changes::MapChanges;
use crate::rules::adjustment::AdjustmentOutcome;
use crate::rules::event::{Event, Log};
use crate::rules::movement::Resolution;
use crate::rules::order::{AdjustmentOrder, Orders, RetreatOrder};
use crate::rules::position::{Phase, Position, Retreats};
use crate::rules::retreat::RetreatOutcome;
use crate::rules::seismic::{SeismicOrders, SeismicOutcome};
use crate::rules::terrain::Terrain;
use upheaval_map::ids::{ByPower, Power};
use upheaval_map::topology::MapEvent;

/// A log that passes on what it is told, and tells the bots of the changes of the map.
pub(super) struct Notifier<'a> {
    bots: &'a mut ByPower<Box<dyn Bot>>,
    log: &'a mut dyn Log,
    /// Does anybody want to know?
    wanted: bool,
    changes: MapChanges,
}

impl<'a> Notifier<'a> {
    pub fn new(bots: &'a mut ByPower<Box<dyn Bot>>, log: &'a mut dyn Log) -> Notifier<'a> {
        let wanted = bots.iter().any(|(_, bot)| bot.keeps_a_map());
        Notifier { bots, log, wanted, changes: MapChanges::default() }
    }

    fn tell(&mut self, change: &MapEvent) {
        self.bots
            .iter_mut()
            .filter(|(_, bot)| bot.keeps_a_map())
            .for_each(|(_, bot)| bot.map_changed(change));
    }
}

impl Log for Notifier<'_> {
    fn event(&mut self, at: Phase, terrain: &Terrain, event: &Event) {
        if self.wanted
            && let Some(change) = self.changes.of_event(terrain, event)
        {
            self.tell(&change);
        }
        self.log.event(at, terrain, event);
    }

    fn movement(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        position: &Position,
        orders: &Orders,
        resolution: &Resolution,
    ) {
        self.log.movement(at, terrain, position, orders, resolution);
    }

    fn retreats(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        retreats: &Retreats,
        orders: &[Option<RetreatOrder>],
        outcomes: &[RetreatOutcome],
    ) {
        self.log.retreats(at, terrain, retreats, orders, outcomes);
    }

    fn adjustments(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        position: &Position,
        power: Power,
        orders: &[AdjustmentOrder],
        outcomes: &[AdjustmentOutcome],
    ) {
        self.log.adjustments(at, terrain, position, power, orders, outcomes);
    }

    fn seismic(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        orders: &SeismicOrders,
        outcomes: &ByPower<Option<SeismicOutcome>>,
    ) {
        if self.wanted {
            MapChanges::of_quakes(terrain, orders, outcomes).iter().for_each(|change| self.tell(change));
        }
        self.log.seismic(at, terrain, orders, outcomes);
    }

    fn season(&mut self, at: Phase, terrain: &Terrain, position: &Position) {
        self.log.season(at, terrain, position);
    }
}
