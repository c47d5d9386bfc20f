//! Numbers of eight units in one word, one byte each: how many moves of each unit could be supported.
//!
//! ```text
//!   unit      7   6   5   4   3   2   1   0
//!   byte      0   1   0   2   0   3   0   2      8 moves; the third of them is the first of unit 2
//! ```
//!
//! A word is summed in a few operations and searched without branches, because a processor cannot predict
//! where the search ends.

/// The number of units that share a word.
pub(super) const UNITS: usize = 8;

/// The bytes with an even index.
const EVEN: u64 = 0x00ff_00ff_00ff_00ff;

/// A number from 0 to 255 for each of eight units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares(u64);

impl Shares {
    /// The numbers that a function returns for each unit; all must be at most 255.
    #[inline]
    pub(super) fn from_fn(mut number: impl FnMut(usize) -> usize) -> Shares {
        Shares((0..UNITS).fold(0, |word, unit| word | (number(unit) as u64) << (8 * unit)))
    }

    /// Sets the number of a unit to 0.
    #[inline]
    pub(super) fn drop(&mut self, unit: usize) {
        self.0 &= !(0xff << (8 * unit));
    }

    /// Subtracts `count` from the number of a unit, which must be at least that large.
    #[inline]
    pub(super) fn take(&mut self, unit: usize, count: usize) {
        self.0 -= (count as u64) << (8 * unit);
    }

    /// The sum of all numbers.
    #[inline]
    pub(super) fn sum(self) -> usize {
        // Pairs of bytes are added as 16-bit numbers, and one multiplication sums these into the topmost.
        let pairs = (self.0 & EVEN) + (self.0 >> 8 & EVEN);
        (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as usize
    }

    /// The unit to which the `n`-th item belongs, and the index of the item within that unit, both counted
    /// from 0. `n` must be less than the sum.
    #[inline]
    pub(super) fn locate(self, n: usize) -> (usize, usize) {
        let (mut unit, mut before, mut sum) = (0, 0, 0);
        for i in 0..UNITS - 1 {
            sum += (self.0 >> (8 * i)) as usize & 0xff;
            (unit, before) = if sum <= n { (i + 1, sum) } else { (unit, before) };
        }
        (unit, n - before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_map::rng::{Purpose, Stream};

    #[test]
    fn shares_are_added_and_found_as_in_a_list() {
        let mut dice = Stream::keyed(1, Purpose::Bot, &[]);
        for round in 0..500 {
            let most = [1, 2, 6, 256][round % 4];
            let mut numbers = [0; UNITS].map(|_| dice.below(most) as usize);
            if round == 3 {
                numbers = [255; UNITS];
            }
            let mut shares = Shares::from_fn(|unit| numbers[unit]);
            let unit = dice.below(UNITS as u32) as usize;
            shares.drop(7 - unit);
            numbers[7 - unit] = 0;
            let count = dice.below(numbers[unit] as u32 + 1) as usize;
            shares.take(unit, count);
            numbers[unit] -= count;
            let list: Vec<(usize, usize)> =
                (0..UNITS).flat_map(|unit| (0..numbers[unit]).map(move |i| (unit, i))).collect();
            assert_eq!(shares.sum(), list.len());
            for (n, &expected) in list.iter().enumerate() {
                assert_eq!(shares.locate(n), expected, "{numbers:?}");
            }
        }
    }
}
