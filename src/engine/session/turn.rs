//! What came of a stage.

use std::fmt;

use super::saved::PastStage;
use super::{Past, Session};
use crate::changes::MapChanges;
use crate::game::Stage;
use crate::reading::{self, Line};
use crate::rules::event::{Both, Event, Log};
use crate::rules::position::Phase;
use crate::rules::seismic::{SeismicOrders, SeismicOutcome};
use crate::rules::terrain::Terrain;
use crate::settle::{self, LineOutcome, Settled, Surroundings, Unordered};
use upheaval_map::ids::{ByPower, Power};
use upheaval_map::topology::MapEvent;

/// What came of a stage: of every order, of the map, and of everything else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The phase that was settled.
    pub phase: Phase,
    /// What it had waited for.
    pub stage: Stage,
    /// What came of each order, by power and in the order in which they were given; then of the units that left the board
    /// without an order to.
    pub results: Vec<OrderResult>,
    /// The changes of the map, in order. Each is printed as `upheaval map` takes it: `collapse MAR`.
    pub map_changes: Vec<MapEvent>,
    /// Everything that happened, in order, with the phase it happened in.
    pub events: Vec<(Phase, Event)>,
}

/// What came of an order. It is printed as a line: `FRANCE A PAR - BUR: bounce (bounce with A MUN)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderResult {
    /// Whose order it is.
    pub power: Power,
    /// The order.
    pub order: String,
    /// The words of `docs/adjudicate.md` for it: `ok`, `bounce`, `cut`, `dislodged` …
    pub words: Vec<&'static str>,
    /// Why it failed, if it did.
    pub reason: Option<String>,
}

impl OrderResult {
    /// Did the order succeed? The unit may have been dislodged all the same.
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
    /// Settles the stage that the game waits for with the orders that have been given, and returns what came of it. The
    /// game then waits for the next stage, or is over. Of a game that is over nothing comes.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let mut game = Session::new("black-hole", 7)?.ending_in(1901);
    /// while !game.is_over() {
    ///     let turn = game.advance(); // nobody orders anything
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

    /// The same, telling a log of the game's own types what happens.
    pub fn advance_into(&mut self, log: &mut dyn Log) -> Turn {
        let (phase, stage) = (self.game.phase(), self.game.stage());
        let orders = std::mem::replace(&mut self.orders, ByPower::new(self.game.powers()));
        if let (Past::Played(past), false) = (&mut self.past, stage == Stage::Over) {
            past.push(PastStage::new(&self.game, &orders));
        }
        let given = orders.iter().flat_map(|(power, texts)| texts.iter().map(move |text| (power, text)));
        let lines: Vec<Line<'_>> = given.map(|(power, text)| Line { power, text }).collect();
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
                let (disbanded, settled) = settle::trapped(game, &trapped);
                let chosen = settle::coasts(game, &coasts, disbanded, around);
                [results(&trapped, settled), results(&coasts, chosen)].concat()
            }
            Stage::Over => Vec::new(),
        };
        Turn { phase, stage, results, map_changes: witness.map_changes, events: witness.events }
    }
}

fn results(lines: &[Line<'_>], settled: Settled) -> Vec<OrderResult> {
    let Settled { mut outcomes, unordered, .. } = settled;
    outcomes.sort_by_key(|outcome| outcome.line);
    let ordered = outcomes.into_iter().map(|LineOutcome { line, words, reason }| {
        let Line { power, text } = lines[line];
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

/// Notes what happens.
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
