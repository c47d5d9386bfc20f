//! A game as outside code plays it: orders go in; outcomes and changes of the map come out.
//!
//! A [`Session`] is the main entry point of the engine. It holds a [`Game`], the seed of its random events,
//! and the orders that have been given for the current phase. Bots that play thousands of games use the
//! underlying game, which allocates nothing in the steady state ([`crate::play`]); a session is for
//! everything else.
//!
//! ```
//! use upheaval_engine::prelude::*;
//!
//! let mut game = Session::new("black-hole", 7)?;
//! game.order(Power::FRANCE, "A PAR - BUR")?;
//! game.order(Power::GERMANY, "A MUN - BUR")?;
//! let turn = game.advance();
//! assert_eq!(turn.results[0].to_string(), "FRANCE A PAR - BUR: bounce (bounce with A MUN)");
//! // The season's hole opens after the retreats; no unit had to retreat.
//! println!("{}: {:?}", turn.phase, turn.map_changes);
//! assert_eq!(game.phase().to_string(), "F1901M");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod saved;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::adjudicate::{Happenings, Request, RequestError};
use crate::ask::{Ask, Handicap, Imagined, Observation};
use crate::game::{Ending, Game, Referee, Stage};
use crate::reading::{self, Decision, OrderSource, OrderText, Refusal};
use crate::rules::adjustment::Owed;
use crate::rules::event::{Both, Event, Log, MapChanges};
use crate::rules::game_state::GameState;
use crate::rules::gazetteer::Gazetteer;
use crate::rules::legal::ConvoyChains;
use crate::rules::map_tables::MapTables;
use crate::rules::nature::Seeded;
use crate::rules::position::Phase;
use crate::rules::settlement::{Settled, Settlement};
use crate::rules::variant::{Variant, VariantError};
use crate::session::saved::PastStage;
use crate::settle;
use upheaval_map::ids::{ByPower, Power};
use upheaval_map::rng::{Purpose, Stream};
use upheaval_map::topology::MapEvent;
use upheaval_map::topology::report::MapReport;

pub use crate::ask::{Choice, LegalOrder};
pub use crate::rules::settlement::SettledOrder;

/// A game with its random events and the orders for the current phase.
///
/// The same variant, seed and orders give the same game on every machine. A clone is independent of the
/// original.
#[derive(Clone)]
pub struct Session {
    game: Game,
    referee: Referee,
    nature: Seeded,
    /// The orders that have been given for this stage; each of them was accepted when it was given.
    orders: ByPower<Vec<String>>,
    /// The state from which it was played or imagined, if that is not the variant's own start.
    start: Option<Box<Request>>,
    /// All changes of the map, with those before the start.
    happenings: Happenings,
    /// The stages that were played since the start; `None` if it was imagined.
    past: Option<Vec<saved::PastStage>>,
}

/// Why a session cannot be created or restored.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// No shipped variant has this name.
    #[error(
        "there is no variant `{name}`; known: {known}; to use a file, give its path, such as `./{name}.toml`"
    )]
    UnknownVariant {
        /// The name.
        name: String,
        /// The shipped variants.
        known: String,
    },
    /// The variant's file cannot be used.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// The text is not a state that a game can go on from.
    #[error(transparent)]
    State(Box<RequestError>),
    /// The text is not a saved session.
    #[error("not a saved session: {0}")]
    Form(String),
    /// The saved variant's rules have changed, or a different variant was supplied.
    #[error("the session was saved with different rules of the variant `{0}`")]
    OtherRules(String),
    /// The session was imagined, so that there is no sequence of orders from its start to its current state.
    #[error("an imagined game cannot be saved; save the game from which it was imagined")]
    Imagined,
    /// The saved orders lead to a different game.
    #[error("{phase}: the game differs from the saved one: {what}")]
    Departs {
        /// The phase in which the difference appears.
        phase: String,
        /// The difference.
        what: String,
    },
}

impl From<RequestError> for SessionError {
    fn from(error: RequestError) -> SessionError {
        SessionError::State(Box::new(error))
    }
}

