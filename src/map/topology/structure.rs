//! The part of the map's identity that depends on where the borders run and not on the kinds of faces. The
//! map caches it from its first use until borders move; the functions that write, count and hash are in
//! [`compute`], above the map. The text survives a change, because the next text repeats most of
//! it.

use std::sync::{Arc, OnceLock};

use serde::Serialize;

use crate::ids::ProvinceSet;
use crate::topology::half_edge::{BorderSet, Names};

pub(super) mod compute;

/// The sizes of a map: how many faces, borders, corners and connected border graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[allow(missing_docs)]
pub struct Counts {
    pub faces: usize,
    pub borders: usize,
    pub corners: usize,
    pub components: usize,
}

/// See [`super::PlanarMap::counts`] and [`super::PlanarMap::hash`].
#[derive(Clone, Debug)]
pub(crate) struct Structure {
    hash: u64,
    counts: Counts,
    text: Arc<BorderText>,
}

/// The hashed text of the borders, face by face; see [`compute`].
#[derive(Debug)]
struct BorderText {
    /// The names at that time; their ranks are in the text.
    names: Arc<Names>,
    bytes: Vec<u8>,
    /// The end of each face's part, in the order of the codes.
    ends: Vec<u16>,
    /// The borders at which a waterway ends or that one crosses.
    at_waterway: BorderSet,
}

/// The structure of a map, computed on first use, and what is kept of the previous one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structures {
    now: OnceLock<Structure>,
    /// The last text that was written before borders moved.
    before: Option<Arc<BorderText>>,
    /// The faces touched since then by completed changes.
    stale: ProvinceSet,
}

impl Structures {
    /// Call before borders move or waterways change.
    pub(crate) fn outdate(&mut self) {
        if let Some(structure) = self.now.take() {
            (self.before, self.stale) = (Some(structure.text), ProvinceSet::EMPTY);
        }
    }

    /// Call after a change that has touched these faces.
    pub(crate) fn end_change(&mut self, touched: &ProvinceSet) {
        self.stale |= *touched;
    }
}
