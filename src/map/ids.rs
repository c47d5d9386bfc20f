//! The small vocabulary of all other modules: provinces, coasts, powers, units, and flat tables and bit sets
//! over them. No bare integer crosses a module border.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

pub use crate::powers::{
    ByPower, MAX_POWERS, Power, PowerEntry, PowerInfo, PowerNames, Powers, PowersError, UnknownPower,
};

/// How many faces a map can hold at one time, including the Outside.
///
/// A `schizo-ii` game gains one face per season, so 256 faces last some 90 years; the map refuses any split
/// beyond that.
pub const MAX_PROVINCES: usize = 256;

/// A face of the map: a province, Switzerland, or the Outside. It is an index, not a name: the index is
/// reused once the face is gone, whereas a name is never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ProvinceId(pub u8);

impl ProvinceId {
    /// The index into a table over provinces.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One coast of a province, counted from 0 within that province in the order of
/// [`crate::topology::Board::coasts`]. Armies, and provinces with only one coast, use [`CoastId::FIRST`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct CoastId(pub u8);

impl CoastId {
    /// The first, and nearly always the only, coast of a province; also used for armies.
    pub const FIRST: CoastId = CoastId(0);
}

/// The place of a unit or the target of a move: a province and, for a fleet in a province with several
/// coasts, one of the coasts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Location {
    /// The province.
    pub province: ProvinceId,
    /// The coast; [`CoastId::FIRST`] for armies, at sea and where there is only one coast.
    pub coast: CoastId,
}

impl From<ProvinceId> for Location {
    fn from(province: ProvinceId) -> Self {
        Location { province, coast: CoastId::FIRST }
    }
}

/// The two kinds of unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum UnitKind {
    #[serde(rename = "A")]
    Army,
    #[serde(rename = "F")]
    Fleet,
}

impl UnitKind {
    /// `an army` or `a fleet`, for sentences.
    pub const fn noun(self) -> &'static str {
        match self {
            UnitKind::Army => "an army",
            UnitKind::Fleet => "a fleet",
        }
    }
}

impl fmt::Display for UnitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Designation::from(*self).name())
    }
}

crate::named! {
    /// The prefix of a unit's name, before its place: a kind of unit, or the pair of an army aboard a fleet.
    #[derive(PartialOrd, Ord, Hash)]
    #[allow(missing_docs)]
    pub enum Designation {
        Army = "A",
        Fleet = "F",
        /// An army and the fleet that carries it (army/fleet rule 2).
        ArmyFleet = "A/F",
    }
}

impl Designation {
    /// The kind of unit that is in the province: for a pair, the fleet.
    pub const fn kind(self) -> UnitKind {
        match self {
            Designation::Army => UnitKind::Army,
            Designation::Fleet | Designation::ArmyFleet => UnitKind::Fleet,
        }
    }
}

impl From<UnitKind> for Designation {
    fn from(kind: UnitKind) -> Self {
        match kind {
            UnitKind::Army => Designation::Army,
            UnitKind::Fleet => Designation::Fleet,
        }
    }
}

impl fmt::Display for Designation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A flat table with one value for each province index, whether the index is in use or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ByProvince<T>(pub [T; MAX_PROVINCES]);

impl<T: Copy> ByProvince<T> {
    /// The table with the same value everywhere.
    pub const fn filled(value: T) -> Self {
        ByProvince([value; MAX_PROVINCES])
    }
}

impl<T: Copy + Default> Default for ByProvince<T> {
    fn default() -> Self {
        ByProvince::filled(T::default())
    }
}

impl<T> Index<ProvinceId> for ByProvince<T> {
    type Output = T;
    #[inline]
    fn index(&self, province: ProvinceId) -> &T {
        &self.0[province.index()]
    }
}

impl<T> IndexMut<ProvinceId> for ByProvince<T> {
    #[inline]
    fn index_mut(&mut self, province: ProvinceId) -> &mut T {
        &mut self.0[province.index()]
    }
}

impl<T> fmt::Debug for ByProvince<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByProvince(..)")
    }
}

const WORDS: usize = MAX_PROVINCES / 64;