impl Session {
    /// A new game of a variant, given by the id of a shipped variant or the path of a variant file. It ends
    /// when its rules say so; see [`Session::ending_in`] for a last year.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let game = Session::new("deluge-ii", 1)?;
    /// assert_eq!(game.phase().to_string(), "W1900A");
    /// let error = Session::new("delugeii", 1).map(|_| ()).unwrap_err();
    /// assert!(error.to_string().starts_with("there is no variant `delugeii`"));
    /// # Ok::<(), SessionError>(())
    /// ```
    ///
    /// # Errors
    /// There is no such variant, or its file has a fault.
    pub fn new(variant: &str, seed: u64) -> Result<Session, SessionError> {
        let found = Variant::find(variant, Path::new(""))?.ok_or_else(|| SessionError::UnknownVariant {
            name: variant.to_owned(),
            known: Variant::shipped().collect::<Vec<_>>().join(", "),
        })?;
        Ok(Session::of(Arc::new(found), seed))
    }

    /// A new game of a given variant.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// # use std::sync::Arc;
    /// let text = Variant::shipped_text("black-hole").unwrap().replace("count = 1", "count = 2");
    /// let variant = Variant::check(&Source::new("two-holes.toml", text), "".as_ref())?;
    /// let turn = Session::of(Arc::new(variant), 7).advance();
    /// assert_eq!(turn.map_changes.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(variant: Arc<Variant>, seed: u64) -> Session {
        Session {
            orders: ByPower::new(variant.terrain.powers()),
            game: Game::new(variant, u16::MAX),
            referee: Referee::new(),
            nature: Seeded { seed, block: 0 },
            start: None,
            happenings: Happenings::default(),
            past: Some(Vec::new()),
        }
    }

    /// The same game in another block: under one seed, each block has random events of its own. Game *i* of a
    /// run without seat rotation corresponds to block *i*. The block can be set only before the first stage
    /// is settled.
    pub fn in_block(mut self, block: u64) -> Session {
        self.nature.block = block;
        self
    }

    /// The game as a power knows it: all public information and its own secrets are kept, while the secrets
    /// of others and all random events are guessed under this seed. The result is for planning ahead and is
    /// independent of this session.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let game = Session::new("black-hole", 7)?;
    /// let mut guesses: Vec<Session> = (0..20).map(|seed| game.imagine(Power::FRANCE, seed)).collect();
    /// let holes = guesses.iter_mut().map(|guess| guess.advance().map_changes[0].to_string());
    /// let first = holes.collect::<std::collections::BTreeSet<_>>();
    /// assert!(first.len() > 5, "{first:?}");
    /// assert!(game.imagine(Power::FRANCE, 1).save().is_err());
    /// # Ok::<(), SessionError>(())
    /// ```
    pub fn imagine(&self, power: Power, seed: u64) -> Session {
        let mut dice = Stream::keyed(seed, Purpose::Bot, &[]);
        let chains = ConvoyChains::default();
        let seen = Observation::new(&self.game, &chains, power, Handicap::NONE);
        let Imagined { game, nature } = seen.imagined(&mut dice);
        let mut orders = ByPower::new(game.powers());
        orders[power] = self.orders[power].clone();
        let (start, happenings) = (self.start.clone(), self.happenings.clone());
        Session { game, referee: Referee::new(), nature, orders, start, happenings, past: None }
    }

    /// Was it imagined rather than played from its start?
    pub fn is_imagined(&self) -> bool {
        self.past.is_none()
    }

    /// The same game, ending as a draw of the survivors after this year if no power has won by then.
    pub fn ending_in(mut self, year: u16) -> Session {
        self.game.set_last_year(year);
        self
    }

    /// The underlying game: the map, units and owners, and the memory of the variant.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The names of the provinces, coasts and powers on the current map.
    pub fn names(&self) -> &Gazetteer {
        self.game.terrain().names()
    }

    /// The seed of the random events.
    pub fn seed(&self) -> u64 {
        self.nature.seed
    }

    /// The block under that seed.
    pub fn block(&self) -> u64 {
        self.nature.block
    }

    /// The rule set.
    pub fn variant(&self) -> &Arc<Variant> {
        self.game.variant()
    }

    /// The phase that orders are given for, or the last phase of a game that is over.
    pub fn phase(&self) -> Phase {
        self.game.phase()
    }

    /// The kind of decision that the phase waits for.
    pub fn stage(&self) -> Stage {
        self.game.stage()
    }

    /// Is the game over?
    pub fn is_over(&self) -> bool {
        self.game.stage() == Stage::Over
    }

    /// How the game ended, once it is over.
    pub fn ending(&self) -> Option<&Ending> {
        self.game.ending()
    }

    /// The number of builds or removals of a power in an adjustment phase.
    pub fn owed(&self, power: Power) -> Owed {
        self.game.owed(power)
    }

    /// Gives an order, as people type it ([`reading::typed()`]) or as one of [`Session::legal_orders`]. It is added to
    /// those that the power has given for this phase, and is checked together with them. A unit without an order holds;
    /// a dislodged unit without one does what the variant prescribes; missing adjustments are made by the rules
    /// of civil disorder.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let mut game = Session::new("standard", 1)?;
    /// game.order(Power::FRANCE, "Fleet Brest to Mid-Atlantic")?;
    /// let refusal = game.order(Power::FRANCE, "A PAR - MOS").unwrap_err();
    /// assert_eq!(refusal.to_string(), "it cannot be reached from there");
    /// let refusal = game.order(Power::FRANCE, "F BRE H").unwrap_err();
    /// assert_eq!(refusal.to_string(), "duplicate order for this unit; the first one is used");
    /// assert_eq!(game.orders(Power::FRANCE), ["F BRE - MAO"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The order does not count; the error says why. Nothing is changed in that case.
    pub fn order(&mut self, power: Power, order: impl AsRef<str>) -> Result<Decision, Refusal> {
        let typed = reading::typed(&self.game, power, order.as_ref())?;
        self.order_in_notation(power, &typed.text)
    }

    /// The same for an order in the notation of docs/adjudicate.md; no other is understood.
    ///
    /// # Errors
    /// As for [`Session::order`].
    pub fn order_in_notation(&mut self, power: Power, order: &str) -> Result<Decision, Refusal> {
        let text = order.trim();
        let given = self.orders[power].iter().map(String::as_str).chain([text]);
        let texts: Vec<&str> = given.collect();
        let chains = self.chains();
        let seen = Observation::new(&self.game, &chains, power, Handicap::NONE);
        let result = seen.read(&texts, OrderSource::Player).pop().unwrap_or(Err(Refusal::NotListed));
        if result.is_ok() {
            self.orders[power].push(text.to_owned());
        }
        result
    }

    /// Replaces all orders of a power for this phase. Returns the meaning of each order, or why it does not
    /// count; those that count are kept.
    pub fn set_orders<T: AsRef<str>>(
        &mut self,
        power: Power,
        orders: impl IntoIterator<Item = T>,
    ) -> Vec<Result<Decision, Refusal>> {
        self.orders[power].clear();
        orders.into_iter().map(|order| self.order(power, order)).collect()
    }

    /// The orders that a power has given for this phase.
    pub fn orders(&self, power: Power) -> &[String] {
        &self.orders[power]
    }

    fn chains(&self) -> ConvoyChains {
        let GameState { terrain, position, .. } = self.game.world();
        ConvoyChains::new(terrain.board(), &self.game.variant().rulebook, position)
    }
}

