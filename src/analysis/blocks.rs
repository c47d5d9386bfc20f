//! Means and rates over games that come in blocks. The games of a block share one nature and are not independent of
//! each other, but the blocks are: intervals are computed from how blocks differ.

use crate::estimate::{Estimate, Interval, Moments, clopper_pearson, normal_upper, t_upper_of, wilson_share};

/// The number of independent values that an estimated spread of this many degrees of freedom is worth, as a share:
/// Student's t replaces the normal quantile (E. L. Korn and B. I. Graubard, Survey Methodology 24, 1998).
pub(super) fn for_estimated_spread(freedom: f64) -> f64 {
    (normal_upper() / t_upper_of(freedom)).powi(2)
}

/// The mean of values that come in blocks, with its interval over the blocks; each block is given by its sum and its
/// number of values. `None` without values; without an interval for one block, and where no block differs from another.
pub(super) fn mean_of_blocks(blocks: &[(f64, u64)]) -> Option<Estimate> {
    let filled = || blocks.iter().filter(|(_, n)| *n > 0);
    let n = filled().map(|(_, n)| *n as f64).sum::<f64>();
    if n == 0.0 {
        return None;
    }
    let mean = filled().map(|(sum, _)| sum).sum::<f64>() / n;
    // The residue of equal values is the rounding of their sum.
    let residue = |(sum, own): &(f64, u64)| {
        let rest = sum - mean * *own as f64;
        if rest.abs() <= 1e-12 * sum.abs() { 0.0 } else { rest / n }
    };
    Some(Moments::of(filled().map(residue)).around(mean))
}

/// The mean of these values, one for each block; `None` without any.
pub(super) fn mean_of(values: impl IntoIterator<Item = f64>) -> Option<Estimate> {
    mean_of_blocks(&values.into_iter().map(|value| (value, 1)).collect::<Vec<_>>())
}

/// The exponents of the value and of the games of a block in [`Blocks::sums`].
const EXPONENTS: [(u32, u32); SUMS] =
    [(2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3), (4, 0), (3, 1), (2, 2), (1, 3), (0, 4)];

/// How many sums of products that is.
pub(super) const SUMS: usize = 12;

/// The products of powers of the sum of a block and of its games, in the order of [`EXPONENTS`].
#[inline]
pub(super) fn products(sum: u64, games: u64) -> [u128; SUMS] {
    // Written out: every closed block of a run comes here, for each of its sums. Those of small numbers fit into words.
    if sum <= u64::from(u16::MAX) && games <= u64::from(u16::MAX) {
        let (s, g) = (sum, games);
        let (s2, sg, g2) = (s * s, s * g, g * g);
        let small = [s2, sg, g2, s2 * s, s2 * g, s * g2, g2 * g, s2 * s2, s2 * sg, s2 * g2, sg * g2, g2 * g2];
        return small.map(u128::from);
    }
    let (times, [s, g]) = (u128::saturating_mul, [sum, games].map(u128::from));
    let (s2, sg, g2) = (s * s, s * g, g * g);
    let [s3, s2g, sg2, g3] = [times(s2, s), times(s2, g), times(s, g2), times(g, g2)];
    let [s4, s3g, s2g2] = [s2, sg, g2].map(|of| times(s2, of));
    [s2, sg, g2, s3, s2g, sg2, g3, s4, s3g, s2g2, times(sg, g2), times(g2, g2)]
}

/// The sums that a mean over games and its interval over blocks need. They are whole numbers, so the order of additions
/// and merges cannot affect them. Blocks need not have the same number of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    /// Closed blocks with at least one game.
    blocks: u64,
    games: u64,
    sum: u64,
    /// Sums over blocks of products of powers of the sum and of the games, in the order of [`EXPONENTS`].
    sums: [u128; SUMS],
    open_games: u64,
    open_sum: u64,
}

impl Blocks {
    /// Adds a game of the open block, with its value.
    pub(crate) fn add(&mut self, value: u64) {
        self.open_games += 1;
        self.open_sum += value;
    }

    /// Adds a whole block at once: this many games, and the sum of their values. An open block is closed first.
    pub(crate) fn add_block(&mut self, games: u64, sum: u64) {
        self.close();
        (self.open_games, self.open_sum) = (games, sum);
        self.close();
    }

