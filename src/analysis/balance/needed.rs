//! How many games an interval of a given width needs.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::Blocks;
use crate::balance::sample::interval_half;
use crate::blocks::for_estimated_spread;
use crate::wilson::wilson_share;

/// How many games are needed for a width, in all and in addition to the existing ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Needed {
    /// Blocks in all.
    pub blocks: u64,
    /// Games in all.
    pub games: u64,
    /// Of these, blocks that are still to be played.
    pub more_blocks: u64,
    /// Of these, games.
    pub more_games: u64,
}

/// No run has more blocks: a larger need is reported as this number.
const MOST: u64 = 1 << 40;

/// For the mean of independent blocks of this variance to have an interval of this width from its lower bound to its
/// upper.
pub(crate) fn needed(variance: f64, blocks: u64, games_a_block: f64, width: f64) -> Needed {
    let fits = |n: u64| 2.0 * interval_half((variance / n as f64).sqrt(), n) <= width;
    of(least(2, fits), blocks, games_a_block)
}

/// For a mean over games to have an interval of this width. `None` for fewer than two blocks, which say nothing about
/// the spread.
pub(crate) fn needed_for_mean(all: Blocks, width: f64) -> Option<Needed> {
    let (blocks, games) = (all.blocks(), all.games());
    let of_a_block = variance(all)? * blocks as f64;
    Some(needed(of_a_block, blocks, games as f64 / blocks as f64, width))
}

/// The variance of the mean over games; `None` for fewer than two blocks.
fn variance(all: Blocks) -> Option<f64> {
    (all.blocks() > 1).then(|| all.moments().spread().map_or(0.0, |spread| spread.variance))
}

/// For a rate to have a Wilson interval of this width.
pub(crate) fn needed_for_rate(all: Blocks, width: f64) -> Option<Needed> {
    let (blocks, games) = (all.blocks(), all.games());
    let a_block = games as f64 / blocks as f64;
    let share = all.sum() as f64 / games as f64;
    let of_independent_games = share * (1.0 - share) / games as f64;
    let variance = variance(all)?;
    let estimated = of_independent_games > 0.0 && blocks < games;
    // This many games of a block count as one.
    let alike = if estimated { (variance / of_independent_games).max(1.0) } else { 1.0 };
    let worth = |n: u64| if estimated { for_estimated_spread(n as f64 - 1.0) } else { 1.0 };
    let fits = |n: u64| {
        wilson_share(share, n as f64 * a_block / alike * worth(n)).is_some_and(|of| of.width() <= width)
    };
    Some(of(least(1, fits), blocks, a_block))
}

/// For a one-sided t test of this level to show in four runs of five that a mean is below a limit. `room` says how many
/// standard deviations of a block lie between the two. `None` where no number of games would do.
pub(crate) fn needed_for_equivalence(
    room: f64,
    level: f64,
    blocks: u64,
    games_a_block: f64,
) -> Option<Needed> {
    let fits = |n: u64| {
        let quantiles = StudentsT::new(0.0, 1.0, n as f64 - 1.0)
            .map_or(f64::INFINITY, |t| t.inverse_cdf(1.0 - level) + t.inverse_cdf(0.8));
        quantiles <= room * (n as f64).sqrt()
    };
    let needed = (room > 0.0).then(|| least(2, fits)).filter(|&blocks| blocks < MOST);
    needed.map(|needed| of(needed, blocks, games_a_block))
}

fn of(blocks: u64, there: u64, games_a_block: f64) -> Needed {
    let more_blocks = blocks.saturating_sub(there);
    let games = |blocks: u64| (blocks as f64 * games_a_block).round() as u64;
    Needed { blocks, games: games(blocks), more_blocks, more_games: games(more_blocks) }
}

/// The smallest number from `from` on that satisfies the condition; every greater number satisfies it too.
fn least(from: u64, fits: impl Fn(u64) -> bool) -> u64 {
    let mut high = from;
    while high < MOST && !fits(high) {
        high *= 2;
    }
    let mut low = from;
    while low < high {
        let middle = low + (high - low) / 2;
        if fits(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_the_formula_of_the_interval_says() {
        // 2 · t(0.975; n − 1) · 3 / √n ≤ 1: scipy.stats.t gives 2 · 1.976931 · 3 / √141 = 0.99894 and
        // 2 · 1.977054 · 3 / √140 = 1.00256.
        let needed = needed(9.0, 20, 7.0, 1.0);
        assert_eq!(needed, Needed { blocks: 141, games: 987, more_blocks: 121, more_games: 847 });
        // A value that does not vary is known.
        assert_eq!(super::needed(0.0, 20, 7.0, 1.0).more_blocks, 0);
    }

    #[test]
    fn whatever_is_asked_for_has_an_answer() {
        let half = needed(0.25, 2, 7.0, 1e-6);
        // (2 · 1.959964 · 0.5 / 1e-6)²
        assert!((half.blocks as f64 / 3.841_459e12 - 1.0).abs() < 1e-6 || half.blocks == MOST, "{half:?}");
        for width in [1e-3, 1e-9, 1e-300] {
            assert!(needed(0.25, 2, 7.0, width).blocks <= 2 * MOST);
        }
    }

    #[test]
    fn a_rate_needs_as_many_as_its_wilson_interval() {
        let rate = |each: &[u64]| {
            let mut blocks = Blocks::default();
            each.iter().for_each(|&sum| blocks.add_block(7, sum));
            blocks
        };
        // No power ever won: the interval is 0 to z² / (n + z²), and 3.841459 · (1 / 0.02 − 1) = 188.23 games.
        let never = needed_for_rate(rate(&[0; 10]), 0.02).unwrap();
        assert_eq!((never.blocks, never.games, never.more_games), (27, 189, 119));
        // Half of all games, all games of a block alike: 4 · z² · 1/4 / w² − z² blocks = 380.3 of independent blocks,
        // and n / (n − 1) more for the estimated variance, and (t(0.975; n − 1) / z)² = 1.0063 more for their small
        // number (scipy.stats.t).
        let alike: Vec<u64> = (0..100).map(|i| 7 * (i % 2)).collect();
        let half = needed_for_rate(rate(&alike), 0.1).unwrap();
        assert_eq!(half.blocks, 387);
        assert_eq!(needed_for_rate(rate(&[1]), 0.02), None, "one block says nothing about how blocks differ");
    }
}