// The board of a session as text, JSON and a picture.

impl Session {
    /// The units on the board by power, sorted; powers without units have no entry. Dislodged units are
    /// excluded.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let game = Session::new("standard", 1)?;
    /// assert_eq!(game.units()["RUSSIA"], ["A MOS", "A WAR", "F SEV", "F STP/SC"]);
    /// # Ok::<(), SessionError>(())
    /// ```
    pub fn units(&self) -> BTreeMap<String, Vec<String>> {
        self.game.world().written_units()
    }

    /// The supply centres by owner, sorted; powers without centres have no entry.
    pub fn centres(&self) -> BTreeMap<String, Vec<String>> {
        self.game.world().written_centres()
    }

    /// The current board: faces, boundaries, coasts, adjacency, holes. `serde_json` writes it in the form of
    /// `upheaval map --format json`.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let game = Session::new("standard", 1)?;
    /// let json = serde_json::to_string(&game.board())?;
    /// assert!(json.starts_with(r#"{"counts":{"faces":77,"borders":225,"corners":150"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn board(&self) -> MapReport {
        let terrain = self.game.terrain();
        MapReport::new(terrain.chart(), terrain.board())
    }

    /// The board as text: a line for each face, then holes and waterways.
    pub fn board_text(&self) -> String {
        self.board().to_text()
    }

    /// The board as a picture, one SVG element, with owners and units; units that must retreat are drawn
    /// beside the others. Takes some 50 ms, and more if there are many holes.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let game = Session::new("standard", 1)?;
    /// assert!(game.board_svg().starts_with("<svg "));
    /// # Ok::<(), SessionError>(())
    /// ```
    #[cfg(feature = "picture")]
    pub fn board_svg(&self) -> String {
        use upheaval_map::ids::Location;
        use upheaval_picture::{DrawnUnit, Footing, Layout, Stand, Style, svg};

        let chart = self.game.terrain().chart();
        let position = &self.game.world().position;
        let standing = position.occupied().iter().filter_map(|id| {
            let (unit, at) = (position.unit(id)?, position.location(id)?);
            Some(DrawnUnit { power: unit.power, stand: Stand::firm(unit.designation(), at) })
        });
        let dislodged = self.game.dislodged().dislodged.iter().map(|unit| {
            let at = Location { province: unit.at, coast: unit.unit.coast };
            let stand = Stand { kind: unit.unit.designation(), at, footing: Footing::Dislodged(0) };
            DrawnUnit { power: unit.unit.power, stand }
        });
        let style = Style {
            title: format!("{}, {}", self.variant().title, self.phase()),
            owners: Some(position.owners()),
            units: standing.chain(dislodged).collect(),
            ..Style::default()
        };
        svg::board(&Layout::of(chart), chart, &style)
    }
}