    /// Closes the block: the next game belongs to another.
    pub(crate) fn close(&mut self) {
        let (games, sum) = (std::mem::take(&mut self.open_games), std::mem::take(&mut self.open_sum));
        if games == 0 {
            return;
        }
        self.blocks += 1;
        self.games += games;
        self.sum += sum;
        let sums = self.sums.iter_mut().zip(products(sum, games));
        sums.for_each(|(sum, add)| *sum = sum.saturating_add(add));
    }

    /// How many games there are, including those of the open block.
    pub fn games(&self) -> u64 {
        self.games + self.open_games
    }

    /// How many blocks there are, including the open one.
    pub fn blocks(&self) -> u64 {
        self.blocks + u64::from(self.open_games > 0)
    }

    /// The sum of the values, including those of the open block.
    pub fn sum(&self) -> u64 {
        self.sum + self.open_sum
    }

    /// The moments of what the blocks contribute to the mean over games: their sums minus their expected sums, as parts
    /// of all games.
    pub(super) fn moments(&self) -> Moments {
        let none = Moments { blocks: self.blocks, ..Moments::default() };
        let [squares, products, squared_games, ..] = self.sums;
        let (games, sum) = (u128::from(self.games), u128::from(self.sum));
        if games == 0 {
            return none;
        }
        // Σ (sum of a block − mean · its games)², times games²: whole numbers, so equal blocks are recognised.
        let equal = games.saturating_mul(games).saturating_mul(squares)
            + sum.saturating_mul(sum).saturating_mul(squared_games)
            <= 2 * games.saturating_mul(sum).saturating_mul(products);
        if equal {
            return none;
        }
        // About the whole number below the mean nothing is lost, and about the mean itself little.
        let whole = self.sum / self.games;
        let rest = (self.sum % self.games) as f64 / games as f64;
        let about = |exponent: u32| -> f64 {
            let all = exponent + 1;
            let of_games = (0..all).map(|taken| {
                // Σ y^(exponent − taken) · g^taken for y = sum − whole · games.
                let exact = (0..all - taken).fold(0i128, |total, i| {
                    let term = self.product(exponent - taken - i, taken + i).saturating_mul(
                        i128::from(choose(exponent - taken, i))
                            .saturating_mul(i128::from(whole).saturating_pow(i)),
                    );
                    if i % 2 == 0 { total.saturating_add(term) } else { total.saturating_sub(term) }
                });
                exact as f64 * f64::from(choose(exponent, taken)) * (-rest).powi(taken as i32)
            });
            of_games.sum()
        };
        let moments = Moments {
            blocks: self.blocks,
            second: about(2).max(0.0),
            third: about(3),
            fourth: about(4).max(0.0),
        };
        moments.times(1.0 / self.games as f64)
    }

    /// Σ sum^i · games^j over blocks.
    fn product(&self, i: u32, j: u32) -> i128 {
        let at = EXPONENTS.iter().position(|exponents| *exponents == (i, j));
        let sum = at.map_or(0, |at| self.sums[at]);
        i128::try_from(sum).unwrap_or(i128::MAX)
    }

    /// The mean over games with its 95% interval over blocks, which is not below 0; `None` without games.
    /// There is no interval for one block, and none where no block differs from another: equal blocks do not say how
    /// blocks could have differed.
    pub fn mean(mut self) -> Option<Estimate> {
        self.close();
        if self.games == 0 {
            return None;
        }
        let mean = self.sum as f64 / self.games as f64;
        let around = self.moments().around(mean);
        // The values are whole numbers from 0 on.
        Some(around.within(0.0, f64::INFINITY))
    }

    /// The sums of products of all blocks.
    pub(super) fn sums(&self) -> [u128; SUMS] {
        self.sums
    }

    /// The same blocks with other values of their games: the sum of the values, and the sums of products over blocks.
    pub(super) fn with_values(mut self, sum: u64, sums: [u128; SUMS]) -> Blocks {
        self.close();
        Blocks { sum, sums, ..self }
    }

