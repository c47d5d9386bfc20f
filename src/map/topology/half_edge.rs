//! Half-edges: borders and their two half-edges by number, and their links. [`super::map`] has a drawing.

use crate::ids::ProvinceId;

/// One of the two half-edges of a border. Its twin is `id ^ 1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct HalfEdgeId(pub(crate) u16);

/// A border, which consists of two half-edges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct BorderId(pub(crate) u16);

impl HalfEdgeId {
    /// The same border seen from the face on the other side.
    #[inline]
    pub const fn twin(self) -> HalfEdgeId {
        HalfEdgeId(self.0 ^ 1)
    }

    /// The border of this half-edge.
    #[inline]
    pub const fn border(self) -> BorderId {
        BorderId(self.0 >> 1)
    }

    /// Its index in tables of half-edges: twice the number of its border, plus one for the second half-edge.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl BorderId {
    /// The border with this number. It need not exist on a given map.
    #[inline]
    pub const fn numbered(number: u16) -> BorderId {
        BorderId(number)
    }

    /// Its index in tables of borders.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The two half-edges of the border.
    #[inline]
    pub const fn sides(self) -> [HalfEdgeId; 2] {
        [HalfEdgeId(self.0 << 1), HalfEdgeId((self.0 << 1) | 1)]
    }
}

/// A set of borders. A map with the largest number of faces has fewer borders than the set has room for; any
/// border beyond counts as a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct BorderSet([u64; 16]);

impl BorderSet {
    /// Every border.
    #[cfg(test)]
    pub(crate) const ALL: BorderSet = BorderSet([u64::MAX; 16]);

    #[inline]
    pub(crate) fn insert(&mut self, border: BorderId) {
        if let Some(word) = self.0.get_mut(border.index() / 64) {
            *word |= 1 << (border.index() % 64);
        }
    }

    #[inline]
    pub(crate) fn contains(&self, border: BorderId) -> bool {
        self.0.get(border.index() / 64).is_none_or(|word| word >> (border.index() % 64) & 1 != 0)
    }

    /// The borders that are in exactly one of the two sets.
    #[inline]
    pub(crate) fn differences(&self, other: &BorderSet) -> BorderSet {
        BorderSet(std::array::from_fn(|word| self.0[word] ^ other.0[word]))
    }

    /// Calls the function for every border, in ascending order.
    #[inline]
    pub(crate) fn for_each(&self, mut f: impl FnMut(BorderId)) {
        for (i, &word) in (0..).zip(&self.0) {
            let mut left = word;
            while left != 0 {
                f(BorderId(64 * i + left.trailing_zeros() as u16));
                left &= left - 1;
            }
        }
    }
}

/// The links of a half-edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfEdge {
    pub face: ProvinceId,
    pub next: HalfEdgeId,
    pub prev: HalfEdgeId,
}
