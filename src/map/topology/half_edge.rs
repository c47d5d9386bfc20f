//! Half-edges: a border and its two sides by number, and how sides are linked. [`super::map`] draws them.

use crate::ids::ProvinceId;

/// One side of a border. Its twin, the other side, is `id ^ 1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct HalfEdgeId(pub(crate) u16);

/// A border: two sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct BorderId(pub(crate) u16);

impl HalfEdgeId {
    /// The same border seen from the face on its other hand.
    #[inline]
    pub const fn twin(self) -> HalfEdgeId {
        HalfEdgeId(self.0 ^ 1)
    }

    /// The border this is a side of.
    #[inline]
    pub const fn border(self) -> BorderId {
        BorderId(self.0 >> 1)
    }

    /// Its place in tables of sides: twice the number of its border, one more for the second of the two.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl BorderId {
    /// The border with this number. Whether a map has it is for the map to say.
    #[inline]
    pub const fn numbered(number: u16) -> BorderId {
        BorderId(number)
    }

    /// Its place in tables of borders.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Both sides of the border.
    #[inline]
    pub const fn sides(self) -> [HalfEdgeId; 2] {
        [HalfEdgeId(self.0 << 1), HalfEdgeId((self.0 << 1) | 1)]
    }
}

/// A set of borders. A map with all the faces it may have has fewer borders than there is room for; of one beyond, the
/// answer is always yes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct BorderSet([u64; 16]);

impl BorderSet {
    /// Every border.
    #[cfg(test)]
    pub const ALL: BorderSet = BorderSet([u64::MAX; 16]);

    #[inline]
    pub fn insert(&mut self, border: BorderId) {
        if let Some(word) = self.0.get_mut(border.index() / 64) {
            *word |= 1 << (border.index() % 64);
        }
    }

    #[inline]
    pub fn contains(&self, border: BorderId) -> bool {
        self.0.get(border.index() / 64).is_none_or(|word| word >> (border.index() % 64) & 1 != 0)
    }

    /// The borders that one of the two sets has and the other has not.
    #[inline]
    pub fn differences(&self, other: &BorderSet) -> BorderSet {
        BorderSet(std::array::from_fn(|word| self.0[word] ^ other.0[word]))
    }

    /// Does this with every border, in ascending order.
    #[inline]
    pub fn for_each(&self, mut f: impl FnMut(BorderId)) {
        for (i, &word) in (0..).zip(&self.0) {
            let mut left = word;
            while left != 0 {
                f(BorderId(64 * i + left.trailing_zeros() as u16));
                left &= left - 1;
            }
        }
    }
}

/// How a side is linked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfEdge {
    pub face: ProvinceId,
    pub next: HalfEdgeId,
    pub prev: HalfEdgeId,
}