// The orders that a power can give now.

impl Session {
    /// The powers that can give orders now.
    pub fn awaited(&self) -> Vec<Power> {
        self.game.powers().iter().filter(|&power| awaits(&self.game, power)).collect()
    }

    /// Everything that a power can order now, choice by choice, in a canonical order. It may order as many of
    /// the builds as it is owed ([`Session::owed`]); any more are refused when the phase is settled. Where
    /// retreats are sent with the orders, a list may combine several of the places that are listed here one
    /// by one: `A PAR R PIC BRE`.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let game = Session::new("standard", 1)?;
    /// let choices = game.legal_orders(Power::TURKEY);
    /// let ankara = &choices[0];
    /// assert_eq!(ankara.subject, "F ANK");
    /// let texts: Vec<String> = ankara.orders.iter().map(ToString::to_string).collect();
    /// assert_eq!(texts[..4], ["F ANK H", "F ANK - ARM", "F ANK - BLA", "F ANK - CON"]);
    /// assert_eq!(texts[4..], ["F ANK S A CON", "F ANK S F SEV - ARM", "F ANK S F SEV - BLA", "F ANK S A SMY - ARM",
    ///     "F ANK S A SMY - CON"]);
    /// # Ok::<(), SessionError>(())
    /// ```
    pub fn legal_orders(&self, power: Power) -> Vec<Choice> {
        let chains = self.chains();
        let seen = Observation::new(&self.game, &chains, power, Handicap::NONE);
        seen.all_choices()
    }
}

/// Is the power asked for anything that it can choose?
fn awaits(game: &Game, power: Power) -> bool {
    game.asks(power).iter().any(|ask| !matches!(ask, Ask::Seismic(_)) || !game.quakes().is_empty())
}

// The results of a stage.

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