    /// The share of games of value 1, the others being of value 0, with its 95% interval; `None` without games.
    ///
    /// The games count as the number of independent ones that have this share and this variance over blocks, or as
    /// fewer where few blocks say how blocks differ. The interval is Wilson's. If the outcome or its opposite is rare,
    /// it is widened to the bounds of Clopper and Pearson: Wilson's are too narrow there. Where no block differs from
    /// another (the outcome was seen never, always, or equally often in each block), each block counts as one game. One
    /// block of several games says nothing about how blocks differ: then there is no interval.
    pub fn rate(mut self) -> Option<Estimate> {
        self.close();
        if self.games == 0 {
            return None;
        }
        let share = self.sum as f64 / self.games as f64;
        Some(match self.worth() {
            Some(worth) => Estimate { estimate: share, interval: share_interval(share, worth) },
            None => Estimate::alone(share),
        })
    }

    /// How many independent games the games are worth, for a share.
    fn worth(&self) -> Option<f64> {
        let share = self.sum as f64 / self.games as f64;
        match self.moments().spread() {
            // Blocks of one game each are independent games.
            _ if self.blocks == self.games => Some(self.games as f64),
            _ if self.blocks < 2 => None,
            None => Some(self.blocks as f64),
            Some(spread) => Some(
                (share * (1.0 - share) / spread.variance * for_estimated_spread(spread.freedom)).max(1.0),
            ),
        }
    }
}

/// An outcome is rare if it, or its opposite, was seen in fewer independent games.
const RARE: f64 = 10.0;

/// The interval of a share of this many independent games.
fn share_interval(share: f64, games: f64) -> Option<Interval> {
    let wilson = wilson_share(share, games)?;
    if share.min(1.0 - share) * games >= RARE {
        return Some(wilson);
    }
    let exact = clopper_pearson(share, games)?;
    Some(Interval { low: wilson.low.min(exact.low), high: wilson.high.max(exact.high) })
}

