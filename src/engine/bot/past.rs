//! A stage that is settled, as everybody knows it then: the position before it, orders and results.

use std::collections::BTreeMap;

use crate::game::Game;
use crate::rules::position::Phase;
use upheaval_map::ids::{Location, Power};

/// A stage that was settled, in the texts of the notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Past {
    /// Its phase.
    pub phase: Phase,
    /// The units before it, by power; those that had to retreat are in `retreats`.
    pub units: BTreeMap<Power, Vec<String>>,
    /// The owned centres before it, by owner.
    pub centres: BTreeMap<Power, Vec<String>>,
    /// The units that had to retreat in it.
    pub retreats: Vec<Retreating>,
    /// The orders that were settled, each with its result. A unit without an order has the one that the rules gave it,
    /// and so have units that civil disorder removed.
    pub orders: Vec<PastOrder>,
}

/// An order with its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastOrder {
    /// Its power.
    pub power: Power,
    /// The order.
    pub order: String,
    /// The words of docs/adjudicate.md: `ok`, `bounce` …
    pub result: Vec<&'static str>,
}

/// A unit that must retreat, and where it can go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Retreating {
    /// Its power.
    pub power: Power,
    /// The unit: `A MUN`, or `A MUN#2` for the second of two alike.
    pub unit: String,
    /// Where it can go; nothing if it is lost.
    pub options: Vec<String>,
}

impl Past {
    /// A stage that is not settled yet.
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
