//! A settled stage as it is known to all powers: the position before it, orders and results.

use std::collections::BTreeMap;

use crate::game::Game;
use crate::rules::position::Phase;
use upheaval_map::ids::{Location, Power};

/// A stage that was settled, in the texts of the notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Past {
    /// The phase.
    pub phase: Phase,
    /// The units before the stage, by power; those that had to retreat are in `retreats`.
    pub units: BTreeMap<Power, Vec<String>>,
    /// The owned centres before the stage, by owner.
    pub centres: BTreeMap<Power, Vec<String>>,
    /// The units that had to retreat in the stage.
    pub retreats: Vec<Retreating>,
    /// The orders that were settled, each with its result. They include the orders that the rules gave to
    /// units without one, and removals by civil disorder.
    pub orders: Vec<PastOrder>,
}

/// An order with its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastOrder {
    /// Its power.
    pub power: Power,
    /// The order.
    pub order: String,
    /// The result words of docs/adjudicate.md: `ok`, `bounce` …
    pub result: Vec<&'static str>,
}

/// A unit that must retreat, and its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Retreating {
    /// Its power.
    pub power: Power,
    /// The unit: `A MUN`, or `A MUN#2` for the second of two equal units.
    pub unit: String,
    /// Its options; empty if it is lost.
    pub options: Vec<String>,
}

impl Past {
    /// A stage that has not been settled yet.
    pub(crate) fn before(game: &Game) -> Past {
        Past {
            phase: game.phase(),
            units: game.world().written_units(),
            centres: game.world().written_centres(),
            retreats: retreating(game),
            orders: Vec::new(),
        }
    }

    pub(crate) fn push(
        &mut self,
        power: Power,
        order: String,
        result: impl IntoIterator<Item = &'static str>,
    ) {
        self.orders.push(PastOrder { power, order, result: result.into_iter().collect() });
    }
}

/// The units of all powers that must retreat, in the game's order.
pub(super) fn retreating(game: &Game) -> Vec<Retreating> {
    let (names, waiting) = (game.terrain().names(), game.dislodged());
    let units = waiting.dislodged.iter().enumerate();
    let told = units.map(|(i, dislodged)| {
        let place = Location { province: dislodged.at, coast: dislodged.unit.coast };
        let unit = names.unit(place, dislodged.unit.designation());
        let options = game.retreat_options(i);
        Retreating {
            power: dislodged.unit.power,
            unit: match waiting.ordinal(i) {
                1 => unit.to_string(),
                n => format!("{unit}#{n}"),
            },
            options: options
                .into_iter()
                .map(|to| names.location(to, dislodged.unit.kind).to_string())
                .collect(),
        }
    });
    told.collect()
}
