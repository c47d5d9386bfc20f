//! Two listeners to one game.

use crate::sim::Recorder;
use upheaval_engine::rules::adjustment::AdjustmentOutcome;
use upheaval_engine::rules::event::{Event, Log};
use upheaval_engine::rules::movement::Resolution;
use upheaval_engine::rules::order::{AdjustmentOrder, Orders, RetreatOrder};
use upheaval_engine::rules::position::{Phase, Position, Retreats};
use upheaval_engine::rules::retreat::RetreatOutcome;
use upheaval_engine::rules::seismic::{SeismicOrders, SeismicOutcome};
use upheaval_engine::rules::terrain::Terrain;
use upheaval_map::ids::{ByPower, Power};

/// The recorder of a replay, and whoever else listens to it.
pub(super) struct Both<'a> {
    pub recorder: &'a mut Recorder,
    pub log: &'a mut dyn Log,
}

impl Both<'_> {
    fn tell(&mut self, tell: impl Fn(&mut dyn Log)) {
        tell(self.recorder);
        tell(self.log);
    }
}

impl Log for Both<'_> {
    fn event(&mut self, at: Phase, terrain: &Terrain, event: &Event) {
        self.tell(|log| log.event(at, terrain, event));
    }

    fn movement(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        position: &Position,
        orders: &Orders,
        resolution: &Resolution,
    ) {
        self.tell(|log| log.movement(at, terrain, position, orders, resolution));
    }

    fn retreats(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        retreats: &Retreats,
        orders: &[Option<RetreatOrder>],
        outcomes: &[RetreatOutcome],
    ) {
        self.tell(|log| log.retreats(at, terrain, retreats, orders, outcomes));
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
        self.tell(|log| log.adjustments(at, terrain, position, power, orders, outcomes));
    }

    fn seismic(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        orders: &SeismicOrders,
        outcomes: &ByPower<Option<SeismicOutcome>>,
    ) {
        self.tell(|log| log.seismic(at, terrain, orders, outcomes));
    }

    fn season(&mut self, at: Phase, terrain: &Terrain, position: &Position) {
        self.tell(|log| log.season(at, terrain, position));
    }
}
