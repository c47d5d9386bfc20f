//! Straits, canals and passages: water that joins two coasts of one province (rules.md 1.3).

use serde::{Deserialize, Serialize};

use super::half_edge::BorderId;
use crate::ids::ProvinceId;

/// Water that joins two coasts of one province (rules.md 1.3).
///
/// A waterway is in force while the borders it is tied to are in their original place; a flip that removes
/// one of them makes it dormant, and the reverse flip reactivates it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Waterway {
    /// Through a province, from one water contact to another.
    Canal {
        /// The province it runs through.
        province: ProvinceId,
        /// Where it meets the water.
        ends: [CanalEnd; 2],
        /// Was it dug?
        origin: CanalOrigin,
    },
    /// Along a land border, joining the coasts at its two ends in both provinces.
    Strait {
        /// The border it crosses.
        border: BorderId,
        /// The two provinces, in the order of the border's half-edges when the strait was made.
        provinces: [ProvinceId; 2],
    },
    /// Through a province, between all its coasts on either of two seas (Seismic rule 9). It is not tied to a
    /// border and is in force whenever the province is on both seas.
    Passage {
        /// The province.
        province: ProvinceId,
        /// The seas.
        seas: [ProvinceId; 2],
    },
}

/// How a canal came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CanalOrigin {
    /// The board has it, or an isthmus has become it.
    #[default]
    Natural,
    /// By [`super::PlanarMap::dig`]; [`super::PlanarMap::fill`] removes it.
    Dug,
}

impl CanalOrigin {
    /// Was it not dug?
    pub fn is_natural(&self) -> bool {
        *self == CanalOrigin::Natural
    }
}

/// The effect of border moves on waterways.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WaterwayRule {
    /// They stay tied to their borders, and are in force while those are in their original place.
    #[default]
    Tied,
    /// They appear, disappear and change according to AceRunner rule 9 ([`super::isthmus`]).
    Isthmuses,
}

impl Waterway {
    /// The natural canal through a province between two of its borders; `None` if the borders are the same.
    pub fn canal(province: ProvinceId, [x, y]: [BorderId; 2]) -> Option<Waterway> {
        let canal =
            || Waterway::Canal { province, ends: [x, y].map(CanalEnd::from), origin: CanalOrigin::Natural };
        (x != y).then(canal)
    }

    /// The same water with this origin, if it is a canal.
    pub fn with_origin(mut self, is: CanalOrigin) -> Waterway {
        if let Waterway::Canal { origin, .. } = &mut self {
            *origin = is;
        }
        self
    }

    /// Is it the same water, regardless of the order of ends or provinces, and of whether it was dug?
    pub fn is_same(&self, other: &Waterway) -> bool {
        match (self, other) {
            (
                Waterway::Canal { province: x, ends: [a, b], .. },
                Waterway::Canal { province: y, ends: [c, d], .. },
            ) => x == y && ([a, b] == [c, d] || [a, b] == [d, c]),
            (Waterway::Strait { border: x, .. }, Waterway::Strait { border: y, .. }) => x == y,
            _ => self == other,
        }
    }
}

/// An end of a canal: the border of its province at which it meets the water, or all pieces into which that
/// border has since been cut, because the water is at each of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CanalEnd {
    /// The lowest border.
    first: BorderId,
    /// The others, ascending. The list is usually empty, so that copying a map allocates no memory for it.
    more: Vec<BorderId>,
}

impl From<BorderId> for CanalEnd {
    fn from(border: BorderId) -> CanalEnd {
        CanalEnd { first: border, more: Vec::new() }
    }
}

impl CanalEnd {
    /// An end at these borders; `None` if there are none.
    pub fn at(borders: impl IntoIterator<Item = BorderId>) -> Option<CanalEnd> {
        let mut borders = borders.into_iter();
        let mut end = CanalEnd::from(borders.next()?);
        borders.for_each(|border| end.add(border));
        Some(end)
    }

    /// The borders in ascending order; at least one.
    pub fn borders(&self) -> impl Iterator<Item = BorderId> + '_ {
        std::iter::once(self.first).chain(self.more.iter().copied())
    }

    /// Is the canal's end at this border?
    pub fn contains(&self, border: BorderId) -> bool {
        self.borders().any(|own| own == border)
    }

    /// Adds a border to the end.
    pub(super) fn add(&mut self, border: BorderId) {
        if !self.contains(border) {
            self.more.push(border.max(self.first));
            self.first = border.min(self.first);
            self.more.sort_unstable();
        }
    }
}
