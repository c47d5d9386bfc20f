//! All that is told of a game, kept as plain data.

use upheaval_engine::game::Game;
use upheaval_engine::rules::adjustment::AdjustmentOutcome;
use upheaval_engine::rules::event::{Event, Log};
use upheaval_engine::rules::movement::Resolution;
use upheaval_engine::rules::order::{AdjustmentOrder, Landing, Order, Orders, RetreatOrder};
use upheaval_engine::rules::position::{Phase, Position, Retreats};
use upheaval_engine::rules::retreat::RetreatOutcome;
use upheaval_engine::rules::seismic::{SeismicOrders, SeismicOutcome};
use upheaval_engine::rules::terrain::Terrain;
use upheaval_map::ids::{ByPower, Power, ProvinceId};

/// What was told of a game at one moment, as [`Log`] has it. What the rules make of it is not kept: it comes out the
/// same again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Something happened.
    Event {
        /// When.
        at: Phase,
        /// What.
        event: Event,
    },
    /// A movement phase was settled.
    Movement {
        /// The phase.
        at: Phase,
        /// The order of every unit on the board, by where it stood, ascending.
        orders: Vec<(ProvinceId, Order)>,
        /// The landings of armies aboard fleets.
        landings: Vec<Landing>,
    },
    /// A retreat phase was settled.
    Retreats {
        /// The phase.
        at: Phase,
        /// The orders of the dislodged units, in their order; `None` where there was none.
        orders: Vec<Option<RetreatOrder>>,
    },
    /// A power's adjustments were settled.
    Adjustments {
        /// The phase.
        at: Phase,
        /// The power.
        power: Power,
        /// Its orders.
        orders: Vec<AdjustmentOrder>,
    },
    /// A seismic phase was settled.
    Seismic {
        /// The phase.
        at: Phase,
        /// The orders of the powers.
        orders: Box<SeismicOrders>,
    },
    /// A season was over.
    Season {
        /// Its last phase.
        at: Phase,
        /// The hash of the map that it left ([`Terrain::hash`]).
        map: u64,
        /// Units and owners.
        position: Box<Position>,
    },
}

impl Entry {
    /// The phase it belongs to.
    pub fn at(&self) -> Phase {
        match self {
            Entry::Event { at, .. }
            | Entry::Movement { at, .. }
            | Entry::Retreats { at, .. }
            | Entry::Adjustments { at, .. }
            | Entry::Seismic { at, .. }
            | Entry::Season { at, .. } => *at,
        }
    }

    /// What happened, if something did.
    pub fn event(&self) -> Option<&Event> {
        match self {
            Entry::Event { event, .. } => Some(event),
            _ => None,
        }
    }

    /// Is it about a bot rather than the game? The game itself never tells that orders were refused.
    pub(super) fn is_fault(&self) -> bool {
        self.event().is_some_and(Event::is_of_bot)
    }
}

/// Everything that was told of a game, in order. It is a [`Log`]: have it told of a game, and the game can be played
/// again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Transcript {
    /// What was told.
    pub entries: Vec<Entry>,
    /// The hash of the game at its end, where it was kept: it covers the secrets too, of which nothing may have been
    /// told.
    pub end: Option<u64>,
}

impl Transcript {
    /// A transcript with nothing in it yet.
    pub fn new() -> Transcript {
        Transcript::default()
    }

    /// Keeps the hash of the game that is over.
    pub fn close(&mut self, game: &Game) {
        self.end = Some(game.hash());
    }
}

impl Log for Transcript {
    fn event(&mut self, at: Phase, _: &Terrain, event: &Event) {
        self.entries.push(Entry::Event { at, event: event.clone() });
    }

    fn movement(&mut self, at: Phase, _: &Terrain, position: &Position, orders: &Orders, _: &Resolution) {
        let of_units = position.occupied().iter().map(|unit| (unit, orders[unit])).collect();
        let landings = orders.landings().to_vec();
        self.entries.push(Entry::Movement { at, orders: of_units, landings });
    }

    fn retreats(
        &mut self,
        at: Phase,
        _: &Terrain,
        _: &Retreats,
        orders: &[Option<RetreatOrder>],
        _: &[RetreatOutcome],
    ) {
        self.entries.push(Entry::Retreats { at, orders: orders.to_vec() });
    }

    fn adjustments(
        &mut self,
        at: Phase,
        _: &Terrain,
        _: &Position,
        power: Power,
        orders: &[AdjustmentOrder],
        _: &[AdjustmentOutcome],
    ) {
        self.entries.push(Entry::Adjustments { at, power, orders: orders.to_vec() });
    }

    fn seismic(
        &mut self,
        at: Phase,
        _: &Terrain,
        orders: &SeismicOrders,
        _: &ByPower<Option<SeismicOutcome>>,
    ) {
        self.entries.push(Entry::Seismic { at, orders: Box::new(orders.clone()) });
    }

    fn season(&mut self, at: Phase, terrain: &Terrain, position: &Position) {
        self.entries.push(Entry::Season { at, map: terrain.hash(), position: Box::new(position.clone()) });
    }
}
