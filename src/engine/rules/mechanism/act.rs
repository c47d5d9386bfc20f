//! What a mechanism does, and when: the points of the season at which it may act.
//!
//! ```text
//!  orders ──▶ movement ──▶ before_retreats ──▶ retreats ──▶ owners (Fall) ──▶ after_retreats ──▶ season_changed
//!    │                      holes: foretell                                    exemption: lapse    exemption: offer
//!  after_orders             toggles: toggle                                    holes: open
//!    exemption: declared                                                       restores: restore
//!                                                                              splits: split
//!                                                                               deluge: note_occupants
//!  before_adjustments ──▶ adjustments ──▶ after_adjustments
//!   deluge: note_occupants                 deluge: rise
//! ```
//!
//! `seismic` acts at none of these but has a phase of its own at the end of a season or year
//! (`src/engine/game/seismic.rs`).

use crate::rules::movement::Resolution;
use crate::rules::order::Orders;
use crate::rules::world::{Scene, World};
use upheaval_map::ids::{ByPower, Powers, ProvinceId};

/// The points of the season. A mechanism has those at which it acts.
#[allow(unused_variables)]
pub trait Act {
    /// When the orders of a movement phase are in.
    fn after_orders(
        &self,
        world: &mut World,
        scene: &mut Scene<'_>,
        declared: &Declarations,
        first: FirstOrders,
    ) {
    }

    /// When the movement of a season is settled and the retreats are still to come.
    fn before_retreats(&self, world: &mut World, scene: &mut Scene<'_>, movement: Movement<'_>) {}

    /// When the retreats of a season are settled, and in Fall the owners recorded (rules.md 3.1).
    fn after_retreats(&self, world: &mut World, scene: &mut Scene<'_>) {}

    /// When the adjustments of a Winter are about to be settled.
    fn before_adjustments(&self, world: &mut World) {}

    /// When the adjustments of a Winter are settled.
    fn after_adjustments(&self, world: &mut World, scene: &mut Scene<'_>) {}

    /// When all the season's changes to the map have been made.
    fn season_changed(&self, world: &mut World) {}
}

/// A movement that has been settled, before anybody has retreated.
#[derive(Clone, Copy)]
pub struct Movement<'a> {
    /// The orders, all legal.
    pub orders: &'a Orders,
    /// What became of them.
    pub resolution: &'a Resolution,
}

/// What powers declare with their orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declarations {
    /// The centre that each names as exempt (`EXEMPT PAR`); it counts where `Exemption::choices` has it.
    pub exempt: ByPower<Option<ProvinceId>>,
    /// Who wants its choice announced (`ANNOUNCE`).
    pub announce: ByPower<Announced>,
}

impl Declarations {
    /// No power declares anything.
    pub fn none(powers: Powers) -> Declarations {
        Declarations { exempt: ByPower::new(powers), announce: ByPower::new(powers) }
    }
}

/// Does a power want its choice announced?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Announced {
    /// It keeps its secret.
    #[default]
    No,
    /// It wants everybody to know.
    Yes,
}

/// Whether the orders that are settled are the first of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstOrders {
    /// They are: who named no centre has it settled now.
    Yes,
    /// They are not.
    No,
}
