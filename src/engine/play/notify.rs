//! Tells the bots that keep a map of their own what changes on it.

use crate::bot::Bot;
use crate::changes::MapChanges;
use crate::rules::event::{Event, Log};
use crate::rules::position::Phase;
use crate::rules::seismic::{SeismicOrders, SeismicOutcome};
use crate::rules::terrain::Terrain;
use upheaval_map::ids::ByPower;
use upheaval_map::topology::MapEvent;

/// A log that tells the bots of the changes of the map.
pub(super) struct Notifier<'a> {
    bots: &'a mut ByPower<Box<dyn Bot>>,
    /// Does anybody want to know?
    wanted: bool,
    changes: MapChanges,
}

impl<'a> Notifier<'a> {
    pub fn new(bots: &'a mut ByPower<Box<dyn Bot>>) -> Notifier<'a> {
        let wanted = bots.iter().any(|(_, bot)| bot.keeps_a_map());
        Notifier { bots, wanted, changes: MapChanges::default() }
    }

    fn tell(&mut self, change: &MapEvent) {
        self.bots
            .iter_mut()
            .filter(|(_, bot)| bot.keeps_a_map())
            .for_each(|(_, bot)| bot.map_changed(change));
    }
}

impl Log for Notifier<'_> {
    fn event(&mut self, _: Phase, terrain: &Terrain, event: &Event) {
        if self.wanted
            && let Some(change) = self.changes.of_event(terrain, event)
        {
            self.tell(&change);
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
    }
}
