//! Small sets of numbers as rows of bits; union, intersection and count work on whole words.
//!
//! `ProvinceSet` is a separate type. It always has room for 256 provinces, whereas a row here has only as
//! many words as its graph needs: two for most maps, up to twelve for the places of fleets.

use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};

use crate::ids::ProvinceSet;

/// A set of numbers less than 64 times the number of its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bits<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Bits<WORDS> {
    pub(super) const EMPTY: Self = Bits([0; WORDS]);

    /// The set of one number.
    #[inline]
    pub(super) fn single(n: usize) -> Self {
        Bits(std::array::from_fn(|word| u64::from(word == n / 64) << (n % 64)))
    }

    /// The numbers that are in exactly one of the two sets.
    #[inline]
    pub(super) fn differences(self, other: Self) -> Self {
        (self - other) | (other - self)
    }

    /// The set with these words.
    #[inline]
    pub(super) const fn of_words(words: [u64; WORDS]) -> Self {
        Bits(words)
    }

    /// The same numbers in another number of words; all of them must fit.
    #[inline]
    pub(super) fn widened<const WIDE: usize>(&self) -> Bits<WIDE> {
        Bits(std::array::from_fn(|word| self.0.get(word).copied().unwrap_or(0)))
    }

    /// All numbers below this one.
    #[inline]
    pub(super) fn below(n: usize) -> Self {
        Bits(std::array::from_fn(|word| match n.saturating_sub(64 * word) {
            bits @ 0..64 => (1 << bits) - 1,
            _ => u64::MAX,
        }))
    }

    /// The provinces of a set by their indices, all of which must fit.
    #[inline]
    pub(super) fn of_provinces(set: &ProvinceSet) -> Self {
        Bits(set.words()).widened()
    }

    #[inline]
    pub(super) fn contains(&self, n: usize) -> bool {
        self.0[n / 64 % WORDS] >> (n % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub(super) fn intersects(&self, other: Self) -> bool {
        !(*self & other).is_empty()
    }

    /// The lowest number.
    #[inline]
    pub(super) fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    /// Calls the function for every number, from the lowest.
    #[inline]
    pub(super) fn for_each(self, mut f: impl FnMut(usize)) {
        for (word, mut bits) in self.0.into_iter().enumerate() {
            while bits != 0 {
                f(64 * word + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}

impl<const WORDS: usize> Bits<WORDS> {
    /// The numbers for which the condition holds; it is evaluated from the lowest number on.
    #[inline]
    pub(super) fn filter(self, mut holds: impl FnMut(usize) -> bool) -> Self {
        let mut kept = self;
        for (word, kept) in kept.0.iter_mut().enumerate() {
            let mut bits = *kept;
            while bits != 0 {
                let bit = bits.trailing_zeros();
                *kept &= !(u64::from(!holds(64 * word + bit as usize)) << bit);
                bits &= bits - 1;
            }
        }
        kept
    }
}

impl<const WORDS: usize> FromIterator<usize> for Bits<WORDS> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut all = Self::EMPTY;
        numbers.into_iter().for_each(|n| all.0[n / 64] |= 1 << (n % 64));
        all
    }
}

impl<const WORDS: usize> BitOrAssign for Bits<WORDS> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }
}

impl<const WORDS: usize> SubAssign for Bits<WORDS> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= !b);
    }
}

impl<const WORDS: usize> BitOr for Bits<WORDS> {
    type Output = Self;
    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const WORDS: usize> BitAnd for Bits<WORDS> {
    type Output = Self;
    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        self
    }
}

impl<const WORDS: usize> Sub for Bits<WORDS> {
    type Output = Self;
    #[inline]
    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}
