//! Where the random events of a game come from. Every draw goes through here and into the log, so that a game can
//! be played again without drawing (DESIGN, promise 2).

use super::position::{Phase, Season};
use super::terrain::Terrain;
use crate::ids::{Power, ProvinceId, ProvinceSet};
use crate::rng::{Purpose, Stream};

/// A source of random events.
pub trait Nature {
    /// Draws `count` different faces among the eligible ones, or as many as there are.
    fn holes(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        eligible: &ProvinceSet,
        count: usize,
    ) -> Vec<ProvinceId>;

    /// Draws the exempt centre of a power that named none.
    fn exempt(&mut self, at: Phase, power: Power, homes: &ProvinceSet) -> Option<ProvinceId>;
}

/// Nature as a seed decides it. The key of a draw is (root seed, block, season, purpose, index), without game,
/// variant or bots: every game of a block meets the same catastrophes as far as its rules allow (RULINGS 4.2).
#[derive(Clone, Debug)]
pub struct Seeded {
    /// The root seed.
    pub seed: u64,
    /// The block.
    pub block: u64,
}

impl Seeded {
    /// The stream of a draw in the season of this phase.
    pub fn stream(&self, purpose: Purpose, at: Phase, index: u64) -> Stream {
        let season = match at.season {
            Season::Spring => 0,
            Season::Fall => 1,
            Season::Winter => 2,
        };
        Stream::keyed(self.seed, purpose, &[self.block, u64::from(at.year) * 4 + season, index])
    }
}

impl Nature for Seeded {
    /// A fresh random order of the faces, of which the first eligible are taken. The order of two faces hangs on
    /// the season and their names alone, not on what other faces there are, so that maps that have drifted apart
    /// still meet the same draw.
    fn holes(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        eligible: &ProvinceSet,
        count: usize,
    ) -> Vec<ProvinceId> {
        let season = self.stream(Purpose::Holes, at, 0).next_u64();
        let map = terrain.chart().map();
        let mut order: Vec<(u64, &str, ProvinceId)> = eligible
            .iter()
            .filter_map(|id| {
                map.face(id).map(|face| (Stream::ranked(season, face.key()).next_u64(), face.name(), id))
            })
            .collect();
        order.sort_unstable();
        order.into_iter().take(count).map(|(.., id)| id).collect()
    }

    fn exempt(&mut self, at: Phase, power: Power, homes: &ProvinceSet) -> Option<ProvinceId> {
        let homes: Vec<ProvinceId> = homes.iter().collect();
        self.stream(Purpose::Exemption, at, power.index() as u64).choose(&homes).copied()
    }
}

/// A nature in which nothing happens but what was set down: the `nature` of a position given from outside.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The faces that the next draw of holes gives.
    pub holes: Vec<ProvinceId>,
}

impl Nature for Given {
    fn holes(&mut self, _: Phase, _: &Terrain, _: &ProvinceSet, _: usize) -> Vec<ProvinceId> {
        std::mem::take(&mut self.holes)
    }

    fn exempt(&mut self, _: Phase, _: Power, _: &ProvinceSet) -> Option<ProvinceId> {
        None
    }
}
