//! A settled stage as it is known to all powers: the position before it, orders and results.

use std::collections::BTreeMap;

use crate::ask::Retreating;
use crate::game::Game;
use crate::rules::position::Phase;
use crate::rules::settlement::SettledOrder;

/// A stage that was settled, in the texts of the notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettledStage {
    /// The phase.
    pub phase: Phase,
    /// The units before the stage, by power; those that had to retreat are in `retreats`.
    pub units: BTreeMap<String, Vec<String>>,
    /// The owned centres before the stage, by owner.
    pub centres: BTreeMap<String, Vec<String>>,
    /// The units that had to retreat in the stage.
    pub retreats: Vec<Retreating>,
    /// The orders that were settled, each with its result. They include the orders that the rules gave to
    /// units without one, and removals by civil disorder.
    pub orders: Vec<SettledOrder>,
}

impl SettledStage {
    /// A stage that has not been settled yet.
    pub(crate) fn before(game: &Game) -> SettledStage {
        SettledStage {
            phase: game.phase(),
            units: game.world().written_units(),
            centres: game.world().written_centres(),
            retreats: Retreating::all(game),
            orders: Vec::new(),
        }
    }
}
