//! The results of a stage.

use super::saved::PastStage;
use super::{Session, SettledOrder};
use crate::changes::MapChanges;
use crate::game::Stage;
use crate::reading::OrderText;
use crate::rules::event::{Both, Event, Log};
use crate::rules::map_tables::MapTables;
use crate::rules::position::Phase;
use crate::rules::settlement::{Settled, Settlement};
use crate::settle;
use upheaval_map::ids::ByPower;
use upheaval_map::topology::MapEvent;

/// The results of a stage: for every order, for the map, and all other events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The phase that was settled.
    pub phase: Phase,
    /// The kind of decision that was settled.
    pub stage: Stage,
    /// The results of all orders, by power and in the order given; then the units that left the board without
    /// an order.
    pub results: Vec<SettledOrder>,
    /// The changes of the map, in order. Each prints in the form that `upheaval map` accepts: `collapse MAR`.
    pub map_changes: Vec<MapEvent>,
    /// All events in order, each with its phase.
    pub events: Vec<(Phase, Event)>,
}

impl Session {
    /// Settles the current stage with the orders that have been given, and returns the results. The game then
    /// waits for the next stage, or is over. Advancing a finished game does nothing.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let mut game = Session::new("black-hole", 7)?.ending_in(1901);
    /// while !game.is_over() {
    ///     let turn = game.advance(); // no power gives an order
    ///     for change in &turn.map_changes {
    ///         println!("{}: {change}", turn.phase);
    ///     }
    /// }
    /// assert!(matches!(game.ending(), Some(Ending::Draw(powers)) if powers.len() == 7));
    /// # Ok::<(), SessionError>(())
    /// ```
    pub fn advance(&mut self) -> Turn {
        self.advance_into(&mut ())
    }

    /// The same, also writing all events to a log.
    pub fn advance_into(&mut self, log: &mut dyn Log) -> Turn {
        let (phase, stage) = (self.game.phase(), self.game.stage());
        let orders = std::mem::replace(&mut self.orders, ByPower::new(self.game.powers()));
        if let (Some(stages), false) = (&mut self.past, stage == Stage::Over) {
            stages.push(PastStage::new(&self.game, &orders));
        }
        let given = orders.iter().flat_map(|(power, texts)| texts.iter().map(move |text| (power, text)));
        let lines: Vec<OrderText<'_>> = given.map(|(power, text)| OrderText { power, text }).collect();
        let mut witness = Witness::default();
        let mut log = Both { first: &mut self.happenings, second: log };
        let mut log = Both { first: &mut witness, second: &mut log };
        let results = settle::settle(&mut self.game, &mut self.referee, &lines, &mut self.nature, &mut log);
        let results = [results.orders, results.unordered].concat();
        Turn { phase, stage, results, map_changes: witness.map_changes, events: witness.events }
    }
}

/// Collects the events.
#[derive(Default)]
struct Witness {
    events: Vec<(Phase, Event)>,
    map_changes: Vec<MapEvent>,
    changes: MapChanges,
}

impl Log for Witness {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        self.events.push((at, event.clone()));
        self.map_changes.extend(self.changes.of_event(terrain, event));
    }

    fn settled(&mut self, settlement: &Settlement<'_>) {
        if let Settled::Seismic { orders, outcomes } = settlement.settled {
            self.map_changes.extend(MapChanges::of_quakes(settlement.terrain, orders, outcomes));
        }
    }
}
