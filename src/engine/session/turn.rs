//! The results of a stage.

use std::fmt;

use super::saved::PastStage;
use super::{Past, Session};
use crate::changes::MapChanges;
use crate::game::Stage;
use crate::reading::{self, OrderText};
use crate::rules::event::{Both, Event, Log};
use crate::rules::position::Phase;
use crate::rules::seismic::{SeismicOrders, SeismicOutcome};
use crate::rules::terrain::Terrain;
use crate::settle::{self, LineOutcome, Settled, Surroundings, Unordered};
use upheaval_map::ids::{ByPower, Power};
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
    pub results: Vec<OrderResult>,
    /// The changes of the map, in order. Each prints in the form that `upheaval map` accepts: `collapse MAR`.
    pub map_changes: Vec<MapEvent>,
    /// All events in order, each with its phase.
    pub events: Vec<(Phase, Event)>,
}

/// The result of an order. It prints as a line: `FRANCE A PAR - BUR: bounce (bounce with A MUN)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderResult {
    /// The power that gave the order.
    pub power: Power,
    /// The order.
    pub order: String,
    /// The result words of `docs/adjudicate.md`: `ok`, `bounce`, `cut`, `dislodged` …
    pub words: Vec<&'static str>,
    /// Why it failed, if it did.
    pub reason: Option<String>,
}

impl OrderResult {
    /// Did the order succeed? The unit may nevertheless have been dislodged.
    pub fn succeeded(&self) -> bool {
        self.words.first() == Some(&"ok")
    }
}

impl fmt::Display for OrderResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.power, self.order, self.words.join(", "))?;
        match &self.reason {
            Some(reason) => write!(f, " ({reason})"),
            None => Ok(()),
        }
    }
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
        if let (Past::Played(past), false) = (&mut self.past, stage == Stage::Over) {
            past.push(PastStage::new(&self.game, &orders));
        }
        let given = orders.iter().flat_map(|(power, texts)| texts.iter().map(move |text| (power, text)));
        let lines: Vec<OrderText<'_>> = given.map(|(power, text)| OrderText { power, text }).collect();
        let mut witness = Witness::default();
        let mut log = Both { first: &mut witness, second: log };
        let around = Surroundings { nature: &mut self.nature, log: &mut log };
        let game = &mut self.game;
        let results = match stage {
            Stage::Movement => results(&lines, settle::movement(game, &mut self.referee, &lines, around)),
            Stage::Retreats => results(&lines, settle::retreats(game, &lines, around)),
            Stage::Adjustments => results(&lines, settle::adjustments(game, &lines, around)),
            Stage::Seismic => results(&lines, settle::seismic(game, &lines, around)),
            Stage::Coasts => {
                let (coasts, trapped): (Vec<_>, Vec<_>) =
                    lines.into_iter().partition(|line| reading::is_coast_choice(line.text));
                let (disbanded, settled) = settle::trapped(game, &trapped, around.log);
                let chosen = settle::coasts(game, &coasts, disbanded, around);
                [results(&trapped, settled), results(&coasts, chosen)].concat()
            }
            Stage::Over => Vec::new(),
        };
        Turn { phase, stage, results, map_changes: witness.map_changes, events: witness.events }
    }
}

fn results(lines: &[OrderText<'_>], settled: Settled) -> Vec<OrderResult> {
    let Settled { mut outcomes, unordered, .. } = settled;
    outcomes.sort_by_key(|outcome| outcome.line);
    let ordered = outcomes.into_iter().map(|LineOutcome { line, words, reason }| {
        let OrderText { power, text } = lines[line];
        OrderResult { power, order: text.to_owned(), words, reason }
    });
    let unordered = unordered.into_iter().map(|Unordered { power, order, reason }| OrderResult {
        power,
        order,
        words: vec!["disband"],
        reason: Some(reason.to_owned()),
    });
    ordered.chain(unordered).collect()
}

/// Collects the events.
#[derive(Default)]
struct Witness {
    events: Vec<(Phase, Event)>,
    map_changes: Vec<MapEvent>,
    changes: MapChanges,
}

impl Log for Witness {
    fn event(&mut self, at: Phase, terrain: &Terrain, event: &Event) {
        self.events.push((at, event.clone()));
        self.map_changes.extend(self.changes.of_event(terrain, event));
    }

    fn seismic(
        &mut self,
        _: Phase,
        terrain: &Terrain,
        orders: &SeismicOrders,
        outcomes: &ByPower<Option<SeismicOutcome>>,
    ) {
        self.map_changes.extend(MapChanges::of_quakes(terrain, orders, outcomes));
    }
}
