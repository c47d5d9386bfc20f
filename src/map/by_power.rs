//! Tables over the powers of a board.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

use crate::powers::{MAX_POWERS, Power, Powers};

/// One value for each power of a board.
///
/// ```
/// use upheaval_map::ids::{ByPower, Power, Powers};
/// let squares = ByPower::from_fn(Powers::STANDARD, |power| power.index() * power.index());
/// assert_eq!(squares[Power::TURKEY], 36);
/// ```
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct ByPower<T>(ArrayVec<T, MAX_POWERS>);

impl<T: Clone> Clone for ByPower<T> {
    // Built in place, as in `from_fn`.
    #[inline]
    fn clone(&self) -> Self {
        let mut table = ByPower(ArrayVec::new_const());
        for value in &self.0 {
            table.0.push(value.clone());
        }
        table
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl<T> ByPower<T> {
    /// Builds the table from a function of the power.
    #[inline]
    pub fn from_fn(powers: Powers, mut f: impl FnMut(Power) -> T) -> Self {
        // Built in place: a table that is collected is moved, together with its room for 34 values.
        let mut table = ByPower(ArrayVec::new_const());
        for power in powers {
            table.0.push(f(power));
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
        Powers::first(self.0.len())
    }

    /// The values in the order of the powers.
    #[inline]
    pub fn values(&self) -> &[T] {
        &self.0
    }

    /// The powers with their values, in order.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Power, &T)> + DoubleEndedIterator + Clone {
        self.powers().iter().zip(&self.0)
    }

    /// The powers with mutable values, in order.
    #[inline]
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (Power, &mut T)> {
        self.powers().iter().zip(&mut self.0)
    }

    /// The powers with their values, in order.
    #[allow(clippy::should_implement_trait, reason = "the type of the iterator has no name")]
    #[inline]
    pub fn into_iter(self) -> impl ExactSizeIterator<Item = (Power, T)> {
        self.powers().iter().zip(self.0)
    }
}

/// A table has no value for a power of a board with more powers.
impl<T> Index<Power> for ByPower<T> {
    type Output = T;
    #[inline]
    fn index(&self, power: Power) -> &T {
        &self.0[power.index()]
    }
}

impl<T> IndexMut<Power> for ByPower<T> {
    #[inline]
    fn index_mut(&mut self, power: Power) -> &mut T {
        &mut self.0[power.index()]
    }
}
