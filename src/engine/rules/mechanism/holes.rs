//! Black holes (seed 000, RULINGS 4): provinces drawn at random that cease to be.
//!
//! ```text
//!  foretold:   orders · movement · DRAW · retreats (not there) · OPEN · adjustments     rule 2 of `black-hole`
//!  unforetold: orders · movement · retreats · DRAW and OPEN · adjustments               `black-hole-i`
//! ```

use serde::{Deserialize, Serialize};

use super::{Faces, Seasons};
use crate::rules::event::Event;
use crate::rules::nature::Draw;
use crate::rules::world::{Scene, World};
use upheaval_map::ids::{ProvinceId, ProvinceSet};
use upheaval_map::topology::{Chart, Surgery};

/// Whether the neighbours of a hole meet across it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Closure {
    /// All round it become adjacent (seed 000, rule 1; RULINGS 1.4).
    Collapse,
    /// It stays as an impassable space (RULINGS 1.5).
    Void,
}

impl Closure {
    /// Makes the open face a hole.
    pub fn open(self, chart: &mut Chart, face: ProvinceId) -> Surgery {
        match self {
            Closure::Collapse => chart.collapse(face),
            Closure::Void => chart.void(face),
        }
    }

    /// What is told of it.
    pub fn event(self, hole: ProvinceId) -> Event {
        match self {
            Closure::Collapse => Event::Collapsed(hole),
            Closure::Void => Event::Voided(hole),
        }
    }
}

/// Whether the retreats know where the hole will be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Foresight {
    /// Drawn and announced before the retreats, opened after them (seed 000, rule 2).
    Foretold,
    /// Drawn and opened after the retreats.
    Unforetold,
}

/// The mechanism's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Holes {
    /// How many open each season, 1 to 10.
    pub per_season: u8,
    /// Whether neighbours meet across them.
    pub closure: Closure,
    /// Whether retreats know of them.
    pub retreats: Foresight,
    /// When they open.
    pub seasons: Seasons,
    /// Which faces may become one.
    pub faces: Faces,
}

impl Holes {
    /// The faces that may be drawn (RULINGS 4.1): the open provinces less the exempt centres, as far as `faces` goes.
    pub fn eligible(&self, world: &World) -> ProvinceSet {
        self.faces.open(&world.terrain) - world.exempt_centres()
    }

    /// Draws the holes of the season before the retreats and announces them.
    pub fn foretell(&self, world: &mut World, scene: &mut Scene<'_>) {
        if self.retreats == Foresight::Foretold {
            self.draw(world, scene);
        }
    }

    /// Opens the season's holes; draws them first where nothing was foretold. Units in them are destroyed
    /// (RULINGS 4.4).
    pub fn open(&self, world: &mut World, scene: &mut Scene<'_>) {
        if self.retreats == Foresight::Unforetold {
            self.draw(world, scene);
        }
        let doomed = std::mem::take(&mut world.doomed);
        world.fresh_holes = doomed;
        if doomed.is_empty() {
            return;
        }
        // Only open faces are drawn, so that none of these can fail half-way.
        let opened = world
            .change_map(scene, |chart| doomed.iter().try_for_each(|hole| self.closure.open(chart, hole)));
        if opened.is_ok() {
            for hole in doomed {
                world.tell(scene, &self.closure.event(hole));
            }
        }
    }

    fn draw(&self, world: &mut World, scene: &mut Scene<'_>) {
        if !self.seasons.includes(scene.at.season) {
            return;
        }
        let eligible = self.eligible(world);
        let drawn =
            scene.nature.faces(scene.at, Draw::Holes, &world.terrain, &eligible, self.per_season.into());
        for hole in drawn.into_iter().filter(|&id| eligible.contains(id)) {
            world.doomed.insert(hole);
            world.tell(scene, &Event::HoleDrawn(hole));
        }
    }
}
