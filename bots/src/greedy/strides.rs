//! What lies two and three steps from a province: found when it is first asked for, and kept while the map stands, for all
//! who play on it ([`upheaval_engine::rules::terrain::Terrain::kept`]).

use std::sync::OnceLock;

use upheaval_engine::ids::{ProvinceId, ProvinceSet};
use upheaval_engine::topology::Board;

/// By land and by water.
#[derive(Debug)]
pub struct Strides {
    pub by_land: Strided,
    pub by_water: Strided,
}

/// By province: where one gets in two steps, and in three.
#[derive(Debug)]
pub struct Strided(Vec<[OnceLock<ProvinceSet>; 2]>);

impl From<&Board> for Strides {
    fn from(board: &Board) -> Self {
        let provinces = board.passable().iter().last().map_or(0, |last| last.index() + 1);
        let empty = || Strided((0..provinces).map(|_| Default::default()).collect());
        Strides { by_land: empty(), by_water: empty() }
    }
}

impl Strided {
    /// Where one gets in two steps, there and back again among it.
    #[inline]
    pub fn in_two(&self, from: ProvinceId, next: impl Fn(ProvinceId) -> ProvinceSet) -> ProvinceSet {
        self.get(from, 0, || next_to(next(from), next))
    }

    /// Where one gets in three.
    #[inline]
    pub fn in_three(&self, from: ProvinceId, next: impl Fn(ProvinceId) -> ProvinceSet) -> ProvinceSet {
        self.get(from, 1, || next_to(next_to(next(from), &next), &next))
    }

    #[inline]
    fn get(&self, from: ProvinceId, which: usize, find: impl FnOnce() -> ProvinceSet) -> ProvinceSet {
        self.0.get(from.index()).map_or(ProvinceSet::EMPTY, |strides| *strides[which].get_or_init(find))
    }
}

/// All neighbours of these provinces.
#[inline]
pub fn next_to(provinces: ProvinceSet, next: impl Fn(ProvinceId) -> ProvinceSet) -> ProvinceSet {
    provinces.iter().fold(ProvinceSet::EMPTY, |all, province| all | next(province))
}
