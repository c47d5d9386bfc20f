//! Straits, canals and passages: water that joins two coasts of one province (rules.md 1.3).

use super::half_edge::BorderId;
use crate::ids::ProvinceId;

/// Water that joins two coasts of one province (rules.md 1.3).
///
/// A waterway is in force while the borders it is tied to stand where they stood; a flip that takes one away
/// puts it to sleep and the reverse flip wakes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Waterway {
    /// Through a province, from one water contact to another.
    Canal {
        /// The province it runs through.
        province: ProvinceId,
        /// Where it meets the water.
        ends: [CanalEnd; 2],
    },
    /// Along a land border, joining the coasts at its two ends in both provinces.
    Strait {
        /// The border it crosses.
        border: BorderId,
        /// The two provinces, in the order of the border's sides when the strait was made.
        provinces: [ProvinceId; 2],
    },
    /// Through a province, between all its coasts on either of two seas (Seismic rule 9). It is tied to
    /// no border and is in force whenever the province lies on both.
    Passage {
        /// The province.
        province: ProvinceId,
        /// The seas.
        seas: [ProvinceId; 2],
    },
}

/// What becomes of waterways when borders move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WaterwayRule {
    /// They stay tied to their borders, in force while those stand where they stood.
    #[default]
    Tied,
    /// They come, go and change as AceRunner rule 9 says ([`super::isthmus`]).
    Isthmuses,
}

impl Waterway {
    /// The canal through a province from the one of its borders to the other; `None` if they are one.
    pub fn canal(province: ProvinceId, [x, y]: [BorderId; 2]) -> Option<Waterway> {
        (x != y).then(|| Waterway::Canal { province, ends: [x, y].map(CanalEnd::from) })
    }

    /// Is it the same water, whichever end or province comes first?
    pub fn is_same(&self, other: &Waterway) -> bool {
        match (self, other) {
            (
                Waterway::Canal { province: x, ends: [a, b] },
                Waterway::Canal { province: y, ends: [c, d] },
            ) => x == y && ([a, b] == [c, d] || [a, b] == [d, c]),
            (Waterway::Strait { border: x, .. }, Waterway::Strait { border: y, .. }) => x == y,
            _ => self == other,
        }
    }
}

/// An end of a canal: the border of its province at which it meets the water, or the pieces into which that border
/// has been cut since, for the water is at each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CanalEnd {
    /// The lowest.
    first: BorderId,
    /// Ascending; mostly there are none, and then a copy of a map takes no memory for them.
    more: Vec<BorderId>,
}

impl From<BorderId> for CanalEnd {
    fn from(border: BorderId) -> CanalEnd {
        CanalEnd { first: border, more: Vec::new() }
    }
}

impl CanalEnd {
    /// An end at these borders; `None` without any.
    pub fn at(borders: impl IntoIterator<Item = BorderId>) -> Option<CanalEnd> {
        let mut borders = borders.into_iter();
        let mut end = CanalEnd::from(borders.next()?);
        borders.for_each(|border| end.add(border));
        Some(end)
    }

    /// The borders, ascending; at least one.
    pub fn borders(&self) -> impl Iterator<Item = BorderId> + '_ {
        std::iter::once(self.first).chain(self.more.iter().copied())
    }

    /// Is the canal's end at this border?
    pub fn contains(&self, border: BorderId) -> bool {
        self.borders().any(|own| own == border)
    }

    /// The end is at this border, too.
    pub(super) fn add(&mut self, border: BorderId) {
        if !self.contains(border) {
            self.more.push(border.max(self.first));
            self.first = border.min(self.first);
            self.more.sort_unstable();
        }
    }
}