/// A set of provinces: 256 bits, iterated in the order of the indices.
///
/// ```
/// use upheaval_map::ids::{ProvinceId, ProvinceSet};
/// let few: ProvinceSet = [ProvinceId(3), ProvinceId(200)].into_iter().collect();
/// let all = few | ProvinceSet::single(ProvinceId(7));
/// assert_eq!(all.len(), 3);
/// assert!(few.is_subset(&all) && !few.contains(ProvinceId(7)));
/// assert_eq!((all - few).first(), Some(ProvinceId(7)));
/// assert_eq!((all.is_low(), all.low_len(), (all - few).is_low()), (false, 2, true));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct ProvinceSet([u64; WORDS]);

impl ProvinceSet {
    /// The empty set.
    pub const EMPTY: ProvinceSet = ProvinceSet([0; WORDS]);

    /// The set of one province.
    ///
    /// Each word is written separately here, and also in [`ProvinceSet::insert`] and [`ProvinceSet::remove`]:
    /// a processor that has just written one word of a set has to wait before it can read the whole set.
    #[inline]
    pub const fn single(province: ProvinceId) -> Self {
        let mut words = [0; WORDS];
        let mut word = 0;
        while word < WORDS {
            let here = (word == province.index() / 64) as u64;
            words[word] = here << (province.index() % 64);
            word += 1;
        }
        ProvinceSet(words)
    }

    /// A bit for each province, 64 to a word.
    #[inline]
    pub(crate) const fn words(&self) -> [u64; WORDS] {
        self.0
    }

    /// Is the province in the set?
    #[inline]
    pub const fn contains(&self, province: ProvinceId) -> bool {
        self.0[province.index() / 64] >> (province.index() % 64) & 1 != 0
    }

    /// Adds a province.
    #[inline]
    pub fn insert(&mut self, province: ProvinceId) {
        *self |= ProvinceSet::single(province);
    }

    /// Removes a province.
    #[inline]
    pub fn remove(&mut self, province: ProvinceId) {
        *self -= ProvinceSet::single(province);
    }

    /// The number of provinces in the set.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Are all members among the first 128 provinces? On most boards there are no others.
    #[inline]
    pub fn is_low(&self) -> bool {
        self.0[WORDS / 2..].iter().fold(0, |any, word| any | word) == 0
    }

