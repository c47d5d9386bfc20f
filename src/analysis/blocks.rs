//! Means and rates over games that come in blocks. The games of a block share one nature and are not independent of
//! each other, but the blocks are: intervals are computed from how blocks differ.

use super::estimate::Estimate;
use super::quantile::{normal_upper, t_upper};
use super::wilson::{wilson, wilson_of};

/// The number of independent values that this many blocks are worth, where the spread of the blocks is estimated from
/// them: Student's t replaces the normal quantile (E. L. Korn and B. I. Graubard, Survey Methodology 24, 1998).
pub(super) fn for_estimated_spread(blocks: u64) -> f64 {
    (normal_upper() / t_upper(blocks)).powi(2)
}

/// The mean of values that come in blocks, with its t interval over the blocks; each block is given by its sum and its
/// number of values. `None` without values.
pub(super) fn mean_of_blocks(blocks: &[(f64, u64)]) -> Option<Estimate> {
    let filled = || blocks.iter().filter(|(_, n)| *n > 0);
    let (count, n) = (filled().count(), filled().map(|(_, n)| *n as f64).sum::<f64>());
    if count == 0 {
        return None;
    }
    let mean = filled().map(|(sum, _)| sum).sum::<f64>() / n;
    if count < 2 {
        return Some(Estimate::alone(mean));
    }
    let spread: f64 = filled().map(|(sum, own)| (sum - mean * *own as f64).powi(2)).sum();
    let variance = count as f64 / (count as f64 - 1.0) * spread / (n * n);
    Some(Estimate::around(mean, t_upper(count as u64) * variance.sqrt()))
}

/// The sums that a mean over games and its interval over blocks need. They are whole numbers, so the order of additions
/// and merges cannot affect them. Blocks need not have the same number of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    /// Closed blocks with at least one game.
    blocks: u64,
    games: u64,
    sum: u64,
    /// Sums over blocks: of the squared sum, of the sum times the games, of the squared games.
    squares: u128,
    products: u128,
    squared_games: u128,
    open_games: u64,
    open_sum: u64,
}

impl Blocks {
    /// Adds a game of the open block, with its value.
    pub fn add(&mut self, value: u64) {
        self.open_games += 1;
        self.open_sum += value;
    }

    /// Adds a whole block at once: this many games, and the sum of their values. An open block is closed first.
    pub fn add_block(&mut self, games: u64, sum: u64) {
        self.close();
        (self.open_games, self.open_sum) = (games, sum);
        self.close();
    }

    /// Closes the block: the next game belongs to another.
    pub fn close(&mut self) {
        let (games, sum) = (std::mem::take(&mut self.open_games), std::mem::take(&mut self.open_sum));
        self.blocks += u64::from(games > 0);
        self.games += games;
        self.sum += sum;
        self.squares += u128::from(sum) * u128::from(sum);
        self.products += u128::from(sum) * u128::from(games);
        self.squared_games += u128::from(games) * u128::from(games);
    }

