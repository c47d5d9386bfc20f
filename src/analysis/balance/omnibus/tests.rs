//! Known values, and the level by simulation.

use super::*;

/// Values that differ from block to block by a formula, for which other programs say what a test gives.
fn formula(blocks: i64) -> Vec<[f64; Power::COUNT]> {
    let value =
        |b: i64, p: i64| ((b * (p + 3) * 7 + p * p * 5 + b * b) % 11) as f64 + 0.3 * (p * (b % 3)) as f64;
    (0..blocks).map(|b| std::array::from_fn(|p| value(b, p as i64))).collect()
}

#[test]
fn hotelling_is_as_numpy_and_scipy_have_it() {
    // T² = 120 · ȳ' S⁻¹ ȳ of differences of neighbours, F = T² · 114 / (6 · 119), p = scipy.stats.f.sf(F, 6, 114)
    let test = hotelling(&formula(120));
    let f = test.f.unwrap();
    assert_eq!((test.method, f.numerator, f.denominator), (Method::Hotelling, 6, 114));
    assert!((test.statistic - 230.005_214_6).abs() < 1e-6, "{test:?}");
    assert!((f.value - 36.723_521_66).abs() < 1e-7, "{test:?}");
    assert!((test.p / 1.752_127_4e-24 - 1.0).abs() < 1e-4, "{test:?}");
}

#[test]
fn two_powers_that_never_win_are_one_way_less_to_differ() {
    let mut blocks = formula(120);
    blocks.iter_mut().for_each(|block| (block[5], block[6]) = (0.0, 0.0));
    let test = hotelling(&blocks);
    let f = test.f.unwrap();
    assert_eq!((f.numerator, f.denominator), (5, 115));
    assert!((test.statistic - 1_603.530_83).abs() < 1e-4, "{test:?}");
    assert!((f.value - 309.926_126_8).abs() < 1e-6, "{test:?}");
}

#[test]
fn what_never_varies_is_certain() {
    let method = |blocks: &[[f64; 7]]| hotelling(blocks).method;
    assert_eq!(method(&[[1.0; 7]; 200]), Method::AllEqual);
    assert_eq!(method(&[[0.0; 7]; 200]), Method::AllEqual);
    assert_eq!(method(&[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0]; 200]), Method::Certain);
    // Six powers vary together and the seventh is always one ahead of them.
    let ahead: Vec<[f64; 7]> =
        (0..200).map(|b| std::array::from_fn(|p| f64::from(b % 5) + f64::from(u8::from(p == 6)))).collect();
    assert_eq!(hotelling(&ahead).p, 0.0);
    assert_eq!(permutation(&[[2.0; 7]; 5], 1, 0).method, Method::AllEqual);
    assert_eq!(test(&[[1.0; 7]], 1, 0), None);
}

#[test]
fn a_permutation_test_of_two_blocks_can_be_counted_out() {
    // Two blocks in which one power has all. It is the same power in one of seven permutations.
    let one = |at: usize| -> [f64; 7] { std::array::from_fn(|p| f64::from(u8::from(p == at))) };
    let same = test(&[one(2), one(2)], 1, 0).unwrap();
    assert_eq!(same.method, Method::Permutation);
    assert!((same.p - 1.0 / 7.0).abs() < 0.02, "{same:?}");
    assert_eq!(test(&[one(2), one(3)], 1, 0).unwrap().p, 1.0);
}

#[test]
fn equal_powers_are_called_unequal_as_often_as_the_level_says() {
    let runs = if std::env::var_os("UPHEAVAL_SOAK").is_some() { 4_000 } else { 200 };
    // Seven games a block, some of them won by a power: rare, and never independent of each other.
    for (blocks, runs, chance_of_none) in [(20, runs / 2, 0), (150, 4 * runs, 0), (150, 4 * runs, 20)] {
        let rejected = (0..runs)
            .filter(|&run| {
                let mut dice = Stream::keyed(run, Purpose::Bot, &[blocks, u64::from(chance_of_none)]);
                let block = |_| {
                    let mut solos = [0.0; 7];
                    for _ in 0..7 {
                        if let Some(solos) = solos.get_mut(dice.below(7 + chance_of_none) as usize) {
                            *solos += 1.0;
                        }
                    }
                    solos
                };
                let values: Vec<_> = (0..blocks).map(block).collect();
                test(&values, run, 0).unwrap().p < 0.05
            })
            .count();
        let share = rejected as f64 / runs as f64;
        // Three standard deviations of so many runs, and half a point for what is only nearly normal.
        let room = 3.0 * (0.05 * 0.95 / runs as f64).sqrt() + 0.005;
        assert!((share - 0.05).abs() < room, "{blocks} blocks: {share} of {runs}");
    }
}
