//! Notifies the bots that keep a map of its changes, and those that keep a record of orders and results.

use crate::bot::{Bot, SettledStage};
use crate::changes::MapChanges;
use crate::game::{Game, Stage};
use crate::rules::event::{Event, Log};
use crate::rules::map_tables::MapTables;
use crate::rules::position::Phase;
use crate::rules::settlement::{Settled, Settlement};
use upheaval_map::ids::ByPower;
use upheaval_map::topology::MapEvent;

/// A log that notifies the bots of changes of the map and of the orders of a stage.
pub(super) struct Notifier<'a> {
    bots: &'a mut ByPower<Box<dyn Bot>>,
    /// Does any bot keep a map?
    wanted: bool,
    changes: MapChanges,
    /// The stage being settled, if any bot keeps a record.
    past: Option<SettledStage>,
}

impl<'a> Notifier<'a> {
    /// Notifies of changes of the map, and of the orders of the stage that the game waits for. Choices of coasts are not
    /// orders.
    pub(super) fn new(bots: &'a mut ByPower<Box<dyn Bot>>, game: &Game) -> Notifier<'a> {
        let wanted = bots.iter_mut().any(|(_, bot)| bot.keeps_a_map());
        let records = game.stage() != Stage::Coasts && bots.iter_mut().any(|(_, bot)| bot.keeps_a_record());
        let past = records.then(|| SettledStage::before(game));
        Notifier { bots, wanted, changes: MapChanges::default(), past }
    }

    /// Call when the stage is settled: notifies the bots that keep a record.
    pub(super) fn close(self) {
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

impl Log for Notifier<'_> {
    fn event(&mut self, _: Phase, terrain: &MapTables, event: &Event) {
        if self.wanted
            && let Some(change) = self.changes.of_event(terrain, event)
        {
            self.tell(&change);
        }
    }

    fn settled(&mut self, settlement: &Settlement<'_>) {
        if let (true, Settled::Seismic { orders, outcomes }) = (self.wanted, settlement.settled) {
            MapChanges::of_quakes(settlement.terrain, orders, outcomes)
                .iter()
                .for_each(|change| self.tell(change));
        }
        if let Some(past) = &mut self.past {
            past.orders.extend(settlement.texts());
        }
    }
}
