//! Counts how many units could move to each province, for all provinces at once.
//!
//! The numbers are stored across sets: the first set holds the lowest binary digit of every province's
//! number, the next set holds the second digit, and so on. Counting a unit means adding 1 in all the
//! provinces it could move to, with a carry that is also a set; summing over some provinces means counting
//! members. Neither needs a loop over provinces.
//!
//! ```text
//!               BUR GAS MAR PAR PIC
//!  digit 0       1   0   1   0   1       BUR 3 units
//!  digit 1       1   1   0   0   0       GAS 2
//!  digit 2       0   0   0   0   1       MAR 1, PAR 0, PIC 5
//! ```

use crate::ids::{ProvinceId, ProvinceSet};

/// How many digits are always in use. Most tallies need no more, and a fixed number of digits lets a
/// processor predict where the loops over them end.
const FEW: usize = 4;

/// A number for each province, at most 255: fewer than 256 other provinces can have units that move to it.
#[derive(Clone, Debug)]
pub struct Tally {
    digits: [ProvinceSet; 8],
    /// How many of the digits are in use. The contents of the others are undefined.
    used: usize,
}

impl Default for Tally {
    /// 0 everywhere.
    fn default() -> Tally {
        Tally { digits: [ProvinceSet::EMPTY; 8], used: FEW }
    }
}

impl Tally {
    /// Resets all numbers to 0.
    #[inline]
    pub fn clear(&mut self) {
        self.digits[..FEW].fill(ProvinceSet::EMPTY);
        self.used = FEW;
    }

    /// Adds 1 in each of these provinces.
    #[inline]
    pub fn add(&mut self, provinces: ProvinceSet) {
        let mut carry = provinces;
        // Goes through all digits, though the carry usually ends earlier: the processor cannot predict how
        // early.
        for sum in &mut self.digits[..self.used] {
            let both = *sum & carry;
            *sum = (*sum | carry) - both;
            carry = both;
        }
        if !carry.is_empty() && self.used < self.digits.len() {
            self.digits[self.used] = carry;
            self.used += 1;
        }
    }

    /// The number of a province.
    #[inline]
    pub fn of(&self, province: ProvinceId) -> u8 {
        let digits = self.digits[..self.used].iter().enumerate();
        digits.map(|(digit, set)| u8::from(set.contains(province)) << digit).sum()
    }

    /// The provinces with a number other than 0.
    #[inline]
    pub fn any(&self) -> ProvinceSet {
        self.digits[..self.used].iter().fold(ProvinceSet::EMPTY, |any, digit| any | *digit)
    }

    /// The provinces with a number of 2 or more.
    #[inline]
    pub fn at_least_two(&self) -> ProvinceSet {
        self.digits[..self.used].iter().skip(1).fold(ProvinceSet::EMPTY, |any, digit| any | *digit)
    }

    /// Sets each province's number to the larger of this tally's and the other's.
    #[inline]
    pub fn raise_to(&mut self, other: &Tally) {
        while self.used < other.used {
            self.digits[self.used] = ProvinceSet::EMPTY;
            self.used += 1;
        }
        let larger = other.larger_than(self);
        for (ours, theirs) in self.digits[..self.used].iter_mut().zip(other.padded()) {
            *ours = (*ours - larger) | (theirs & larger);
        }
    }

    /// The provinces with a larger number than the other's.
    #[inline]
    pub fn larger_than(&self, other: &Tally) -> ProvinceSet {
        let most = self.used.max(other.used);
        // From the highest digit down: at the first digit that differs, the larger number has the 1.
        let (mut larger, mut smaller) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
        for digit in (0..most).rev() {
            let (ours, theirs) = (self.digit(digit), other.digit(digit));
            larger |= (ours - theirs) - smaller;
            smaller |= (theirs - ours) - larger;
        }
        larger
    }

    #[inline]
    fn digit(&self, digit: usize) -> ProvinceSet {
        if digit < self.used { self.digits[digit] } else { ProvinceSet::EMPTY }
    }

    /// All digits that a number can have.
    #[inline]
    fn padded(&self) -> impl Iterator<Item = ProvinceSet> {
        (0..self.digits.len()).map(|digit| self.digit(digit))
    }

    /// The sum of the numbers of these provinces.
    #[inline]
    pub fn sum(&self, provinces: &ProvinceSet) -> usize {
        let digits = self.digits[..self.used].iter().enumerate();
        if provinces.is_low() {
            return digits.map(|(digit, set)| (*set & *provinces).low_len() << digit).sum();
        }
        digits.map(|(digit, set)| (*set & *provinces).len() << digit).sum()
    }
}
