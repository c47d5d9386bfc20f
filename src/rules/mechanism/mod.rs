//! The mechanisms that variants are made of: one module each. A mechanism acts at fixed points of the season;
//! which it knows, [`Mechanism`] says.

pub mod exemption;
pub mod holes;

use serde::{Deserialize, Serialize};

use super::position::Season;
use super::world::{Scene, World};
use crate::ids::{ByPower, ProvinceId};

pub use exemption::Exemption;
pub use holes::Holes;

/// One mechanism of a variant with its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Mechanism {
    /// Provinces fall into black holes.
    Holes(Holes),
    /// Each power may have one home centre spared.
    Exemption(Exemption),
}

impl Mechanism {
    /// Once, when the first orders of the game are in: `named` are the centres that powers named as exempt.
    pub fn after_first_orders(
        &self,
        world: &mut World,
        scene: &mut Scene<'_>,
        named: &ByPower<Option<ProvinceId>>,
    ) {
        match self {
            Mechanism::Exemption(exemption) => exemption.settle(world, scene, named),
            Mechanism::Holes(_) => {}
        }
    }

    /// When the movement of a season is settled and the retreats are still to come.
    pub fn before_retreats(&self, world: &mut World, scene: &mut Scene<'_>) {
        match self {
            Mechanism::Holes(holes) => holes.foretell(world, scene),
            Mechanism::Exemption(_) => {}
        }
    }

    /// When the retreats of a season are settled, and in Fall the owners recorded (RULINGS 3.1).
    pub fn after_retreats(&self, world: &mut World, scene: &mut Scene<'_>) {
        match self {
            Mechanism::Holes(holes) => holes.open(world, scene),
            Mechanism::Exemption(_) => {}
        }
    }

    /// May powers name an exempt centre with the first orders?
    pub fn asks_for_exemption(&self) -> bool {
        matches!(self, Mechanism::Exemption(_))
    }
}

/// The seasons in which a mechanism acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seasons {
    /// After Spring and after Fall.
    SpringAndFall,
    /// After Spring alone.
    Spring,
    /// After Fall alone.
    Fall,
}

impl Seasons {
    /// Does it act in this season?
    pub fn includes(self, season: Season) -> bool {
        match season {
            Season::Spring => self != Seasons::Fall,
            Season::Fall => self != Seasons::Spring,
            Season::Winter => false,
        }
    }
}
