//! Tables over the powers of a board.

use std::fmt;
use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use serde::{Serialize, Serializer};

use crate::powers::{MAX_POWERS, Power, Powers};

/// One value for each power of a board.
///
/// ```
/// use upheaval_map::ids::{ByPower, Power, Powers};
/// let letters = ByPower::from_fn(Powers::STANDARD, |power| power.name().chars().next());
/// assert_eq!(letters[Power::TURKEY], Some('T'));
/// ```
#[derive(PartialEq, Eq, Hash)]
pub struct ByPower<T> {
    powers: Powers,
    values: ArrayVec<T, MAX_POWERS>,
}

impl<T: Clone> Clone for ByPower<T> {
    // Built in place, as in `from_fn`.
    #[inline]
    fn clone(&self) -> Self {
        let mut table = ByPower { powers: self.powers, values: ArrayVec::new_const() };
        for value in &self.values {
            table.values.push(value.clone());
        }
        table
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.powers = source.powers;
        self.values.clone_from(&source.values);
    }
}

impl<T> ByPower<T> {
    /// Builds the table from a function of the power.
    #[inline]
    pub fn from_fn(powers: Powers, mut f: impl FnMut(Power) -> T) -> Self {
        // Built in place: a table that is collected is moved, together with its room for 34 values.
        let mut table = ByPower { powers, values: ArrayVec::new_const() };
        for power in powers {
            table.values.push(f(power));
        }
        table
    }

    /// The table with the default value for each power.
    #[inline]
    pub fn new(powers: Powers) -> Self
    where
        T: Default,
    {
        ByPower::from_fn(powers, |_| T::default())
    }

    /// The powers of the table.
    #[inline]
    pub fn powers(&self) -> Powers {
        self.powers
    }

    /// The values in the order of the powers.
    #[inline]
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The powers with their values, in order.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Power, &T)> + DoubleEndedIterator + Clone {
        self.powers.iter().zip(&self.values)
    }

    /// The powers with mutable values, in order.
    #[inline]
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (Power, &mut T)> {
        self.powers.iter().zip(&mut self.values)
    }

    /// The powers with their values, in order.
    #[allow(clippy::should_implement_trait, reason = "the type of the iterator has no name")]
    #[inline]
    pub fn into_iter(self) -> impl ExactSizeIterator<Item = (Power, T)> {
        self.powers.iter().zip(self.values)
    }
}

/// Shown as a map from the names of the powers.
impl<T: fmt::Debug> fmt::Debug for ByPower<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Serialised as a map from the names of the powers, in order.
impl<T: Serialize> Serialize for ByPower<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// A table has no value for a power of another board with more powers.
impl<T> Index<Power> for ByPower<T> {
    type Output = T;
    #[inline]
    fn index(&self, power: Power) -> &T {
        &self.values[power.index()]
    }
}

impl<T> IndexMut<Power> for ByPower<T> {
    #[inline]
    fn index_mut(&mut self, power: Power) -> &mut T {
        &mut self.values[power.index()]
    }
}
