//! The kinds of orders that a power gives in a season, and the number of orders that it could have given.

use crate::sim::ChoiceCounting;
use upheaval_engine::game::Game;
use upheaval_engine::rules::legal::{ConvoyChains, count, landings};
use upheaval_engine::rules::order::{Order, Orders};
use upheaval_engine::rules::position::Position;
use upheaval_engine::rules::rulebook::Rulebook;
use upheaval_engine::rules::terrain::Terrain;
use upheaval_map::ids::Power;

/// The kinds of a power's orders in a season.
#[derive(Clone, Copy, Default)]
pub(super) struct Used {
    pub holds: u8,
    pub moves: u8,
    pub supports: u8,
    pub convoys: u8,
    pub special: u8,
}

impl Used {
    /// The orders of a movement phase.
    pub fn add(&mut self, position: &Position, orders: &Orders, power: Power) {
        for unit in *position.units_of(power) {
            let of_kind = match orders[unit] {
                Order::Hold => &mut self.holds,
                Order::Move { .. } => &mut self.moves,
                Order::SupportHold { .. } | Order::SupportMove { .. } | Order::SupportLanding { .. } => {
                    &mut self.supports
                }
                Order::Convoy { .. } => &mut self.convoys,
                Order::Transform { .. } | Order::Embark { .. } => &mut self.special,
            };
            *of_kind = of_kind.saturating_add(1);
        }
        let landings = orders.landings().iter().filter(|landing| landing.power == power).count();
        self.special = self.special.saturating_add(super::byte(landings));
    }
}

/// Counts the possible orders of powers. Its tables are reused from phase to phase.
pub(super) struct Counter {
    rulebook: Rulebook,
    chains: ConvoyChains,
}

impl Counter {
    /// A counter for a game, if it is asked for.
    pub fn of(game: &Game, choices: ChoiceCounting) -> Option<Box<Counter>> {
        let rulebook = game.variant().rulebook;
        let counter = || Box::new(Counter { rulebook, chains: ConvoyChains::default() });
        (choices == ChoiceCounting::Counted).then(counter)
    }

    /// Brings the tables up to date.
    pub fn look(&mut self, terrain: &Terrain, position: &Position) {
        self.chains.update(terrain.board(), &self.rulebook, position);
    }

    /// The log10 of the number of sets of orders that the power could give, in hundredths: the product over its units,
    /// and over the armies that are or may be aboard.
    pub fn choices(&self, terrain: &Terrain, position: &Position, power: Power) -> u16 {
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
