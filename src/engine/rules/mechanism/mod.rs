//! The mechanisms that variants are made of: one module each. A mechanism acts at fixed points of the season;
//! which it knows, [`Mechanism`] says.
//!
//! ```text
//!  orders ──▶ movement ──▶ before_retreats ──▶ retreats ──▶ owners (Fall) ──▶ after_retreats ──▶ season_changed
//!    │                      holes: foretell                                    exemption: lapse    exemption: offer
//!  after_orders             toggles: toggle                                    holes: open
//!    exemption: declared                                                       restores: restore
//!                                                                              splits: split
//!                                                                               deluge: note_occupants
//!  adjustments ──▶ after_adjustments
//!                   deluge: rise
//! ```
//!
//! `seismic` acts at none of these but has a phase of its own at the end of a season or year (`src/engine/game/seismic.rs`).

pub mod deluge;
pub mod exemption;
pub mod holes;
pub mod restores;
pub mod seismic;
pub mod splits;
pub mod toggles;

use serde::{Deserialize, Serialize};

use super::movement::Resolution;
use super::order::Orders;
use super::position::Season;
use super::terrain::Terrain;
use super::world::{Scene, World};
use upheaval_map::ids::ProvinceSet;
use upheaval_map::topology::FaceKind;

pub use deluge::Deluge;
pub use exemption::{Declarations, Exemption, FirstOrders};
pub use holes::Holes;
pub use restores::Restores;
pub use seismic::Seismic;
pub use splits::Splits;
pub use toggles::Toggles;

/// One mechanism of a variant with its parameters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Mechanism {
    /// Each power may have one home centre spared.
    Exemption(Exemption),
    /// Provinces fall into black holes.
    Holes(Holes),
    /// Black holes come back.
    Restores(Restores),
    /// Provinces split in two.
    Splits(Splits),
    /// Faces become black holes, or come back if they are.
    Toggles(Toggles),
    /// Provinces sink, become centres, and open.
    Deluge(Deluge),
    /// Powers order the borders to move, in a phase of its own.
    Seismic(Seismic),
}

/// A movement that has been settled, before anybody has retreated.
#[derive(Clone, Copy)]
pub struct Movement<'a> {
    /// The orders, all legal.
    pub orders: &'a Orders,
    /// What became of them.
    pub resolution: &'a Resolution,
}

impl Mechanism {
    /// When the orders of a movement phase are in.
    pub fn after_orders(
        &self,
        world: &mut World,
        scene: &mut Scene<'_>,
        declared: &Declarations,
        first: FirstOrders,
    ) {
        if let Mechanism::Exemption(exemption) = self {
            exemption.declared(world, scene, declared, first);
        }
    }

    /// When the movement of a season is settled and the retreats are still to come.
    pub fn before_retreats(&self, world: &mut World, scene: &mut Scene<'_>, movement: Movement<'_>) {
        match self {
            Mechanism::Holes(holes) => holes.foretell(world, scene),
            Mechanism::Toggles(toggles) => toggles.toggle(world, scene, movement),
            Mechanism::Exemption(_)
            | Mechanism::Restores(_)
            | Mechanism::Splits(_)
            | Mechanism::Deluge(_)
            | Mechanism::Seismic(_) => {}
        }
    }

    /// When the retreats of a season are settled, and in Fall the owners recorded (RULINGS 3.1).
    pub fn after_retreats(&self, world: &mut World, scene: &mut Scene<'_>) {
        match self {
            Mechanism::Exemption(exemption) => exemption.lapse(world, scene),
            Mechanism::Holes(holes) => holes.open(world, scene),
            Mechanism::Restores(restores) => restores.restore(world, scene),
            Mechanism::Splits(splits) => splits.split(world, scene),
            Mechanism::Deluge(deluge) => deluge.note_occupants(world),
            Mechanism::Toggles(_) | Mechanism::Seismic(_) => {}
        }
    }

    /// When the adjustments of a Winter are settled.
    pub fn after_adjustments(&self, world: &mut World, scene: &mut Scene<'_>) {
        if let Mechanism::Deluge(deluge) = self {
            deluge.rise(world, scene);
        }
    }

    /// When all the season's changes to the map have been made.
    pub fn season_changed(&self, world: &mut World) {
        if let Mechanism::Exemption(exemption) = self {
            exemption.offer(world);
        }
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

/// The faces that a mechanism draws from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Faces {
    /// Every province, land and sea.
    Provinces,
    /// Every province, and what is impassable (Switzerland).
    ProvincesAndImpassable,
    /// Land provinces.
    Land,
    /// Seas.
    Sea,
    /// Supply centres.
    Centres,
    /// Provinces without a supply centre.
    NoCentres,
}

impl Faces {
    /// The faces of this sort, holes among them.
    pub fn all(self, terrain: &Terrain) -> ProvinceSet {
        let chart = terrain.chart();
        let centre = |id| chart.info(id).is_some_and(|info| info.supply_centre);
        let faces = chart.map().faces().filter(|&(id, face)| match (self, face.kind()) {
            (_, FaceKind::Outside) => false,
            (_, FaceKind::Impassable) => self == Faces::ProvincesAndImpassable,
            (Faces::Provinces | Faces::ProvincesAndImpassable, _) => true,
            (Faces::Land, kind) => kind == FaceKind::Land,
            (Faces::Sea, kind) => kind == FaceKind::Sea,
            (Faces::Centres, _) => centre(id),
            (Faces::NoCentres, _) => !centre(id),
        });
        faces.map(|(id, _)| id).collect()
    }

    /// The faces of this sort that are no holes.
    pub fn open(self, terrain: &Terrain) -> ProvinceSet {
        let board = terrain.board();
        match self {
            Faces::Provinces => board.passable(),
            Faces::ProvincesAndImpassable => self.all(terrain) - terrain.chart().map().holes(),
            Faces::Land => *board.land(),
            Faces::Sea => *board.sea(),
            Faces::Centres => *terrain.centres(),
            Faces::NoCentres => board.passable() - *terrain.centres(),
        }
    }
}
