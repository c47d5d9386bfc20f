//! The kinds of orders that a power gives in a season, and the number of orders that it could have given.

use crate::sim::ChoiceCounting;
use upheaval_engine::game::Game;
use upheaval_engine::rules::legal::{ConvoyChains, count, landings};
use upheaval_engine::rules::map_tables::MapTables;
use upheaval_engine::rules::order::Order;
use upheaval_engine::rules::position::Position;
use upheaval_engine::rules::rulebook::Rulebook;
use upheaval_map::ids::Power;

/// How many orders of each kind a power has given in a season, in the order of [`UsedKind`].
#[derive(Clone, Copy, Default)]
pub(super) struct Used(pub [u8; 5]);

/// The kinds of orders that are counted.
#[derive(Clone, Copy)]
pub(super) enum UsedKind {
    Hold,
    Move,
    Support,
    Convoy,
    /// An order that only a variant has.
    Special,
}

impl UsedKind {
    /// The kind of a unit's order.
    #[inline]
    pub(super) fn of(order: &Order) -> UsedKind {
        match order {
            Order::Hold => UsedKind::Hold,
            Order::Move { .. } => UsedKind::Move,
            Order::SupportHold { .. } | Order::SupportMove { .. } | Order::SupportLanding { .. } => {
                UsedKind::Support
            }
            Order::Convoy { .. } => UsedKind::Convoy,
            Order::Transform { .. } | Order::Embark { .. } => UsedKind::Special,
        }
    }
}

impl Used {
    /// Adds an order.
    #[inline]
    pub(super) fn add(&mut self, kind: UsedKind) {
        let count = &mut self.0[kind as usize];
        *count = count.saturating_add(1);
    }
}

/// Counts the possible orders of powers. Its tables are reused from phase to phase.
pub(super) struct Counter {
    rulebook: Rulebook,
    chains: ConvoyChains,
}

impl Counter {
    /// A counter for a game, if it is asked for.
    pub(super) fn of(game: &Game, choices: ChoiceCounting) -> Option<Box<Counter>> {
        let rulebook = game.variant().rulebook;
        let counter = || Box::new(Counter { rulebook, chains: ConvoyChains::default() });
        (choices == ChoiceCounting::Counted).then(counter)
    }

    /// Brings the tables up to date.
    pub(super) fn look(&mut self, terrain: &MapTables, position: &Position) {
        self.chains.update(terrain.board(), &self.rulebook, position);
    }

    /// The log10 of the number of sets of orders that the power could give, in hundredths: the product over its units,
    /// and over the armies that are or may be aboard.
    pub(super) fn choices(&self, terrain: &MapTables, position: &Position, power: Power) -> u16 {
        // At most 255 units with some thousand orders each: the product of this many factors overflows, so logarithms
        // are added from time to time.
        let (mut logarithm, mut product) = (0.0, 1.0);
        for unit in *position.units_of(power) {
            product *= count(terrain.board(), position, &self.chains, unit).max(1) as f64;
            product *= (1 + landings(terrain.board(), position, &self.chains, unit).count()) as f64;
            if product > 1e200 {
                logarithm += libm::log10(product);
                product = 1.0;
            }
        }
        (100.0 * (logarithm + libm::log10(product))).round() as u16
    }
}
