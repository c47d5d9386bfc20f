//! What depends on where the borders run and not on what the faces are made of. The map keeps it from when it is first
//! asked for until borders move; the functions that count and hash are in [`compute`], above the map.

pub(super) mod compute;

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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Structure {
    pub hash: u64,
    pub counts: Counts,
}