/// How many ways there are to choose `i` of at most four.
fn choose(n: u32, i: u32) -> u32 {
    (0..i).fold(1, |ways, taken| ways * (n - taken) / (taken + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(blocks: &[&[u64]]) -> Blocks {
        let mut all = Blocks::default();
        for block in blocks {
            block.iter().for_each(|&value| all.add(value));
            all.close();
        }
        all
    }

    fn half_width(of: Estimate) -> f64 {
        of.interval.unwrap().width() / 2.0
    }

    #[test]
    fn products_are_those_of_the_exponents() {
        for (sum, games) in [(0, 1), (1, 0), (3, 7), (119, 7), (1 << 40, 1 << 33), (u64::MAX, u64::MAX)] {
            let power = |of: u64, exponent| u128::from(of).saturating_pow(exponent);
            let expected = EXPONENTS.map(|(i, j)| power(sum, i).saturating_mul(power(games, j)));
            assert_eq!(products(sum, games), expected, "{sum} {games}");
        }
    }

    #[test]
    fn known_values() {
        // s² = 40 / 4 and t(0.975; 4) = 2.776445, so 2.776445 · √(10 / 5)
        let interval = of(&[&[1], &[3], &[5], &[7], &[9]]).mean().unwrap();
        assert!((interval.estimate - 5.0).abs() < 1e-12);
        assert!((half_width(interval) - 3.926_486).abs() < 1e-5, "{interval:?}");
        // Blocks of two games with these sums: half the mean, half the width.
        let half = of(&[&[1, 0], &[3, 0], &[2, 3], &[3, 4], &[0, 9]]).mean().unwrap();
        assert!((half.estimate - 2.5).abs() < 1e-12, "{half:?}");
        assert!((half_width(half) - half_width(interval) / 2.0).abs() < 1e-9, "{half:?}");
    }

    #[test]
    fn known_values_in_blocks_of_several_sizes() {
        // mean 13/6; residuals of the sums 5, 2, 6 against 3, 1, 2 games: −1.5, −1/6, 5/3;
        // variance 3/2 · (2.25 + 1/36 + 25/9) / 36.
        let blocks = of(&[&[1, 2, 2], &[2], &[3, 3]]);
        let mean = blocks.mean().unwrap();
        assert!((mean.estimate - 13.0 / 6.0).abs() < 1e-12);
        let variance = blocks.moments().spread().unwrap().variance;
        assert!((variance - 1.5 * (2.25 + 1.0 / 36.0 + 25.0 / 9.0) / 36.0).abs() < 1e-12, "{variance}");
        // The same from sums; an empty block does not count.
        let sums = mean_of_blocks(&[(5.0, 3), (0.0, 0), (2.0, 1), (6.0, 2)]).unwrap();
        assert!((sums.estimate - mean.estimate).abs() < 1e-12, "{sums:?}");
        assert!((half_width(sums) - half_width(mean)).abs() < 1e-9, "{sums:?}");
        assert_eq!(of(&[&[7, 7], &[7]]).mean(), Some(Estimate::alone(7.0)));
        assert_eq!(of(&[&[7, 8]]).mean(), Some(Estimate::alone(7.5)));
        assert_eq!(mean_of_blocks(&[(1.0, 2)]), Some(Estimate::alone(0.5)));
        assert_eq!(mean_of_blocks(&[(0.0, 0)]), None);
        assert_eq!(of(&[]).mean(), None);
        assert_eq!(of(&[]).rate(), None);
    }

    /// The moments from whole sums are those of the blocks themselves.
    #[test]
    fn moments_are_those_of_the_contributions() {
        let sums: [(u64, u64); 6] =
            [(700_123, 7), (0, 3), (5_000_000, 7), (720_720, 1), (12, 7), (3_333_333, 5)];
        let mut all = Blocks::default();
        sums.iter().for_each(|(sum, games)| all.add_block(*games, *sum));
        let (total, games) =
            sums.iter().fold((0.0, 0.0), |(s, n), (sum, own)| (s + *sum as f64, n + *own as f64));
        let contributions = sums.iter().map(|(sum, own)| (*sum as f64 - total / games * *own as f64) / games);
        let (found, known) = (all.moments(), Moments::of(contributions));
        for (found, known) in
            [(found.second, known.second), (found.third, known.third), (found.fourth, known.fourth)]
        {
            assert!((found / known - 1.0).abs() < 1e-9, "{found} {known}");
        }
    }

    #[test]
    fn games_that_go_alike_within_a_block_count_as_one() {
        // Forty blocks of five games that all end alike: they are worth as much as forty games, apart from the n / (n −
        // 1) of an estimated variance, and (z / t(0.975; 39))² = (1.959964 / 2.022691)².
        let interval = |blocks: &[&[u64]]| of(blocks).rate().unwrap().interval;
        let blocks: Vec<&[u64]> = (0..40).map(|i| if i < 16 { &[1; 5][..] } else { &[0; 5][..] }).collect();
        let alike = interval(&blocks).unwrap();
        let forty = wilson_share(0.4, 39.0 * 0.938_938_4).unwrap();
        assert!(
            (alike.low - forty.low).abs() < 1e-5 && (alike.high - forty.high).abs() < 1e-5,
            "{alike:?} {forty:?}"
        );
        // Where no block differs from another, each counts as one game.
        assert_eq!(interval(&[&[1, 0], &[0, 1], &[1, 0]]), share_interval(0.5, 3.0));
        assert_eq!(interval(&[&[1, 1], &[1, 1]]), share_interval(1.0, 2.0));
        assert_eq!(interval(&[&[1], &[0], &[0]]), share_interval(1.0 / 3.0, 3.0));
    }

    #[test]
    fn one_block_of_several_games_has_no_interval() {
        assert_eq!(of(&[&[1, 0, 0, 0, 1, 0, 0]]).rate(), Some(Estimate::alone(2.0 / 7.0)));
        assert_eq!(of(&[&[1]]).rate().and_then(|of| of.interval), share_interval(1.0, 1.0));
    }

    #[test]
    fn rates_of_few_blocks_cover_the_truth() {
        use upheaval_map::rng::{Purpose, Stream};
        // All games of a block end alike four times in five.
        for blocks in [2, 5, 10] {
            let covered = (0..2_000)
                .filter(|&run| {
                    let mut dice = Stream::keyed(run, Purpose::Bot, &[blocks]);
                    let mut all = Blocks::default();
                    for _ in 0..blocks {
                        let common = u64::from(dice.below(10) < 4);
                        (0..7).for_each(|_| {
                            let own = u64::from(dice.below(10) < 4);
                            all.add(if dice.below(5) < 4 { common } else { own });
                        });
                        all.close();
                    }
                    let interval = all.rate().unwrap().interval.unwrap();
                    interval.low <= 0.4 && 0.4 <= interval.high
                })
                .count();
            assert!(covered > 1_850, "{blocks} blocks: {covered} of 2000");
        }
    }
}