    /// Adds all blocks of another. The open block of both is closed.
    pub fn merge(&mut self, mut other: Blocks) {
        self.close();
        other.close();
        self.blocks += other.blocks;
        self.games += other.games;
        self.sum += other.sum;
        self.squares += other.squares;
        self.products += other.products;
        self.squared_games += other.squared_games;
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

    /// The variance of the mean over games, from the differences between the sums of blocks and their expected sums;
    /// `None` for fewer than two blocks.
    pub(super) fn variance(&self) -> Option<f64> {
        if self.blocks < 2 {
            return None;
        }
        let (games, sum) = (u128::from(self.games), u128::from(self.sum));
        // Σ (sum of a block − mean · its games)², times games²: whole numbers, so no digits are lost.
        let spread = (games * games * self.squares + sum * sum * self.squared_games)
            .saturating_sub(2 * games * sum * self.products);
        let blocks = self.blocks as f64;
        Some(blocks / (blocks - 1.0) * spread as f64 / (self.games as f64).powi(4))
    }

    /// The mean over games with its 95% t interval over blocks; `None` without games.
    pub fn mean(mut self) -> Option<Estimate> {
        self.close();
        if self.games == 0 {
            return None;
        }
        let half_width = match self.variance() {
            Some(0.0) => 0.0,
            Some(variance) => t_upper(self.blocks) * variance.sqrt(),
            None => f64::INFINITY,
        };
        Some(Estimate::around(self.sum as f64 / self.games as f64, half_width))
    }

    /// The same blocks with other values of their games: the sum of the values, and over blocks the sums of the squared
    /// sum and of the sum times the games.
    pub(super) fn with_values(mut self, sum: u64, squares: u128, products: u128) -> Blocks {
        self.close();
        Blocks { sum, squares, products, ..self }
    }

    /// The share of games of value 1, the others being of value 0, with its 95% Wilson interval; `None` without games.
    /// Where the blocks differ by more than independent games would, the effective number of games is smaller, and
    /// smaller still where few blocks estimate the difference. One block of several games says nothing about how blocks
    /// differ: then there is no interval.
    pub fn rate(self) -> Option<Estimate> {
        self.rate_worth(for_estimated_spread(self.blocks()))
    }

    /// The same for callers that ask more than once for the same number of blocks: `worth` is the result of
    /// [`for_estimated_spread`].
    pub(super) fn rate_worth(mut self, worth: f64) -> Option<Estimate> {
        self.close();
        if self.games == 0 {
            return None;
        }
        let (n, share) = (self.games as f64, self.sum as f64 / self.games as f64);
        let of_independent_games = share * (1.0 - share) / n;
        let rate = match self.variance() {
            // Blocks of one game each are independent games.
            _ if self.blocks == self.games => wilson(self.sum, self.games),
            None => None,
            Some(variance) if of_independent_games > 0.0 => {
                let alike = (variance / of_independent_games).max(1.0);
                wilson_of(self.sum, self.games, n / alike * worth)
            }
            Some(_) => wilson(self.sum, self.games),
        };
        Some(rate.unwrap_or(Estimate::alone(share)))
    }
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
    fn known_values() {
        // s² = 26.8 / 4 and t(0.975; 4) = 2.776445, so 2.776445 · √(6.7 / 5)
        let interval = of(&[&[2], &[4], &[4], &[5], &[9]]).mean().unwrap();
        assert!((interval.estimate - 4.8).abs() < 1e-12);
        assert!((half_width(interval) - 3.213_960).abs() < 1e-5, "{interval:?}");
        // Blocks of two games with these sums: half the mean, half the width.
        let half = of(&[&[1, 1], &[4, 0], &[2, 2], &[2, 3], &[0, 9]]).mean().unwrap();
        assert!((half.estimate - 2.4).abs() < 1e-12, "{half:?}");
        assert!((half_width(half) - half_width(interval) / 2.0).abs() < 1e-9, "{half:?}");
    }

    #[test]
    fn known_values_in_blocks_of_several_sizes() {
        // mean 13/6; residuals of the sums 5, 2, 6 against 3, 1, 2 games: −1.5, −1/6, 5/3;
        // variance 3/2 · (2.25 + 1/36 + 25/9) / 36, t(0.975; 2) = 4.302653.
        let mean = of(&[&[1, 2, 2], &[2], &[3, 3]]).mean().unwrap();
        assert!((mean.estimate - 13.0 / 6.0).abs() < 1e-12);
        let half = 4.302_653 * (1.5 * (2.25 + 1.0 / 36.0 + 25.0 / 9.0) / 36.0_f64).sqrt();
        assert!((half_width(mean) - half).abs() < 1e-5);
        // The same from sums; an empty block does not count.
        let sums = mean_of_blocks(&[(5.0, 3), (0.0, 0), (2.0, 1), (6.0, 2)]).unwrap();
        assert!((sums.estimate - mean.estimate).abs() < 1e-12, "{sums:?}");
        assert!((half_width(sums) - half_width(mean)).abs() < 1e-9, "{sums:?}");
        assert_eq!(of(&[&[7, 7], &[7]]).mean(), Some(Estimate::around(7.0, 0.0)));
        assert_eq!(of(&[&[7, 8]]).mean(), Some(Estimate::alone(7.5)));
        assert_eq!(mean_of_blocks(&[(1.0, 2)]), Some(Estimate::alone(0.5)));
        assert_eq!(mean_of_blocks(&[(0.0, 0)]), None);
        assert_eq!(of(&[]).mean(), None);
        assert_eq!(of(&[]).rate(), None);
    }

    #[test]
    fn games_that_go_alike_within_a_block_count_as_one() {
        // Twenty blocks of five games that all end alike: they are worth as much as twenty games, apart from the n / (n
        // − 1) of an estimated variance, and (z / t(0.975; 19))² = (1.959964 / 2.093024)².
        let interval = |blocks: &[&[u64]]| of(blocks).rate().unwrap().interval;
        let blocks: Vec<&[u64]> = (0..20).map(|i| if i < 8 { &[1; 5][..] } else { &[0; 5][..] }).collect();
        let alike = interval(&blocks).unwrap();
        let twenty = wilson_of(8, 20, 19.0 * 0.876_895_3).unwrap().interval.unwrap();
        assert!(
            (alike.low - twenty.low).abs() < 1e-5 && (alike.high - twenty.high).abs() < 1e-5,
            "{alike:?}"
        );
        // Blocks that differ by less than chance are not a reason to be more certain than with independent games.
        let even = interval(&[&[1, 0], &[0, 1], &[1, 0]]).unwrap();
        let six = wilson_of(3, 6, 6.0 * for_estimated_spread(3)).unwrap().interval.unwrap();
        assert!(
            (even.low - six.low).abs() < 1e-12 && even.low < wilson(3, 6).unwrap().interval.unwrap().low,
            "{even:?}"
        );
        assert_eq!(of(&[&[1], &[0], &[0]]).rate(), wilson(1, 3));
        assert_eq!(of(&[&[1, 1], &[1, 1]]).rate(), wilson(4, 4));
    }

    #[test]
    fn one_block_of_several_games_has_no_interval() {
        assert_eq!(of(&[&[1, 0, 0, 0, 1, 0, 0]]).rate(), Some(Estimate::alone(2.0 / 7.0)));
        assert_eq!(of(&[&[1]]).rate(), wilson(1, 1));
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
                    // Where every game or no game has the value, the games of a block count as independent:
                    // docs/balance.md says so.
                    let seen = all.sum() > 0 && all.sum() < all.games();
                    let interval = all.rate().unwrap().interval.unwrap();
                    !seen || (interval.low <= 0.4 && 0.4 <= interval.high)
                })
                .count();
            assert!(covered > 1_850, "{blocks} blocks: {covered} of 2000");
        }
    }

    #[test]
    fn merging_is_adding() {
        let mut front = of(&[&[1, 2], &[3]]);
        front.merge(of(&[&[4, 4], &[0]]));
        assert_eq!(front, of(&[&[1, 2], &[3], &[4, 4], &[0]]));
    }
}
