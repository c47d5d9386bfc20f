//! The effect of a hole, a split, a return or a quake of each province on each power: games forked at one moment, once
//! without any such event and once with this one alone.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::Estimate;
use crate::quantile::t_upper;
use upheaval_harness::branch::{Surveyed, SurveyedBranch};
use upheaval_map::ids::{ByPower, Power, Powers};

/// The effect on all powers if one province is drawn, or if one of the quakes that separate it from another happens,
/// each equally likely.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlaceEffect {
    /// The province.
    pub province: String,
    /// The games in which that could happen.
    pub games: u64,
    /// The blocks of these games.
    pub blocks: u64,
    /// By how many more centres each power has some years later than if nothing had happened.
    pub powers: ByPower<Estimate>,
}

/// Sums of the differences of one power in a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockDifferences {
    /// How many games.
    pub games: f64,
    /// The sum of their differences.
    pub sum: f64,
}

/// The mean of differences over all games with its interval by block: the ratio of two sums over blocks, linearised,
/// with the t quantile for one degree of freedom fewer than there are blocks. It has no interval where there is one
/// block, or where no block differs from another.
pub fn mean_by_block(blocks: &[BlockDifferences]) -> Estimate {
    let games: f64 = blocks.iter().map(|block| block.games).sum();
    if games == 0.0 {
        return Estimate::alone(f64::NAN);
    }
    let mean = blocks.iter().map(|block| block.sum).sum::<f64>() / games;
    let count = blocks.len() as f64;
    let squares: f64 = blocks.iter().map(|block| (block.sum - mean * block.games).powi(2)).sum();
    let error = (count / (count - 1.0) * squares).sqrt() / games;
    let half =
        if blocks.len() < 2 || error == 0.0 { f64::INFINITY } else { t_upper(blocks.len() as u64) * error };
    Estimate::around(mean, half)
}

/// The effects of all provinces, in the order of their names.
pub fn places(forked: &[Surveyed], powers: Powers) -> Vec<PlaceEffect> {
    let mut tally: BTreeMap<&str, BTreeMap<u32, (f64, ByPower<f64>)>> = BTreeMap::new();
    for game in forked {
        for (province, branches) in by_province(game) {
            let blocks = tally.entry(province).or_default();
            let (games, sums) =
                blocks.entry(game.block).or_insert_with(|| (0.0, ByPower::from_fn(powers, |_| 0.0)));
            *games += 1.0;
            for power in powers {
                let happened = mean(branches.iter().map(|branch| f64::from(branch.outcomes[power])));
                sums[power] += happened - f64::from(game.without[power]);
            }
        }
    }
    let place = |(province, blocks): (&str, BTreeMap<u32, (f64, ByPower<f64>)>)| {
        let of = |power: Power| {
            let differences =
                blocks.values().map(|(games, sums)| BlockDifferences { games: *games, sum: sums[power] });
            mean_by_block(&differences.collect::<Vec<_>>())
        };
        PlaceEffect {
            province: province.to_owned(),
            games: blocks.values().map(|(games, _)| *games as u64).sum(),
            blocks: blocks.len() as u64,
            powers: ByPower::from_fn(powers, of),
        }
    };
    tally.into_iter().map(place).collect()
}

/// The branches of a game in which something happened to a province, by province.
fn by_province(game: &Surveyed) -> BTreeMap<&str, Vec<&SurveyedBranch>> {
    let mut all: BTreeMap<&str, Vec<&SurveyedBranch>> = BTreeMap::new();
    for branch in &game.happened {
        for province in &branch.provinces {
            all.entry(province).or_default().push(branch);
        }
    }
    all
}

/// The mean of some numbers; NaN without numbers.
fn mean(of: impl Iterator<Item = f64> + Clone) -> f64 {
    of.clone().sum::<f64>() / of.count() as f64
}

/// The effect on each power if something happens to one of its homes rather than to another province, with all
/// provinces of either group equally likely: [`crate::balance`] estimates the same from games as they were (`--whose
/// home`), but for at least one event rather than exactly one.
pub fn homes(
    forked: &[Surveyed],
    powers: Powers,
    is_home: impl Fn(&str, Power) -> bool,
) -> ByPower<Estimate> {
    ByPower::from_fn(powers, |power| {
        let mut blocks: BTreeMap<u32, BlockDifferences> = BTreeMap::new();
        for game in forked {
            let of = |home: bool| {
                let strikes =
                    |branch: &&SurveyedBranch| branch.provinces.iter().any(|name| is_home(name, power));
                mean(
                    game.happened
                        .iter()
                        .filter(move |branch| strikes(branch) == home)
                        .map(|branch| f64::from(branch.outcomes[power])),
                )
            };
            let difference = of(true) - of(false);
            if !difference.is_nan() {
                let block = blocks.entry(game.block).or_default();
                block.games += 1.0;
                block.sum += difference;
            }
        }
        mean_by_block(&blocks.into_values().collect::<Vec<_>>())
    })
}

/// The effects as a table for a terminal: a row for each province, a column for each power.
pub fn render(places: &[PlaceEffect], powers: Powers) -> String {
    let mut text = format!("{:<10} {:>6}", "province", "games");
    for power in powers {
        // Writing into a string cannot fail.
        let _ = write!(text, " {:>14}", power.name());
    }
    text.push('\n');
    for place in places {
        let _ = write!(text, "{:<10} {:>6}", place.province, place.games);
        for power in powers {
            let Estimate { estimate, interval } = place.powers[power];
            let half =
                interval.map_or(String::new(), |interval| format!(" ±{:.2}", interval.high - estimate));
            let _ = write!(text, " {:>14}", format!("{estimate:+.2}{half}"));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_map::rng::{Purpose, Stream};

    #[test]
    fn a_mean_by_block_is_that_of_all_games_and_knows_how_blocks_differ() {
        let block = |games: f64, sum: f64| BlockDifferences { games, sum };
        let mean = mean_by_block(&[block(2.0, 2.0), block(1.0, -1.0), block(1.0, 3.0)]);
        assert!((mean.estimate - 1.0).abs() < 1e-12);
        assert!(mean.interval.is_some());
        assert_eq!(mean_by_block(&[block(3.0, 6.0)]), Estimate::alone(2.0));
        assert_eq!(mean_by_block(&[block(3.0, 6.0), block(1.0, 2.0)]), Estimate::alone(2.0));
    }

    /// The truth is known: games of a block share luck, and blocks have different numbers of games.
    #[test]
    fn intervals_by_block_cover_a_known_truth_in_95_of_a_hundred_runs() {
        const TRUTH: f64 = -0.4;
        let mut covered = 0;
        for run in 0..2000 {
            let mut dice = Stream::keyed(run, Purpose::Bot, &[1]);
            let mut unit = || f64::from(dice.below(1_000_001)) / 1_000_000.0 - 0.5;
            let blocks: Vec<BlockDifferences> = (0..30)
                .map(|_| {
                    let shared = 3.0 * unit();
                    let games = 1 + (3.0 * (unit() + 0.5)) as usize;
                    let sum = (0..games).map(|_| TRUTH + shared + 6.0 * unit()).sum();
                    BlockDifferences { games: games as f64, sum }
                })
                .collect();
            let interval = mean_by_block(&blocks).interval.unwrap();
            covered += u32::from(interval.low <= TRUTH && TRUTH <= interval.high);
        }
        assert!((1860..=1940).contains(&covered), "{covered} of 2000");
    }
}
