//! Known values, a slow reference, and coverage by simulation.

use super::*;
use upheaval_map::rng::{Purpose, Stream};

fn of(blocks: &[Vec<u16>]) -> Distribution {
    let mut all = Distribution::default();
    blocks.iter().for_each(|block| all.add_block(&mut block.clone()));
    all
}

#[test]
fn quantiles_are_numbers_that_were_seen() {
    // numpy.quantile([0, 0, 1, 3, 3, 3, 4, 9, 9, 10], q, method="inverted_cdf")
    let all = of(&[vec![3, 0, 9, 1], vec![3, 0, 3], vec![4, 10, 9]]);
    let q = all.quantiles().unwrap();
    assert_eq!([q.p5, q.p25, q.p50, q.p75, q.p95].map(|q| q.estimate), [0, 1, 3, 9, 10]);
    assert_eq!(all.counts(), [2, 1, 0, 3, 1, 0, 0, 0, 0, 2, 1]);
    assert_eq!(Distribution::default().quantiles(), None);
    // 0.05 · 20 and 0.95 · 20 are whole numbers, but 0.05 and 0.95 are not exact in binary.
    let twenty: Vec<Vec<u16>> = (1..=20).map(|number| vec![number]).collect();
    let q = of(&twenty).quantiles().unwrap();
    assert_eq!([q.p5, q.p25, q.p50, q.p75, q.p95].map(|q| q.estimate), [1, 5, 10, 15, 19]);
}

#[test]
fn bounds_are_where_the_intervals_of_shares_pass_the_quantile() {
    // Forty games in blocks of one, one game for each number from 1 to 40. Wilson's interval of 13/40 ends at 0.480, of
    // 14/40 at 0.505; that of 26/40 begins at 0.495, of 27/40 at 0.520
    // (statsmodels.stats.proportion.proportion_confint).
    let blocks: Vec<Vec<u16>> = (1..=40).map(|number| vec![number]).collect();
    let q = of(&blocks).quantiles().unwrap();
    assert_eq!(q.p50, Quantile { estimate: 20, low: Some(14), high: Some(27) });
    // None of forty at or below 0: the share is at most 0.088. All forty: the share is at least 0.912, so the 95th
    // percentile may lie beyond.
    assert_eq!((q.p5.low, q.p95.high), (Some(0), None));
    // With seventy-three games the bound is 0.95.
    let blocks: Vec<Vec<u16>> = (0..73).map(|number| vec![u16::from(number == 0)]).collect();
    assert_eq!(of(&blocks).quantiles().unwrap().p95, Quantile { estimate: 0, low: Some(0), high: Some(1) });
    let one = of(&[vec![1, 2, 3, 4, 5, 6, 7]]).quantiles().unwrap();
    assert_eq!(one.p50, Quantile { estimate: 4, low: None, high: None });
    assert_eq!(
        [one.p50, one.p50.known(), Quantile { high: None, ..one.p50.known() }].map(|q| q.to_string()),
        ["4", "4 (4 to 4)", "4 (4 or more)"]
    );
    assert_eq!(one.p50.known(), Quantile { estimate: 4, low: Some(4), high: Some(4) });
}

/// Blocks of games with a common number, more or less: each game has the number of its block four times in five.
fn drawn(run: u64, blocks: u64, games: usize) -> Vec<Vec<u16>> {
    let mut dice = Stream::keyed(run, Purpose::Bot, &[blocks, games as u64]);
    // Nine numbers, of which the lower ones are more frequent.
    let mut number = || dice.below(9).min(dice.below(9)) as u16;
    (0..blocks)
        .map(|_| {
            let common = number();
            (0..games).map(|_| if number() < 5 { common } else { number() }).collect()
        })
        .collect()
}

/// The same computed from the games themselves: for each number a share of all games, block by block.
fn slowly(blocks: &[Vec<u16>], share: f64) -> Quantile {
    let most = blocks.iter().flatten().copied().max().unwrap();
    let levels: Vec<(f64, f64, f64)> = (0..=most)
        .map(|number| {
            let mut all = Blocks::default();
            for block in blocks {
                block.iter().for_each(|&other| all.add(u64::from(other <= number)));
                all.close();
            }
            let rate = all.rate().unwrap();
            (rate.estimate, rate.interval.unwrap().low, rate.interval.unwrap().high)
        })
        .collect();
    let least = |fits: &dyn Fn(usize) -> bool| (0..levels.len()).find(|&at| fits(at)).map(|at| at as u64);
    Quantile {
        estimate: least(&|at| levels[at].0 >= share).unwrap(),
        low: least(&|at| levels[at].2 >= share),
        high: least(&|at| levels[at].1 >= share),
    }
}

#[test]
fn sums_say_what_the_games_say() {
    for (blocks, games) in [(2, 7), (5, 7), (30, 7), (200, 7), (40, 1)] {
        for run in 0..10 {
            let mut all = drawn(run, blocks, games);
            // A block may have fewer games than another.
            all[0].truncate(3);
            let q = of(&all).quantiles().unwrap();
            for (quantile, share) in [(q.p5, 0.05), (q.p25, 0.25), (q.p50, 0.5), (q.p75, 0.75), (q.p95, 0.95)]
            {
                assert_eq!(quantile, slowly(&all, share), "{blocks} blocks of {games}, {share}");
            }
            let turned: Vec<Vec<u16>> =
                all.iter().rev().map(|block| block.iter().rev().copied().collect()).collect();
            assert_eq!(of(&turned), of(&all), "in any order");
        }
    }
}

#[test]
fn intervals_of_quantiles_cover_the_truth() {
    // The share at or below k is 1 − ((8 − k) / 9)².
    let truth = |share: f64| {
        (0..9_u32).find(|&k| 1.0 - (f64::from(8 - k) / 9.0).powi(2) >= share).map(u64::from).unwrap()
    };
    for (blocks, games) in [(2, 7), (8, 7), (20, 7), (150, 7), (20, 1)] {
        let runs = testkit::amount(if blocks > 20 { 200 } else { 1_000 }, 1_000);
        let mut covered = [0; 5];
        for run in 0..runs {
            let q = of(&drawn(run, blocks, games)).quantiles().unwrap();
            let all = [(q.p5, 0.05), (q.p25, 0.25), (q.p50, 0.5), (q.p75, 0.75), (q.p95, 0.95)];
            for (covered, (quantile, share)) in covered.iter_mut().zip(all) {
                let truth = truth(share);
                let low = quantile.low.is_some_and(|low| low <= truth);
                *covered += u64::from(low && quantile.high.is_none_or(|high| truth <= high));
            }
        }
        // Of 200 runs, three standard deviations less than 95 of a hundred.
        let least = if runs == 200 { 190 - 9 } else { runs * 94 / 100 };
        assert!(
            covered.iter().all(|&covered| covered >= least),
            "{blocks} blocks of {games}: {covered:?} of {runs}"
        );
    }
}
