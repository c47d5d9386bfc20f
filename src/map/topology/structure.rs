//! What depends on where the borders run and not on what the faces are made of. The map keeps it from when it is first
//! asked for until borders move; the functions that write, count and hash are in [`text`] and [`compute`], above the map.
//! The text outlives a change, for the next one repeats most of it.

use std::sync::{Arc, OnceLock};

use super::face::Names;
use super::half_edge::BorderSet;
use crate::ids::ProvinceSet;

pub(super) mod compute;
mod text;

/// The sizes of a map: how many faces, borders, corners and connected border graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

/// What is hashed of the borders, face by face: see [`text`].
#[derive(Debug)]
struct BorderText {
    /// What the faces were called: their ranks are in the text.
    names: Arc<Names>,
    bytes: Vec<u8>,
    /// Where the part of each face ends, in the order of the codes.
    ends: Vec<u16>,
    /// The borders at which a waterway ends or which one crosses.
    at_waterway: BorderSet,
}

/// The structure of a map, made when it is first asked for, and what is left of the one before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structures {
    now: OnceLock<Structure>,
    /// The last text that was written before borders moved.
    before: Option<Arc<BorderText>>,
    /// The faces that were touched since then by changes that are over.
    stale: ProvinceSet,
}

impl Structures {
    /// Borders are about to move, or waterways to be others.
    pub fn outdate(&mut self) {
        if let Some(structure) = self.now.take() {
            (self.before, self.stale) = (Some(structure.text), ProvinceSet::EMPTY);
        }
    }

    /// A change is over that has touched these faces.
    pub fn end_change(&mut self, touched: &ProvinceSet) {
        self.stale |= *touched;
    }
}