    /// How many of the first 128 provinces are in the set. This is the size of a set that [is
    /// low](ProvinceSet::is_low), at half the cost.
    #[inline]
    pub fn low_len(&self) -> usize {
        self.0[..WORDS / 2].iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The members with a lower index than this.
    #[inline]
    pub fn below(&self, province: ProvinceId) -> ProvinceSet {
        let mut words = self.0;
        for (word, bits) in words.iter_mut().enumerate() {
            *bits &= match province.index() / 64 {
                whole if word < whole => u64::MAX,
                whole if word == whole => (1 << (province.index() % 64)) - 1,
                _ => 0,
            };
        }
        ProvinceSet(words)
    }

    /// Is the set empty?
    #[inline]
    pub fn is_empty(&self) -> bool {
        // Reads all words at once: stopping at the first non-zero word would take a branch for each.
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// Do the two sets share a province?
    #[inline]
    pub fn intersects(&self, other: &ProvinceSet) -> bool {
        !(*self & *other).is_empty()
    }

    /// Is every province of this set in the other?
    #[inline]
    pub fn is_subset(&self, other: &ProvinceSet) -> bool {
        (*self - *other).is_empty()
    }

    /// The provinces in ascending order of their indices.
    #[inline]
    pub fn iter(&self) -> ProvinceIter {
        ProvinceIter { words: self.0, word: 0, bits: self.0[0] }
    }

    /// The `n`-th province in ascending order, counted from 0.
    #[inline]
    pub fn nth(&self, mut n: usize) -> Option<ProvinceId> {
        // Branch-free: a processor cannot predict in which of two words the bit is, nor how many steps it
        // takes there.
        let (pairs, _) = self.0.as_chunks::<2>();
        for (pair, &[low, high]) in pairs.iter().enumerate() {
            let [in_low, in_high] = [low, high].map(|bits| bits.count_ones() as usize);
            if n < in_low + in_high {
                let above = n >= in_low;
                let (mut bits, n) = if above { (high, n - in_low) } else { (low, n) };
                for step in 0..4 {
                    bits &= if step < n { bits - 1 } else { bits };
                }
                for _ in 4..n {
                    bits &= bits - 1;
                }
                let word = 2 * pair + usize::from(above);
                return Some(ProvinceId((word * 64) as u8 + bits.trailing_zeros() as u8));
            }
            n -= in_low + in_high;
        }
        None
    }

    /// The province with the lowest index.
    #[inline]
    pub fn first(&self) -> Option<ProvinceId> {
        self.iter().next()
    }
}

/// The provinces of a [`ProvinceSet`] in ascending order.
#[derive(Clone, Debug)]
pub struct ProvinceIter {
    words: [u64; WORDS],
    /// The current word, and what is left of it.
    word: usize,
    bits: u64,
}

impl Iterator for ProvinceIter {
    type Item = ProvinceId;
    #[inline]
    fn next(&mut self) -> Option<ProvinceId> {
        while self.bits == 0 {
            self.word += 1;
            self.bits = *self.words.get(self.word)?;
        }
        let province = ProvinceId((self.word * 64) as u8 + self.bits.trailing_zeros() as u8);
        self.bits &= self.bits - 1;
        Some(province)
    }

    /// `for_each` and `extend` go word by word and do not look for the next word at every step.
    #[inline]
    fn fold<B, F: FnMut(B, ProvinceId) -> B>(self, init: B, mut f: F) -> B {
        let (mut folded, mut bits) = (init, self.bits);
        for word in self.word..WORDS {
            while bits != 0 {
                folded = f(folded, ProvinceId((word * 64) as u8 + bits.trailing_zeros() as u8));
                bits &= bits - 1;
            }
            bits = self.words.get(word + 1).copied().unwrap_or(0);
        }
        folded
    }
}

impl IntoIterator for ProvinceSet {
    type Item = ProvinceId;
    type IntoIter = ProvinceIter;
    fn into_iter(self) -> ProvinceIter {
        self.iter()
    }
}

impl FromIterator<ProvinceId> for ProvinceSet {
    fn from_iter<I: IntoIterator<Item = ProvinceId>>(iter: I) -> Self {
        let mut set = ProvinceSet::EMPTY;
        set.extend(iter); // `extend` folds, so chains and nested iterators become loops
        set
    }
}

/// The union of sets.
impl FromIterator<ProvinceSet> for ProvinceSet {
    fn from_iter<I: IntoIterator<Item = ProvinceSet>>(sets: I) -> Self {
        sets.into_iter().fold(ProvinceSet::EMPTY, |union, set| union | set)
    }
}

impl Extend<ProvinceId> for ProvinceSet {
    fn extend<I: IntoIterator<Item = ProvinceId>>(&mut self, iter: I) {
        iter.into_iter().for_each(|province| self.insert(province));
    }
}

impl fmt::Debug for ProvinceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|p| p.0)).finish()
    }
}

/// Implements an operator of sets that are words of bits, and its assignment, by what the latter does to a word.
macro_rules! set_operator {
    ([$($parameter:tt)*] $Set:ty: $Op:ident $op:ident $Assign:ident $assign:ident |$a:ident, $b:ident| $do:expr) => {
        impl<$($parameter)*> std::ops::$Assign for $Set {
            #[inline]
            fn $assign(&mut self, other: Self) {
                for ($a, $b) in self.0.iter_mut().zip(other.0) {
                    $do;
                }
            }
        }

        impl<$($parameter)*> std::ops::$Op for $Set {
            type Output = Self;

            #[inline]
            fn $op(mut self, other: Self) -> Self {
                std::ops::$Assign::$assign(&mut self, other);
                self
            }
        }
    };
}
pub(crate) use set_operator;

set_operator!([] ProvinceSet: BitOr bitor BitOrAssign bitor_assign |a, b| *a |= b);
set_operator!([] ProvinceSet: BitAnd bitand BitAndAssign bitand_assign |a, b| *a &= b);
set_operator!([] ProvinceSet: Sub sub SubAssign sub_assign |a, b| *a &= !b);
