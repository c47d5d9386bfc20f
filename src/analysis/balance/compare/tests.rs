//! Known values.

use super::*;
use crate::balance::fairness::{Fairness, Replicates, fairness};
use upheaval_map::ids::PowerNames;

/// Blocks of one game each in which Austria has these centres and each other power one.
fn blocks(from: u32, austria: &[u64]) -> Vec<BlockSums> {
    let block = |(number, &centres)| {
        let sums = [vec![0; 7], vec![0; 7], vec![centres, 1, 1, 1, 1, 1, 1], vec![1; 7]];
        BlockSums { block: number, games: 1, sums }
    };
    (from..).zip(austria).map(block).collect()
}

fn compared(one: &[BlockSums], other: &[BlockSums], width: Option<f64>) -> Comparison {
    let (a, b) = (fairness(&PowerNames::standard(), one, 1), fairness(&PowerNames::standard(), other, 1));
    let (one, other) = (side(0, one, &a), side(1, other, &b));
    compare(&one, &other, |_| width, &RankedCells::all(&[&one, &other]))
}

fn side<'a>(
    line_up: usize,
    blocks: &'a [BlockSums],
    (fairness, replicates): &'a (Vec<Fairness>, Replicates),
) -> ComparedCell<'a> {
    let distances = fairness.iter().map(|fairness| fairness.distance).collect();
    ComparedCell { powers: PowerNames::standard(), arm: "arm", line_up, blocks, distances, replicates }
}

fn of(comparison: &Comparison, power: &str) -> Difference {
    comparison.measures[FairnessMeasure::Centres as usize].powers[power].unwrap()
}

#[test]
fn blocks_in_common_are_paired() {
    let (one, other) = (blocks(0, &[1, 2, 4, 3, 7]), blocks(0, &[2, 2, 6, 1, 3]));
    let compared = compared(&one, &other, Some(0.5));
    assert_eq!(compared.paired_blocks, 5);
    // scipy.stats.ttest_rel: p 0.607168, confidence_interval() −2.390323 to 3.590323
    let austria = of(&compared, "AUSTRIA");
    assert!((austria.difference.estimate - 0.6).abs() < 1e-12);
    assert!((austria.difference.interval.unwrap().low + 2.390_323).abs() < 1e-5, "{austria:?}");
    // P. Hall's correction for a skewness of 0.268937 reaches farther up.
    assert!((austria.difference.interval.unwrap().high - 5.135).abs() < 1e-2, "{austria:?}");
    assert!((austria.p.unwrap() - 0.607_167_58).abs() < 1e-7, "{austria:?}");
    assert!((austria.narrowed.unwrap() - 0.802_772_97).abs() < 1e-7, "{austria:?}");
    // (t(0.975; 4) + t(0.8; 4)) · √(5.8 / 5)
    assert!((austria.detectable.unwrap() - 4.003_773).abs() < 1e-5, "{austria:?}");
    // The variance of a difference is 5.8: 2 · t(0.975; n − 1) · √(5.8 / n) ≤ 0.5 from n = 359 on (scipy.stats.t).
    assert_eq!(austria.needed.map(|needed| (needed.blocks, needed.more_games)), Some((359, 354)));
    let england = of(&compared, "ENGLAND");
    assert_eq!((england.difference.estimate, england.p, england.narrowed), (0.0, Some(1.0), None));
    let together = compared.measures[FairnessMeasure::Centres as usize].together.unwrap();
    assert!((together.difference.estimate - 0.6).abs() < 1e-12);
    let distance = compared.measures[FairnessMeasure::Centres as usize].distance.unwrap();
    assert!(distance.interval.unwrap().low <= distance.interval.unwrap().high, "{distance:?}");
}

#[test]
fn only_blocks_that_both_have_whole_are_paired() {
    let (one, mut other) = (blocks(0, &[1, 2, 4, 3]), blocks(1, &[2, 4, 3, 9]));
    other[2].games = 2;
    assert_eq!(compared(&one, &other, None).paired_blocks, 2);
    assert_eq!(of(&compared(&one, &other, None), "AUSTRIA").difference.estimate, 0.0);
}

#[test]
fn blocks_of_other_natures_are_not_paired() {
    let (one, other) = (blocks(0, &[1, 2, 4, 3, 7]), blocks(5, &[2, 2, 6, 1, 3]));
    let compared = compared(&one, &other, None);
    assert_eq!(compared.paired_blocks, 0);
    // scipy.stats.ttest_ind(equal_var=False): 0.4472136, 7.754907 degrees of freedom, p 0.666947
    let austria = of(&compared, "AUSTRIA");
    assert!((0.666_947..0.68).contains(&austria.p.unwrap()), "{austria:?}");
    // Welch's: 0.6 ± 2.319 · 1.341641; fewer degrees of freedom by the kurtosis corrected for few blocks.
    assert!((3.71..4.4).contains(&austria.difference.interval.unwrap().high), "{austria:?}");
    assert_eq!(austria.narrowed, None);
}

#[test]
fn sides_that_do_not_vary_are_not_sure_to_differ() {
    let p = |one: &[u64], other: &[u64]| {
        let (one, other) = (blocks(0, one), blocks(50, other));
        of(&compared(&one, &other, None), "AUSTRIA").p.unwrap()
    };
    // Of the 20 ways to choose three blocks out of six, two separate them.
    assert!((p(&[2; 3], &[5; 3]) - 0.1).abs() < 1e-9, "{}", p(&[2; 3], &[5; 3]));
    assert!((p(&[2; 2], &[5; 2]) - 1.0 / 3.0).abs() < 1e-9);
    assert_eq!(p(&[3; 4], &[3; 4]), 1.0);
}

#[test]
fn a_cell_beside_itself_does_not_differ() {
    let one = blocks(0, &[1, 2, 4, 3, 7]);
    let compared = compared(&one, &one, None);
    assert!(PowerNames::standard().iter().all(|power| of(&compared, power).p == Some(1.0)));
    let distance = compared.measures[FairnessMeasure::Centres as usize].distance.unwrap();
    assert_eq!(distance, Estimate::alone(0.0));
}

#[test]
fn p_values_are_corrected_for_all_that_is_compared() {
    let (one, other) = (blocks(0, &[1, 2, 4, 3, 7]), blocks(0, &[2, 3, 6, 4, 9]));
    let mut once = [compared(&one, &other, None)];
    correct(&mut once);
    let austria = of(&once[0], "AUSTRIA");
    // The other six powers are equal with certainty, so the one that is not counts seven times.
    assert!((austria.p_holm.unwrap() - 7.0 * austria.p.unwrap()).abs() < 1e-12, "{austria:?}");
    let mut twice = [once[0].clone(), once[0].clone()];
    correct(&mut twice);
    let p = of(&twice[1], "AUSTRIA").p_holm.unwrap();
    assert!((p - 14.0 * austria.p.unwrap()).abs() < 1e-12, "{p}");
    // Nobody has a solo, and nothing is tested.
    assert!(once[0].measures[0].powers.iter().all(|(_, of)| of.unwrap().p_holm.is_none()));
}
